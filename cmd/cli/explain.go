package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/artifact"
	"bourse/reports/explain"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces"
	"bourse/traces/tabular"
)

// explainFlags are the flags of `bourse explain`: a scenario, and the job.
type explainFlags struct {
	scenario.Scenario
	job  int64
	task int32
	all  bool
	out  tableFormat
	done *stats.Aggregate // of all jobs, if the run is a finished one
}

// jobNumber is a whole number, or one as Slurm shows it.
type jobNumber int64

func (n *jobNumber) Set(text string) error {
	id, err := strconv.ParseInt(text, 10, 64)
	if job, step, ok := tabular.JobNumber(text); err != nil && ok && !step {
		id, err = job, nil
	}
	*n = jobNumber(id)
	return err
}
func (n *jobNumber) String() string { return strconv.FormatInt(int64(*n), 10) }
func (n *jobNumber) Type() string   { return "int" }

func explainJob(a *app, f *flags) action {
	e := explainFlags{Scenario: scenario.Default()}
	moved := f.String("trace", "", "the trace's `PATH` here, if that of the finished run in DIR is not where it was")
	programs := f.programsFlag()
	f.Var((*jobNumber)(&e.job), "job", "the job's number in the trace, or as Slurm shows it: 123_4, 123+0")
	f.Int32Var(&e.task, "task", explain.AnyTask, "its task, or its piece under --serial (default: the first)")
	f.Lookup("task").DefValue = "0"
	f.BoolVar(&e.all, "all", false, "show every stop, start and price")
	defineScenario(f, &e.Scenario)
	e.out.define(f)
	a.quietFlag(f)
	return func() error {
		switch {
		case !f.Changed("job"):
			return usagef("no job given; add --job ID, a number from the trace's first column or from job_id in a " +
				"replay's records")
		case f.Changed("task") && e.task < 0:
			return usagef("--task %d: want a number of 0 or more", e.task)
		}
		if e.Trace = f.Arg(0); isRun(e.Trace) {
			if err := e.finished(a, f, *moved, *programs); err != nil {
				return err
			}
		} else if *moved != "" {
			return usagef("--trace %s: %s is no finished run; name the trace alone", *moved, e.Trace)
		}
		return e.run(a)
	}
}

// isRun reports whether a path is a directory of results, or a manifest in one.
func isRun(path string) bool {
	_, err := os.Stat(filepath.Join(path, run.ManifestFile))
	return err == nil || artifact.IsSweep(path) || artifact.Folder(path) != path
}

// finished takes the scenario from the manifest of a run. --bids says where the table is.
func (e *explainFlags) finished(a *app, f *flags, moved string, programs bool) error {
	dir, where := artifact.Folder(e.Trace), artifact.Finder{Bids: e.Bids}
	if moved != "" {
		where.Traces = []string{moved}
	}
	for _, o := range allOptions() {
		if f.Changed(o) && o != "bids" {
			return usagef("--%s: the run in %s has its own settings; leave it out, or explain the trace itself", o, dir)
		}
	}
	work, err := a.openFinished(dir, programs)
	if err != nil {
		return err
	}
	replay, ok := work.(*artifact.Replay)
	switch {
	case work.Kind() == "study":
		return fmt.Errorf("%s holds a study, not a run; explain one of its traces with the flags of replay", dir)
	case !ok:
		return fmt.Errorf("%s holds a sweep; want the directory of one of its cells, which have one each with "+
			"--records", dir)
	}
	summary, err := run.ReadSummary(filepath.Join(dir, run.SummaryFile))
	if err != nil {
		return err
	}
	e.done = &summary.Jobs.Total
	at, err := find(&where, work)
	if err == nil {
		e.Scenario, err = replay.Scenario(at)
	}
	return err
}

// run replays the trace to explain one job.
func (e *explainFlags) run(a *app) error {
	finder := &explain.DropFinder{Job: e.job}
	return a.reading(&e.Scenario, finder.Look, func(src traces.Source) error { return e.explainSource(a, src, finder) })
}

// explainSource explains the job of a trace that is open; finder sees the records that are dropped.
func (e *explainFlags) explainSource(a *app, source traces.Source, finder *explain.DropFinder) error {
	finder.Name = func(id int64) string { return tabular.JobName(source.Header().Format, id) }
	market := e.Settled()
	names, err := catalog.PaymentsBeside(market.Payment, market.Policy)
	if err != nil {
		return &usageError{err}
	}
	p, err := e.Prepare(source, names...)
	if err != nil {
		return err
	}
	e.Scenario = p.Scenario
	line := a.progress(p.Source)
	tracker, all := explain.NewTracker(e.job, e.task, p.Config.Policy, p.Config.Pricer), &stats.Collector{}
	p.Config.Segments, p.Config.Causes, p.Config.Progress = tracker, tracker, line.hook()
	sinks := []engine.Sink{tracker}
	if e.done != nil && e.single(p.Source.Header()) {
		sinks = append(sinks, tracker.Enough())
	}
	out, err := p.Run(a.ctx, all, sinks...) // the means are those of the replay's summary
	line.end()
	if err != nil && !errors.Is(err, explain.ErrEnough) {
		return err
	}
	if e.done == nil {
		total := all.Result().Total
		e.done = &total
	}
	header := p.Source.Header()
	history, ok := tracker.History()
	if !ok {
		return finder.Missing(e.task, header.Ledger, tracker.Others(), e.Resample != "")
	}
	ranked, paying := policies.TraitsOf(p.Config.Policy).RanksByBid, e.Payment != "none"
	_, bidding := policies.As[policies.Market](p.Config.Policy)
	if own, _ := policies.ParseSpec(e.Payment); !paying || own.Name == "posted" {
		bidding = ranked
	}
	answer := history.Explain(explain.Setting{
		Trace: e.Trace, Replay: e.words(paying, paying || bidding), Names: header.Names, Dates: header.Calendar(), Name: finder.Name,
		Machines: out.Summary.Machines, Pool: out.Summary.Pool, Outages: out.Summary.Outages,
		Bidding: bidding, Ranked: ranked, Paying: paying, Payment: e.Payment, Also: names, All: *e.done, Others: *tracker.Others(), Every: e.all,
		EveryHint: "--all lists them", TaskHint: "--task N explains another",
	})
	err = e.out.print(a, answer.Report())
	return a.skipped(err, header.Ledger)
}

// single reports whether job numbers name single rows, so that nothing else is to be said
// of a number once its job has ended.
func (e *explainFlags) single(h *traces.Header) bool {
	return !e.Serial && (h.Format == "swf" || strings.HasPrefix(h.Format, "synth"))
}

// words says how the trace is replayed.
func (e *explainFlags) words(paying, bidding bool) string {
	text := "replayed under policy " + e.Policy
	if paying {
		text += ", payment " + e.Payment
	}
	if e.Budget != "" {
		text += ", budget " + e.Budget
	}
	switch {
	case !bidding:
		return text
	case e.Bids != "":
		return text + ", bids of " + e.Bids
	}
	return text + fmt.Sprintf(", values %s, behaviour %s, seed %d", e.Values, e.Behaviour, e.Seed)
}
