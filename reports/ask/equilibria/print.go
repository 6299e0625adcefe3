package equilibria

import (
	"fmt"

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

// Report has the bids and shares as data, how the search ended and what the equilibrium is
// worth; envyHint says how to have envy measured where it is not.
func (r *Result) Report(envyHint string) *table.Report {
	found, s := &r.Found, &r.Search
	name, metrics := "equilibrium", found.Last
	sweeps := terminal.Count(found.Sweeps, "sweep", "sweeps")
	ended := fmt.Sprintf("converged after %s: %s %g or more", sweeps, stoppedBecause[s.Until], s.Tolerance)
	if !found.Converged {
		name, metrics = "least seen", found.Least
		ended = fmt.Sprintf("did not converge within %s: the last one's gap (%s) is %.3g, above %g. The bids are those of "+
			"the last sweep, the metrics the least seen after any", sweeps, s.Until, found.Gap, s.Tolerance)
	}
	t := &table.Table{Name: "metrics", Columns: []table.Column{
		table.KeyCol("result", "result"),
		table.Col("value", name, terminal.Fixed(6)),
		table.Col("weight_proportional", "weight-proportional", terminal.Fixed(6)),
		table.Col("social_optimum", "social optimum", terminal.Fixed(6))}}
	t.Title = fmt.Sprintf("%s: %s, %s; %s", s.Rule.Update, terminal.Count(len(r.users), "user", "users"),
		terminal.Count(len(r.machines), "machine", "machines"), ended)
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
	return &table.Report{Data: r.Columns(), Tables: []*table.Table{t}, Answers: r.notes(envyHint)}
}

// notes are what a reader of the table should know.
func (r *Result) notes(envyHint string) (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	// Counted before Regret searches, too.
	searches := r.market.Searches()
	by := ""
	if r.Search.Rule.Update == market.LocalSearch {
		by = " that local search finds"
	}
	say("epsilon-equilibrium: no unilateral deviation%s gains more than %.3g %% of a user's utility", by,
		100*r.market.Regret(r.Search.Rule))
	if searches.Made > 0 {
		say("Of %d responses found by local search %d were proved optimal.", searches.Made, searches.Proved)
	}
	if !r.Search.Envy {
		say("Envy-freeness of %d users takes a while; %s.", len(r.users), envyHint)
	}
	none, one := r.contested()
	if none > 0 {
		say("%s wanted by no user and without bids.", terminal.Count(none, "machine is", "machines are"))
	}
	if one > 0 {
		say("%s wanted by one user only, who bids against a reserve of %.3g.",
			terminal.Count(one, "machine is", "machines are"), r.market.Reserve())
	}
	if r.unlisted > 0 {
		say("%s not in %s and %s a budget of 1.", terminal.Count(r.unlisted, "user is", "users are"), r.budgetsFrom,
			terminal.Plural(r.unlisted, "has", "have"))
	}
	return lines
}
