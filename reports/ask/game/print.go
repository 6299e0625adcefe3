package game

import (
	"fmt"
	"io"
	"math"
	"strings"

	"bourse/reports/record"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// Scale normalises payoffs as the study does, over all games given: the
// designer's are divided by the best, and the users' best, utilities being
// negative, is divided by each of theirs.
type Scale struct{ designer, users float64 }

// ScaleOf finds the best payoffs.
func ScaleOf(games []*Game) Scale {
	s := Scale{math.Inf(-1), math.Inf(-1)}
	for _, g := range games {
		designer, users := g.Means(nil)
		for r := range designer {
			s.designer = max(s.designer, designer[r][0], bestCol(designer, r))
			s.users = max(s.users, bestCol(users, r))
		}
	}
	return s
}

// Payoff is one cell of a game, raw and normalised.
type Payoff struct {
	Game, Row, Col                string
	Designer, Users               stats.Estimate
	NormalDesigner, NormalUsers   float64
	BestForDesigner, BestForUsers bool    // best responses to the other's choice
	Survival                      float64 // NaN with a single seed
}

// Payoffs lists a game's cells row by row.
func (g *Game) Payoffs(s Scale) []Payoff {
	designer, users := g.Means(nil)
	survival := g.Survival()
	of := func(samples [][][]float64, r, c int) stats.Estimate {
		return stats.EstimateOver(len(samples), func(i int) float64 { return samples[i][r][c] })
	}
	var out []Payoff
	for r, row := range g.Rows {
		for c, col := range g.Cols {
			p := Payoff{Game: g.Name, Row: row, Col: col, Survival: math.NaN(),
				Designer: of(g.Designer, r, c), Users: of(g.Users, r, c),
				NormalDesigner: designer[r][c] / s.designer, NormalUsers: s.users / users[r][c],
				BestForDesigner: designer[r][c] == bestRow(designer, c), BestForUsers: users[r][c] == bestCol(users, r)}
			if survival != nil {
				p.Survival = survival[r][c]
			}
			out = append(out, p)
		}
	}
	return out
}

// Columns puts the matrices in long form.
func Columns(games []*Game) []record.Values {
	columns := record.Named("payment", "policy", "behaviour", "designer", "designer_half", "users", "users_half", "designer_normalised",
		"users_normalised", "designer_best_response", "users_best_response", "survival")
	scale := ScaleOf(games)
	for _, g := range games {
		for _, p := range g.Payoffs(scale) {
			record.AddRow(columns, p.Game, p.Row, p.Col, p.Designer.Mean, p.Designer.Half, p.Users.Mean, p.Users.Half, p.NormalDesigner,
				p.NormalUsers, p.BestForDesigner, p.BestForUsers, p.Survival)
		}
	}
	return columns
}

// Print writes the matrices with best responses, equilibria and how well these
// survive. An arrow up marks the designer's best row of the column, an arrow left
// the users' best column of the row; a cell with both is an equilibrium.
func Print(w io.Writer, games []*Game) error {
	scale := ScaleOf(games)
	for i, g := range games {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "payment %s, %d seeds: designer, aggressive users (normalised)\n", g.Name, len(g.Designer))
		cells := g.Payoffs(scale)
		t := terminal.NewTable(append([]string{"policy"}, g.Cols...)...)
		for r, row := range g.Rows {
			line := []string{row}
			for c := range g.Cols {
				line = append(line, cells[r*len(g.Cols)+c].text())
			}
			t.Row(line...)
		}
		if err := t.Write(w); err != nil {
			return err
		}
		if _, err := io.WriteString(w, g.verdict(cells)); err != nil {
			return err
		}
	}
	return nil
}

func (p *Payoff) text() string {
	mark := func(best bool, sign string) string {
		if best {
			return sign
		}
		return " "
	}
	return fmt.Sprintf("%.3f%s %.3f%s", p.NormalDesigner, mark(p.BestForDesigner, "↑"), p.NormalUsers, mark(p.BestForUsers, "←"))
}

// verdict lists the equilibria in words.
func (g *Game) verdict(cells []Payoff) string {
	var b strings.Builder
	designer, users := g.Means(nil)
	pure := Pure(designer, users)
	for _, e := range pure {
		p := &cells[e.Row*len(g.Cols)+e.Col]
		fmt.Fprintf(&b, "  equilibrium: %s with %s; designer %s, users %s", p.Row, p.Col, interval(p.Designer), terminal.Ratio.Estimate(p.Users.Mean, p.Users.Half))
		if !math.IsNaN(p.Survival) {
			fmt.Fprintf(&b, "; in %.0f %% of resamples", 100*p.Survival)
		}
		b.WriteByte('\n')
		for c, col := range g.Cols {
			if gain := g.UsersGain(e.Row, e.Col, c); c != e.Col && len(g.Users) > 1 && gain.Tie() {
				fmt.Fprintf(&b, "    a statistical tie with %s: the users would gain %s\n", col, terminal.Ratio.Difference(gain.Mean, gain.Half))
			}
		}
	}
	if len(pure) == 0 {
		b.WriteString("  no equilibrium in pure strategies\n")
	}
	mixed, ok := mixedEquilibria(designer, users)
	if !ok {
		fmt.Fprintf(&b, "  mixed equilibria are not computed for games larger than %d x %d\n", maxMixed, maxMixed)
	}
	for _, m := range mixed {
		fmt.Fprintf(&b, "  mixed equilibrium: %s against %s\n", mixture(m.Rows, g.Rows), mixture(m.Cols, g.Cols))
	}
	return b.String()
}

// interval writes a small number with half of its interval.
func interval(e stats.Estimate) string {
	if !e.Known() {
		return fmt.Sprintf("%.3f", e.Mean)
	}
	return fmt.Sprintf("%.3f ± %.3f", e.Mean, e.Half)
}

func mixture(p []float64, names []string) string {
	var parts []string
	for i, x := range p {
		if x > 0 {
			parts = append(parts, fmt.Sprintf("%.0f %% %s", 100*x, names[i]))
		}
	}
	return strings.Join(parts, " + ")
}
