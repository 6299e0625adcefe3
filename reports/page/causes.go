package page

import (
	"slices"

	"bourse/reports/run"
)

// causes draws the mean wait of each run by what jobs waited for, where replays kept that.
func causes(p *input) *chart {
	c := &chart{ID: "causes", Title: "What do jobs wait for?", Data: &data{Names: []string{"run", "cause", "wait", "percent"}},
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
	c.Spec = object{"height": 34*len(labels) + 6, "mark": object{"type": "bar"}, "encoding": object{
		"x":       positional("wait", "mean wait (hours)", "stack", "zero"),
		"y":       object{"field": "run", "type": "nominal", "title": nil, "sort": labels},
		"color":   object{"field": "cause", "type": "nominal", "title": "cause", "scale": scaleOf(order, colours)},
		"order":   object{"field": "cause", "type": "nominal", "sort": order},
		"tooltip": []object{{"field": "run", "type": "nominal"}, {"field": "cause", "type": "nominal"}, positional("wait", "hours", "format", ",.2f"), positional("percent", "% of waiting", "format", ".1f")},
	}}
	return c
}
