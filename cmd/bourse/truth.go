//go:build !js

package main

import (
	"runtime"

	"bourse/engine/scenario"
	"bourse/reports/ask/truth"
)

// truthFlags are the flags of `bourse truth`.
type truthFlags struct {
	askFlags
	policies string
	replicas int
}

func (t *truthFlags) define(f *flags) {
	t.Scenario, t.grid = scenario.Default(), "0.1,0.25,0.5,0.75,1,1.5,2,4"
	f.StringVar(&t.policies, "policy", "hb,nphb,wspt", "policies, asked about the same jobs")
	f.StringVar(&t.payments, "payment", "first,kth,critical,clarke",
		"payment schemes, and critical, critical:LEAST or clarke, which are worked out from forks")
	f.IntVar(&t.cfg.Forks, "forks", 32, "forks for a job's critical payments, at most, beside those of the grid")
	f.IntVar(&t.cfg.Workers, "workers", runtime.NumCPU(), "jobs asked about at a time")
	f.IntVar(&t.replicas, "replicas", 1,
		"ask `N` replicas of the log, made by --resample or --shake under seeds from --seed on")
	t.askFlags.define(f, "also write each job's utility and payment at each bid ", "policy", "payment")
	f.atLeast("replicas", &t.replicas, 1, "want 1 or more")
	f.atLeast("forks", &t.cfg.Forks, 0, "want a number of 0 or more")
	f.check(t.validate)
}

// validate settles what the flags say, before any time is spent.
func (t *truthFlags) validate() (err error) {
	if t.cfg.Policies, err = policyNames(t.policies); err != nil {
		return err
	}
	if t.cfg.Payments, err = truth.ParsePayments(t.names); err != nil {
		return usagef("--payment %w", err)
	}
	return nil
}

// askTruth lets sampled jobs lie under every policy and payment.
func askTruth(a *app, f *flags) action {
	var t truthFlags
	t.define(f)
	a.quietFlag(f)
	return func() (err error) {
		t.Trace, t.Policy = f.Arg(0), t.cfg.Policies[0]
		if t.replicas > 1 && t.Trace == "-" {
			return usagef("--replicas %d: each reads the log anew; want a file, not standard input", t.replicas)
		}
		if t.replicas > 1 && t.Resample == "" && t.Shake == 0 {
			t.Resample = "users"
		}
		var results []*truth.Result
		var replicas [][]truth.Row
		for range t.replicas {
			of, err := t.ask(a)
			if err != nil {
				return err
			}
			var rows []truth.Row
			for _, r := range of {
				rows = append(rows, r.Rows()...)
			}
			results, replicas = append(results, of...), append(replicas, rows)
			t.Seed++
		}
		if err := t.out.writeAlso(a, t.out.path, truth.Columns(results)); err != nil {
			return err
		}
		rows := replicas[0]
		if t.replicas > 1 {
			rows = truth.Over(replicas)
		}
		return a.skipped(t.print(a, truth.Report(rows)), t.cfg.Jobs.Memory.Header().Ledger)
	}
}

// ask reads the log and asks its jobs.
func (t *truthFlags) ask(a *app) (_ []*truth.Result, err error) {
	if t.cfg.Jobs, err = a.load(&t.Scenario, t.cfg.Policies...); err != nil {
		return nil, err
	}
	line := a.cells()
	defer line.end()
	t.cfg.Progress = line.done
	return truth.Run(a.ctx, t.cfg)
}
