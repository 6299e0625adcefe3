package main

import (
	"runtime"
	"strconv"

	"github.com/spf13/pflag"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/reports/studies/regret"
	"bourse/reports/studies/sweep"
	"bourse/traces"
	"bourse/traces/transform"
)

// regretFlags are the flags of `bourse regret`.
type regretFlags struct {
	cfg       regret.Config
	payments  string
	grid      string
	migration float64
	machine   machineFlags
	trace     traceFlags
	out       string
	overwrite bool
	quiet     bool
}

func (r *regretFlags) define(f *pflag.FlagSet) {
	r.cfg = regret.Config{Market: catalog.Defaults, Workers: runtime.NumCPU()}
	f.StringVar(&r.cfg.Market.Policy, "policy", r.cfg.Market.Policy, "who runs")
	f.StringVar(&r.payments, "payment", "first,kth", "payment schemes, billed side by side")
	f.StringVar(&r.cfg.Market.Values, "values", r.cfg.Market.Values, "what jobs are worth")
	f.StringVar(&r.cfg.Market.Behaviour, "behaviour", r.cfg.Market.Behaviour, "what all others say")
	f.Uint64Var(&r.cfg.Market.Seed, "seed", r.cfg.Market.Seed, "seed of all random draws")
	r.machine.define(f)
	f.Float64Var(&r.migration, "migration-cost", 0, "seconds of lost work each time a preempted job resumes")
	f.IntVar(&r.cfg.Jobs, "jobs", 200, "number of jobs sampled")
	f.StringVar(&r.grid, "grid", "0.1,0.25,0.5,0.6,0.7,0.8,0.9,1,1.1,1.25,1.5", "bids tried, as multiples of the value")
	f.IntVar(&r.cfg.Workers, "workers", r.cfg.Workers, "forks followed at a time")
	r.trace.define(f)
	f.StringVar(&r.out, "out", "", "also write each job's utility at each bid to `FILE` (.csv or .parquet)")
	f.BoolVar(&r.overwrite, "overwrite", false, "replace FILE if it exists")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress line")
}

// validate settles what the flags say, before any time is spent.
func (r *regretFlags) validate(f *pflag.FlagSet) (err error) {
	if err := r.trace.validate(f); err != nil {
		return err
	}
	if err := r.machine.validate(f); err != nil {
		return err
	}
	if _, ok := events.FromSeconds(r.migration); !ok || r.migration < 0 {
		return usagef("--migration-cost %g: seconds of 0 or more were expected", r.migration)
	}
	if r.out != "" {
		if err := run.CheckOut(r.out, r.overwrite); err != nil {
			return err
		}
	}
	if r.cfg.Jobs < 1 {
		return usagef("--jobs %d: at least one job has to be asked", r.cfg.Jobs)
	}
	if r.cfg.Payments, err = sweep.Expand(r.payments); err != nil {
		return usagef("--payment %w", err)
	}
	if r.cfg.Factors, err = factors(r.grid); err != nil {
		return err
	}
	for _, payment := range r.cfg.Payments {
		market := r.cfg.Market
		market.Payment = payment
		if _, _, _, err := market.Build(); err != nil {
			return &usageError{err}
		}
	}
	return nil
}

// measureRegret tries lies for sampled jobs.
func measureRegret(a *app, args []string) error {
	var r regretFlags
	f := a.flags("regret TRACE", "bourse regret log.swf.gz --nodes 105 --serial --policy hb --payment first,kth --jobs 500")
	r.define(f)
	if err := parse(f, args, 1, 1, "regret takes one trace"); err != nil {
		return err
	}
	if err := r.validate(f); err != nil {
		return err
	}
	jobs, err := r.load(a, f.Arg(0))
	if err != nil {
		return err
	}
	line := newCellLine(a.stderr, r.quiet)
	r.cfg.Progress = func(done, of int) { line.draw(done, of, nil) }
	result, err := regret.Run(a.ctx, r.cfg, func() (traces.Source, error) { return jobs.Source(), nil })
	line.end()
	if err != nil {
		return err
	}
	if r.out != "" {
		if err := run.Write(r.out, a.stdout, r.overwrite, Version, answerColumns(result)); err != nil {
			return err
		}
	}
	return result.Print(a.stdout)
}

// load reads the treated trace and settles what it runs on.
func (r *regretFlags) load(a *app, trace string) (jobs *traces.Memory, err error) {
	source, err := r.trace.open(a, trace)
	if err != nil {
		return nil, err
	}
	defer func() { closing(source, &err) }()
	machine, err := r.machine.on(source)
	if err != nil {
		return nil, err
	}
	if machine.list != nil {
		return nil, usagef("regret follows forks of a replay, and placement on machines cannot be forked; use --machines pool or nodes:N")
	}
	r.cfg.Machine = machine.Config()
	r.cfg.Machine.MigrationCost, _ = events.FromSeconds(r.migration)
	policy, err := catalog.Policies.Make(r.cfg.Market.Policy)
	if err != nil {
		return nil, &usageError{err}
	}
	treatment := r.trace.treatment(0, r.cfg.Market.Seed)
	machine.Limit(&treatment)
	treatment.Estimates = r.trace.estimatesFor(r.cfg.Market.Seed, policies.TraitsOf(policy).NeedsEstimates)
	treated, err := transform.Apply(source, treatment)
	if err != nil {
		return nil, &usageError{err}
	}
	jobs, err = traces.Load(traces.Ahead(treated))
	return jobs, r.trace.advise(err)
}

func factors(text string) ([]float64, error) {
	parts, err := sweep.Expand(text)
	if err != nil {
		return nil, usagef("--grid %w", err)
	}
	var out []float64
	for _, p := range parts {
		x, err := strconv.ParseFloat(p, 64)
		if err != nil || !(x >= 0 && x <= 1e6) {
			return nil, usagef("--grid: %q is not a multiple of the value; numbers of 0 or more were expected", p)
		}
		out = append(out, x)
	}
	if len(out) == 0 {
		return nil, usagef("--grid is empty: there is no bid to try")
	}
	return out, nil
}

// answerColumns has one row a job, payment and bid.
func answerColumns(r *regret.Result) []record.Values {
	id, payments := record.Values{Name: "job_id"}, record.Values{Name: "payment"}
	numbers := []record.Values{{Name: "value"}, {Name: "aggressive"}, {Name: "factor"}, {Name: "utility"}}
	for _, a := range r.Answers {
		aggressive := 0.0
		if a.Aggressive {
			aggressive = 1
		}
		for p, payment := range r.Payments {
			for f, factor := range r.Factors {
				id.Ints, payments.Words = append(id.Ints, a.Job.ID), append(payments.Words, payment)
				for i, x := range []float64{a.Value, aggressive, factor, a.Utility[p][f]} {
					numbers[i].Floats = append(numbers[i].Floats, x)
				}
			}
		}
	}
	return append([]record.Values{id, payments}, numbers...)
}
