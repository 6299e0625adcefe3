package priceanticipating

import (
	"context"
	"fmt"
	"io"

	"bourse/reports/studies"
)

// Options say how a reproduction is run.
type Options struct {
	// Repetitions is the number of random instances per point: intervals are over
	// them. The paper does not state its own.
	Repetitions int
	Seed        uint64
	// Out is the directory for tables and figures; empty writes none.
	Out     string
	Workers int // 0: all processors
}

// study is a run of the reproduction.
type study struct {
	*studies.Study
	Options
	ctx context.Context
	// found are the points of Figures 3, 5 and 7, by model and in order of users.
	found [2][]*point
}

// Run reproduces the paper, printing to out.
func Run(ctx context.Context, out io.Writer, o Options) error {
	if o.Repetitions < 2 {
		return fmt.Errorf("%d repetitions per point: 2 or more are needed for an interval", o.Repetitions)
	}
	report, err := studies.NewStudy(out, o.Out)
	if err != nil {
		return err
	}
	s := &study{Study: report, Options: o, ctx: ctx}
	s.settings()
	return s.Run(ctx, s.equalWeights, s.oppositeWeights, s.twoPlayers, s.manyPlayers,
		s.greedyGrid, s.simulate, s.figure3, s.figure4, s.figure5, s.figure6, s.figure7, s.bounds)
}

// settings says what the paper leaves open and how it is settled here.
func (s *study) settings() {
	s.Heading("Settings")
	s.Printf(`Weights sum to 1 for each user, budgets are 1. Users answer in turn, each facing the latest bids; a sweep is one
answer of every user and what the paper calls an iteration. Bids begin in proportion to the weights. Best response
and local search stop when no utility changes by %g from sweep to sweep, at %d sweeps at most (the paper's).
Greedy moves %g of the budget and stops when marginal utilities differ by less than %g, at %d sweeps at most: the
paper gives the limit only. This pair was picked from the grid printed below because it comes closest to the paper's
Figure 3, so that agreement of greedy's times is no evidence and called unclear. Where sweeps do not converge,
metrics are the least after any sweep. %d repetitions a point, 95 %% intervals by Student's t.

Read as misprints in the long text: equal weights have delta = 1/alpha - 1 (printed 1 - 1/alpha); the asymmetric
equilibria begin at c = 3 (printed 4, but alpha_0 = .854 is right); "alpha -> 0" is alpha -> 1.
`, tolerance, mostSweeps, greedyStep, greedyTolerance, mostGreedy, s.Repetitions)
}
