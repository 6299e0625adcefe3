package priceanticipating

import (
	"fmt"

	"bourse/policies/market"
	"bourse/reports/studies/parallel"
	"bourse/reports/terminal"
)

// The pairs of step and tolerance that were tried for greedy.
var (
	greedySteps      = []float64{.002, .005, .01, .02, .05}
	greedyTolerances = []float64{.001, .002, .005, .01}
	greedyUsers      = []int{20, 40, 60, 80, 100, 150, 250}
)

// greedyGrid prints how long greedy takes under every pair that was tried, one
// instance each, and the efficiency it stops at: the choice among them is the
// study's, and it matters.
func (s *study) greedyGrid() error {
	s.Heading("Greedy adjustment by step and tolerance: sweeps (efficiency), uniform preferences, one instance")
	head := []string{"step", "tolerance"}
	for _, users := range greedyUsers {
		head = append(head, fmt.Sprintf("%d users", users))
	}
	pairs := len(greedySteps) * len(greedyTolerances)
	found := make([]market.Found, pairs*len(greedyUsers))
	err := parallel.Do(s.ctx, s.Workers, len(found), func(k int) error {
		pair, users := k/len(greedyUsers), greedyUsers[k%len(greedyUsers)]
		m, err := s.draw(0, users, 0)
		if err != nil {
			return err
		}
		optimum, _, err := m.Optimum(0)
		if err != nil {
			return err
		}
		found[k], err = m.Run(s.ctx, market.Search{
			Rule:  market.Rule{Update: market.Greedy, Step: greedySteps[pair/len(greedyTolerances)]},
			Until: market.MarginGap, Tolerance: greedyTolerances[pair%len(greedyTolerances)], Limit: mostGreedy, Optimum: optimum,
		})
		return err
	})
	if err != nil {
		return err
	}
	t := terminal.NewTable(head...)
	for pair := range pairs {
		cells := []string{fmt.Sprint(greedySteps[pair/len(greedyTolerances)]), fmt.Sprint(greedyTolerances[pair%len(greedyTolerances)])}
		for _, f := range found[pair*len(greedyUsers):][:len(greedyUsers)] {
			cells = append(cells, fmt.Sprintf("%d (%.2f)", f.Sweeps, f.Last.Efficiency))
		}
		t.Row(cells...)
	}
	s.Table(t)
	return nil
}
