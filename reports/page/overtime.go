package page

import (
	"fmt"
	"slices"
	"strings"

	"bourse/reports/stats"
)

// shareBins is how many bins of time the picture of the machine's shares has.
const shareBins = 250

// overTime are the series: utilisation, queue and price.
func overTime(p *input) []*chart {
	var out []*chart
	for _, s := range []struct {
		id, title, y string
		of           func(*tracks) *track
	}{
		{"use", "Utilisation", "utilisation (%)", func(t *tracks) *track { return &t.use }},
		{"queue", "Queue length", "jobs waiting", func(t *tracks) *track { return &t.queue }},
		{"price", "Price", "price (money per processor-second)", func(t *tracks) *track { return &t.price }},
	} {
		c := &chart{ID: s.id, Title: s.title, Series: &series{
			First: p.grid.first / p.clock.per, Width: p.grid.width() / p.clock.per, Bins: p.grid.bins, X: p.clock.title(), Y: s.y}}
		var lacking []string
		for i, g := range p.data {
			if t := s.of(&g.tracks); t.known() {
				c.Series.Lines = append(c.Series.Lines, line{i, p.runs[i].Label, t.least, t.mean, t.most})
			} else {
				lacking = append(lacking, p.runs[i].Label)
			}
		}
		// A price of nothing is not drawn; an idle machine is.
		if len(c.Series.Lines) > 0 && (s.id != "price" || slices.ContainsFunc(c.Series.Lines, line.some)) {
			c.Caption = p.origin()
			if lacking != nil {
				c.Caption += " Not known of " + strings.Join(lacking, ", ") + "."
			}
			out = append(out, c)
		}
	}
	return out
}

// origin says what a series was made of.
func (p *input) origin() string {
	text := fmt.Sprintf("Line: mean in each of %d bins of %s; shade: least to greatest in the bin. ", p.grid.bins, duration(p.grid.width()))
	sampled, exact := 0, true
	for i, g := range p.data {
		if g.tracks.from != "series" {
			exact = exact && g.exact()
			continue
		}
		if sampled++; p.runs[i].Manifest.Written.Series != "changes" {
			text += fmt.Sprintf("%s was sampled every %s s. ", p.runs[i].Label, p.runs[i].Manifest.Written.Series)
		}
	}
	finest := duration(p.grid.width() / fine)
	switch {
	case sampled == len(p.data):
		return text + "From the series of the replay: every state counts, however short."
	case sampled > 0:
		text += "Runs without series are worked out"
	default:
		text += "Worked out"
	}
	text += " from the records of jobs, peaks shorter than " + finest + " levelled (a replay with a series keeps them)"
	if !exact {
		text += "; " + inProportion
	}
	return text + "."
}

// inProportion says what becomes of jobs of which it is not known when they ran.
const inProportion = "preempted and shared jobs count in proportion from their first start to their end (segments record when they ran)"

// shares draws how the machine is shared over time, by value band.
func shares(p *input) *chart {
	if len(p.runs) > 6 {
		return nil
	}
	pool := p.pooled()
	y, what := "machine (%)", "Share of the processors held by jobs of each value band"
	if pool {
		y, what = "jobs running", "Jobs running of each value band"
	}
	c := &chart{ID: "shares", Title: "The machine by value band", Data: &data{Names: []string{"run", "band", "t", "y"}},
		Caption: fmt.Sprintf("%s, means of %s", what, duration(p.grid.width()*float64(p.grid.bins/shareBins)))}
	if p.any(func(g *gathered) bool { return !g.exact() }) {
		c.Caption += "; " + inProportion
	}
	c.Caption += "."
	bands := p.bands()
	bands = bands[:len(bands)-1]
	for i, g := range p.data {
		scale := 1.0
		if !pool {
			scale = 100 / float64(p.runs[i].Summary.Machine.Procs)
		}
		for _, b := range bands {
			c.Data.bins(p, p.runs[i].Label, bandLabels[b], g.busy[b].means(), scale)
		}
	}
	labels, colours, _ := p.bandScale(bands)
	unit := object{"height": 240, "mark": object{"type": "area", "interpolate": "step-after", "clip": true}, "encoding": object{
		"x":     positional("t", p.clock.title(), "scale", object{"nice": false}),
		"y":     positional("y", y, "stack", "zero"),
		"color": object{"field": "band", "type": "nominal", "title": "value band", "scale": scaleOf(labels, colours)},
		"order": object{"field": "band", "type": "nominal", "sort": labels},
	}}
	if len(p.runs) > 1 {
		c.Facets = 1
	}
	p.panels(c, unit, 120)
	return c
}

// bins adds means of larger bins.
func (d *data) bins(p *input, run, band string, means []float64, scale float64) {
	fold := len(means) / shareBins
	width := (p.grid.last - p.grid.first) / shareBins
	for i := range shareBins {
		sum := 0.0
		for _, x := range means[i*fold : (i+1)*fold] {
			sum += x
		}
		d.add(run, band, short((p.grid.first+float64(float64(i)*width))/p.clock.per), short(sum/float64(fold)*scale))
	}
}

// gantt draws each job where there are few: one row per job in order of submission.
func gantt(p *input) *chart {
	if len(p.runs) > 3 || p.any(func(g *gathered) bool { return g.few == nil }) {
		return nil
	}
	c := &chart{ID: "gantt", Title: "Job by job", Facets: 1, Data: &data{Names: []string{"run", "y", "y2", "t", "t2", "state", "job", "procs", "wait", "bid", "payment"}},
		Caption: "One row per job, in order of submission from the top: waiting, then running, coloured by value band."}
	for i, g := range p.data {
		for row, j := range inOrder(g.few) {
			c.Data.job(p, p.runs[i].Label, row, j)
		}
	}
	if p.any(func(g *gathered) bool { return !g.exact() }) {
		c.Caption += " Preemptions do not show: the replay kept no segments."
	}
	bands := p.bands()
	labels, colours, _ := p.bandScale(bands[:len(bands)-1])
	labels, colours = append([]string{"waiting"}, labels...), append([]string{"#8c8c8c"}, colours...)
	axisTitle := p.clock.title()
	unit := object{"height": 420, "mark": object{"type": "rect", "clip": true}, "encoding": object{
		"x": positional("t", axisTitle, "scale", object{"nice": false, "zero": false}), "x2": object{"field": "t2"},
		"y": positional("y", "job, in order of submission", "scale", object{"reverse": true, "nice": false}, "axis", axis("job, in order of submission", "tickMinStep", 1)), "y2": object{"field": "y2"},
		"color":   object{"field": "state", "type": "nominal", "title": "state or value band", "scale": scaleOf(labels, colours)},
		"opacity": object{"condition": object{"test": "datum.state === 'waiting'", "value": .45}, "value": 1},
		"tooltip": []object{{"field": "job", "type": "nominal"}, {"field": "state", "type": "nominal"}, positional("procs", "processors"), positional("wait", "wait (s)"), positional("bid", "bid"), positional("payment", "payment", "format", ",.2f")},
	}}
	p.panels(c, unit, 260)
	return c
}

// job adds one job's stretches: its waits in the gaps between its pieces.
func (d *data) job(p *input, run string, row int, j *job) {
	pieces := j.pieces
	if pieces == nil {
		pieces = [][2]float64{{j.start, j.end}}
	}
	name := fmt.Sprint(j.id)
	if j.task > 0 {
		name += fmt.Sprintf(" task %d", j.task)
	}
	// Times need all their digits, or neighbours would not touch.
	add := func(from, to float64, state string) {
		d.add(run, row, short(float64(row)+.9), from/p.clock.per, to/p.clock.per, state, name, j.procs, short(j.wait), short(j.bid), short(j.payment))
	}
	at := j.submit
	for _, x := range pieces {
		if x[0] > at {
			add(at, x[0], "waiting")
		}
		add(x[0], x[1], bandLabels[stats.BandOf(j.value)])
		at = x[1]
	}
}
