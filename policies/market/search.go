package market

import (
	"context"
	"fmt"
	"math"
)

// Criterion says when sweeps have converged (section 5). The paper has three
// for users and one for the provider.
type Criterion int

// The criteria. A change is from one sweep to the next.
const (
	// UtilityGap wants no user's utility to change by Tolerance or more, as a part
	// of what they would have if all their wants were met: an absolute change where
	// weights sum to 1, as in the paper.
	UtilityGap Criterion = iota
	// BidGap wants no bid to change by Tolerance or more, as a part of the budget.
	BidGap
	// MarginGap wants no user to have a difference of Tolerance or more between
	// the largest marginal utility of a machine and the least of one they bid on,
	// in utility (as for UtilityGap) per budget.
	MarginGap
	// WelfareGap wants the sum of the utilities to change by no more than Tolerance
	// of Search.Optimum: the system is stable, users may not be.
	WelfareGap
)

// Criteria are the names of the criteria, in their order.
var Criteria = []string{"utility", "bids", "marginal", "welfare"}

// String returns the criterion's name.
func (c Criterion) String() string { return Criteria[c] }

// Search looks for an equilibrium by sweeps from the bids as they are.
type Search struct {
	Rule      Rule
	Until     Criterion
	Tolerance float64
	Limit     int // sweeps at most
	// Watch takes the metrics after every sweep, envy too if Envy is set, for
	// Least and Each. Without it they are taken at the end.
	Watch, Envy bool
	// Optimum is the best sum of utilities, which efficiency is measured by.
	Optimum float64
	// Each, if not nil, is called after every sweep.
	Each func(Progress) error
}

// Progress is one sweep of a search: its number from 1, the largest change of
// what the criterion looks at, and the metrics (NaN without Watch).
type Progress struct {
	Sweep   int
	Gap     float64
	Metrics Metrics
}

// Found is how a search ended. If it did not converge, Last is where it stopped
// and Least the least of each metric after any sweep; both are the same if it did.
type Found struct {
	Sweeps      int
	Converged   bool
	Gap         float64
	Last, Least Metrics
}

// check refuses what makes no sense.
func (s *Search) check() error {
	if err := s.Rule.Check(); err != nil {
		return err
	}
	switch {
	case s.Until < UtilityGap || s.Until > WelfareGap:
		return fmt.Errorf("there is no criterion %d", int(s.Until))
	case !(s.Tolerance > 0) || math.IsInf(s.Tolerance, 1):
		return fmt.Errorf("a tolerance of %g: want a number above 0", s.Tolerance)
	case s.Limit < 1:
		return fmt.Errorf("at most %d sweeps: want 1 or more", s.Limit)
	}
	return nil
}

// Run sweeps until the criterion is met or the limit is reached. A sweep with its
// criterion costs the sweep and two passes over all wants.
func (m *Market) Run(ctx context.Context, s Search) (Found, error) {
	if err := s.check(); err != nil {
		return Found{}, err
	}
	gap := newGap(m, &s)
	nan := Metrics{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	inf := math.Inf(1)
	found := Found{Last: nan, Least: Metrics{inf, inf, inf, inf}}
	for found.Sweeps < s.Limit && !found.Converged {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		m.Sweep(s.Rule)
		found.Sweeps++
		found.Gap = gap.next()
		found.Converged = found.Gap < s.Tolerance || s.Until == WelfareGap && found.Gap <= s.Tolerance
		if s.Watch {
			found.Last = s.measure(m)
			found.Least = found.Least.Least(found.Last)
		}
		if s.Each != nil {
			if err := s.Each(Progress{found.Sweeps, found.Gap, found.Last}); err != nil {
				return found, err
			}
		}
	}
	if !s.Watch {
		found.Last = s.measure(m)
	}
	if found.Converged || !s.Watch {
		found.Least = found.Last
	}
	return found, nil
}

func (s *Search) measure(m *Market) Metrics {
	if s.Envy {
		return m.Measure(m.Allocation(), s.Optimum, true)
	}
	return m.Now(s.Optimum)
}

// gap watches what the criterion looks at.
type gap struct {
	m       *Market
	until   Criterion
	optimum float64
	before  []float64 // utilities by user, or bids one user behind the other
	welfare float64
}

func newGap(m *Market, s *Search) *gap {
	g := &gap{m: m, until: s.Until, optimum: s.Optimum}
	m.recount()
	g.next()
	return g
}

// next returns the largest change since it was last called.
func (g *gap) next() float64 {
	largest, at, welfare := 0.0, 0, 0.0
	changed := func(now float64) {
		if at == len(g.before) {
			g.before = append(g.before, math.Inf(1))
		}
		largest = max(largest, math.Abs(now-g.before[at]))
		g.before[at] = now
		at++
	}
	for i := range g.m.users {
		u := &g.m.users[i]
		if !u.plays() {
			continue
		}
		switch g.until {
		case UtilityGap:
			changed(g.m.utility(u) / u.worth)
		case BidGap:
			for _, x := range u.bids {
				changed(x / u.budget)
			}
		case MarginGap:
			high, low, _, _ := g.m.margins(u)
			largest = max(largest, (high-low)*u.budget/u.worth)
		case WelfareGap:
			welfare += g.m.utility(u)
		}
	}
	if g.until == WelfareGap {
		largest = math.Abs(welfare-g.welfare) / max(g.optimum, math.SmallestNonzeroFloat64)
		g.welfare = welfare
	}
	return largest
}
