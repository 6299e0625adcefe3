package compare

import (
	"bourse/reports/run"
	"bourse/reports/stats"
)

// Figures is a row for programs: the settings that tell it from the others, and its
// figures by the names and in the units of summary.json.
type Figures struct {
	Settings map[string]string         `json:"settings"`
	Cells    int                       `json:"cells,omitempty"` // of a sweep, that the row is a mean of
	Figures  map[string]stats.Estimate `json:"figures"`
	// ComparedTo are the settings of the row from which wait_difference_s is.
	ComparedTo map[string]string `json:"compared_to,omitempty"`
}

// figuresOf takes the figures of one run from its aggregates.
func figuresOf(a *stats.Aggregate, m *run.Machine) map[string]stats.Estimate {
	figures := map[string]stats.Estimate{}
	for name, value := range map[string]float64{
		"jobs": float64(a.Jobs), "mean_wait_s": a.MeanWait, "mean_bsd": a.MeanBSD, "p95_bsd": a.P95BSD, "mean_bsld10": a.MeanBsld10, "ssj_percent": a.SSJ,
		"mean_payment": a.MeanPayment, "mean_utility": a.MeanUtility, "utilisation": m.Utilisation, "makespan_s": m.MakespanS,
	} {
		figures[name] = stats.Exactly(value)
	}
	return figures
}

// PolicyFigures is PrintPolicies for programs.
func PolicyFigures(contenders []*Contender) []Figures {
	rows := make([]Figures, len(contenders))
	for i, c := range contenders {
		machine := run.NewMachine(&c.Summary)
		figures := figuresOf(&c.Stats.Result().Total, &machine)
		figures["preemptions"] = stats.Exactly(float64(c.Summary.Preemptions))
		figures["fairness"] = stats.Exactly(c.Users.Fairness())
		if i > 0 {
			figures["wait_difference_s"] = c.LongerWait(contenders[0])
		}
		rows[i] = Figures{Settings: map[string]string{"policy": c.Market.Policy, "payment": c.Market.Payment}, Figures: figures}
	}
	return rows
}

// Figures is Print for programs.
func (t *Rows) Figures() []Figures {
	var rows []Figures
	for _, g := range t.Rows {
		row := Figures{Settings: t.settings(g), Cells: len(g.Summaries), Figures: map[string]stats.Estimate{}}
		samples := map[string][]float64{}
		for _, s := range g.Summaries {
			for name, figure := range figuresOf(&s.Jobs.Total, &s.Machine) {
				samples[name] = append(samples[name], figure.Mean)
			}
		}
		for name := range samples {
			row.Figures[name] = t.estimate(samples[name])
		}
		if paired := t.Differences(g, meanWait); paired != nil {
			row.Figures["wait_difference_s"], row.ComparedTo = t.estimate(paired), t.settings(t.reference(g))
		}
		rows = append(rows, row)
	}
	return rows
}

// settings are a row's values by the names of its axes.
func (t *Rows) settings(g *Row) map[string]string {
	all := map[string]string{}
	for i, x := range t.Axes {
		all[x.Name] = g.Settings[i]
	}
	return all
}

func meanWait(s *run.Summary) float64 { return s.Jobs.Total.MeanWait }
