package priceanticipating

import (
	"fmt"
	"math"
	"slices"

	"bourse/policies/market"
	"bourse/reports/experiment"
	"bourse/reports/papers"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// The pairs of step and tolerance that were tried for greedy, and the reserves.
var (
	greedySteps      = []float64{.005, .01, .02, .03, .05}
	greedyTolerances = []float64{.001, .002, .003, .004, .005, .01}
	greedyUsers      = []int{20, 40, 50, 60, 70, 80, 100, 150}
	reserves         = []float64{1e-9, 1e-6, 1e-4, 1e-3, 3e-3, 1e-2}
	reserveUsers     = []int{5, 8, 10, 15, 20, 25, 30, 40, 50}
	ratioUsers       = []int{3, 5, 8, 10, 12, 15, 20, 25, 30, 40}
)

// greedyRun is one run: whether it ever is within each tolerance, and when welfare is stable.
type greedyRun struct {
	within []bool
	stable float64
}

// greedyGrid prints from how many users on greedy comes to rest under every pair that was tried,
// one instance each: the choice among them is the study's, and it matters.
func (s *study) greedyGrid() error {
	s.Heading("Greedy adjustment by step and tolerance: the least number of users from which on it rests within %d sweeps",
		mostGreedy)
	u := len(greedyUsers)
	runs := make([]greedyRun, len(models)*len(greedySteps)*u)
	err := experiment.Do(s.ctx, s.Workers, len(runs), func(k int) (err error) {
		runs[k], err = s.adjust(k/u/len(greedySteps), greedySteps[k/u%len(greedySteps)], greedyUsers[k%u])
		return err
	})
	if err != nil {
		return err
	}
	t := table.New(table.Col("", "preferences", terminal.Words), table.Col("", "step", terminal.General))
	for _, x := range greedyTolerances {
		t.Columns = append(t.Columns, table.Col("", fmt.Sprintf("tolerance %g", x), terminal.Number))
	}
	t.Columns = append(t.Columns, table.Col("", "sweeps to stable welfare", terminal.Number))
	for model, name := range models {
		fits := 0
		for i, step := range greedySteps {
			row, part := []any{name, step}, runs[(model*len(greedySteps)+i)*u:][:u]
			for k := range greedyTolerances {
				from := "none"
				for at := u - 1; at >= 0 && part[at].within[k]; at-- {
					from = fmt.Sprint(greedyUsers[at])
				}
				if row = append(row, from); from == "60" || from == "70" {
					fits++
				}
			}
			low, high := math.Inf(1), 0.0
			for _, r := range part {
				low, high = min(low, r.stable), max(high, r.stable)
			}
			t.Add(append(row, fmt.Sprintf("%.0f to %.0f", low, high))...)
		}
		restless, verdict := s.where(model, func(p *point) bool { return p.estimate(greedyConverged).Mean < .5 }),
			papers.Unclear
		if fits == 0 {
			verdict = papers.Differs
		}
		s.Claim("Figure 3, "+name, "greedy: not within 500 below 60 users, but above", verdict,
			"so under %d of %d pairs of step and tolerance; with %g and %g most instances fail at %s users",
			fits, len(greedySteps)*len(greedyTolerances), greedyStep, greedyTolerance, listed(restless)).
			Read("the paper gives neither the step nor the tolerance: agreement under some pair is no evidence, agreement " +
				"under none would be a difference").Tried(len(greedySteps) * len(greedyTolerances))
	}
	s.Show(t)
	s.Printf("\none instance for each of %s users\n", listed(greedyUsers))
	return nil
}

// adjust runs greedy once for all tolerances.
func (s *study) adjust(model int, step float64, users int) (greedyRun, error) {
	out := greedyRun{within: make([]bool, len(greedyTolerances))}
	m, err := s.draw(model, users, 0)
	if err != nil {
		return out, err
	}
	optimum, _, err := m.Optimum(0)
	if err != nil {
		return out, err
	}
	rule, welfare := s.adjusted, []float64{m.Now(optimum).Welfare}
	rule.Step = step
	_, err = m.Run(s.ctx, market.Search{
		Rule: rule, Until: market.MarginGap, Tolerance: greedyTolerances[0], Limit: mostGreedy, Optimum: optimum, Watch: true,
		Each: func(p market.Progress) error {
			welfare = append(welfare, p.Metrics.Welfare)
			for k, x := range greedyTolerances {
				out.within[k] = out.within[k] || p.Gap < x
			}
			return nil
		},
	})
	out.stable = stabilised(welfare, tolerance*optimum)
	return out, err
}

// variant is the study with another setup, of few repetitions and bounded parallelism. What
// the study itself has drawn is taken from it.
func (s *study) variant(users []int, change func(*setup)) (*study, error) {
	o := *s
	o.Repetitions, o.users, o.bounded, o.lean = min(s.Repetitions, 4), users, true, true
	change(&o.setup)
	if o.reserve != s.reserve || o.machines != s.machines {
		return &o, o.simulate()
	}
	for model := range models {
		o.found[model] = nil
		for _, p := range s.found[model] {
			if slices.Contains(users, p.users) {
				o.found[model] = append(o.found[model], &point{p.users, p.samples[:o.Repetitions]})
			}
		}
	}
	if len(o.found[0]) < len(users) {
		return &o, o.simulate()
	}
	return &o, nil
}

// rangeClaim judges the range of m Delta / n without convergence.
func (s *study) rangeClaim() error {
	inside, found := s.ratio()
	s.Hold("Section 5.2", "sweeps do not converge where m Delta / n is in [1, 2]", inside,
		"m Delta / n where most instances do not%s", found)
	return nil
}

// ratio finds that range, and whether it is from 1 to 2 under both bounds.
func (s *study) ratio() (inside bool, found string) {
	inside = true
	for k, most := range s.bounds {
		low, high := math.Inf(1), 0.0
		for _, users := range s.restless(0, k) {
			delta := float64(users*most) / float64(s.machines)
			low, high = min(low, delta), max(high, delta)
		}
		inside = inside && low == 1 && high == 2
		found += fmt.Sprintf("; Delta = %d: %.2g to %.2g", most, low, high)
	}
	return inside, found
}

// ratios looks for the range with 50 machines as well.
func (s *study) ratios() error {
	o, err := s.variant(ratioUsers, func(e *setup) { e.machines, e.bounds = 50, []int{5, 10} })
	if err != nil {
		return err
	}
	_, found := o.ratio()
	s.Found("Section 5.2", "the same with 50 machines (not tried by the paper)",
		"m Delta / n where most instances do not converge%s (%d instances a point)", found, o.Repetitions)
	return nil
}

// restless are the numbers of users with which most instances do not converge under a bound.
func (s *study) restless(model, k int) []int {
	return s.where(model, func(p *point) bool { return p.estimate(block(k, finiteConverged)).Mean < .5 })
}

// sensitivity prints what depends on the reserve.
func (s *study) sensitivity() error {
	s.Heading("Sensitivity to the reserve, %d instances a point: users without convergence, and what follows",
		min(s.Repetitions, 4))
	t := table.New(table.Headed(terminal.Fixed(3), "reserve", "best response, uniform", "at most 5, uniform",
		"at most 20, uniform", "uniformity, at most 20: 5, 8, 10, 20 users",
		"models differ in efficiency, at most 5")...)
	for _, reserve := range reserves {
		o, err := s.variant(reserveUsers, func(e *setup) { e.reserve = reserve })
		if err != nil {
			return err
		}
		fair := ""
		for _, p := range o.found[0] {
			if p.users <= 10 || p.users == 20 {
				fair += fmt.Sprintf(" %.2f", p.estimate(block(1, finiteUniformity)).Mean)
			}
		}
		stuck := o.where(0, func(p *point) bool { least, _ := p.extremes(bestConverged); return least == 0 })
		apart, _ := o.apart(0)
		t.Add(fmt.Sprint(reserve), listed(stuck), listed(o.restless(0, 0)), listed(o.restless(0, 1)), fair, apart)
	}
	s.Show(t)
	s.Printf("\nThe paper's Figure 5: 20 to 40 users and 5 to 10.\n")
	return nil
}
