//go:build !js

package main

import (
	"cmp"
	"errors"
	"runtime"
	"strconv"

	"bourse/engine/scenario"
	"bourse/policies/catalog"
	"bourse/reports/ask/regret"
	"bourse/reports/ask/sweep"
	"bourse/reports/ask/truth"
)

// askFlags are those of the commands that ask sampled jobs what they gain by a lie: `bourse
// regret` and, with more, `bourse truth`.
type askFlags struct {
	scenario.Scenario
	cfg            truth.Config
	payments, grid string
	names          []string // of payments
	out            outFile
	tableFormat
}

func (q *askFlags) define(f *flags, rows string, others ...string) {
	f.IntVar(&q.cfg.Sample, "jobs", 200, "number of jobs sampled")
	f.StringVar(&q.grid, "grid", q.grid, "bids tried, as multiples of the value")
	defineScenario(f, &q.Scenario, others...)
	q.tableFormat.define(f)
	q.out.define(f, rows+alsoLine)
	f.atLeast("jobs", &q.cfg.Sample, 1, "at least one job must be sampled")
	f.check(q.validate)
}

// validate settles what the flags say, before any time is spent.
func (q *askFlags) validate() (err error) {
	if q.names, err = sweep.Expand(q.payments); err != nil || len(q.names) == 0 {
		return usagef("--payment %w", cmp.Or(err, errors.New("is empty: want names separated by commas")))
	}
	q.cfg.Factors, err = factors(q.grid)
	return err
}

// measureRegret tries lies for sampled jobs.
func measureRegret(a *app, f *flags) action {
	r := askFlags{Scenario: scenario.Default(), grid: "0.1,0.25,0.5,0.6,0.7,0.8,0.9,1,1.1,1.25,1.5,2,4"}
	r.Policy = catalog.Defaults.Policy // there is nothing to gain without a market
	f.StringVar(&r.payments, "payment", "first,kth", "payment schemes, billed side by side")
	f.IntVar(&r.cfg.Workers, "workers", runtime.NumCPU(), "forks followed at a time")
	r.define(f, "also write each job's utility at each bid ", "payment")
	a.quietFlag(f)
	return func() (err error) {
		for _, payment := range r.names {
			if err := r.Set("payment", payment); err != nil {
				return err
			}
		}
		r.Trace, r.cfg.Payments = f.Arg(0), truth.Billed(r.names)
		if r.cfg.Jobs, err = a.load(&r.Scenario, r.cfg.Policies...); err != nil {
			return err
		}
		line := a.cells()
		r.cfg.Progress = line.done
		result, err := regret.Run(a.ctx, r.cfg)
		line.end()
		if err != nil {
			return err
		}
		if err := r.out.writeAlso(a, r.out.path, result.Bids()); err != nil {
			return err
		}
		return a.skipped(r.print(a, result.Report()), r.cfg.Jobs.Memory.Header().Ledger)
	}
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
