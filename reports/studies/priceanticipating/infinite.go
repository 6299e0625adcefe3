package priceanticipating

import (
	"fmt"

	"bourse/policies/market"
	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/studies"
	"bourse/reports/studies/parallel"
	"bourse/reports/terminal"
)

// figure3 is the infinite parallelism model.
func (s *study) figure3() error {
	var all []curve
	var grid [4][]figures.Drawing
	for model, name := range models {
		s.Heading("Figure 3: %s preferences, %d machines", name, machines)
		times := []curve{{"best response", model, sweeps}, {"best response, welfare stable", model, stable}, {"greedy", model, greedySweeps}, {"greedy, welfare stable", model, greedyStable}}
		efficient := []curve{{"equilibrium", model, efficiency}, {"weight-proportional", model, proportional}}
		uniform := []curve{{"equilibrium", model, uniformity}, {"weight-proportional", model, proportionalUni}, {"social optimum", model, optimumUni}}
		envy := []curve{{"equilibrium", model, envyFreeness}, {"weight-proportional", model, proportionalEnv}, {"social optimum", model, optimumEnv}}
		s.tabulate(1, times...)
		s.Printf("\n       efficiency, then uniformity, then envy-freeness\n")
		metrics := append(append(append([]curve{}, efficient...), uniform...), envy...)
		short := append([]curve{}, metrics...)
		for k := range short {
			short[k].name = []string{"equil.", "prop.", "equil.", "prop.", "optimum", "equil.", "prop.", "optimum"}[k]
		}
		s.tabulate(3, short...)
		for k, part := range []struct {
			title  string
			curves []curve
		}{{"sweeps", times}, {"efficiency", efficient}, {"uniformity", uniform}, {"envy-freeness", envy}} {
			for _, c := range part.curves {
				all = append(all, curve{part.title + ", " + c.name, c.model, c.of})
			}
			panel := &figures.Panel{Title: name, X: usersLabel, LogX: true, Y: part.title, Lines: s.lines(part.curves...), YMax: 1.02, Unit: k > 0}
			if panel.YMin = 0; k == 0 {
				panel.YMax = mostGreedy * 1.4 // room for the legend
			}
			if k == 1 {
				panel.YMin = .4
			}
			if k >= 2 {
				panel.YMax = 1.35 // curves run along both edges: room for the legend
			}
			switch {
			case k == 1 && model == 0:
				panel.Legend = "br"
			case k != 1 && model == 1:
				panel.Legend = "tr"
			}
			grid[k] = append(grid[k], panel)
		}
	}
	s.timeClaims()
	s.efficiencyClaims()
	s.fairnessClaims()
	s.keep("figure3", all)
	return s.Draw("figure3", grid[0], grid[1], grid[2], grid[3])
}

func (s *study) timeClaims() {
	for model, name := range models {
		most, never := 0.0, 0
		for i := range s.found[model] {
			for _, one := range s.found[model][i].samples {
				if one[bestConverged] == 0 {
					never++
				} else {
					most = max(most, one[sweeps])
				}
			}
		}
		restless := s.where(model, func(p *point) bool { return p.least(bestConverged) == 0 })
		s.Hold("Figure 3, "+name, "best response converges in 5 iterations or less", most <= 5 && never == 0,
			"%.0f at most where it does; %d instances of %d do not within %d (users: %s)", most, never, len(userCounts)*s.Repetitions, mostSweeps, listed(restless))
		fail := s.where(model, func(p *point) bool { return p.of(greedyConverged).Mean < .5 })
		some := s.where(model, func(p *point) bool { m := p.of(greedyConverged).Mean; return m >= .5 && m < 1 })
		chosen := fmt.Sprintf("step and tolerance are the best of %d pairs tried", len(greedySteps)*len(greedyTolerances))
		s.Claim("Figure 3, "+name, "greedy: not within 500 below 60 users, but above", unclearIf(len(fail) > 0 && fail[len(fail)-1] >= 50 && fail[len(fail)-1] <= 60),
			"users at which most instances fail: %s; some: %s; %s", listed(fail), listed(some), chosen)
		low, high := s.spread(model, greedySweeps, 70)
		s.Claim("Figure 3, "+name, "greedy takes 25 to 90 where it converges", unclearIf(low >= 25 && high <= 90), "%.0f to %.0f from 70 users on; %s", low, high, chosen)
		_, near := s.spread(model, greedyStable, 0)
		_, letter := s.spread(model, greedyLetter, 0)
		s.Claim("Figure 3, "+name, "greedy is stable within 100", unclearIf(near <= 100), "within %g of its end from sweep %.0f on; but changes above %g go on until %.0f (means, the worst number of users)", stability, near, tolerance, letter)
	}
}

// unclearIf is for claims that agree under a setting or a reading that was chosen
// because it agrees: that is no evidence. If even so they do not, they differ.
func unclearIf(agrees bool) studies.Verdict {
	if agrees {
		return studies.Unclear
	}
	return studies.Differs
}

// gains are the paper's improvements over weight-proportional bids.
var gains = []float64{.5, .3}

func (s *study) efficiencyClaims() {
	for model, name := range models {
		low, high := s.spread(model, efficiency, 0)
		s.Hold("Figure 3, "+name, "efficiency about .9 for any number of users", low >= .85 && high <= .95, "%.3f to %.3f", low, high)
		s.Hold("Abstract, "+name, "efficiency >= .90", low >= .895, "least %.3f, %+.3f", low, low-.9)
		gain := 0.0
		for _, p := range s.found[model] {
			if p.users == 150 {
				gain = p.of(efficiency).Mean/p.of(proportional).Mean - 1
			}
		}
		s.Hold("Figure 3, "+name, fmt.Sprintf("efficiency about %.0f %% above weight-proportional", 100*gains[model]), gain > gains[model]-.05 && gain < gains[model]+.05,
			"%.1f %% at 150 users, %+.1f points", 100*gain, 100*(gain-gains[model]))
	}
}

// uniformities are the paper's bounds on uniformity.
var uniformities = []float64{.7, .6}

func (s *study) fairnessClaims() {
	for model, name := range models {
		low, _ := s.spread(model, uniformity, 0)
		s.Hold("Figure 3, "+name, fmt.Sprintf("uniformity > %.1f", uniformities[model]), low > uniformities[model], "least %.3f", low)
		early, _ := s.spread(model, uniformity, 0)
		late, lateHigh := s.spread(model, uniformity, 100)
		first := s.found[model][0].of(uniformity).Mean
		s.Hold("Figure 3, "+name, "uniformity falls with users and flattens out", first > early && lateHigh-late < .05, "%.3f at 5 users, %.3f to %.3f from 100 on", first, late, lateHigh)
		envy, _ := s.spread(model, envyFreeness, 0)
		says, bound := "equilibria are free of envy", .995
		if model == 1 {
			says, bound = "almost free of envy, >= .97", .9695
		}
		s.Hold("Figure 3, "+name, says, envy >= bound, "least %.4f on average", envy)
		fairer := s.where(model, func(p *point) bool { return p.of(proportionalUni).Mean < p.of(uniformity).Mean })
		s.Hold("Figure 3, "+name, "weight-proportional is the fairest (uniformity)", len(fairer) == 0, "users at which the equilibrium is fairer: %s", listed(fairer))
		zero := s.where(model, func(p *point) bool { return p.of(optimumUni).Mean < .01 })
		s.Hold("Figure 3, "+name, "the social optimum leaves some with nothing", len(zero) > 0, "uniformity below .01 at %s users", listed(zero))
	}
}

// overTime is the efficiency after each sweep.
type overTime struct {
	name    string
	model   int
	users   int
	rule    market.Rule
	sweeps  int
	samples [][]float64 // [sweep][repetition]
}

// follow fills the samples. Efficiency is that of the optimum under the rule's
// bound.
func (s *study) follow(o *overTime) error {
	o.samples = make([][]float64, o.sweeps+1)
	for k := range o.samples {
		o.samples[k] = make([]float64, s.Repetitions)
	}
	return parallel.Do(s.ctx, s.Workers, s.Repetitions, func(repetition int) error {
		m, err := s.draw(o.model, o.users, repetition)
		if err != nil {
			return err
		}
		optimum, _, err := m.Optimum(o.rule.Most)
		if err != nil {
			return err
		}
		m.Reset(o.rule.Most)
		for k := range o.samples {
			if k > 0 {
				m.Sweep(o.rule)
			}
			o.samples[k][repetition] = m.Now(optimum).Efficiency
		}
		return nil
	})
}

// line draws it: every sweep at first, every fifth later.
func (o *overTime) line() figures.Line {
	l := figures.Line{Name: o.name}
	for k, values := range o.samples {
		if k > 5 && k%5 > 0 {
			continue
		}
		e := stats.EstimateOf(values)
		l.X, l.Y = append(l.X, float64(k)), append(l.Y, e.Mean)
		l.Low, l.High = append(l.Low, e.Low()), append(l.High, e.High())
	}
	return l
}

// keepTimes writes and prints several.
func (s *study) keepTimes(name string, at []int, all []*overTime) error {
	rows := studies.Columns("curve", "users", "sweep", "efficiency", "low", "high")
	head := []string{"sweep"}
	for _, o := range all {
		head = append(head, o.name)
		for k, values := range o.samples {
			e := stats.EstimateOf(values)
			rows.Add(o.name, o.users, k, e.Mean, e.Low(), e.High())
		}
	}
	t := terminal.NewTable(head...)
	for _, k := range at {
		cells := []string{fmt.Sprint(k)}
		for _, o := range all {
			e := stats.EstimateOf(o.samples[min(k, o.sweeps)])
			cells = append(cells, fmt.Sprintf("%.4f ±%.4f", e.Mean, e.Half))
		}
		t.Row(cells...)
	}
	s.Table(t)
	return s.Keep(name, rows)
}

// figure4 is efficiency over time with 40 users.
func (s *study) figure4() error {
	const users, long = 40, 120
	s.Heading("Figure 4: efficiency over time, %d users, uniform preferences", users)
	best := &overTime{name: "best response", users: users, rule: bestResponse, sweeps: long}
	greedy := &overTime{name: "greedy", users: users, rule: market.Rule{Update: market.Greedy, Step: greedyStep}, sweeps: long}
	panel := &figures.Panel{X: "sweep", Y: "efficiency", Legend: "br", YMin: .6, YMax: 1, Unit: true}
	for _, o := range []*overTime{best, greedy} {
		if err := s.follow(o); err != nil {
			return err
		}
		panel.Lines = append(panel.Lines, o.line())
	}
	s.keepTimes("figure4", []int{0, 1, 2, 5, 10, 20, 40, 60, 80, 100, long}, []*overTime{best, greedy})
	a, b := stats.EstimateOf(best.samples[long]).Mean, stats.EstimateOf(greedy.samples[long]).Mean
	early, late := stats.EstimateOf(best.samples[5]).Mean, stats.EstimateOf(greedy.samples[5]).Mean
	s.Hold("Figure 4", "both methods reach the same welfare", a-b < .005 && b-a < .005, "%.4f and %.4f after %d sweeps", a, b, long)
	s.Hold("Figure 4", "best response is faster", early > late, "%.4f and %.4f after 5 sweeps", early, late)
	return s.Draw("figure4", []figures.Drawing{panel})
}

// bounds are those of Theorem 3.4, over all equilibria of Figure 3.
func (s *study) bounds() error {
	least, envy, efficient := 1e300, 1.0, 1.0
	for model := range models {
		for _, p := range s.found[model] {
			least, envy, efficient = min(least, p.least(leastUtility)), min(envy, p.least(envyFreeness)), min(efficient, p.least(efficiency))
		}
	}
	n := len(models) * len(userCounts) * s.Repetitions
	s.Hold("Theorem 3.4", "envy-freeness >= 2 sqrt(2) - 2 = .828", envy >= .8284, "least %.4f in %d random games", envy, n)
	// Where sweeps stop, a user is within the tolerance of its best response.
	s.Hold("Section 3.2", "each of m users has at least 1/m", least >= 1, "least utility %.3f/m in %d random games", least, n)
	return nil
}
