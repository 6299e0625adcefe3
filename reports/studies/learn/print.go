package learn

import (
	"fmt"
	"io"
	"math"

	"bourse/reports/figures"
	"bourse/reports/record"
	"bourse/reports/stats"
	"bourse/reports/studies"
	"bourse/reports/terminal"
)

// Write prints rows in one of studies.RowFormats, as tables with the answer in words below them.
func Write(w io.Writer, format, version string, rows []Row) error {
	return studies.WriteRows(w, format, version, rows, Answers(rows), columnsOf, func() error { return tables(w, format, rows) })
}

func tables(w io.Writer, format string, rows []Row) error {
	learnt := terminal.NewTable("payment", "mean factor: start", "1/4", "1/2", "3/4", "end", "entropy", "underbid", "honest", "overbid", "regret")
	end := terminal.NewTable("payment", "efficiency", "if honest", "TWFT: first 1/4", "last 1/4", "favourites", "revenue / TWFT", "if honest", "favourites", "payoff", "if honest", "best if all bid")
	for i := range rows {
		r := &rows[i]
		cells := []string{r.Payment}
		for _, f := range r.Path {
			cells = append(cells, terminal.Figure(f))
		}
		learnt.Row(append(cells, ratio(r.Factor), ratio(r.Entropy), studies.Percent(r.Below), studies.Percent(r.Honest), studies.Percent(r.Above), thousandths(r.Regret))...)
		end.Row(r.Payment, ratio(r.Efficiency), ratio(r.HonestEfficiency), change(r.FirstCost), change(r.Cost), change(stats.Exactly(r.Favourites)),
			thousandths(r.Revenue), thousandths(r.HonestRevenue), fine(r.FavouriteRevenue),
			decimals(r.Payoff), decimals(r.HonestPayoff), fmt.Sprintf("%g w: %s", r.Common, decimals(r.CommonPayoff)))
	}
	if err := learnt.WriteAs(w, format); err != nil {
		return err
	}
	if err := studies.WriteLines(w, format, []string{""}); err != nil {
		return err
	}
	if err := end.WriteAs(w, format); err != nil {
		return err
	}
	return studies.WriteLines(w, format, append(notes(rows), ""))
}

// notes say what the columns are.
func notes(rows []Row) []string {
	r := rows[0]
	how, regret := "what every action would have paid (hedge)", "exact, of the agents asked"
	if r.Rule == EXP3 {
		how, regret = "what their own bids have paid (exp3)", "estimated, of one action for all"
	}
	return []string{
		fmt.Sprintf("%s learn over %s by %s which multiple of their values to bid; those who", terminal.Count(r.Agents, "agent", "agents"), terminal.Count(r.Epochs, "epoch", "epochs"), how),
		fmt.Sprintf("know nothing bid %s on average, entropy 1, honest 12.5 %%; ± is a 95 %% interval over agents. Regret against", terminal.Figure(mean(Actions))),
		"the best fixed action is an average per epoch, " + regret + ". The second table compares with",
		"the same jobs if everybody is honest, ± over epochs: efficiency, revenue and payoff in the last quarter of the",
		"epochs, TWFT in the first, too, when bids are mostly random; favourites: all of the last log if each agent bids",
		"what it likes best at the end. Payoff is value x work / (value x flow time + bill), 1 at best; best if all bid:",
		"the multiple that pays agents best if all of them bid it, a cartel's and no equilibrium",
	}
}

// Answers say in plain words what owners learn, and what that costs.
func Answers(rows []Row) (lines []string) {
	for i := range rows {
		lines = append(lines, rows[i].answers()...)
	}
	return lines
}

// uniform is the entropy from which on little has been learnt.
const uniform = .95

// direction says where bids went, beside those of owners who know nothing.
func (r *Row) direction() string {
	n, words := float64(len(Actions)), "honesty does not stand out, and neither does a lie"
	most := 0.0
	for _, x := range []struct {
		share stats.Estimate
		from  int // of the actions
		words string
	}{
		{r.Below, honest, "honesty gives way to underbidding"},
		{r.Honest, 1, "honest bids gain, and do not prevail"},
		{r.Above, len(Actions) - 1 - honest, "honesty gives way to overbidding"},
	} {
		if from := float64(x.from) / n; x.share.Low() > from && x.share.Mean-from > most {
			most, words = x.share.Mean-from, x.words
		}
	}
	return words
}

func (r *Row) answers() []string {
	under := fmt.Sprintf("under %s with %s ", r.Policy, r.Payment)
	what := fmt.Sprintf("owners learn to bid %s of the value on average: %s", decimals(r.Factor.Mean), r.direction())
	switch {
	case r.Entropy.Mean > uniform:
		what = "owners learn hardly anything, as bids pay nearly alike or epochs are few: they are mostly random"
	case r.Honest.Mean > .5:
		what = fmt.Sprintf("owners learn to bid %s of the value on average: honesty survives", decimals(r.Factor.Mean))
	}
	shares := fmt.Sprintf("  of their bids %s %% are below the value, %s %% honest, %s %% above it; of those who know nothing 50, 12.5 and 37.5 %%", terminal.Share.Text(r.Below.Mean), terminal.Share.Text(r.Honest.Mean), terminal.Share.Text(r.Above.Mean))
	cost := fmt.Sprintf("  beside honesty the cost of flow times changes by %s", change(stats.Exactly(r.Cost.Mean)))
	if r.Cost.Known() && r.Cost.Tie() {
		cost += ", not significantly"
	}
	if !math.IsNaN(r.Efficiency.Mean) {
		cost += fmt.Sprintf(" (efficiency %s, honest %s)", decimals(r.Efficiency.Mean), decimals(r.HonestEfficiency.Mean))
	}
	revenue := fmt.Sprintf("  and revenue / TWFT from %s to %s", fine(r.HonestRevenue.Mean), fine(r.Revenue.Mean))
	lines := []string{under + what, shares, cost, revenue}
	if r.Settled > 0 {
		lines = append(lines, fmt.Sprintf("  learning stopped after %s: regret stayed small", terminal.Count(r.Settled, "epoch", "epochs")))
	}
	if r.Entropy.Mean <= uniform {
		lines = append(lines, fmt.Sprintf("  if each bids what it likes best, flow times cost %s beside honesty, and revenue / TWFT is %s", change(stats.Exactly(r.Favourites)), fine(r.FavouriteRevenue)))
	}
	return lines
}

// change writes by how much something changes; what rounds to 0 has no sign.
func change(e stats.Estimate) string {
	if math.Abs(e.Mean) < .0005 {
		e.Mean = 0
	}
	return terminal.Share.Difference(e.Mean, e.Half) + " %"
}

// decimals writes a ratio, - if it is unknown.
func decimals(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return terminal.Figure(x)
}

func ratio(e stats.Estimate) string { return studies.Interval(e, decimals) }

// fine writes small ratios with three decimals.
func fine(x float64) string { return fmt.Sprintf("%.3f", x) }

func thousandths(e stats.Estimate) string { return studies.Interval(e, fine) }

func columnsOf(rows []Row) []record.Values {
	c := record.Named("policy", "payment", "rule", "agents", "epochs", "settled", "mean_factor", "mean_factor_half", "entropy", "entropy_half", "underbid", "honest", "overbid", "regret", "regret_half",
		"efficiency", "efficiency_half", "efficiency_if_honest", "twft_change", "twft_change_half", "twft_change_first_quarter", "twft_change_at_favourites", "revenue_per_twft", "revenue_per_twft_half", "revenue_per_twft_if_honest", "revenue_per_twft_at_favourites",
		"payoff", "payoff_if_honest", "best_common_factor", "best_common_payoff")
	for _, r := range rows {
		record.AddRow(c, r.Policy, r.Payment, r.Rule, int64(r.Agents), int64(r.Epochs), int64(r.Settled), r.Factor.Mean, r.Factor.Half, r.Entropy.Mean, r.Entropy.Half, r.Below.Mean, r.Honest.Mean, r.Above.Mean, r.Regret.Mean, r.Regret.Half,
			r.Efficiency.Mean, r.Efficiency.Half, r.HonestEfficiency.Mean, r.Cost.Mean, r.Cost.Half, r.FirstCost.Mean, r.Favourites, r.Revenue.Mean, r.Revenue.Half, r.HonestRevenue.Mean, r.FavouriteRevenue,
			r.Payoff, r.HonestPayoff, r.Common, r.CommonPayoff)
	}
	return c
}

// mostMarked is up to how many epochs each has a mark.
const mostMarked = 60

// Figure draws the paths: the agents' mean factor by epoch, a line for each payment.
func (r *Result) Figure() [][]figures.Drawing {
	epochs := "epoch (replay of a resampled log)"
	if r.Weeks {
		epochs = "epoch (week)"
	}
	p := &figures.Panel{X: epochs, Y: "mean bid / value", Legend: "tl", Headroom: .06 * float64(1+len(r.Payments))}
	for _, l := range r.Payments {
		line := figures.Line{Name: l.Payment, Bare: len(l.Epochs) > mostMarked}
		for e, f := range l.Path(len(r.Users)) {
			line.X, line.Y = append(line.X, float64(e)), append(line.Y, f.Mean)
			if f.Known() {
				line.Low, line.High = append(line.Low, f.Low()), append(line.High, f.High())
			}
		}
		p.Lines = append(p.Lines, line)
		p.XMax = max(p.XMax, float64(len(l.Epochs)))
	}
	p.Lines = append(p.Lines, figures.Line{Name: "honest", X: []float64{0, p.XMax}, Y: []float64{1, 1}, Bare: true})
	return [][]figures.Drawing{{p}}
}
