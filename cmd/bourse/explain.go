package main

import (
	"fmt"
	"math"

	"github.com/spf13/pflag"

	"bourse/engine"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/explain"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces"
	"bourse/traces/transform"
)

// explainFlags are the flags of `bourse explain`: those of a replay, and the job.
type explainFlags struct {
	replayFlags
	job  int64
	task int32
	all  bool
}

func explainJob(a *app, args []string) error {
	var e explainFlags
	f := a.flags("explain TRACE --job ID", "bourse explain log.swf.gz --job 4711 --policy hb --payment kth")
	f.Int64Var(&e.job, "job", 0, "the trace's number of the job")
	f.Int32Var(&e.task, "task", explain.AnyTask, "its task, or its piece under --serial (default: the first)")
	f.Lookup("task").DefValue = "0"
	f.BoolVar(&e.all, "all", false, "every stop, start and price, however many")
	e.defineMarket(f)
	e.trace.defineEdges(f)
	if err := parse(f, args, 1, 1, "explain takes one trace"); err != nil {
		return err
	}
	switch {
	case !f.Changed("job"):
		return usagef("which job? add --job ID, a number from the trace's first column or from job_id in a replay's records")
	case f.Changed("task") && e.task < 0:
		return usagef("--task %d: a number of 0 or more was expected", e.task)
	}
	if err := e.validate(f); err != nil {
		return err
	}
	return e.run(a, f)
}

// run replays the trace for the one job's sake.
func (e *explainFlags) run(a *app, f *pflag.FlagSet) (err error) {
	source, err := e.trace.open(a, f.Arg(0))
	if err != nil {
		return err
	}
	defer func() { closing(source, &err) }()
	machine, err := e.machine.on(source)
	if err != nil {
		return err
	}
	market, pricer, bidder, err := e.build()
	if err != nil {
		return err
	}
	names, also, err := e.otherSchemes(market)
	if err != nil {
		return err
	}
	policy, err := machine.Place(market)
	if err != nil {
		return err
	}
	record := &sought{Source: source, id: e.job}
	if source, err = transform.Apply(record, e.treatment(machine, policy)); err != nil {
		return &usageError{err}
	}
	source = traces.Ahead(source)
	if e.feedback {
		source = transform.NewFeedback(source)
	}

	span := traces.Watch(source)
	source = span
	line := newProgress(a.stderr, e.quiet, source)
	watcher, all := explain.NewWatcher(e.job, e.task, market, pricer), &stats.Collector{}
	trim := run.NewTrim(all, e.trace.edges(), span) // the means are those of the replay's summary
	cfg := e.config(machine)
	cfg.Policy, cfg.Pricer, cfg.Also, cfg.Bidder, cfg.Progress = policy, pricer, also, bidder, line.hook()
	cfg.Segments, cfg.Rounds = watcher, watcher
	sum, err := engine.Run(a.ctx, cfg, source, run.Tee(trim, watcher))
	line.end()
	if err == nil {
		err = trim.Finish()
	}
	if err != nil {
		return e.trace.advise(err)
	}
	if err := e.accounted(source, sum, bidder); err != nil {
		return err
	}
	told, ok := watcher.Story()
	if !ok {
		return e.missing(record, watcher.Others())
	}
	_, bidding := policies.As[policies.Market](market)
	if own, _ := policies.ParseSpec(e.market.Payment); own.Name == "none" || own.Name == "posted" {
		bidding = policies.TraitsOf(market).RanksByBid
	}
	err = told.Write(a.stdout, explain.Setting{
		Trace: f.Arg(0), Replay: e.words(), Names: source.Header().Names, Machine: sum, Bidding: bidding, Ranked: policies.TraitsOf(market).RanksByBid,
		Payment: e.market.Payment, Also: names, All: all.Result().Total, Others: *watcher.Others(), Every: e.all,
	})
	if err != nil {
		return err
	}
	return skipped(a.stderr, source.Header().Ledger)
}

// words says how the trace is replayed.
func (e *explainFlags) words() string {
	m := &e.market
	text := fmt.Sprintf("replayed under policy %s, payment %s, ", m.Policy, m.Payment)
	if e.bids != "" {
		return text + "bids of " + e.bids
	}
	return text + fmt.Sprintf("values %s, behaviour %s, seed %d", m.Values, m.Behaviour, m.Seed)
}

// otherSchemes are the price schemes beside the one charged that fit the policy,
// with its reservation price. The posted price is the reservation price.
func (e *explainFlags) otherSchemes(policy policies.Policy) (names []string, pricers []policies.Pricer, err error) {
	own, err := policies.ParseSpec(e.market.Payment)
	if err != nil {
		return nil, nil, &usageError{err}
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
			return nil, nil, err
		}
		if pricer, err := scheme(policy); err == nil { // else the two do not fit
			names, pricers = append(names, name), append(pricers, pricer)
		}
	}
	return names, pricers, nil
}

// sought is a trace on its way to its treatment that remembers one job's record,
// and why it was dropped.
type sought struct {
	traces.Source
	id      int64
	found   *traces.Job
	before  traces.Ledger // as the record was passed on
	pending bool
	dropped bool
	reason  traces.Reason
}

// Unwrap returns the trace.
func (s *sought) Unwrap() traces.Source { return s.Source }

// Next looks, before it goes on, at what became of the record passed on last: the
// treatment judges one before it asks for the next.
func (s *sought) Next(j *traces.Job) error {
	s.judged()
	err := s.Source.Next(j)
	if err == nil && j.ID == s.id && s.found == nil {
		job := *j
		s.found, s.pending = &job, true
		s.before = *s.Header().Ledger
	}
	return err
}

func (s *sought) judged() {
	if !s.pending {
		return
	}
	s.pending = false
	for _, reason := range traces.Reasons() {
		if s.Header().Ledger.Dropped[reason] > s.before.Dropped[reason] {
			s.dropped, s.reason = true, reason
		}
	}
}

// missing says why there is no story: the record was dropped, the task is not
// there, or the trace has no such number.
func (e *explainFlags) missing(s *sought, o *explain.Others) error {
	switch {
	case o.Rows > 0:
		return fmt.Errorf("job %d has no task %d: %d of its rows are replayed, tasks %d to %d", e.job, e.task, o.Rows, o.FirstTask, o.LastTask)
	case s.dropped:
		where := ""
		if s.found.Line > 0 {
			where = fmt.Sprintf(" (line %d)", s.found.Line)
		}
		return fmt.Errorf("job %d%s was not replayed: it is among the %d records dropped as %s", e.job, where, s.Header().Ledger.Dropped[s.reason], s.reason)
	case s.found != nil && e.trace.resample != "":
		return fmt.Errorf("no job %d in this replica: --resample gives jobs new numbers; %s", e.job, neighbours(e.job, o))
	}
	text := fmt.Sprintf("no job %d is replayed; %s", e.job, neighbours(e.job, o))
	if n := dropped(s.Header().Ledger); n != "" {
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
