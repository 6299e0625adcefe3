package page

import (
	"slices"

	"bourse/reports/run"
)

// causes draws the mean wait of each run by what jobs waited for, where replays kept that.
func causes(p *input) *chart {
	c := &chart{ID: "causes", Title: "What do jobs wait for?",
		Data:    &data{Names: []string{"run", "cause", "wait", "percent"}},
		Caption: "Mean wait of a job by cause; the parts add up to the mean wait."}
	var order, labels []string
	for _, s := range p.schedules() {
		r := p.runs[s.at]
		if len(r.Summary.Waits) == 0 {
			continue
		}
		labels = append(labels, s.label)
		for _, w := range r.Summary.Waits {
			if w.MeanS == 0 {
				continue
			}
			name := run.CauseWords(w.Cause)
			if !slices.Contains(order, name) {
				order = append(order, name)
			}
			c.Data.add(s.label, name, short(w.MeanS/3600), short(w.Percent))
		}
	}
	if len(c.Data.Rows) == 0 {
		return nil
	}
	colours, _ := runColours(len(order))
	c.Legend = legend(order, colours, make([][]int, len(order)))
	c.Caption += alike(p.schedules())
	c.Spec = document("causes", object{"height": 34*len(labels) + 6, "labels": labels, "causes": order,
		"colours": colours})
	return c
}
