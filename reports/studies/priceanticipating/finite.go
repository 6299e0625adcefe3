package priceanticipating

import (
	"fmt"

	"bourse/policies/market"
	"bourse/reports/figures"
)

// bad is where the paper's sweeps do not converge, users by bound.
var bad = [][2]int{{20, 40}, {5, 10}}

// figure5 is the time to convergence with bounded parallelism.
func (s *study) figure5() error {
	s.Heading("Figure 5: sweeps to convergence with at most 5 and 20 machines per user (%d: not converged)", mostSweeps)
	var curves []curve
	panels := []figures.Drawing{}
	for model, name := range models {
		var mine []curve
		for k, most := range parallelism {
			mine = append(mine, curve{fmt.Sprintf("%s, %d machines", name, most), model, block(k, finiteSweeps)})
		}
		curves = append(curves, mine...)
		panel := &figures.Panel{Title: name, X: usersLabel, LogX: true, Y: "sweeps", Lines: s.lines(mine...), YMax: mostSweeps * 1.05}
		for k := range panel.Lines {
			panel.Lines[k].Name = fmt.Sprintf("%d machines", parallelism[k])
		}
		if model == 1 {
			panel.Legend = "tr"
		}
		panels = append(panels, panel)
	}
	s.tabulate(1, curves...)
	for model, name := range models {
		for k, most := range parallelism {
			none := s.where(model, func(p *point) bool { return p.of(block(k, finiteConverged)).Mean < .5 })
			some := s.where(model, func(p *point) bool { m := p.of(block(k, finiteConverged)).Mean; return m >= .5 && m < 1 })
			inside := len(none) > 0 && none[0] >= bad[k][0] && none[len(none)-1] <= bad[k][1]
			s.Hold("Figure 5, "+name, fmt.Sprintf("at most %d machines: no convergence with %d to %d users, quickly elsewhere", most, bad[k][0], bad[k][1]), inside,
				"users at which most instances do not converge: %s; some: %s", listed(none), listed(some))
		}
	}
	s.searchClaims()
	s.keep("figure5", curves)
	return s.Draw("figure5", panels)
}

// searchClaims are about the local search itself.
func (s *study) searchClaims() {
	calm, rounds, proved, quiet := 0.0, 0.0, 1.0, 1.0
	for model := range models {
		for k := range parallelism {
			for _, p := range s.found[model] {
				r, best := p.of(block(k, finiteRounds)).Mean, p.of(block(k, finiteProved)).Mean
				rounds, proved = max(rounds, r), min(proved, best)
				if p.least(block(k, finiteConverged)) == 1 {
					calm, quiet = max(calm, r), min(quiet, best)
				}
			}
		}
	}
	s.Hold("Section 5.2", "the local search usually takes two iterations", calm <= 2.5, "%.2f on average at most where sweeps converge, %.2f elsewhere", calm, rounds)
	s.Printf("\nThe paper suspects that local search finds the optimal response. A Lagrangian bound proves it for %.0f %% of responses or\nmore where sweeps converge, and for %.0f %% or more elsewhere; the others may be optimal, too.\n", 100*quiet, 100*proved)
}

// figure6 is efficiency over time with bounded parallelism, in and out of the
// ranges where sweeps do not converge. The paper does not state its numbers of
// users.
func (s *study) figure6() error {
	const long = 50
	s.Heading("Figure 6: efficiency over time with bounded parallelism, uniform preferences")
	var all []*overTime
	panel := &figures.Panel{X: "sweep", Y: "efficiency", Legend: "br", YMin: .7, YMax: 1, Unit: true}
	for _, c := range []struct{ most, users int }{{5, 30}, {5, 100}, {20, 8}, {20, 100}} {
		o := &overTime{name: fmt.Sprintf("%d machines, %d users", c.most, c.users), users: c.users, rule: market.Rule{Update: market.LocalSearch, Most: c.most}, sweeps: long}
		if err := s.follow(o); err != nil {
			return err
		}
		all = append(all, o)
		panel.Lines = append(panel.Lines, o.line())
	}
	s.keepTimes("figure6", []int{0, 1, 2, 3, 5, 10, 20, long}, all)
	least := 1.0
	for _, o := range all {
		for k := 3; k <= long; k++ {
			for _, v := range o.samples[k] {
				least = min(least, v)
			}
		}
	}
	s.Hold("Figure 6", "efficiency is high (>= .7) after a few sweeps, converged or not", least >= .7, "%.3f or more from the third sweep on, in all instances", least)
	return s.Draw("figure6", []figures.Drawing{panel})
}

// figure7 is efficiency and fairness with bounded parallelism.
func (s *study) figure7() error {
	s.Heading("Figure 7: efficiency, uniformity and envy-freeness with bounded parallelism")
	var all []curve
	grid := [2][]figures.Drawing{}
	for model, name := range models {
		s.Printf("%s%s preferences; least after any sweep where sweeps do not converge\n", map[bool]string{true: "\n"}[model > 0], name)
		var mine []curve
		for k, most := range parallelism {
			part := []curve{{"efficiency", model, block(k, finiteEfficiency)}, {"uniformity", model, block(k, finiteUniformity)}, {"envy-freeness", model, block(k, finiteEnvy)}}
			panel := &figures.Panel{Title: fmt.Sprintf("%s, at most %d machines", name, most), X: usersLabel, LogX: true, Y: "metric", Lines: s.lines(part...), YMax: 1.02, Unit: true}
			if model == 1 && k == 1 {
				panel.Legend = "br"
			}
			grid[model] = append(grid[model], panel)
			for _, c := range part {
				mine = append(mine, curve{fmt.Sprintf("%s, %d", c.name, most), c.model, c.of})
			}
		}
		s.tabulate(3, mine...)
		all = append(all, mine...)
	}
	s.finiteClaims()
	s.keep("figure7", all)
	return s.Draw("figure7", grid[0], grid[1])
}

func (s *study) finiteClaims() {
	in := func(model int, q quantity, from, to int) (low float64) {
		low = 1e300
		for _, p := range s.found[model] {
			if p.users >= from && p.users <= to {
				low = min(low, p.of(q).Mean)
			}
		}
		return low
	}
	five, twenty := block(0, finiteUniformity), block(1, finiteUniformity)
	dip, beyond := in(0, five, 20, 40), in(0, five, 80, 250)
	s.Hold("Figure 7", "at most 5 machines: fairness drops with 20 to 40 users", dip < beyond-.05, "uniformity %.3f there, %.3f or more from 80 users on", dip, beyond)
	dip, beyond = in(0, twenty, 5, 10), in(0, twenty, 20, 250)
	s.Hold("Figure 7", "at most 20 machines: no such drop", dip >= beyond-.05, "uniformity %.3f with 5 to 10 users, %.3f or more from 20 on: %+.3f", dip, beyond, dip-beyond)
	low := min(in(0, block(0, finiteEfficiency), 5, 250), in(0, block(1, finiteEfficiency), 5, 250))
	s.Hold("Section 4.2", "efficiency of .7 and more", low >= .7, "least mean %.3f", low)
	bounded, free := in(0, block(0, finiteEnvy), 80, 250), in(0, envyFreeness, 80, 250)
	s.Hold("Figure 7", "many users: envy-freeness similar to that without a bound", bounded > free-.1, "at most 5 machines %.3f, without a bound %.3f, %+.3f", bounded, free, bounded-free)
	worst := 0.0
	for i := range s.found[0] {
		for k := range parallelism {
			d := s.found[0][i].of(block(k, finiteEfficiency)).Mean - s.found[1][i].of(block(k, finiteEfficiency)).Mean
			worst = max(worst, d, -d)
		}
	}
	s.Hold("Section 5.2", "no significant difference between the preferences", worst < .05, "mean efficiencies differ by %.3f at most", worst)
}
