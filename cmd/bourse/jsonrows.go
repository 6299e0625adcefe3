package main

import (
	"bourse/reports/run"
	"bourse/reports/stats"
)

const jsonHelp = "print the figures as JSON instead of a table"

// jsonRow is a row of what `compare --json` prints: the settings that tell it from
// the others, and its figures by the names and in the units of summary.json.
type jsonRow struct {
	Settings map[string]string   `json:"settings"`
	Cells    int                 `json:"cells,omitempty"` // of a sweep, that the row is a mean of
	Figures  map[string]estimate `json:"figures"`
}

// estimate is a figure, with half of its 95 % interval where there are replicas or
// batches to tell it from.
type estimate struct {
	Value float64  `json:"value"`
	Half  *float64 `json:"half_interval,omitempty"`
}

// estimateOf is the mean of samples; replicas says that they are of one setting.
func estimateOf(samples []float64, replicas bool) estimate {
	mean, half, ok := stats.Interval(samples)
	if !ok || !replicas {
		return estimate{Value: mean}
	}
	return estimate{mean, &half}
}

// figuresOf takes the figures of one run from its aggregates.
func figuresOf(a *stats.Aggregate, m *run.Machine) map[string]estimate {
	figures := map[string]estimate{}
	for name, value := range map[string]float64{
		"jobs": float64(a.Jobs), "mean_wait_s": a.MeanWait, "mean_bsd": a.MeanBSD, "p95_bsd": a.P95BSD, "mean_bsld10": a.MeanBsld10, "ssj_percent": a.SSJ,
		"mean_payment": a.MeanPayment, "mean_utility": a.MeanUtility, "utilisation": m.Utilisation, "makespan_s": m.MakespanS,
	} {
		figures[name] = estimate{Value: value}
	}
	return figures
}
