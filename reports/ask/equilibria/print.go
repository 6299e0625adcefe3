package equilibria

import (
	"fmt"
	"io"

	"bourse/policies/market"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// stoppedBecause says what each criterion no longer found.
var stoppedBecause = map[market.Criterion]string{
	market.UtilityGap: "no user's utility changes by",
	market.BidGap:     "no bid changes, as a part of the budget, by",
	market.MarginGap:  "no user's marginal utilities differ by",
	market.WelfareGap: "the sum of utilities does not change, as a part of the optimum, by",
}

// Print writes how the search ended and what the equilibrium is worth; envyHint says how
// to have envy measured where it is not.
func (r *Result) Print(w io.Writer, envyHint string) error {
	found, s := &r.Found, &r.Search
	fmt.Fprintf(w, "%s: %s, %s\n", s.Rule.Update, terminal.Count(len(r.users), "user", "users"),
		terminal.Count(len(r.machines), "machine", "machines"))
	name, metrics := "equilibrium", found.Last
	sweeps := terminal.Count(found.Sweeps, "sweep", "sweeps")
	if found.Converged {
		fmt.Fprintf(w, "converged after %s: %s %g or more\n\n", sweeps, stoppedBecause[s.Until], s.Tolerance)
	} else {
		name, metrics = "least seen", found.Least
		fmt.Fprintf(w, "did not converge within %s: the last one's gap (%s) is %.3g, above %g.\nThe bids are those of the "+
			"last sweep, the metrics the least seen after any.\n\n",
			sweeps, s.Until, found.Gap, s.Tolerance)
	}
	t := &table.Table{Columns: table.Headed(terminal.Fixed(6), "result", name, "weight-proportional", "social optimum")}
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
		t.Add(row.name, row.of(metrics), row.of(r.Start), row.of(r.Best))
	}
	if err := table.Print(w, &table.Report{Tables: []*table.Table{t}}); err != nil {
		return err
	}
	return r.notes(w, envyHint)
}

// notes are what a reader of the table should know.
func (r *Result) notes(w io.Writer, envyHint string) error {
	// Counted before Regret searches, too.
	searches := r.market.Searches()
	by := ""
	if r.Search.Rule.Update == market.LocalSearch {
		by = " that local search finds"
	}
	_, err := fmt.Fprintf(w, "\nepsilon-equilibrium: no unilateral deviation%s gains more than %.3g %% of a user's "+
		"utility\n", by, 100*r.market.Regret(r.Search.Rule))
	if searches.Made > 0 {
		fmt.Fprintf(w, "Of %d responses found by local search %d were proved optimal.\n", searches.Made, searches.Proved)
	}
	if !r.Search.Envy {
		fmt.Fprintf(w, "Envy-freeness of %d users takes a while; %s.\n", len(r.users), envyHint)
	}
	none, one := r.contested()
	if none > 0 {
		fmt.Fprintf(w, "%s wanted by no user and without bids.\n", terminal.Count(none, "machine is", "machines are"))
	}
	if one > 0 {
		fmt.Fprintf(w, "%s wanted by one user only, who bids against a reserve of %.3g.\n",
			terminal.Count(one, "machine is", "machines are"), r.market.Reserve())
	}
	if r.unlisted > 0 {
		fmt.Fprintf(w, "%s not in %s and %s a budget of 1.\n", terminal.Count(r.unlisted, "user is", "users are"),
			r.budgetsFrom, terminal.Plural(r.unlisted, "has", "have"))
	}
	return err
}
