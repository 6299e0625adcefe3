package compare

import (
	"math"
	"slices"

	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/table"
)

// document is a comparison for programs.
type document struct {
	Metric  string    `json:"metric"`
	Better  string    `json:"better"` // high or low
	Samples string    `json:"samples,omitempty"`
	Unsure  string    `json:"unsure,omitempty"`
	Answers []string  `json:"answers"`
	Rows    []figures `json:"rows"`
	By      []change  `json:"by,omitempty"`
	// Site is the changes from the first policy named, with a site's model and without.
	Site []siteChange `json:"site,omitempty"`
}

// figures is a row for programs: the settings that tell it from the others, and its
// figures by the names and in the units of summary.json.
type figures struct {
	Settings map[string]string `json:"settings"`
	Name     string            `json:"name"`
	Block    string            `json:"block,omitempty"`
	Verdict  Verdict           `json:"verdict"`
	P        *float64          `json:"p_value,omitempty"` // of the difference to the best, corrected
	Baseline string            `json:"baseline"`
	// Difference is that of the metric to the baseline.
	Difference stats.Estimate            `json:"difference"`
	Evidence   *Evidence                 `json:"evidence,omitempty"` // of the difference, of one log
	Recorded   *stats.Times              `json:"recorded,omitempty"`
	Log        map[string]float64        `json:"log,omitempty"` // the log's own figures, where others are of replicas
	OverLog    *float64                  `json:"replicas_over_log,omitempty"`
	Figures    map[string]stats.Estimate `json:"figures"`
	Replicas   []string                  `json:"replicas,omitempty"`
	Values     map[string][]float64      `json:"values,omitempty"` // by replica
}

// document is the table for programs, each figure with all its digits.
func (t *Ranking) document() *document {
	d := &document{Metric: t.Metric.Name, Better: "low", Samples: t.Samples, Unsure: t.Unsure, Answers: t.Answers(),
		By: t.changes()}
	if t.Metric.High {
		d.Better = "high"
	}
	if t.Without != nil {
		d.Site = t.siteChanges()
	}
	for _, e := range t.Entries {
		row := figures{Settings: map[string]string{}, Name: e.Name, Block: e.Block, Verdict: e.Verdict, Baseline: e.Base.Name,
			Difference: e.Difference,
			Recorded:   e.Recorded, Figures: map[string]stats.Estimate{}}
		for i, key := range t.Keys {
			row.Settings[key] = e.Settings[i]
		}
		if !math.IsNaN(e.P) {
			row.P = &e.P
		}
		if e.Evidence != nil && e.Evidence.Stretches > 0 {
			row.Evidence = e.Evidence
		}
		if len(e.Cells) > 1 {
			row.Replicas, row.Values = e.Replicas, map[string][]float64{}
		}
		if e.Log != nil {
			over := t.overLog(e)
			row.Log, row.OverLog = map[string]float64{}, &over
			for _, m := range run.Measures {
				row.Log[m.Name] = m.Of(*e.Log)
			}
		}
		for _, m := range t.measures() {
			row.Figures[m.Name] = t.estimate(e, m)
			if row.Values != nil {
				row.Values[m.Name] = e.values(m)
			}
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

// replicas has a row for each replica of each entry, with the entry's verdict.
func (t *Ranking) replicas() *table.Table {
	names := append(slices.Clone(t.Keys), "replica")
	for _, m := range t.measures() {
		names = append(names, m.Name)
	}
	names = append(names, "metric", "verdict", "p_value", "baseline", "difference")
	out := &table.Table{Columns: table.Named(names...)}
	for _, e := range t.Entries {
		for i := range e.Cells {
			var row []any
			for _, s := range e.Settings {
				row = append(row, s)
			}
			replica := ""
			if len(e.Replicas) > i {
				replica = e.Replicas[i]
			}
			row = append(row, replica)
			for _, m := range t.measures() {
				row = append(row, e.values(m)[i])
			}
			out.Add(append(row, t.Metric.Name, string(e.Verdict), e.P, e.Base.Name, e.Difference)...)
		}
	}
	return out
}

// measures are those of summaries and the others.
func (t *Ranking) measures() []run.Measure { return slices.Concat(run.Measures, t.More) }
