package main

import (
	"fmt"
	"slices"
	"strings"

	"bourse/policies/catalog"
	"bourse/policies/share"
	"bourse/reports/studies/lend"
	"bourse/reports/terminal"
	"bourse/traces/suggest"
)

// summary prints welfare beside that of static shares, and the sharing indices.
func (c *lendFlags) summary(a *app, p *lend.Pool, account *share.Account) error {
	sum := 0.0
	for _, e := range p.Endow {
		sum += e
	}
	fmt.Fprintf(a.stderr, "%s: %s agents, %s rounds of %g, H = %g, L = %g\n", c.mechanism, terminal.Thousands(int64(len(p.Names))),
		terminal.Thousands(int64(account.Rounds)), sum, c.high, c.low)
	if n := p.Idle(); n > 0 {
		fmt.Fprintf(a.stderr, "%d more agents demand nothing in any round and are left out\n", n)
	}
	welfare, static := account.Welfare(c.high, c.low)
	demand, within, byStatic := 0.0, 0.0, 0.0
	for i := range p.Endow {
		demand, within, byStatic = demand+account.Demand[i], within+account.Within[i], byStatic+account.Static[i]
	}
	fmt.Fprintln(a.stderr)
	t := terminal.NewTable("", c.mechanism, "static", c.mechanism+" / static")
	row := func(name string, x, y float64) {
		t.Row(name, fmt.Sprintf("%.6g", x), fmt.Sprintf("%.6g", y), ratioText(x, y))
	}
	row("welfare", welfare, static)
	row("demand met", within, byStatic)
	if demand > 0 {
		t.Row("of all demand", fmt.Sprintf("%.4f", within/demand), fmt.Sprintf("%.4f", byStatic/demand))
	}
	if err := t.Write(a.stderr); err != nil {
		return err
	}
	index := account.Indices()
	if len(index) == 0 {
		_, err := fmt.Fprintln(a.stderr, "\nsharing index: undefined, as no agent demands anything")
		return err
	}
	slices.Sort(index)
	mean, below := 0.0, 0
	for _, x := range index {
		if mean += x / float64(len(index)); x < 1-1e-9 {
			below++
		}
	}
	_, err := fmt.Fprintf(a.stderr, "\nsharing index of %d agents: least %.4f, median %.4f, mean %.4f, largest %.4f; %d are below 1\n",
		len(index), index[0], index[len(index)/2], mean, index[len(index)-1], below)
	return err
}

func ratioText(x, y float64) string {
	if y == 0 {
		return "-"
	}
	return fmt.Sprintf("%.4f", x/y)
}

// manySteps bounds the shares of one round that the search for one agent's lies
// may compute in a pass over its rounds: about a minute.
const manySteps = 1e9

// searchLies reports what agents could gain by false demands, the others reporting
// the truth.
func (c *lendFlags) searchLies(a *app, s *lend.Series, p *lend.Pool, m catalog.Lending) error {
	if !c.lies && c.liar == "" {
		return nil
	}
	agents := make([]int, 0, len(p.Names))
	for i := range p.Names {
		if c.liar == "" || c.liar == p.Names[i] {
			agents = append(agents, i)
		}
	}
	if len(agents) == 0 {
		return usagef("--liar %s is none of the agents%s", c.liar, suggest.DidYouMean(c.liar, p.Names))
	}
	truth, err := s.Load(p)
	if err != nil {
		return err
	}
	n, rounds := float64(len(p.Names)), float64(len(truth))
	if steps := rounds * rounds * (n + 7) * n * float64(len(agents)); steps > manySteps {
		return fmt.Errorf("%s: a search for lies of %d agents among %d over %d rounds would take %.0e shares of a round, more than %.0e; use --liar, fewer rounds or fewer agents",
			s.Path, len(agents), len(p.Names), len(truth), steps, manySteps)
	}
	fmt.Fprintln(a.stderr)
	found := false
	for _, i := range agents {
		if err := a.ctx.Err(); err != nil {
			return err
		}
		fresh := func() share.Lender {
			l, err := m.New(p.Endow, max(p.Rounds, len(truth)))
			if err != nil {
				panic(err) // the same arguments have worked before
			}
			return l
		}
		lie := share.BestLie(fresh, truth, i, p.Endow[i], c.low/c.high)
		if gain := c.high * lie.Gain; lie.Gain > 1e-9*max(1, p.Endow[i]*rounds) {
			found = true
			fmt.Fprintf(a.stderr, "strategy-proofness is violated: %s gains %.6g by reporting %s\n", p.Names[i], gain, lied(lie.Reported, truth, i))
		}
	}
	if !found {
		fmt.Fprintf(a.stderr, "strategy-proofness: no report that pays was found for %d agents; this is no proof\n", len(agents))
	}
	return nil
}

// lied lists the rounds in which an agent does not report the truth.
func lied(reported []float64, truth [][]float64, agent int) string {
	const shown = 6
	var parts []string
	more := 0
	for r, d := range reported {
		if d == truth[r][agent] {
			continue
		}
		if len(parts) == shown {
			more++
			continue
		}
		parts = append(parts, fmt.Sprintf("%g for %g in the %s", d, truth[r][agent], ordinal(r+1)))
	}
	text := strings.Join(parts, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and false demands in %d more", more)
	}
	return text + " round"
}

func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}
