// Package atlas replays logs under schedulers and says what holds on all of them and what
// depends on the log: mean ranks, how often one scheduler does better than another, and which
// comparisons turn around. The figures of the logs at hand when it was last made come with the
// program; the conclusions are drawn anew from them, or from replays of other logs.
//
// Replicas of a log draw its users anew, week by week. A scheduler does better than another
// on a log beyond chance if the logarithms of their ratios, replica by replica, have a mean
// other than 0 by Student's t; for each pair, any verdict on any log is wrong with a probability
// of 5 % at most (Holm). Ranks are averaged over logs, and their intervals are
// over logs: they are about other logs like these.
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
				Line: "replay these logs of parallel machines (default: take the figures that come with the program)"},
			{Name: "replicas", To: &o.Replicas, Needs: "logs", Least: 2,
				Why:  "2 or more are needed to tell a difference from chance",
				Line: "replicas of each log, by resampling its users; verdicts on a log are over them"},
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
	bids     = "bids, preempts"
)

// policies are in the order of the report's files.
var policies = []policy{
	{"fcfs", ""}, {"easy", ""}, {"easy(order=sjf)", ""}, {"easy(order=saf)", ""}, {"easy(order=f1)", ""},
	{"conservative", ""},
	{"sjf", ""}, {"ljf", ""}, {"saf", ""}, {"laf", ""}, {"xfactor", ""}, {"wfp3", ""}, {"unicef", ""},
	{"f1", ""}, {"f2", ""}, {"f3", ""}, {"f4", ""}, {"fairshare", ""},
	{"srpt", foresees}, {"srpt(by=area)", foresees}, {"las", preempts},
	{"hb", bids}, {"hb(fit=skip)", bids}, {"wsept", "bids"}, {"drf", divides},
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
	a, err := kept()
	if len(o.Logs) > 0 {
		a, err = replayed(ctx, o)
	}
	if err != nil {
		return err
	}
	r := &reporter{Study: report, atlas: &a}
	return r.Run(ctx, r.replays, r.table, r.pairs, r.figure, r.findings)
}

// samples are the values of a measure by replica: those of the log itself if it has none.
func (a *atlas) samples(log, policy string, measure int) (x []float64) {
	var itself float64
	for i := range a.figures {
		switch f := &a.figures[i]; {
		case f.log != log || f.policy != policy:
		case f.replica == 0:
			itself = f.values[measure]
		default:
			x = append(x, f.values[measure])
		}
	}
	if len(x) == 0 {
		return []float64{itself}
	}
	return x
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
