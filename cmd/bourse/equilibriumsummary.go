package main

import (
	"fmt"
	"math"

	"bourse/policies/market"
	"bourse/reports/terminal"
)

// stoppedBecause says what each criterion no longer found.
var stoppedBecause = map[market.Criterion]string{
	market.UtilityGap: "no user's utility changes by",
	market.BidGap:     "no bid changes, as a part of the budget, by",
	market.MarginGap:  "no user's marginal utilities differ by",
	market.WelfareGap: "the sum of utilities does not change, as a part of the optimum, by",
}

// summary prints how the search ended and what the equilibrium is worth.
func (c *equilibriumFlags) summary(a *app, g *bidders, s market.Search, found market.Found, start, best market.Metrics) error {
	fmt.Fprintf(a.stderr, "%s: %s, %s\n", c.update, plural(len(g.users), "user", "users"), plural(len(g.machines), "machine", "machines"))
	name, metrics := "equilibrium", found.Last
	if found.Converged {
		fmt.Fprintf(a.stderr, "converged after %s: %s %g or more\n\n", plural(found.Sweeps, "sweep", "sweeps"), stoppedBecause[s.Until], s.Tolerance)
	} else {
		name, metrics = "least seen", found.Least
		fmt.Fprintf(a.stderr, "did not converge within %s: the last one's gap (%s) is %.3g, above %g.\nThe bids are those of the last sweep, the metrics the least seen after any.\n\n",
			plural(found.Sweeps, "sweep", "sweeps"), c.until, found.Gap, s.Tolerance)
	}
	t := terminal.NewTable("", name, "weight-proportional", "social optimum")
	for _, row := range []struct {
		name string
		of   func(market.Metrics) float64
	}{
		{"welfare", func(m market.Metrics) float64 { return m.Welfare }},
		{"efficiency", func(m market.Metrics) float64 { return m.Efficiency }},
		{"price of anarchy", func(m market.Metrics) float64 { return 1 / m.Efficiency }},
		{"utility uniformity", func(m market.Metrics) float64 { return m.Uniformity }},
		{"envy-freeness", func(m market.Metrics) float64 { return m.EnvyFreeness }},
	} {
		cells := []string{row.name}
		for _, m := range []market.Metrics{metrics, start, best} {
			if v := row.of(m); math.IsNaN(v) {
				cells = append(cells, "-")
			} else {
				cells = append(cells, fmt.Sprintf("%.6f", v))
			}
		}
		t.Row(cells...)
	}
	if err := t.Write(a.stderr); err != nil {
		return err
	}
	c.notes(a, g, s)
	return nil
}

// notes are what a reader of the table should know.
func (c *equilibriumFlags) notes(a *app, g *bidders, s market.Search) {
	fmt.Fprintln(a.stderr)
	// Counted before Regret searches, too.
	searches := g.market.Searches()
	by := ""
	if s.Rule.Update == market.LocalSearch {
		by = " that local search finds"
	}
	fmt.Fprintf(a.stderr, "epsilon-equilibrium: no unilateral deviation%s gains more than %.3g %% of a user's utility\n", by, 100*g.market.Regret(s.Rule))
	if searches.Made > 0 {
		fmt.Fprintf(a.stderr, "Of %d responses found by local search %d were proved optimal.\n", searches.Made, searches.Proved)
	}
	if !s.Envy {
		fmt.Fprintf(a.stderr, "Envy-freeness of %d users takes a while; --envy computes it.\n", len(g.users))
	}
	none, one := g.contested()
	if none > 0 {
		fmt.Fprintf(a.stderr, "%s wanted by no user and without bids.\n", plural(none, "machine is", "machines are"))
	}
	if one > 0 {
		fmt.Fprintf(a.stderr, "%s wanted by one user only, who bids against a reserve of %.3g.\n", plural(one, "machine is", "machines are"), g.market.Reserve())
	}
	if g.unlisted > 0 {
		fmt.Fprintf(a.stderr, "%s not in %s and has a budget of 1.\n", plural(g.unlisted, "user is", "users are"), c.budgets)
	}
	if g.leftOut > 0 {
		fmt.Fprintf(a.stderr, "%s left out: without run time, user or size.\n", plural(g.leftOut, "job is", "jobs are"))
	}
}

// contested counts the machines no user wants, and those one user wants.
func (g *bidders) contested() (none, one int) {
	wanted := make([]int, len(g.machines))
	for k, w := range g.weight {
		if w > 0 {
			wanted[g.machine[k]]++
		}
	}
	for _, n := range wanted {
		switch n {
		case 0:
			none++
		case 1:
			one++
		}
	}
	return none, one
}
