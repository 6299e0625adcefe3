package untruthful

import (
	"context"
	"fmt"
	"io"

	"bourse/reports/papers"
)

// Options say how the reproduction is run.
type Options struct {
	// Trace is the log, empty for a synthetic stand-in, and Cluster what it is.
	Trace   string
	Cluster Cluster
	// Nodes is the machine; 0 as in Table I or as the trace says.
	Nodes   int
	Seeds   int
	Workers int
	// Out is the directory for tables and figures; empty writes none.
	Out string
	// Progress, if not nil, is called after each replay: how many of how many have ended,
	// and the last one's error.
	Progress func(done, of int, err error)
}

// study is a run of the reproduction.
type study struct {
	*papers.Study
	options Options
	work    *workload
	results results
}

// Run reproduces the paper, printing to out.
func Run(ctx context.Context, out io.Writer, o Options) error {
	report, err := papers.NewStudy(out, o.Out)
	if err != nil {
		return err
	}
	st := &study{Study: report, options: o}
	spec, cluster, nodes := o.Trace, o.Cluster, o.Nodes
	if spec == "" {
		spec, cluster, nodes = standIn, Other, LPC.nodes
		st.Printf("The paper's log, LPC-EGEE-2004-1.2-cln, is in the Parallel Workloads Archive; given as the trace it is " +
			"replayed\nhere. Without it, a synthetic stand-in shows the directions only.\n")
	}
	if st.work, err = prepare(spec, cluster, nodes); err != nil {
		return err
	}
	if n := st.work.withoutEstimate(); n > 0 {
		return fmt.Errorf("%s: %d of %d jobs have no estimate, which WSEPT needs", spec, n, st.work.jobs.Len())
	}
	st.work.tableI(st.Study, spec)
	if st.results, err = replayAll(ctx, st.work, o.Seeds, o.Workers, o.Progress); err != nil {
		return err
	}
	st.tables()
	st.textClaims()
	if err := st.figures(); err != nil {
		return err
	}
	return st.Verdicts()
}
