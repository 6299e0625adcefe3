package fragmentation

import (
	"math"

	"bourse/reports/figures"
)

// figures draws what the study's figures show: GPUs that are free though asked for, and
// what part of the free ones is fragments, by what has been asked for so far.
func (s *study) figures() error {
	for w := range s.results {
		panels := []figures.Drawing{
			s.panel(w, "GPUs not allocated (%)", "tr", 80, func(r *Result, c int) float64 { return 100 - r.Allocated[c] }),
			s.panel(w, measures[1].axis, "", 0, func(r *Result, c int) float64 { return r.Fragments[c] }),
			s.panel(w, measures[2].axis, "", 0, func(r *Result, c int) float64 { return r.Ratio[c] }),
		}
		if err := s.Draw(s.data.workloads[w].name, panels); err != nil {
			return err
		}
	}
	return nil
}

// panel is a measure's mean over the seeds by percent, a line for each policy.
func (s *study) panel(w int, axis, legend string, from int, value func(*Result, int) float64) *figures.Panel {
	p := &figures.Panel{Title: s.data.workloads[w].name, X: "GPUs asked for (% of all)", Y: axis, Legend: legend,
		XMin: float64(from), XMax: columns - 1}
	for k, c := range compared {
		l := figures.Line{Name: c.name, Bare: true}
		for percent := from; percent < columns; percent++ {
			sum := 0.0
			for _, r := range s.results[w][k] {
				sum += value(r, percent)
			}
			if !math.IsNaN(sum) { // a trace of a few pods passes percents by
				l.X, l.Y = append(l.X, float64(percent)), append(l.Y, sum/float64(s.Seeds))
			}
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}
