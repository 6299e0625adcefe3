//go:build !js

package sweep

import (
	"fmt"
	"slices"

	"bourse/reports/ask/game"
	"bourse/reports/run"
)

// Games makes one game a payment scheme out of complete sweeps of one trace: the
// designer chooses the policy and is paid sum of payments / TWFT, the aggressive
// users choose the behaviour and get their mean utility in run-time group C
// (Shudler et al., section V). at picks a value on the axes that have several
// and are no part of the game, such as nodes.
func Games(sets []*Dataset, at map[string]string) ([]*game.Game, error) {
	s, err := newSelection(sets, at)
	if err != nil {
		return nil, err
	}
	var games []*game.Game
	for _, payment := range s.values(Payment) {
		g := &game.Game{Name: payment, Rows: s.values(Policy), Cols: s.values(Behaviour)}
		for _, seed := range s.values(Seed) {
			designer, users, err := s.matrices(g, payment, seed)
			if err != nil {
				return nil, err
			}
			g.Designer, g.Users = append(g.Designer, designer), append(g.Users, users)
		}
		games = append(games, g)
	}
	return games, nil
}

// selection is the cells of one trace, machine and value model.
type selection struct {
	cells     []Cell
	summaries map[string]*run.Summary // by Cell.String
}

func newSelection(sets []*Dataset, at map[string]string) (*selection, error) {
	s := &selection{summaries: map[string]*run.Summary{}}
	for _, d := range sets {
		if err := sameTrace(sets[0], d); err != nil {
			return nil, err
		}
		if d.Missing > 0 {
			return nil, fmt.Errorf("%s is not complete: %d cells are missing, the first is %v; run the sweep again to fill "+
				"them in", d.Dir, d.Missing, d.First)
		}
		for i, c := range d.Cells {
			if picked(c, at) && !d.Plan.IsLog(c) {
				s.cells = append(s.cells, c)
				s.summaries[c.String()] = d.Summaries[i]
			}
		}
	}
	if len(s.cells) == 0 {
		return nil, fmt.Errorf("no cell has the settings asked for: want values of the sweep's axes")
	}
	for _, name := range []string{Trace, Nodes, Load, Values} {
		if v := s.values(name); len(v) > 1 {
			return nil, &SeveralError{name, v}
		}
	}
	return s, nil
}

func sameTrace(a, b *Dataset) error {
	for _, t := range b.Plan.Traces {
		if !slices.Contains(a.Plan.Traces, t) {
			return fmt.Errorf("%s and %s are sweeps of different traces (%s); a game compares replays of one", a.Dir, b.Dir,
				t.Name)
		}
	}
	return nil
}

func picked(c Cell, at map[string]string) bool {
	for _, s := range c {
		if want, ok := at[s.Name]; ok && want != s.Value {
			return false
		}
	}
	return true
}

// values lists what the cells have on an axis, in order of first sight.
func (s *selection) values(name string) []string {
	var values []string
	for _, c := range s.cells {
		if v := c.Get(name); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// matrices fills both players' payoffs of one seed.
func (s *selection) matrices(g *game.Game, payment, seed string) (designer, users [][]float64, err error) {
	for _, policy := range g.Rows {
		var d, u []float64
		for _, behaviour := range g.Cols {
			sum := s.find(policy, payment, behaviour, seed)
			if sum == nil {
				return nil, nil, fmt.Errorf("there is no cell with policy %s, payment %s, behaviour %s and seed %s; a game needs "+
					"all combinations", policy, payment, behaviour, seed)
			}
			if sum.Jobs.DesignerPayoff == nil || sum.Jobs.AggressivePayoff == nil {
				return nil, nil, fmt.Errorf("a game needs users who underbid, and %s has none; sweep srg(beta=0) as the truthful "+
					"strategy", behaviour)
			}
			d, u = append(d, *sum.Jobs.DesignerPayoff), append(u, *sum.Jobs.AggressivePayoff)
		}
		designer, users = append(designer, d), append(users, u)
	}
	return designer, users, nil
}

func (s *selection) find(policy, payment, behaviour, seed string) *run.Summary {
	for _, c := range s.cells {
		if c.Get(Policy) == policy && c.Get(Payment) == payment && c.Get(Behaviour) == behaviour && c.Get(Seed) == seed {
			return s.summaries[c.String()]
		}
	}
	return nil
}
