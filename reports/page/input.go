package page

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bourse/reports/terminal"
)

// input is all that charts and tables are made of.
type input struct {
	runs  []*Run
	data  []*gathered
	grid  grid
	clock clock
}

// gather reads the records of all runs, one run after the other.
func gather(runs []*Run) (*input, error) {
	p := &input{runs: runs}
	for i, r := range runs {
		first, last, err := r.span()
		if err != nil {
			return nil, err
		}
		if i == 0 {
			p.grid.first, p.grid.last = first, last
		}
		p.grid.first, p.grid.last = min(p.grid.first, first), max(p.grid.last, last)
	}
	if p.grid.last <= p.grid.first {
		p.grid.last = p.grid.first + 1
	}
	// All runs together take about as many bins as one; each number is a multiple
	// of shareBins.
	switch n := len(runs); {
	case n == 1:
		p.grid.bins = 2000
	case n <= 4:
		p.grid.bins = 1000
	default:
		p.grid.bins = 500
	}
	p.settleClock()
	for _, r := range runs {
		g, err := r.gather(p.grid)
		if err != nil {
			return nil, err
		}
		p.data = append(p.data, g)
	}
	return p, nil
}

// pooled reports whether a run was on a pool, whose records do not show what
// a job takes.
func (p *input) pooled() bool {
	return slices.ContainsFunc(p.runs, func(r *Run) bool { return r.Summary.Machine.Pool != nil })
}

// jobs says how many jobs the runs have.
func (p *input) jobs() string {
	least, most := p.data[0].jobs, p.data[0].jobs
	for _, g := range p.data {
		least, most = min(least, g.jobs), max(most, g.jobs)
	}
	switch {
	case least < most:
		return fmt.Sprintf("%s to %s jobs a run", terminal.Thousands(least), terminal.Thousands(most))
	case most == 1:
		return "one job"
	}
	return terminal.Thousands(most) + " jobs"
}

// any reports whether a run has something.
func (p *input) any(has func(*gathered) bool) bool { return slices.ContainsFunc(p.data, has) }

// bands are those that any run has jobs of, all together last.
func (p *input) bands() []int {
	var out []int
	for _, b := range bandOrder[:numBands] {
		if p.any(func(g *gathered) bool { return g.bsd[b].N() > 0 }) {
			out = append(out, b)
		}
	}
	return append(out, numBands)
}

// bandScale returns labels, colours and strokes of bands.
func (p *input) bandScale(bands []int) (labels, colours []string, strokes [][]int) {
	all := bandColours()
	for _, b := range bands {
		labels, colours, strokes = append(labels, bandLabels[b]), append(colours, all[b]),
			append(strokes, dashes[(b+numBands)%(numBands+1)])
	}
	return labels, colours, strokes
}

func (p *input) labels() []string { return labelsOf(p.all()) }

// shown is a line of a chart: a run, or several of one schedule.
type shown struct {
	at    int // the place of the run that is drawn
	label string
	alike []string // the labels of runs with the same schedule
}

func labelsOf(shown []shown) (labels []string) {
	for _, s := range shown {
		labels = append(labels, s.label)
	}
	return labels
}

// all shows every run by itself.
func (p *input) all() []shown {
	out := make([]shown, len(p.runs))
	for i, r := range p.runs {
		out[i] = shown{at: i, label: r.Label}
	}
	return out
}

// schedules shows runs in which every job ran at the same times once: payments do not
// change who runs.
func (p *input) schedules() (out []shown) {
	for i, r := range p.runs {
		k := slices.IndexFunc(out, func(s shown) bool { return p.data[s.at].schedule == p.data[i].schedule })
		if k < 0 {
			out = append(out, shown{at: i, label: r.Label, alike: []string{r.Label}})
			continue
		}
		out[k].alike = append(out[k].alike, r.Label)
		out[k].label = strings.Join(out[k].alike, " = ")
	}
	return out
}

// alike says which runs are drawn as one.
func alike(shown []shown) (text string) {
	for _, s := range shown {
		if len(s.alike) > 1 {
			text += " " + strings.Join(s.alike, " and ") + " have the same schedule and are drawn once."
		}
	}
	return text
}

// paid reports whether somebody paid in a run.
func (p *input) paid() bool { return p.any(func(g *gathered) bool { return g.heat.paid > 0 }) }

// byRun colours a chart by run, with a legend. A run has one colour on the whole page.
func (c *chart) byRun(shown []shown) {
	all, lines := runColours(shown[len(shown)-1].at + 1)
	var labels, colours []string
	var strokes [][]int
	for _, s := range shown {
		labels, colours, strokes = append(labels, s.label), append(colours, all[s.at]), append(strokes, lines[s.at])
	}
	c.colour("run", "run", labels, colours, strokes)
	c.Legend = legend(labels, colours, strokes)
}

// colour distinguishes the values of a field by colours and strokes.
func (c *chart) colour(field, title string, labels, colours []string, strokes [][]int) {
	maps.Copy(c.Spec["encoding"].(object), document("colours",
		object{"field": field, "title": title, "labels": labels, "colours": colours, "strokes": strokes}))
}

func legend(labels, colours []string, strokes [][]int) (keys []key) {
	for i, l := range labels {
		keys = append(keys, key{l, colours[i], strokes[i]})
	}
	return keys
}
