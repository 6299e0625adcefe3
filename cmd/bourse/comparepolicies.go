package main

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/transform"
)

// comparison is `bourse compare TRACE --policy A,B...`: one trace in memory under
// several policies, job paired with job.
type comparison struct {
	policies   string
	by         string // axes, for a sweep
	market     catalog.Market
	machine    machineFlags
	preemption preemptionFlags
	resubmit   bool
	feedback   bool
	json       bool
	trace      traceFlags
}

func (c *comparison) define(f *pflag.FlagSet) {
	c.market = catalog.Defaults
	c.market.Payment = "none"
	f.StringVar(&c.policies, "policy", "", "replay a trace under these policies, as in fcfs,easy or hb/first,hb/kth,drf, and compare them")
	f.StringVar(&c.by, "by", "", "of a sweep: the settings that rows tell apart, as in policy,load-factor (default: all that vary but the seed)")
	f.StringVar(&c.market.Values, "values", c.market.Values, "what jobs are worth")
	f.StringVar(&c.market.Behaviour, "behaviour", c.market.Behaviour, "what their owners say")
	f.Uint64Var(&c.market.Seed, "seed", c.market.Seed, "seed of all random draws")
	c.machine.define(f)
	c.preemption.define(f)
	f.BoolVar(&c.resubmit, "resubmit-killed", false, resubmitHelp)
	f.BoolVar(&c.feedback, "feedback", false, feedbackHelp)
	f.BoolVar(&c.json, "json", false, jsonHelp)
	c.trace.define(f)
	c.trace.defineEdges(f)
	c.trace.defineQueues(f)
}

// contender is one policy's part in a comparison.
type contender struct {
	name   string // as given, with its payment
	market catalog.Market
	users  *run.Users
	from   int64     // the first job counted, by its row in the trace, and
	until  int64     // the first one after that is not
	waits  []float64 // seconds, from the first job counted on
	stats  stats.Collector
	sum    engine.Summary
	notes  []traces.Note
	err    error
}

// Record implements engine.Sink.
func (c *contender) Record(o *engine.Outcome) error {
	at := o.Row - c.from
	if at < 0 || o.Row >= c.until {
		return nil
	}
	for int(at) >= len(c.waits) {
		c.waits = append(c.waits, 0)
	}
	c.waits[at] = o.Wait().Seconds()
	if err := c.users.Record(o); err != nil {
		return err
	}
	return c.stats.Record(o)
}

// paid splits POLICY/PAYMENT. A policy's name may hold a stroke, as tperiod:R/2
// does: what stands behind the last one is a payment if it is the name of one.
func paid(name string) (policy, payment string) {
	if i := strings.LastIndexByte(name, '/'); i > 0 {
		if _, err := catalog.Payments.Make(name[i+1:]); err == nil {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

// run replays the trace under each policy and prints the table.
func (c *comparison) run(a *app, f *pflag.FlagSet) (err error) {
	if err := c.machine.validate(f); err != nil {
		return err
	}
	if err := cmp.Or(c.preemption.validate(), c.trace.validate(f)); err != nil {
		return err
	}
	if err := c.trace.validateResubmit(c.resubmit); err != nil {
		return err
	}
	names, err := policies.SplitList(c.policies)
	if err != nil || len(names) == 0 {
		return usagef("--policy %s: names separated by commas were expected", c.policies)
	}
	contenders, needEstimates := make([]contender, len(names)), false
	for i, name := range names {
		x := &contenders[i]
		x.name, x.market, x.users = name, c.market, run.NewUsers(nil)
		var payment string
		if x.market.Policy, payment = paid(name); payment != "" {
			x.market.Payment = payment
		}
		p, err := catalog.Policies.Make(x.market.Policy)
		if err != nil {
			return &usageError{err}
		}
		if _, ok := policies.As[policies.Spender](p); ok && payment == "" {
			x.market.Payment = "bids"
		}
		needEstimates = needEstimates || policies.TraitsOf(p).NeedsEstimates
	}
	jobs, machine, err := c.load(a, f.Arg(0), needEstimates)
	if err != nil {
		return err
	}
	from, until := c.trace.edges().Counted(jobs.Len(), func(i int) events.Time { return jobs.Job(i).Submit })
	if from >= until {
		return fmt.Errorf("warm-up and cool-down leave none of the %d jobs to count", jobs.Len())
	}
	for i := range contenders {
		contenders[i].from, contenders[i].until = int64(from), int64(until)
	}
	c.replay(a, jobs, machine, contenders)
	for i := range contenders {
		if contenders[i].err != nil {
			return fmt.Errorf("%s: %w", contenders[i].name, contenders[i].err)
		}
	}
	show := printComparison
	if c.json {
		show = jsonComparison
	}
	if err := show(a, contenders); err != nil {
		return err
	}
	for i := range contenders {
		for _, n := range contenders[i].notes {
			fmt.Fprintf(a.stderr, "bourse: %s: %s (%d)\n", contenders[i].name, n.What, n.Count)
		}
	}
	return skipped(a.stderr, jobs.Header().Ledger)
}

// load reads the treated trace. All policies get the same jobs: if one needs
// estimates, all see the log's with run times standing in for missing ones.
func (c *comparison) load(a *app, trace string, needEstimates bool) (jobs *traces.Memory, machine hardware, err error) {
	source, err := c.trace.open(a, trace)
	if err != nil {
		return nil, machine, err
	}
	defer func() { closing(source, &err) }()
	if machine, err = c.machine.on(source); err != nil {
		return nil, machine, err
	}
	treatment := c.trace.treatment(0, c.market.Seed)
	machine.Limit(&treatment)
	treatment.KillAtEstimate = c.trace.kill && !c.resubmit
	treatment.Estimates = c.trace.estimatesFor(c.market.Seed, needEstimates)
	treated, err := transform.Apply(source, treatment)
	if err != nil {
		return nil, machine, &usageError{err}
	}
	if jobs, err = traces.Load(treated); err != nil {
		return nil, machine, c.trace.advise(err)
	}
	if jobs.Len() == 0 {
		return nil, machine, errors.New("none of the trace's records is left to replay: " + dropped(jobs.Header().Ledger))
	}
	return jobs, machine, nil
}

// replay runs the contenders, some at a time. Each writes to its own place.
func (c *comparison) replay(a *app, jobs *traces.Memory, machine hardware, contenders []contender) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.NumCPU())
	for i := range contenders {
		wait.Add(1)
		slots <- struct{}{}
		go func(x *contender) {
			defer func() { <-slots; wait.Done() }()
			policy, pricer, bidder, err := x.market.Build()
			if err == nil {
				policy, err = machine.Place(policy)
			}
			if err == nil {
				cfg := machine.Config()
				cfg.Policy, cfg.Pricer, cfg.Bidder, cfg.ResubmitKilled = policy, pricer, bidder, c.resubmit
				c.preemption.apply(&cfg)
				x.sum, err = engine.Run(a.ctx, cfg, c.source(jobs), x)
			}
			x.notes, x.err = policies.NotesOf(policy), err
		}(&contenders[i])
	}
	wait.Wait()
}

// source is a stream of the jobs, with users who react if so asked.
func (c *comparison) source(jobs *traces.Memory) traces.Source {
	if c.feedback {
		return transform.NewFeedback(jobs.Source())
	}
	return jobs.Source()
}

// printComparison writes a row per policy. The last column is the mean of the
// paired differences of waits to the first policy, with a 95 % interval from the
// means of twenty batches of consecutive jobs: waits of neighbours depend on each
// other, and an interval from single jobs would be far too narrow.
func printComparison(a *app, contenders []contender) error {
	money := slices.ContainsFunc(contenders, func(c contender) bool { return c.market.Payment != "none" })
	columns := []string{"policy", "jobs", "mean wait", "mean BSD", "mean bsld10", "SSJ %", "use %", "preempted", "lost %"}
	if money {
		columns = append(columns[:6:6], "use %", "fairness", "revenue", "mean utility")
	}
	t := terminal.NewTable(append(columns, "wait - "+contenders[0].name)...)
	t.Left(0)
	for i := range contenders {
		c := &contenders[i]
		total := c.stats.Result().Total
		difference := "-"
		if i > 0 {
			mean, half, ok := stats.PairedBatches(contenders[0].waits, c.waits)
			difference = fmt.Sprintf("%+.0f s", mean)
			if ok {
				difference = fmt.Sprintf("%+.0f s ± %.0f", mean, half)
			}
		}
		lost := 0.0
		if c.sum.Work > 0 {
			lost = 100 * c.sum.Lost / c.sum.Work
		}
		row := []string{c.name, terminal.Thousands(total.Jobs), fmt.Sprintf("%.0f s", total.MeanWait), fmt.Sprintf("%.2f", total.MeanBSD), fmt.Sprintf("%.2f", total.MeanBsld10),
			fmt.Sprintf("%.1f", total.SSJ), fmt.Sprintf("%.1f", 100*c.sum.Utilisation())}
		if money {
			row = append(row, fmt.Sprintf("%.3f", c.users.Fairness()), terminal.Figure(total.SumPayment), terminal.Figure(total.MeanUtility))
		} else {
			row = append(row, terminal.Thousands(c.sum.Preemptions), fmt.Sprintf("%.1f", lost))
		}
		t.Row(append(row, difference)...)
	}
	if err := t.Write(a.stdout); err != nil || !money {
		return err
	}
	_, err := fmt.Fprintln(a.stdout, "fairness is Jain's index of the users' mean bounded slowdowns, 1 if all are alike")
	return err
}

// jsonComparison is printComparison for programs.
func jsonComparison(a *app, contenders []contender) error {
	rows := make([]jsonRow, len(contenders))
	for i := range contenders {
		c := &contenders[i]
		machine := run.NewMachine(&c.sum)
		figures := figuresOf(&c.stats.Result().Total, &machine)
		figures["preemptions"] = estimate{Value: float64(c.sum.Preemptions)}
		figures["fairness"] = estimate{Value: c.users.Fairness()}
		if i > 0 {
			mean, half, ok := stats.PairedBatches(contenders[0].waits, c.waits)
			difference := estimate{Value: mean}
			if ok {
				difference.Half = &half
			}
			figures["wait_difference_s"] = difference
		}
		rows[i] = jsonRow{Settings: map[string]string{"policy": c.market.Policy, "payment": c.market.Payment}, Figures: figures}
	}
	return run.WriteJSON(a.stdout, rows)
}
