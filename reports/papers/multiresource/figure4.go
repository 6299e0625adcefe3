package multiresource

import (
	"fmt"
	"math"
	"slices"

	"bourse/policies/share"
	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Labels of the axes: alpha is the share of agents outside group 1, beta their
// mean demand for resource 1.
const outsideLabel, demandLabel = "share outside group 1, α", "demand β"

// figure4 draws FR(drf) - FR(unb) for welfare over alpha and beta.
func (s *study) figure4() error {
	s.Heading("Figure 4: fair ratio of drf less that of unb, m = 3 and 4")
	const cells = 50
	axis := span(cells, .02, 1)
	var panels []figures.Drawing
	rows := table.New(table.Named("m", "alpha", "beta", "drf", "unb", "scenario")...)
	weakly, ordered := true, true
	var gap [4][]float64 // by scenario, over all m
	t := table.New(
		table.Col("", "m", terminal.Number), table.Col("", "largest difference", terminal.Fixed(4)),
		table.Col("", "at alpha", terminal.Fixed(2)), table.Col("", "at beta", terminal.Fixed(2)),
		table.Col("", "share of scenario 1", terminal.Fixed(3)), table.Col("", "2", terminal.Fixed(3)),
		table.Col("", "3", terminal.Fixed(3)))
	for _, m := range []int{3, 4} {
		c := &figures.Cells{Title: fmt.Sprintf("ratio of drf less ratio of unb, m = %d", m), X: outsideLabel, Y: demandLabel,
			Columns: axis, Rows: axis, Limit: .6}
		var most, atAlpha, atBeta float64
		count := [4]int{}
		for _, b := range axis {
			var line []float64
			for _, a := range axis {
				drf, unb := manyWelfare(m, a, b)
				weakly = weakly && unb <= drf+1e-12
				if drf-unb > most {
					most, atAlpha, atBeta = drf-unb, a, b
				}
				line = append(line, drf-unb)
				k := scenario(m, a, b)
				count[k]++
				if a < 1 && b < 1 {
					gap[k] = append(gap[k], drf-unb)
					ordered = ordered && (k == 1) == (drf-unb <= 1e-12)
				}
				rows.Add(m, a, b, drf, unb, k)
			}
			c.Z = append(c.Z, line)
		}
		panels = append(panels, c)
		part := func(k int) float64 { return float64(count[k]) / float64(cells*cells) }
		t.Add(m, most, atAlpha, atBeta, part(1), part(2), part(3))
	}
	s.Show(t)
	s.Hold("Figure 4", "unb's fair ratio is nowhere worse than drf's", weakly, "on %d by %d points, m = 3 and 4", cells,
		cells)
	s.Hold("Figure 4", "three scenarios: equal in the first, unb below drf in the others", ordered &&
		len(gap[1])*len(gap[2])*len(gap[3]) > 0, "at %d, %d and %d points", len(gap[1]), len(gap[2]), len(gap[3])).
		Read("for alpha and beta below 1, as the text has it")
	most := func(k int) float64 { return slices.Max(append([]float64{0}, gap[k]...)) }
	second, third := stats.EstimateOf(gap[2]).Mean, stats.EstimateOf(gap[3]).Mean
	s.Hold("Figure 4", "the difference is larger in scenario 3 than in 2", third > second,
		"%.3f on average (%.3f at most) against %.3f (%.3f)", third, most(3), second, most(2)).
		Read("on average over the points of each region: where regions meet the differences do, too")
	s.Keep("figure4", rows)
	return s.Draw("figure4", panels)
}

// manySizes are the numbers of agents with which they grow.
var manySizes = []int{60, 960, 15_360, 245_760}

// manyBounds evaluates the instances of Theorem 4.2's lower bounds: the fair
// ratio is that of the worse of the two.
func (s *study) manyBounds() error {
	s.Printf("\n")
	const alpha, m = .5, 3
	t := table.New(
		table.Col("mechanism", "Theorem 4.2", terminal.Words), table.Col("beta", "beta", terminal.General),
		table.Col("n", "n", terminal.Number), table.Col("first", "first instance", terminal.Fixed(4)),
		table.Col("second", "second", terminal.Fixed(4)), table.Col("theory", "fair ratio", terminal.Fixed(4)),
		table.Col("", "difference of the larger", terminal.Scientific))
	worst := 0.0
	for _, beta := range []float64{.2, .7, .9} {
		var theory [2]float64
		theory[0], theory[1] = manyWelfare(m, alpha, beta)
		for k, c := range forMany {
			for _, n := range manySizes {
				var found [2]float64
				for i, build := range []func(n, outside, m int, beta float64) share.Demands{againstManyFirst, againstManySecond} {
					d := build(n, n/2, m, beta)
					best, err := share.MaxWelfare(d)
					if err != nil {
						return err
					}
					x, err := forMany[k].share(d)
					if err != nil {
						return err
					}
					found[i] = share.Welfare(best) / share.Welfare(x)
				}
				off := max(found[0], found[1]) - theory[k]
				if n == slices.Max(manySizes) {
					worst = max(worst, math.Abs(off)/theory[k])
				}
				t.Add(c.name, beta, n, found[0], found[1], theory[k], table.Change(stats.Exactly(off)))
			}
		}
	}
	s.Hold("Theorem 4.2", "the proof's instances approach the fair ratios for m resources", worst < .01,
		"m = 3, alpha = .5: off by %.2f %% at most at n = %d", 100*worst, slices.Max(manySizes)).
		Read("within 1 %% at the largest n; the instances' distance is of order one over the root of n")
	s.Show(t)
	return s.Keep("theorem42", t)
}
