package main

import (
	"cmp"
	"runtime"
	"strconv"

	"github.com/spf13/pflag"

	"bourse/engine/scenario"
	"bourse/policies/catalog"
	"bourse/reports/studies/regret"
	"bourse/reports/studies/sweep"
	"bourse/traces"
)

// regretFlags are the flags of `bourse regret`.
type regretFlags struct {
	scenario.Scenario
	cfg      regret.Config
	payments string
	grid     string
	out      outFile
}

func (r *regretFlags) define(f *pflag.FlagSet) {
	r.Scenario = scenario.Default()
	r.Policy = catalog.Defaults.Policy // there is nothing to gain without a market
	f.StringVar(&r.payments, "payment", "first,kth", "payment schemes, billed side by side")
	f.IntVar(&r.cfg.Sample, "jobs", 200, "number of jobs sampled")
	f.StringVar(&r.grid, "grid", "0.1,0.25,0.5,0.6,0.7,0.8,0.9,1,1.1,1.25,1.5,2,4", "bids tried, as multiples of the value")
	f.IntVar(&r.cfg.Workers, "workers", runtime.NumCPU(), "forks followed at a time")
	defineOptions(f, &r.Scenario, allOptions("payment")...)
	r.out.define(f, "also write each job's utility at each bid "+alsoLine)
}

// validate settles what the flags say, before any time is spent.
func (r *regretFlags) validate(f *pflag.FlagSet) (err error) {
	if err := cmp.Or(checkGiven(&r.Scenario, f), r.Validate(), r.out.check()); err != nil {
		return err
	}
	if r.cfg.Sample < 1 {
		return usagef("--jobs %d: at least one job must be sampled", r.cfg.Sample)
	}
	if r.cfg.Payments, err = sweep.Expand(r.payments); err != nil {
		return usagef("--payment %w", err)
	}
	if r.cfg.Factors, err = factors(r.grid); err != nil {
		return err
	}
	for _, payment := range r.cfg.Payments {
		if err := r.Set("payment", payment); err != nil {
			return err
		}
	}
	return nil
}

// measureRegret tries lies for sampled jobs.
func measureRegret(a *app, args []string) (err error) {
	var r regretFlags
	f := a.flags("regret TRACE", "bourse regret log.swf.gz --nodes 105 --serial --policy hb --payment first,kth --jobs 500")
	r.define(f)
	a.quietFlag(f)
	if err := a.parse(f, args, 1, 1, "regret takes one trace"); err != nil {
		return err
	}
	if err := r.validate(f); err != nil {
		return err
	}
	r.Trace = f.Arg(0)
	err = a.reading(&r.Scenario, nil, func(src traces.Source) (err error) {
		r.cfg.Jobs, err = r.Load(src)
		return err
	})
	if err != nil {
		return err
	}
	line := a.cells()
	r.cfg.Progress = line.done
	result, err := regret.Run(a.ctx, r.cfg)
	line.end()
	if err != nil {
		return err
	}
	if err := r.out.beside(a, r.out.path, result.Columns()); err != nil {
		return err
	}
	return a.skipped(result.Print(a.stdout), r.cfg.Jobs.Memory.Header().Ledger)
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
			return nil, usagef("--grid: %q is not a multiple of the value; want numbers of 0 or more", p)
		}
		out = append(out, x)
	}
	if len(out) == 0 {
		return nil, usagef("--grid is empty: there is no bid to try")
	}
	return out, nil
}
