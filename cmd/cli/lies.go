//go:build !js

package cli

import (
	"cmp"
	"errors"
	"math"
	"runtime"
	"strconv"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies/catalog"
	"bourse/reports/ask/regret"
	"bourse/reports/ask/sweep"
	"bourse/reports/ask/truth"
	"bourse/traces/transform"
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
	q.cfg.Sample = 200
	f.Var((*jobCount)(&q.cfg.Sample), "jobs", "number of jobs sampled, or all")
	f.StringVar(&q.grid, "grid", q.grid, "bids tried, as multiples of the value")
	defineScenario(f, &q.Scenario, append(others, "budget")...) // with which the schedule depends on the payment
	q.tableFormat.define(f)
	q.out.define(f, rows+alsoLine)
	f.atLeast("jobs", &q.cfg.Sample, 1, "at least one job must be sampled")
	f.check(q.validate)
}

// jobCount is a number of jobs, the greatest that there is for all.
type jobCount int

// Set implements pflag.Value.
func (n *jobCount) Set(text string) error {
	if text == "all" {
		*n = math.MaxInt
		return nil
	}
	v, err := strconv.Atoi(text)
	if err != nil {
		return errors.New("want a whole number, or all")
	}
	*n = jobCount(v)
	return nil
}

// String implements pflag.Value.
func (n *jobCount) String() string {
	if *n == math.MaxInt {
		return "all"
	}
	return strconv.Itoa(int(*n))
}

// Type implements pflag.Value.
func (n *jobCount) Type() string { return "int|all" }

// durationFlag is a span of time that a command takes in addition to the options of a scenario.
type durationFlag events.Time

// Set implements pflag.Value.
func (d *durationFlag) Set(text string) error {
	t, err := events.ParseDuration(text)
	*d = durationFlag(t)
	return err
}

// String implements pflag.Value.
func (d *durationFlag) String() string { return events.FormatDuration(events.Time(*d)) }

// Type implements pflag.Value.
func (d *durationFlag) Type() string { return "duration" }

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

// truthFlags are the flags of `bourse truth`.
type truthFlags struct {
	askFlags
	policies        string
	replicas        int
	census, horizon events.Time
}

func (t *truthFlags) define(f *flags) {
	t.Scenario, t.grid = scenario.Default(), "0.1,0.25,0.5,0.75,1,1.5,2,4"
	f.StringVar(&t.policies, "policy", "hb,nphb,wspt", "policies, asked about the same jobs")
	f.StringVar(&t.payments, "payment", "first,kth,critical,clarke",
		"payment schemes, and critical, critical:LEAST or clarke, which are worked out from forks")
	f.IntVar(&t.cfg.Forks, "forks", 32, "forks for a job's critical payments, at most, in addition to those of the grid")
	t.census = truth.CensusTime
	f.Var((*durationFlag)(&t.census), "census", "processor `TIME` for what all jobs pay by critical payments, under each "+
		"policy: if it would take more, --jobs draws are made")
	f.Var((*durationFlag)(&t.horizon), "horizon", "critical payments charge for time saved up to `DURATION` after the "+
		"submission (0s: without end)")
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
	t.cfg.CensusTime, t.cfg.Horizon = t.census, t.horizon
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
			t.Resample = transform.Blocks
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
