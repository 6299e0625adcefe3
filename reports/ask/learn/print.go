package learn

import (
	"fmt"
	"math"

	"bourse/reports/figures"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Report is the rows as three tables, with the answer in words below them.
func Report(rows []Row) *table.Report {
	t := table.Structs(rows)
	t.Notes = notes(rows)
	return &table.Report{Tables: []*table.Table{t}, Answers: Answers(rows)}
}

// notes say what the columns are.
func notes(rows []Row) []string {
	r := rows[0]
	how, regret := "what every action would have paid (hedge)", "exact, of the agents asked"
	if r.Rule == EXP3 {
		how, regret = "what their own bids have paid (exp3)", "estimated, of one action for all"
	}
	return []string{
		fmt.Sprintf("%s learn over %s by %s which multiple of their values to bid; those who",
			terminal.Count(r.Agents, "agent", "agents"), terminal.Count(r.Epochs, "epoch", "epochs"), how),
		fmt.Sprintf("know nothing bid %s on average, entropy 1, honest 12.5 %%; ± is a 95 %% interval over agents. Regret "+
			"against", terminal.Figure(mean(Actions))),
		"the best fixed action is an average per epoch, " + regret + ". The second table compares with",
		"the same jobs if everybody is honest, ± over epochs: efficiency, revenue and payoff in the last quarter of the",
		"epochs, TWFT in the first, too, when bids are mostly random. Payoff is value x work / (value x flow time + bill), 1",
		"at best; best if all bid: the multiple that pays agents best if all of them bid it, a cartel's. The third table is",
		"of the whole last log. Favourites: each agent bids what it likes best at the end. Equilibrium: the multiple of " +
			"which,",
		"if all agents bid it, " + terminal.Count(r.Game.Asked, "agent asked gains", "agents asked gain") +
			" least in payoff by bidding another one alone; it is one if no agent",
		fmt.Sprintf("gains more than %g %%, and otherwise the nearest to one", 100*slight),
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

// direction says where bids went, compared with those of owners who know nothing.
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
	what := fmt.Sprintf("owners learn to bid %s of the value on average: %s", terminal.Ratio.Text(r.Factor.Mean),
		r.direction())
	switch {
	case r.Entropy.Mean > uniform:
		what = "owners learn hardly anything, as bids pay nearly alike or epochs are few: they are mostly random"
	case r.Honest.Mean > .5:
		what = fmt.Sprintf("owners learn to bid %s of the value on average: honesty survives",
			terminal.Ratio.Text(r.Factor.Mean))
	}
	shares := fmt.Sprintf("  of their bids %s %% are below the value, %s %% honest, %s %% above it; of those who know "+
		"nothing 50, 12.5 and 37.5 %%", terminal.Share.Text(r.Below.Mean), terminal.Share.Text(r.Honest.Mean),
		terminal.Share.Text(r.Above.Mean))
	cost := fmt.Sprintf("  compared with honesty the cost of flow times changes by %s", change(stats.Exactly(r.Cost.Mean)))
	if r.Cost.Known() && r.Cost.Tie() {
		cost += ", not significantly"
	}
	if !math.IsNaN(r.Efficiency.Mean) {
		cost += fmt.Sprintf(" (efficiency %s, honest %s)", terminal.Ratio.Text(r.Efficiency.Mean),
			terminal.Ratio.Text(r.HonestEfficiency.Mean))
	}
	revenue := fmt.Sprintf("  and revenue / TWFT from %s to %s", terminal.Fixed(3).Text(r.HonestRevenue.Mean),
		terminal.Fixed(3).Text(r.Revenue.Mean))
	lines := []string{under + what, shares, cost, revenue}
	if r.Settled > 0 {
		lines = append(lines, fmt.Sprintf("  learning stopped after %s: regret stayed small",
			terminal.Count(r.Settled, "epoch", "epochs")))
	}
	if r.Entropy.Mean <= uniform {
		lines = append(lines, "  if each bids what it likes best, "+r.Favourites.words())
	}
	return append(lines, r.Game.answers(r.Agents)...)
}

// answers say what the game's equilibrium is, and what comes of it.
func (g *Game) answers(agents int) []string {
	asked, are := g.asked(), fmt.Sprintf("%g of the value is the game's equilibrium", g.Factor)
	switch {
	case agents == 1:
		are += ": what pays best, as one agent bids for all who learn"
	case g.Equilibrium:
		are = "all bidding " + are + ", as far as " + asked + " tell: none gains by another multiple alone"
	default:
		are = fmt.Sprintf("no multiple that all bid is an equilibrium: at the nearest, %g of the value, another one alone "+
			"gains each of %s %s %% of payoff on average, %s %% at most",
			g.Factor, asked, terminal.Share.Text(g.Gain.Mean), terminal.Share.Text(g.Most))
	}
	return []string{"  " + are, "  if all bid it, " + g.words()}
}

// asked are the agents whose moves were tried.
func (g *Game) asked() string { return terminal.Count(g.Asked, "agent asked", "agents asked") }

// words say what comes of bids.
func (o *Outcome) words() string {
	efficiency := ""
	if o.Efficiency != nil {
		efficiency = " (efficiency " + terminal.Ratio.Text(*o.Efficiency) + ")"
	}
	return fmt.Sprintf("flow times cost %s compared with honesty%s, and revenue / TWFT is %s",
		change(stats.Exactly(o.Cost)),
		efficiency,
		terminal.Fixed(3).Text(o.Revenue))
}

// change writes by how much something changes; what rounds to 0 has no sign.
func change(e stats.Estimate) string {
	if math.Abs(e.Mean) < .0005 {
		e.Mean = 0
	}
	return terminal.Share.Difference(e.Mean, e.Half) + " %"
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
