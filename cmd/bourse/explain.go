package main

import (
	"fmt"
	"strconv"

	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/explain"
	"bourse/reports/stats"
	"bourse/traces/tabular"
)

// explainFlags are the flags of `bourse explain`: a scenario, and the job.
type explainFlags struct {
	scenario.Scenario
	job   int64
	task  int32
	all   bool
	quiet bool
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

func explainJob(a *app, args []string) error {
	e := explainFlags{Scenario: scenario.Default()}
	f := a.flags("explain TRACE --job ID", "bourse explain log.swf.gz --job 4711 --policy hb --payment kth")
	f.Var((*jobNumber)(&e.job), "job", "the job's number in the trace, or as Slurm shows it: 123_4, 123+0")
	f.Int32Var(&e.task, "task", explain.AnyTask, "its task, or its piece under --serial (default: the first)")
	f.Lookup("task").DefValue = "0"
	f.BoolVar(&e.all, "all", false, "show every stop, start and price")
	defineOptions(f, &e.Scenario, allOptions()...)
	f.BoolVarP(&e.quiet, quietFlag, "q", false, quietHelp)
	if err := parse(f, args, 1, 1, "explain takes one trace"); err != nil {
		return err
	}
	switch {
	case !f.Changed("job"):
		return usagef("no job given; add --job ID, a number from the trace's first column or from job_id in a replay's records")
	case f.Changed("task") && e.task < 0:
		return usagef("--task %d: want a number of 0 or more", e.task)
	}
	if err := checkGiven(&e.Scenario, f); err != nil {
		return err
	}
	e.Trace = f.Arg(0)
	return e.run(a)
}

// run replays the trace for the one job's sake.
func (e *explainFlags) run(a *app) (err error) {
	finder := &explain.DropFinder{Job: e.job}
	source, err := a.open(&e.Scenario, finder.Look)
	if err != nil {
		return err
	}
	defer func() { closing(source, &err) }()
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
	line := newProgress(a.line, e.quiet, p.Source)
	tracker, all := explain.NewTracker(e.job, e.task, p.Config.Policy, p.Config.Pricer), &stats.Collector{}
	p.Config.Segments, p.Config.Rounds, p.Config.Progress = tracker, tracker, line.hook()
	out, err := p.Run(a.ctx, all, tracker) // the means are those of the replay's summary
	line.end()
	if err != nil {
		return advise(&e.Scenario, err)
	}
	header := p.Source.Header()
	history, ok := tracker.History()
	if !ok {
		return finder.Missing(e.task, header.Ledger, tracker.Others(), e.Resample != "")
	}
	_, bidding := policies.As[policies.Market](p.Config.Policy)
	ranked := policies.TraitsOf(p.Config.Policy).RanksByBid
	if own, _ := policies.ParseSpec(e.Payment); own.Name == "none" || own.Name == "posted" {
		bidding = ranked
	}
	err = history.Write(a.stdout, explain.Setting{
		Trace: e.Trace, Replay: e.words(), Names: header.Names, Machine: out.Summary, Bidding: bidding, Ranked: ranked,
		Payment: e.Payment, Also: names, All: all.Result().Total, Others: *tracker.Others(), Every: e.all,
		Hints: explain.Hints{All: "--all lists them", Task: "--task N explains another"},
	})
	if err != nil {
		return err
	}
	return a.skipped(header.Ledger)
}

// words says how the trace is replayed.
func (e *explainFlags) words() string {
	text := fmt.Sprintf("replayed under policy %s, payment %s, ", e.Policy, e.Payment)
	if e.Bids != "" {
		return text + "bids of " + e.Bids
	}
	return text + fmt.Sprintf("values %s, behaviour %s, seed %d", e.Values, e.Behaviour, e.Seed)
}
