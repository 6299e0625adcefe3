package equilibria

import (
	"context"
	"math"

	"bourse/policies/market"
	"bourse/reports/table"
)

// manyEnvies is the number of comparisons, users x users x machines, up to which
// envy is taken after every sweep unasked: a tenth of a second.
const manyEnvies = 1e8

// Result is how a search ended.
type Result struct {
	*Game
	Search market.Search
	Found  market.Found
	// Start is of weight-proportional bids, Best of the social optimum.
	Start, Best market.Metrics
	sweeps      []market.Progress
}

// Solve makes the market and searches; raw takes weights as they are. Envy is measured
// if the search says so, and in small games.
func (g *Game) Solve(ctx context.Context, s market.Search, raw bool) (*Result, error) {
	if err := g.join(!raw); err != nil {
		return nil, err
	}
	optimum, owner, err := g.market.Optimum(s.Rule.Most)
	if err != nil {
		return nil, err
	}
	n := float64(len(g.users))
	s.Watch, s.Optimum = true, optimum
	s.Envy = s.Envy || n*n*float64(len(g.machines)) <= manyEnvies
	g.market.Reset(s.Rule.Most)
	r := &Result{Game: g, Start: g.market.Measure(g.market.Allocation(), optimum, s.Envy)}
	r.sweeps = []market.Progress{{Gap: math.NaN(), Metrics: r.Start}}
	s.Each = func(p market.Progress) error {
		r.sweeps = append(r.sweeps, p)
		return nil
	}
	if r.Found, err = g.market.Run(ctx, s); err != nil {
		return nil, err
	}
	r.Search, r.Best = s, g.market.Measure(g.market.Owned(owner), optimum, s.Envy)
	return r, nil
}

// Sweeps has one row per sweep; sweep 0 is the start.
func (r *Result) Sweeps() *table.Table {
	columns := table.Data("sweep", "gap", "welfare", "efficiency", "utility_uniformity", "envy_freeness")
	for _, p := range r.sweeps {
		m := &p.Metrics
		columns.Add(int64(p.Sweep), p.Gap, m.Welfare, m.Efficiency, m.Uniformity, m.EnvyFreeness)
	}
	return columns
}
