package priceanticipating

import (
	"bourse/policies/market"
	"bourse/reports/experiment"
	"bourse/reports/stats"
)

// figure3 is the infinite parallelism model.
func (s *study) figure3() error {
	s.Heading("Figure 3: infinite parallelism, %d machines (U: uniform, C: correlated preferences)", s.machines)
	// Above curves that run along the edge is room for the legend.
	strips := []strip{{"sweeps", 1, 0, mostGreedy * 1.4, nil}, {"efficiency", 3, .4, 1.02, nil},
		{"uniformity", 3, 0, 1.35, nil}, {"envy-freeness", 3, 0, 1.35, nil}}
	for model, name := range models {
		fairness := func(own, proportional, optimum quantity) []series {
			return []series{s.byUsers("equilibrium", model, own), s.byUsers("proportional", model, proportional),
				s.byUsers("optimum", model, optimum)}
		}
		for k, lines := range [][]series{
			{s.byUsers("best response", model, sweeps), s.byUsers("its welfare", model, stable),
				s.byUsers("greedy", model, greedySweeps), s.byUsers("greedy's welfare", model, greedyStable)},
			fairness(efficiency, proportional, 0)[:2],
			fairness(uniformity, proportionalUni, optimumUni),
			append(fairness(envyFreeness, proportionalEnv, optimumEnv), s.byUsers("at exact rest", model, restEnvy)),
		} {
			legend := [4][2]string{{"", "tr"}, {"br", ""}, {"", "tr"}, {"", "tr"}}[k][model]
			strips[k].panels = append(strips[k].panels, panel{name, []string{"U", "C"}[model], legend, lines})
		}
	}
	if err := s.figure("figure3", usersLabel, nil, strips...); err != nil {
		return err
	}
	s.timeClaims()
	s.metricClaims()
	return nil
}

// follow is the efficiency after each sweep, uniform preferences: of the optimum under the
// rule's bound. The samples are by sweep and repetition.
func (s *study) follow(name string, users, sweeps int, rule market.Rule) (l series, samples [][]float64, err error) {
	samples = make([][]float64, sweeps+1)
	for k := range samples {
		samples[k] = make([]float64, s.Repetitions)
	}
	err = experiment.Do(s.ctx, s.Workers, s.Repetitions, func(repetition int) error {
		m, err := s.draw(0, users, repetition)
		if err != nil {
			return err
		}
		optimum, _, err := m.Optimum(rule.Most)
		if err != nil {
			return err
		}
		m.Reset(rule.Most)
		for k := range samples {
			if k > 0 {
				m.Sweep(rule)
			}
			samples[k][repetition] = m.Now(optimum).Efficiency
		}
		return nil
	})
	l.name = name
	for k, values := range samples {
		l.x, l.y = append(l.x, k), append(l.y, stats.EstimateOf(values))
	}
	return l, samples, err
}

// figure4 is efficiency over time with 40 users.
func (s *study) figure4() error {
	const users, long = 40, 120
	s.Heading("Figure 4: efficiency over time, %d users, uniform preferences", users)
	best, _, err := s.follow("best response", users, long, s.best)
	if err != nil {
		return err
	}
	greedy, _, err := s.follow("greedy", users, long, s.adjusted)
	if err != nil {
		return err
	}
	a, b := best.y[long].Mean, greedy.y[long].Mean
	s.Hold("Figure 4", "both methods reach the same welfare", a-b < .001 && b-a < .001, "%.4f and %.4f after %d sweeps", a,
		b, long).
		Read("the same within the paper's epsilon of .001; greedy does not rest here")
	s.Check("Figure 4", "best response is faster", best.y[5].Mean > greedy.y[5].Mean, "%.4f and %.4f after 5 sweeps",
		best.y[5].Mean, greedy.y[5].Mean).
		Read("greedy empties at most one machine a sweep, so that it cannot be otherwise")
	return s.figure("figure4", "sweep", []int{0, 1, 2, 5, 10, 20, 40, 60, 80, 100, long},
		strip{"efficiency", 4, .6, 1, []panel{{"", "", "br", []series{best, greedy}}}})
}
