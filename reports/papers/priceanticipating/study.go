package priceanticipating

import (
	"context"
	"fmt"
	"strings"

	"bourse/engine/scenario"
	"bourse/reports/papers"
)

// Reserve is the simulations' usual reserve: the epsilon of the paper's experiments, which is
// also its Appendix A's letter for the least that stands on each machine.
const Reserve = .001

// Options say how a reproduction is run.
type Options struct {
	Repetitions int // the paper does not state its own
	Seed        uint64
	Reserve     float64 // of each machine in the simulations, in budgets
	Workers     int
}

// Program is the reproduction as a value.
func Program() papers.Program {
	o := Options{Repetitions: 20, Seed: 1, Reserve: Reserve}
	return papers.Program{
		Name: "price-anticipating",
		Paper: "Feldman, Lai and Zhang, A Price-Anticipating Resource Allocation Mechanism for Distributed " +
			"Shared Clusters",
		Line:    "users who spread budgets over machines: equilibria, efficiency and fairness",
		Example: "bourse reproduce price-anticipating --out price-anticipating",
		Options: []papers.Option{
			{Name: "repetitions", To: &o.Repetitions, Least: 2, Why: papers.ForInterval,
				Line: "random instances per point of the figures; intervals are over them"},
			{Name: "reserve", To: &o.Reserve, Line: "what counts as the others' bids on a machine at least in the " +
				"simulations, in budgets; the paper states none"},
		},
		Workers: &o.Workers, Seed: &o.Seed, Each: "instances",
		Check: func(func(string) bool) error {
			if !(o.Reserve > 0 && o.Reserve < 1) {
				return &scenario.OptionError{Option: "reserve",
					Err: fmt.Errorf("%g: want a number above 0 and below 1", o.Reserve)}
			}
			return nil
		},
		Run: func(ctx context.Context, report *papers.Study, _ func(done, of int, err error)) error {
			return Run(ctx, report, o)
		},
	}
}

// study is a run of the reproduction.
type study struct {
	*papers.Study
	Options
	setup
	ctx context.Context
	// theory is the reserve of the games of section 3.
	theory float64
}

// Run reproduces the paper.
func Run(ctx context.Context, report *papers.Study, o Options) error {
	return newStudy(ctx, report, o).all()
}

func (s *study) all() error {
	s.settings()
	return s.Run(s.ctx, s.equalWeights, s.oppositeWeights, s.twoPlayers, s.noEquilibrium, s.manyPlayers,
		s.simulate, s.greedyGrid, s.figure3, s.figure4, s.figure5, s.figure6, s.figure7, s.rangeClaim, s.ratios,
		s.sensitivity, s.leastOf, s.timing, s.correlatedOnce)
}

// correlatedOnce puts one row in the place of the sentences on correlated preferences that differ.
func (s *study) correlatedOnce() error {
	s.OneCause("Figure 3 and Section 5.2, correlated", "what is said of correlated preferences", papers.Unpublished,
		func(where, says string) bool {
			return strings.HasSuffix(where, ", correlated") || says == betweenPreferences
		}, "one cause: how the preferences are drawn. The text says U(0,1) for needs and a common weight for each machine, "+
			"not how unequal these are; with the settings tried none of the generators gives all of these figures")
	return nil
}

func newStudy(ctx context.Context, report *papers.Study, o Options) *study {
	return &study{Study: report, Options: o, setup: published(o.Reserve), ctx: ctx, theory: tinyReserve}
}

// settings says what the paper leaves open and how it is settled here.
func (s *study) settings() {
	s.Heading("Settings")
	s.Printf(`Weights sum to 1 for each user, budgets are 1. Users answer in turn, each facing the latest bids; a sweep is one
answer of every user and what the paper calls an iteration. Bids begin in proportion to the weights. Best response
and local search stop when no utility changes by %g from sweep to sweep, at %d sweeps at most (the paper's).
On each machine the others' bids count as %g at least in the simulations, and %g in the games of section 3: a machine
that one user wants has no best bid otherwise. The paper proves existence with such a bid (Appendix A) but states none
for its simulations; how much depends on it is printed below.
Greedy moves %g of the budget and stops when marginal utilities differ by less than %g, at %d sweeps at most: the
paper gives the limit only, and when greedy comes to rest depends on both (printed below). Welfare is stable in the first
sweep after half of its rise that changes it by no more than %g of the optimum. Where sweeps do not converge,
metrics are the least after any sweep. %d repetitions a point, 95 %% intervals by Student's t. Claims are judged on 5 to
%d users, which the paper draws; the points beyond are ours.

Read as misprints in the long text: equal weights have delta = 1/alpha - 1 (printed 1 - 1/alpha); the asymmetric
equilibria begin at c = 3 (printed 4, but alpha_0 = .854 is right); "alpha -> 0" is alpha -> 1.
`, tolerance, mostSweeps, s.reserve, s.theory, greedyStep, greedyTolerance, mostGreedy, tolerance, s.Repetitions, drawn)
}
