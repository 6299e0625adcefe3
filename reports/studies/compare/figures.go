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

// figuresOf takes the figures of one run.
func figuresOf(f run.Figures) map[string]stats.Estimate {
	figures := map[string]stats.Estimate{}
	for _, m := range run.Measures {
		figures[m.Name] = stats.Exactly(m.Of(f))
	}
	return figures
}

// PolicyFigures is PrintPolicies for programs.
func PolicyFigures(contenders []*Contender) []Figures {
	rows := make([]Figures, len(contenders))
	for i, c := range contenders {
		figures := figuresOf(c.figures())
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
			for name, figure := range figuresOf(s.Total()) {
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

func meanWait(f run.Figures) float64 { return f.MeanWait }
