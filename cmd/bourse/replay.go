package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/policies/catalog"
	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/traces"
	"bourse/traces/suggest"
	"bourse/traces/transform"
)

// replayFlags are the flags of `bourse replay`.
type replayFlags struct {
	market    catalog.Market
	bids      string
	machine   machineFlags
	preempted preemptionFlags
	feedback  bool
	resubmit  bool
	trace     traceFlags
	out       string
	format    string
	swf       string
	segments  bool
	series    string
	users     string
	overwrite bool
	json      bool
	dry       bool
	check     bool
	quiet     bool
}

func (r *replayFlags) define(f *pflag.FlagSet) {
	r.defineMarket(f)
	r.trace.defineEdges(f)
	r.defineOutput(f)
}

// defineMarket defines what is replayed, and how: all that decides the outcome.
func (r *replayFlags) defineMarket(f *pflag.FlagSet) {
	r.market = catalog.Defaults
	f.StringVar(&r.market.Policy, "policy", r.market.Policy, "who runs: hb, nphb, wspt, fcfs, easy, conservative, sjf, srpt ... (bourse list policies)")
	f.StringVar(&r.market.Payment, "payment", "", "who pays what: first, kth, kth-uncapped, posted:P, none (default kth; none where jobs do not compete by bid)")
	f.StringVar(&r.market.Values, "values", r.market.Values, "what jobs are worth")
	f.StringVar(&r.market.Behaviour, "behaviour", r.market.Behaviour, "what their owners say: truthful, srg(beta=B,share=S)")
	f.StringVar(&r.bids, "bids", "", "read values and bids from `FILE` (job_id,value,bid[,time_s]) instead")
	f.Uint64Var(&r.market.Seed, "seed", r.market.Seed, "seed of all random draws")
	r.machine.define(f)
	r.preempted.define(f)
	f.BoolVar(&r.feedback, "feedback", false, feedbackHelp)
	f.BoolVar(&r.resubmit, "resubmit-killed", false, resubmitHelp)
	r.trace.define(f)
	r.trace.defineQueues(f)
	f.BoolVar(&r.check, "check", false, "recompute every conservation law on the way")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress line")
}

// defineOutput defines where the records go.
func (r *replayFlags) defineOutput(f *pflag.FlagSet) {
	f.StringVar(&r.out, "out", "", "write records to directory `DIR`, or to standard output with -")
	f.StringVar(&r.format, "format", "", "of the records: parquet, arrow or csv (default parquet; arrow with --out -)")
	f.StringVar(&r.swf, "swf", "", "also write the simulated schedule as a log in SWF to `FILE` (.swf, .swf.gz, .swf.zst)")
	f.BoolVar(&r.segments, "segments", false, "also write the stretches that bills are made of")
	f.StringVar(&r.series, "series", "", "also write queue, use and price over time; with =SECONDS on a grid")
	f.Lookup("series").NoOptDefVal = "changes"
	f.StringVar(&r.users, "users", "", "also write a row per user to `FILE`: jobs, slowdown, bill, and under sharing policies shares held, shortfall and envy")
	f.BoolVar(&r.overwrite, "overwrite", false, "replace an earlier run in DIR, and FILEs that are there")
	f.BoolVar(&r.json, "json", false, "print the summary as JSON, as in summary.json, instead of a table")
	f.BoolVar(&r.dry, "dry-run", false, "read the trace, say what would be replayed and written, and stop")
}

const (
	resubmitHelp = "with --kill-at-estimate: submit killed jobs again at once, with twice the estimate, until they complete"
	feedbackHelp = "submit jobs that follow others (SWF: preceding job, think time) when those have ended here, not when the log has it"
)

// validate turns combinations that make no sense into sentences.
func (r *replayFlags) validate(f *pflag.FlagSet) error {
	switch {
	case r.bids != "" && f.Changed("values"):
		return usagef("--bids brings its own values; leave out --values")
	case r.bids != "" && r.trace.resample != "":
		return usagef("--bids names jobs by the log's numbers, and --resample gives them new ones; leave one of them out")
	case r.bids != "" && f.Changed("behaviour"):
		return usagef("--bids brings its own bids; leave out --behaviour")
	case r.format != "" && !slices.Contains(record.Formats(), r.format):
		return usagef("--format %s is unknown%s; there are %s", r.format, suggest.DidYouMean(r.format, record.Formats()), strings.Join(record.Formats(), ", "))
	case r.swf != "" && !swfName(r.swf):
		return usagef("--swf %s: a file that ends in .swf, .swf.gz or .swf.zst was expected", r.swf)
	case r.swf != "" && r.trace.serial:
		return usagef("--swf cannot tell the pieces of --serial apart: in SWF they would be one job many times; use --out")
	case r.out == "-" && r.format == "parquet":
		return usagef("parquet cannot be written to standard output, its index comes last; use --format arrow or csv, or --out with a directory")
	case r.out == "" && f.Changed("format"):
		return usagef("--format says how records are written, but none are without --out DIR")
	case r.out == "" && (r.segments || r.series != ""):
		return usagef("--segments and --series are written beside the records; add --out DIR")
	case r.out == "-" && (r.segments || r.series != ""):
		return usagef("only the job records fit on standard output; give --out a directory for --segments and --series")
	case r.overwrite && (r.out == "" || r.out == "-") && r.users == "" && r.swf == "":
		return usagef("--overwrite replaces an earlier run in a directory; add --out DIR")
	case r.json && r.dry:
		return usagef("--json prints the summary of a replay, --dry-run makes none; leave one of them out")
	}
	if err := r.preempted.validate(); err != nil {
		return err
	}
	if err := r.machine.validate(f); err != nil {
		return err
	}
	if err := r.trace.validateResubmit(r.resubmit); err != nil {
		return err
	}
	return r.trace.validate(f)
}

func replay(a *app, args []string) error {
	var r replayFlags
	f := a.flags("replay TRACE", "bourse replay log.swf.gz --nodes 105 --serial --policy hb --payment kth --behaviour srg --out out")
	r.define(f)
	if err := parse(f, args, 1, 1, "replay takes one trace"); err != nil {
		return err
	}
	if err := r.validate(f); err != nil {
		return err
	}
	return r.run(a, f)
}

// run is one replay from opening the trace to the summary table.
func (r *replayFlags) run(a *app, f *pflag.FlagSet) (err error) {
	spec := f.Arg(0)
	source, err := r.trace.open(a, spec)
	if err != nil {
		return err
	}
	defer func() { closing(source, &err) }()
	machine, err := r.machine.on(source)
	if err != nil {
		return err
	}
	policy, pricer, bidder, err := r.build()
	if err != nil {
		return err
	}
	if policy, err = machine.Place(policy); err != nil {
		return err
	}
	if source, err = transform.Apply(source, r.treatment(machine, policy)); err != nil {
		return &usageError{err}
	}
	if r.dry {
		cfg := r.config(machine)
		cfg.Policy, cfg.Pricer, cfg.Bidder = policy, pricer, bidder
		if _, err := engine.New(cfg, unread{source}, nil); err != nil { // what the replay would refuse
			return err
		}
		return r.foretell(a, source, machine)
	}
	source = traces.Ahead(source)
	if r.feedback {
		source = transform.NewFeedback(source)
	}
	span := traces.Watch(source)
	source = span
	out, err := r.output(a, span, machine.procs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.abort()) }()

	line := newProgress(a.stderr, r.quiet, source)
	cfg := r.config(machine)
	cfg.Policy, cfg.Pricer, cfg.Bidder, cfg.Progress = policy, pricer, bidder, line.hook()
	if r.users != "" {
		out.users = run.NewUsers(source.Header().Names.Users)
	}
	sum, seconds, err := out.replay(a, r, cfg, source)
	line.end()
	if err != nil {
		return r.trace.advise(err)
	}
	for _, note := range policies.NotesOf(policy) {
		source.Header().Ledger.Add(note)
	}
	if err := r.accounted(source, sum, bidder); err != nil {
		return err
	}
	if err := out.writeUsers(a, r, policy); err != nil {
		return err
	}
	return out.commit(a, r, f, source, sum, seconds)
}

// config is the engine's, but for the parts that build makes.
func (r *replayFlags) config(machine hardware) engine.Config {
	cfg := machine.Config()
	r.preempted.apply(&cfg)
	cfg.ResubmitKilled, cfg.Check = r.resubmit, r.check
	return cfg
}

// treatment is that of the trace, with estimates for a policy that needs them.
func (r *replayFlags) treatment(machine hardware, policy policies.Policy) transform.Options {
	t := r.trace.treatment(0, r.market.Seed)
	machine.Limit(&t)
	t.KillAtEstimate = r.trace.kill && !r.resubmit
	t.Estimates = r.trace.estimatesFor(r.market.Seed, policies.TraitsOf(policy).NeedsEstimates)
	return t
}

// build makes the parts that names ask for.
func (r *replayFlags) build() (policies.Policy, policies.Pricer, policies.Bidder, error) {
	r.market = r.market.Settled()
	policy, pricer, bidder, err := r.market.Build()
	if err != nil {
		return nil, nil, nil, &usageError{err}
	}
	if r.bids == "" {
		return policy, pricer, bidder, nil
	}
	table, err := scenario.ReadBids(r.bids)
	return policy, pricer, table, err
}

// accounted wants every record of the trace and every bid of a table to have
// found its place.
func (r *replayFlags) accounted(source traces.Source, sum engine.Summary, bidder policies.Bidder) error {
	ledger := source.Header().Ledger
	if sum.Jobs == 0 {
		return fmt.Errorf("none of the %d records of %s is left to replay: %s", ledger.Read, source.Header().Name, dropped(ledger))
	}
	if replayed := ledger.Replayed(); !r.trace.serial && sum.Jobs != replayed {
		return fmt.Errorf("%d records were to be replayed and %d were; this is a fault in bourse", replayed, sum.Jobs)
	}
	table, ok := bidder.(*bidding.Table)
	if !ok {
		return nil
	}
	ids, ok := traces.As[traces.JobLookup](source)
	if !ok {
		return nil
	}
	n, err := table.Unmatched(ids.HasJob)
	if n > 0 && r.trace.onError == "skip" {
		return nil
	}
	return err
}

// dropped says in words what became of the records.
func dropped(l *traces.Ledger) string {
	var parts []string
	for _, reason := range traces.Reasons() {
		if n := l.Dropped[reason]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, reason))
		}
	}
	return strings.Join(parts, ", ")
}
