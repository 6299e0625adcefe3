// Package atlas replays logs under schedulers and says what holds on all of them and what
// depends on the log: mean ranks, how often one scheduler does better than another, and which
// comparisons turn around. The figures of the logs at hand when it was last made come with the
// program; the conclusions are drawn anew from them, or from replays of other logs.
//
// Replicas of a log are blocks of four of its weeks; the log itself is none of them, and stands
// next to them. A scheduler does better than another
// on a log beyond chance if the logarithms of their ratios, replica by replica, have a mean
// other than 0 by Student's t; for each pair, any verdict on any log is wrong with a probability
// of 5 % at most (Holm). Where the figure of either is more than twice that in the log, or less than
// half of it, replicas say nothing of the log, and there is no verdict. Ranks are averaged over
// logs, which are those at hand and no sample: what one log does to them is said by leaving each out.
package atlas

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bourse/engine/scenario"
	"bourse/reports/papers"
	"bourse/reports/run"
)

// Options say how an atlas is made.
type Options struct {
	Logs     []string
	Alone    bool // without those that come with the program
	Replicas int
	Seed     uint64
	Workers  int
	Progress func(done, of int, err error)
}

// Program is the study as a value.
func Program() papers.Program {
	o := Options{Replicas: 5, Seed: 1}
	return papers.Program{
		Name:  "atlas",
		Paper: "our own: every scheduler on every log at hand",
		Line: "which schedulers rank first, what holds on all logs, what depends on the log; at once from " +
			"figures that come with the program",
		Example: "bourse reproduce atlas --logs kth-sp2,ctc-sp2,sdsc-blue --out atlas",
		Options: []papers.Option{
			{Name: "logs", To: &o.Logs, Input: true,
				Line: "replay these logs of parallel machines, too, and place them next to those that come with the program"},
			{Name: "replicas", To: &o.Replicas, Needs: "logs", Least: 5,
				Why:  "fewer than 5 cannot tell a difference from chance",
				Line: "replicas of each log, of blocks of four weeks; verdicts on a log are over them"},
			{Name: "alone", To: &o.Alone, Needs: "logs", Line: "leave out the logs that come with the program"},
		},
		Workers: &o.Workers, Seed: &o.Seed, Each: "replays",
		Check: func(given func(string) bool) error {
			if given("seed") && len(o.Logs) == 0 {
				return &scenario.OptionError{Option: "seed", Err: errors.New("is that of replicas, and no logs are replayed")}
			}
			return nil
		},
		Run: func(ctx context.Context, report *papers.Study, progress func(done, of int, err error)) error {
			o.Progress = progress
			return Run(ctx, report, o)
		},
	}
}

// policy is a scheduler of the atlas. Those that preempt, know run times before jobs end or
// share processors among users need what clusters mostly do not have.
type policy struct {
	name  string
	needs string // "" if it needs no more than EASY does
}

const (
	preempts = "preempts"
	foresees = "knows run times, preempts"
	divides  = "divides processors"
)

// policies are in the order of the report's files.
var policies = []policy{
	{"fcfs", ""}, {"easy", ""}, {"easy(order=sjf)", ""}, {"easy(order=saf)", ""}, {"easy(order=f1)", ""},
	{"conservative", ""},
	{"sjf", ""}, {"ljf", ""}, {"saf", ""}, {"laf", ""}, {"xfactor", ""}, {"wfp3", ""}, {"unicef", ""},
	{"f1", ""}, {"f2", ""}, {"f3", ""}, {"f4", ""}, {"fairshare", ""},
	{"srpt", foresees}, {"srpt(by=area)", foresees}, {"las", preempts},
	{"drf", divides},
}

// measures are those of the figures. Ranks are by the first two.
var measures = [...]run.Measure{
	run.MeasuresNamed("mean_bounded_slowdown")[0], run.MeasuresNamed("mean_wait_s")[0], run.MeasuresNamed("p95_wait_s")[0],
}

// ranked is how many of the measures ranks are by.
const ranked = 2

// atlas is the figures of logs.
type atlas struct {
	logs    []log
	figures []figure
}

// Run makes the atlas.
func Run(ctx context.Context, report *papers.Study, o Options) error {
	var a atlas
	var err error
	if !o.Alone {
		a, err = kept()
	}
	if err == nil && len(o.Logs) > 0 {
		var own atlas
		own, err = replayed(ctx, o)
		a.place(own)
	}
	if err != nil {
		return err
	}
	r := &reporter{Study: report, atlas: &a}
	return r.Run(ctx, r.replays, r.table, r.pairs, r.figure, r.findings)
}

// place adds the logs of another atlas, in place of those of the same names.
func (a *atlas) place(own atlas) {
	names := map[string]bool{}
	for _, l := range own.logs {
		names[l.name] = true
	}
	a.logs = append(slices.DeleteFunc(a.logs, func(l log) bool { return names[l.name] }), own.logs...)
	a.figures = append(slices.DeleteFunc(a.figures, func(f figure) bool { return names[f.log] }), own.figures...)
}

// samples are the values of a measure in the log itself, and by replica.
func (a *atlas) samples(log, policy string, measure int) (itself float64, x []float64) {
	for i := range a.figures {
		switch f := &a.figures[i]; {
		case f.log != log || f.policy != policy:
		case f.replica == 0:
			itself = f.values[measure]
		default:
			x = append(x, f.values[measure])
		}
	}
	return itself, x
}

// complete reports the first figure that is missing: every log needs the same policies.
func (a *atlas) complete() error {
	for _, l := range a.logs {
		for _, p := range policies {
			if !slices.ContainsFunc(a.figures, func(f figure) bool {
				return f.log == l.name && f.policy == p.name &&
					f.replica == 0
			}) {
				return fmt.Errorf("the atlas has no figure of %s under %s", l.name, p.name)
			}
		}
	}
	return nil
}
