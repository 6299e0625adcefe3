package dynamicsharing

import (
	"fmt"
	"math"
	"slices"

	"bourse/reports/figures"
	"bourse/reports/studies"
	"bourse/reports/terminal"
)

// The published sharing indices under flexible lending on the Google trace.
const leastIndex, meanIndex = .98, 15

// indices are sharing indices in increasing order with their measures.
type indices struct {
	sorted       []float64
	mean         float64
	below, twice int // below 1, and 2 or more
}

func (o outcome) indices(k int) indices {
	x := indices{sorted: o[k].Indices()}
	slices.Sort(x.sorted)
	for _, v := range x.sorted {
		if x.mean += v / float64(len(x.sorted)); v < 1-1e-9 {
			x.below++
		} else if v >= 2 {
			x.twice++
		}
	}
	return x
}

func (x indices) least() float64  { return x.sorted[0] }
func (x indices) median() float64 { return x.sorted[len(x.sorted)/2] }

// figure3 compares sharing indices.
func (s *study) figure3() error {
	s.Heading("Figure 3: sharing index, what an agent got of its demand over what its endowment would have met")
	t := terminal.NewTable("trace", "mechanism", "agents", "least", "median", "mean", "largest", "below 1", "2 or more")
	t.Left(1)
	rows := studies.Columns("trace", "mechanism", "rank", "sharing_index")
	panel := &figures.Panel{X: "agents in order of their index (%)", Y: "sharing index under FL", LogY: true, Legend: "tl"}
	for i, o := range s.main {
		name := s.traces[i][0].name
		for k, m := range mechanisms {
			x := o.indices(k)
			t.Row(name, m.label, fmt.Sprint(len(x.sorted)), fmt.Sprintf("%.3f", x.least()), fmt.Sprintf("%.2f", x.median()), fmt.Sprintf("%.2f", x.mean),
				fmt.Sprintf("%.1f", x.sorted[len(x.sorted)-1]), fmt.Sprint(x.below), fmt.Sprint(x.twice))
			for r, v := range x.sorted {
				rows.Add(name, m.name, r+1, v)
			}
		}
		line := figures.Line{Name: shortened(name), Bare: true}
		fl := o.indices(flexible)
		for r, v := range fl.sorted {
			line.X, line.Y = append(line.X, 100*float64(r+1)/float64(len(fl.sorted))), append(line.Y, v)
		}
		panel.Lines = append(panel.Lines, line)
	}
	for _, k := range []int{flexible, karma, staticMaxMin, dynamicMaxMin} {
		least, mean := s.over(func(o outcome) float64 { return o.indices(k).least() }), s.over(func(o outcome) float64 { return o.indices(k).mean })
		t.Row(fmt.Sprintf("random (%d)", s.Instances), mechanisms[k].label, "", least.String(), "", mean.String())
	}
	if s.hasGoogle() {
		t.Row("Google, published", mechanisms[flexible].label, "", fmt.Sprint(leastIndex), "", fmt.Sprint(meanIndex))
	}
	s.Table(t)
	s.indexClaims()
	if err := s.Keep("figure3", rows); err != nil || len(s.main) == 0 {
		return err
	}
	return s.Draw("figure3", []figures.Drawing{panel})
}

// indexClaims judges what the paper says of Figure 3.
func (s *study) indexClaims() {
	worst := math.Inf(1)
	for _, o := range append(slices.Clone(s.random), s.main...) {
		worst = min(worst, o.indices(flexible).least())
	}
	s.Claim("Section 3", "FL guarantees every agent half of the static utility", studies.Judge(worst >= .5), "at least %.3f of it on all instances", worst)
	for i := range s.googles() {
		where, x := s.traces[i][0].name, s.main[i].indices(flexible)
		where = "Figure 3, " + where
		s.Claim(where, "the least sharing index is 0.98", studies.Judge(math.Abs(x.least()-leastIndex) <= apart), "%.3f, %+.3f", x.least(), x.least()-leastIndex)
		s.Claim(where, "agents receive 15x on average", studies.Judge(math.Abs(x.mean-meanIndex) < .5), "%.2fx, %+.2f", x.mean, x.mean-meanIndex)
		s.Claim(where, "the overwhelming majority benefit substantially", studies.Judge(10*x.twice >= 9*len(x.sorted)),
			"%d of %d have an index above 1, %d (%.0f %%) one of 2 or more; 90 %% is what we take for an overwhelming majority", len(x.sorted)-x.below, len(x.sorted), x.twice, 100*float64(x.twice)/float64(len(x.sorted)))
	}
	// The properties the paper denies SMM and DMM show where an agent loses.
	lost := 0
	for _, k := range []int{staticMaxMin, dynamicMaxMin} {
		for _, o := range append(slices.Clone(s.random), s.main...) {
			if o.indices(k).below > 0 {
				lost++
			}
		}
	}
	s.Printf("\nUnder SMM or DMM some agent has less than under static shares in %d of %d runs.\n", lost, 2*(len(s.random)+len(s.main)))
}
