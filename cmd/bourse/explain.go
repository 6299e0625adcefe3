package main

import (
	"fmt"
	"math"

	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/explain"
	"bourse/reports/stats"
	"bourse/traces"
)

// explainFlags are the flags of `bourse explain`: a scenario, and the job.
type explainFlags struct {
	scenario.Scenario
	job   int64
	task  int32
	all   bool
	quiet bool
}

func explainJob(a *app, args []string) error {
	e := explainFlags{Scenario: scenario.Default()}
	f := a.flags("explain TRACE --job ID", "bourse explain log.swf.gz --job 4711 --policy hb --payment kth")
	f.Int64Var(&e.job, "job", 0, "the job's number in the trace")
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

// dropFinder remembers why a job's record was dropped.
type dropFinder struct {
	job     int64
	dropped bool
	line    int64
	reason  traces.Reason
}

func (d *dropFinder) look(j *traces.Job, r traces.Reason) {
	if j.ID == d.job && !d.dropped {
		d.dropped, d.line, d.reason = true, j.Line, r
	}
}

// run replays the trace for the one job's sake.
func (e *explainFlags) run(a *app) (err error) {
	finder := &dropFinder{job: e.job}
	source, err := a.open(&e.Scenario, finder.look)
	if err != nil {
		return err
	}
	defer func() { closing(source, &err) }()
	names, err := e.otherSchemes()
	if err != nil {
		return err
	}
	p, err := e.Prepare(source, names...)
	if err != nil {
		return err
	}
	e.Scenario = p.Scenario
	line := newProgress(a.stderr, e.quiet, p.Source)
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
		return e.missing(finder, header.Ledger, tracker.Others())
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

// otherSchemes names the payment schemes beside the one charged that fit the policy,
// with its reservation price. The posted price is the reservation price.
func (e *explainFlags) otherSchemes() (names []string, err error) {
	market := e.Settled()
	policy, err := catalog.Policies.Make(market.Policy)
	if err != nil {
		return nil, &usageError{err}
	}
	own, err := policies.ParseSpec(market.Payment)
	if err != nil {
		return nil, &usageError{err}
	}
	reserve := ""
	if own.Name == "first" || own.Name == "kth" || own.Name == "kth-uncapped" {
		for _, arg := range own.Args {
			reserve = arg.Value
		}
	}
	for _, entry := range catalog.Payments.Entries {
		name := entry.Name
		switch {
		case name == own.Name:
			continue
		case name == "posted" && reserve == "":
			name += ":1"
		case reserve != "" && len(entry.Params) > 0:
			name += ":" + reserve
		}
		scheme, err := catalog.Payments.Make(name)
		if err != nil {
			return nil, err
		}
		if _, err := scheme(policy); err == nil { // else the two do not fit
			names = append(names, name)
		}
	}
	return names, nil
}

// missing says why there is nothing to explain: the record was dropped, the task is
// not there, or the trace has no such number.
func (e *explainFlags) missing(d *dropFinder, l *traces.Ledger, o *explain.Others) error {
	switch {
	case o.Rows > 0:
		return fmt.Errorf("job %d has no task %d: %d of its rows are replayed, tasks %d to %d", e.job, e.task, o.Rows, o.FirstTask, o.LastTask)
	case d.dropped:
		where := ""
		if d.line > 0 {
			where = fmt.Sprintf(" (line %d)", d.line)
		}
		return fmt.Errorf("job %d%s was not replayed: it is among the %d records dropped as %s", e.job, where, l.Dropped[d.reason], d.reason)
	case e.Resample != "":
		return fmt.Errorf("no job %d in this replica: --resample gives jobs new numbers; %s", e.job, neighbours(e.job, o))
	}
	text := fmt.Sprintf("no job %d is replayed; %s", e.job, neighbours(e.job, o))
	if n := l.DroppedText(); n != "" {
		text += ". Records that were left out: " + n
	}
	return fmt.Errorf("%s", text)
}

// neighbours names the numbers next to one that is not there.
func neighbours(id int64, o *explain.Others) string {
	switch {
	case o.HasBelow && o.HasAbove:
		near, far := o.Below, o.Above
		if math.Abs(float64(o.Above)-float64(id)) < math.Abs(float64(id)-float64(o.Below)) {
			near, far = far, near
		}
		return fmt.Sprintf("did you mean %d or %d?", near, far)
	case o.HasBelow:
		return fmt.Sprintf("the last number there is %d", o.Below)
	}
	return fmt.Sprintf("the first number there is %d", o.Above)
}
