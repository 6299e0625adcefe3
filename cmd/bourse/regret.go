package main

import (
	"runtime"
	"strconv"

	"bourse/engine/sweep"
	"bourse/events"
	"bourse/policies/catalog"
	"bourse/reports"
	"bourse/reports/regret"
	"bourse/reports/tables"
	"bourse/traces"
)

// measureRegret tries lies for sampled jobs.
func measureRegret(a *app, args []string) (err error) {
	var t traceFlags
	cfg := regret.Config{Market: catalog.Defaults, Workers: runtime.NumCPU()}
	f := a.flags("regret TRACE", "bourse regret log.swf.gz --nodes 105 --serial --policy hb --payment first,kth --jobs 500")
	f.StringVar(&cfg.Market.Policy, "policy", cfg.Market.Policy, "who runs")
	payments := f.String("payment", "first,kth", "payment schemes, billed side by side")
	f.StringVar(&cfg.Market.Values, "values", cfg.Market.Values, "what jobs are worth")
	f.StringVar(&cfg.Market.Behaviour, "behaviour", cfg.Market.Behaviour, "what all others say")
	f.Uint64Var(&cfg.Market.Seed, "seed", cfg.Market.Seed, "seed of all random draws")
	f.IntVar(&cfg.Procs, "nodes", 0, "processors of the machine (0: what the trace says)")
	migration := f.Float64("migration-cost", 0, "seconds of lost work each time a preempted job resumes")
	f.IntVar(&cfg.Jobs, "jobs", 200, "number of jobs sampled")
	grid := f.String("grid", "0.1,0.25,0.5,0.6,0.7,0.8,0.9,1,1.1,1.25,1.5", "bids tried, as multiples of the value")
	f.IntVar(&cfg.Workers, "workers", cfg.Workers, "forks followed at a time")
	t.define(f)
	out := f.String("out", "", "also write each job's utility at each bid to `FILE` (.csv or .parquet)")
	overwrite := f.Bool("overwrite", false, "replace FILE if it exists")
	quiet := f.BoolP("quiet", "q", false, "no progress line")
	if err := parse(f, args, 1, 1, "regret takes one trace"); err != nil {
		return err
	}
	if err := t.validate(f); err != nil {
		return err
	}
	var ok bool
	if cfg.Migration, ok = events.FromSeconds(*migration); !ok || *migration < 0 {
		return usagef("--migration-cost %g: seconds of 0 or more were expected", *migration)
	}
	if *out != "" {
		if err := tables.CheckOut(*out, *overwrite); err != nil {
			return err
		}
	}
	if cfg.Jobs < 1 {
		return usagef("--jobs %d: at least one job has to be asked", cfg.Jobs)
	}
	if cfg.Payments, err = sweep.Expand(*payments); err != nil {
		return usagef("--payment %w", err)
	}
	if cfg.Factors, err = factors(*grid); err != nil {
		return err
	}
	for _, payment := range cfg.Payments {
		market := cfg.Market
		market.Payment = payment
		if _, _, _, err := market.Build(); err != nil {
			return &usageError{err}
		}
	}
	source, err := t.open(a, f.Arg(0))
	if err != nil {
		return err
	}
	defer func() { closing(source, &err) }()
	if cfg.Procs, err = t.size(source, cfg.Procs); err != nil {
		return err
	}
	treated, err := traces.Treat(source, t.treatment(cfg.Procs, cfg.Market.Seed))
	if err != nil {
		return &usageError{err}
	}
	jobs, err := traces.Load(traces.Ahead(treated))
	if err != nil {
		return t.advise(err)
	}
	line := newCellLine(a.stderr, *quiet)
	cfg.Progress = func(done, of int) { line.draw(done, of, nil) }
	result, err := regret.Run(a.ctx, cfg, func() (traces.Source, error) { return jobs.Source(), nil })
	line.end()
	if err != nil {
		return err
	}
	if *out != "" {
		if err := tables.Write(*out, a.stdout, *overwrite, Version, answerColumns(result)); err != nil {
			return err
		}
	}
	return result.Print(a.stdout)
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
func answerColumns(r *regret.Result) []reports.Values {
	id, payments := reports.Values{Name: "job_id"}, reports.Values{Name: "payment"}
	numbers := []reports.Values{{Name: "value"}, {Name: "aggressive"}, {Name: "factor"}, {Name: "utility"}}
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
	return append([]reports.Values{id, payments}, numbers...)
}
