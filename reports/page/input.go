package page

import (
	"cmp"
	"fmt"
	"slices"

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
	p.clock = clockFor(p.grid.last - p.grid.first)
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
		if p.any(func(g *gathered) bool { return len(g.bsd[b].Steps(0)) > 0 }) {
			out = append(out, b)
		}
	}
	return append(out, numBands)
}

// bandScale returns labels, colours and strokes of bands.
func (p *input) bandScale(bands []int) (labels, colours []string, strokes [][]int) {
	all := bandColours()
	for _, b := range bands {
		labels, colours, strokes = append(labels, bandLabels[b]), append(colours, all[b]), append(strokes, dashes[(b+numBands)%(numBands+1)])
	}
	return labels, colours, strokes
}

func (p *input) labels() []string { return each(p.runs, func(r *Run) string { return r.Label }) }

// byRun colours an encoding by run.
func (p *input) byRun(encoding object) {
	colours, strokes := runColours(len(p.runs))
	encoding["color"] = object{"field": "run", "type": "nominal", "title": "run", "scale": scaleOf(p.labels(), colours)}
	encoding["strokeDash"] = object{"field": "run", "type": "nominal", "title": "run", "scale": object{"domain": p.labels(), "range": strokes}}
}

// inOrder sorts jobs by submission, ties by number.
func inOrder(jobs []job) []*job {
	out := make([]*job, len(jobs))
	for i := range jobs {
		out[i] = &jobs[i]
	}
	slices.SortFunc(out, func(a, b *job) int {
		return cmp.Or(cmp.Compare(a.submit, b.submit), cmp.Compare(a.id, b.id), cmp.Compare(a.task, b.task))
	})
	return out
}
