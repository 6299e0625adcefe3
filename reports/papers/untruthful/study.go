package untruthful

import (
	"context"
	"fmt"
	"strings"

	"bourse/engine/scenario"
	"bourse/reports/papers"
)

// Options say how the reproduction is run.
type Options struct {
	// Trace is the log, empty for a synthetic stand-in, and Cluster what it is.
	Trace   string
	Cluster Cluster
	Nodes   int
	Seeds   int
	Workers int
	// Progress, if not nil, is called after each replay: how many of how many have ended,
	// and the last one's error.
	Progress func(done, of int, err error)
}

// Program is the reproduction as a value.
func Program() papers.Program {
	o := Options{Cluster: Other, Seeds: 10}
	var das2, sharcnet string
	return papers.Program{
		Name: "untruthful-bids",
		Paper: "Shudler, Amar, Barak and Mu'alem, The Effects of Untruthful Bids on User Utilities and " +
			"Stability in Computing Markets",
		Line:    "who gains by underbidding, under which price: figures, payoff matrices, equilibria",
		Example: "bourse reproduce untruthful-bids --trace LPC-EGEE-2004-1.2-cln.swf.gz --seeds 10 --out study-a",
		Options: []papers.Option{
			{Name: "trace", To: &o.Trace, Input: true,
				Line: "the `LOG`; LPC-EGEE-2004-1.2-cln is the paper's, others are prepared in the same way"},
			{Name: "das2", To: &das2, Input: true, Other: "trace",
				Line: "replay `LOG` as the paper's DAS2 instead; DAS2-fs1-2003-1 is a stand-in"},
			{Name: "sharcnet", To: &sharcnet, Input: true, Other: "trace",
				Line: "replay the requin partition of `LOG` SHARCNET-2005-2 instead, with generated estimates"},
			{Name: "nodes", To: &o.Nodes, Why: "a machine needs at least 1 processor",
				Line: "processors of the machine (0: as in Table I, or as the trace says)"},
			{Name: "seeds", To: &o.Seeds, Least: 1, Why: papers.AtLeastOne,
				Line: "number of seeds; intervals are over them"},
		},
		Workers: &o.Workers, Each: "replays",
		Check: func(given func(string) bool) error {
			if given("das2") && given("sharcnet") {
				return &scenario.ConflictError{One: "das2", Other: "sharcnet", Why: "both name the workload; give one of them"}
			}
			return nil
		},
		Run: func(ctx context.Context, report *papers.Study, progress func(done, of int, err error)) error {
			switch o.Progress = progress; {
			case das2 != "":
				o.Trace, o.Cluster = das2, DAS2
			case sharcnet != "":
				o.Trace, o.Cluster = sharcnet, REQUIN
			case strings.Contains(o.Trace, "LPC-EGEE"):
				o.Cluster = LPC
			}
			return Run(ctx, report, o)
		},
	}
}

// study is a run of the reproduction.
type study struct {
	*papers.Study
	options Options
	work    *workload
	results results
	draws   draws
}

// Run reproduces the paper.
func Run(ctx context.Context, report *papers.Study, o Options) error {
	st := &study{Study: report, options: o}
	spec, cluster, nodes := o.Trace, o.Cluster, o.Nodes
	if spec == "" {
		spec, cluster, nodes = standIn, Other, LPC.nodes
		st.Printf("The paper's log, LPC-EGEE-2004-1.2-cln, is in the Parallel Workloads Archive; given as the trace it is " +
			"replayed\nhere. Without it, a synthetic stand-in shows the directions only.\n")
	}
	var err error
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
	st.draws = st.work.drawn(o.Seeds, smallGroup, largeGroup)
	st.tables()
	st.marketClaims()
	st.drawClaims()
	st.textClaims()
	if err := st.figures(); err != nil {
		return err
	}
	return st.Verdicts()
}
