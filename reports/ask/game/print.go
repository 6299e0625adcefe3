package game

import (
	"fmt"
	"math"
	"strings"

	"bourse/reports/stats"
	"bourse/reports/table"
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

// Report is a matrix of payoffs for each game with best responses, equilibria and how well
// these survive. An arrow up marks the designer's best row of the column, an arrow left the
// users' best column of the row; a cell with both is an equilibrium. Programs receive a row
// for each payoff.
func Report(games []*Game) *table.Report {
	r := &table.Report{Data: table.Data("payment", "policy", "behaviour", "designer", "users", "designer_normalised",
		"users_normalised", "designer_best_response", "users_best_response", "survival")}
	scale := ScaleOf(games)
	for _, g := range games {
		cells := g.Payoffs(scale)
		for _, p := range cells {
			r.Data.Add(p.Game, p.Row, p.Col, p.Designer, p.Users, p.NormalDesigner, p.NormalUsers,
				table.Truth(p.BestForDesigner), table.Truth(p.BestForUsers), p.Survival)
		}
		t := &table.Table{Title: fmt.Sprintf("payment %s, %d seeds: designer, aggressive users (normalised)", g.Name,
			len(g.Designer)),
			Columns: table.Headed(terminal.Number, append([]string{"policy"}, g.Cols...)...), Notes: g.verdict(cells)}
		for i, policy := range g.Rows {
			row := []any{policy}
			for c := range g.Cols {
				row = append(row, cells[i*len(g.Cols)+c].text())
			}
			t.Add(row...)
		}
		r.Tables = append(r.Tables, t)
	}
	r.Tables = append(r.Tables, r.Data)
	return r
}

func (p *Payoff) text() string {
	mark := func(best bool, sign string) string {
		if best {
			return sign
		}
		return " "
	}
	return fmt.Sprintf("%.3f%s %.3f%s", p.NormalDesigner, mark(p.BestForDesigner, "↑"), p.NormalUsers,
		mark(p.BestForUsers, "←"))
}

// verdict lists the equilibria in words.
func (g *Game) verdict(cells []Payoff) (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	designer, users := g.Means(nil)
	pure := Pure(designer, users)
	for _, e := range pure {
		p := &cells[e.Row*len(g.Cols)+e.Col]
		survival := ""
		if !math.IsNaN(p.Survival) {
			survival = fmt.Sprintf("; in %.0f %% of resamples", 100*p.Survival)
		}
		say("  equilibrium: %s with %s; designer %s, users %s%s", p.Row, p.Col,
			terminal.Fixed(3).Estimate(p.Designer.Mean, p.Designer.Half),
			terminal.Ratio.Estimate(p.Users.Mean, p.Users.Half), survival)
		for c, col := range g.Cols {
			if gain := g.UsersGain(e.Row, e.Col, c); c != e.Col && len(g.Users) > 1 && gain.Tie() {
				say("    a statistical tie with %s: the users would gain %s", col, terminal.Ratio.Difference(gain.Mean, gain.Half))
			}
		}
	}
	if len(pure) == 0 {
		say("  no equilibrium in pure strategies")
	}
	mixed, ok := mixedEquilibria(designer, users)
	if !ok {
		say("  mixed equilibria are not computed for games larger than %d x %d", maxMixed, maxMixed)
	}
	for _, m := range mixed {
		say("  mixed equilibrium: %s against %s", mixture(m.Rows, g.Rows), mixture(m.Cols, g.Cols))
	}
	return lines
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
