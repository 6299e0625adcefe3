package multiresource

import (
	"context"
	"fmt"
	"io"

	"bourse/reports/papers"
)

// Options say how a reproduction is run.
type Options struct {
	// Instances is the number of random instances per point; 1000 in the paper.
	Instances int
	Seed      uint64
	// Google is the directory of the cluster data of 2011; empty leaves out the
	// second row of Figure 3.
	Google string
	// Pool is one of Pools, Raw leaves demands as the trace has them instead of
	// dividing by the machines' totals.
	Pool string
	Raw  bool
	// Out is the directory for tables and figures; empty writes none.
	Out     string
	Workers int // 0: all processors
}

// study is a run of the reproduction.
type study struct {
	*papers.Study
	Options
	ctx context.Context
}

// Run reproduces the paper, printing to out.
func Run(ctx context.Context, out io.Writer, o Options) error {
	if o.Instances < 2 {
		return fmt.Errorf("%d instances per point: 2 or more are needed for an interval", o.Instances)
	}
	report, err := papers.NewStudy(out, o.Out)
	if err != nil {
		return err
	}
	s := &study{Study: report, Options: o, ctx: ctx}
	return s.Run(ctx, s.examples, s.checkProperties, s.table1, s.table2, s.tableMany, s.figure2, s.synthetic, s.google,
		s.figure4, s.manyBounds, s.figure5)
}
