package multiresource

import (
	"context"
	"strings"

	"bourse/reports/papers"
)

// Options say how a reproduction is run.
type Options struct {
	Instances int // 1000 in the paper
	Seed      uint64
	Google    string // without it the second row of Figure 3 is left out
	Pool      string // one of Pools
	Raw       bool
	Workers   int
}

// Program is the reproduction as a value.
func Program() papers.Program {
	o := Options{Instances: 1000, Seed: 1, Pool: Pools[0]}
	return papers.Program{
		Name:    "multi-resource",
		Paper:   "Bei, Li and Luo, Fair and Efficient Multi-Resource Allocation for Cloud Computing",
		Line:    "DRF and its successors: fair ratios, random and Google instances",
		Example: "bourse reproduce multi-resource --google clusterdata-2011-2 --out multi-resource",
		Options: []papers.Option{
			{Name: "instances", To: &o.Instances, Least: 2, Why: papers.ForInterval,
				Line: "random instances per point of the figures"},
			{Name: "google", To: &o.Google, Input: true, Part: true,
				Line: "`DIR` with task_events and machine_events of the Google trace of 2011"},
			{Name: "pool", To: &o.Pool, Needs: "google", Among: Pools,
				Line: "what gives one demand vector: " + strings.Join(Pools, ", ")},
			{Name: "raw", To: &o.Raw, Needs: "google",
				Line: "take the trace's demands as they are, not divided by the machines' totals"},
		},
		Workers: &o.Workers, Seed: &o.Seed, Each: "instances",
		Run: func(ctx context.Context, report *papers.Study, _ func(done, of int, err error)) error {
			return Run(ctx, report, o)
		},
	}
}

// study is a run of the reproduction.
type study struct {
	*papers.Study
	Options
	ctx context.Context
}

// Run reproduces the paper.
func Run(ctx context.Context, report *papers.Study, o Options) error {
	s := &study{Study: report, Options: o, ctx: ctx}
	return s.Run(ctx, s.examples, s.checkProperties, s.table1, s.table2, s.tableMany, s.figure2, s.synthetic, s.google,
		s.figure4, s.manyBounds, s.figure5)
}
