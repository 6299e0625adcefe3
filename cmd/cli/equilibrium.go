package cli

import (
	"fmt"
	"strings"

	"bourse/engine/scenario"
	"bourse/policies/catalog"
	"bourse/policies/market"
	"bourse/reports/ask/equilibria"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/table"
)

// equilibriumFlags are the flags of `bourse equilibrium`.
type equilibriumFlags struct {
	preferences string
	budgets     string
	raw         bool
	search      equilibria.Options
	seed        uint64
	iterations  string
	out         resultTable
	reading     scenario.Scenario
}

func (c *equilibriumFlags) define(f *flags) {
	f.StringVar(&c.preferences, "preferences", "table", "what weights are: "+strings.Join(catalog.Preferences.Names(),
		", ")+" (bourse list preferences)")
	f.StringVar(&c.budgets, "budgets", "",
		"a table of user and budget, `FILE`; users not in it have 1 (default: 1 each)")
	f.BoolVar(&c.raw, "raw-weights", false, "take weights as they are; otherwise each user's are divided by their sum")
	f.StringVar(&c.search.Update, "update", "", "how users answer: "+strings.Join(market.Updates,
		", ")+" (default best-response, local-search with --max-machines)")
	f.IntVar(&c.search.Most, "max-machines", 0, "a user bids on `K` machines at most, chosen by local search")
	f.Float64Var(&c.search.Step, "step", .01, "step of greedy, as a fraction of the budget")
	f.StringVar(&c.search.Until, "until", "", "when to stop: "+strings.Join(market.Criteria,
		", ")+" (default utility, marginal for greedy)")
	f.Float64Var(&c.search.Tolerance, "tolerance", .001, "change between sweeps that counts as converged")
	f.IntVar(&c.search.Limit, "limit", 0, "sweeps at most (0: 200, 500 for greedy)")
	f.BoolVar(&c.search.Envy, "envy", false, "compute envy-freeness at any size (time grows with the square of the users)")
	f.Uint64Var(&c.seed, "seed", 1, "seed of drawn preferences")
	f.StringVar(&c.iterations, "iterations", "", "write one row per sweep to `FILE`: gap and metrics")
	c.out.define(f, &c.iterations)
	c.reading = scenario.Default()
	defineOptions(f, &c.reading, readingOptions...)
}

func equilibrium(a *app, f *flags) action {
	var c equilibriumFlags
	c.define(f)
	return func() error {
		from, err := catalog.Preferences.Make(c.preferences)
		if err != nil {
			return &usageError{err}
		}
		search, err := c.search.Settle(f.Changed)
		if err != nil {
			return err
		}
		switch {
		case from.Draw == nil && f.NArg() == 0:
			return usagef("a file is missing: a table of user, machine and weight, or a trace with --preferences trace")
		case from.Draw != nil && f.NArg() == 1:
			return usagef("--preferences %s are drawn; %s would not be read", c.preferences, f.Arg(0))
		}
		g, leftOut, err := c.read(a, from, f.Arg(0))
		if err != nil {
			return err
		}
		if c.budgets != "" {
			t, err := table.Read(c.budgets, a.stdin)
			if err != nil {
				return err
			}
			if err := g.ReadBudgets(t); err != nil {
				return err
			}
		}
		result, err := g.Solve(a.ctx, search, c.raw)
		if err != nil {
			return err
		}
		report := result.Report("--envy computes it")
		if leftOut > 0 {
			report.Answers = append(report.Answers, fmt.Sprintf("%s left out: without run time, user or size.",
				terminal.Count(leftOut, "job is", "jobs are")))
		}
		return c.out.printWith(a, report, c.iterations, result.Sweeps())
	}
}

// read makes the game of a table, of what users did in a trace, or of drawn weights.
// leftOut are the trace's jobs that have no part in the weights.
func (c *equilibriumFlags) read(a *app, from catalog.Preference, path string) (g *equilibria.Game, leftOut int,
	err error) {
	switch {
	case from.Draw != nil:
		return equilibria.FromWeights(c.preferences, from.Draw(c.seed)), 0, nil
	case from.Table:
		t, err := table.Read(path, a.stdin)
		if err != nil {
			return nil, 0, err
		}
		g, err = equilibria.FromTable(t)
		return g, 0, err
	}
	c.reading.Trace = path
	err = a.reading(&c.reading, nil, func(src traces.Source) error {
		p, n, err := market.FromTrace(interruptible{src, a}, from.By)
		if err == nil {
			g, leftOut = equilibria.FromWeights(path, p), n
		}
		return err
	})
	return g, leftOut, err
}
