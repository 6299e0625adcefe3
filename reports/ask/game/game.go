// Package game analyses small two-player games in normal form: the designer of a
// market chooses a row, its risk-aggressive users choose a column (Shudler et
// al., section V). Payoffs are sampled, one matrix pair a seed, so that every
// statement can be asked how well it survives the noise.
//
// It knows nothing of replays: Games in package sweep fills a Game.
package game

import (
	"math"

	"bourse/reports/stats"
)

// Game holds the payoffs of both players by seed, row and column.
type Game struct {
	// Name says which game it is, such as the payment scheme.
	Name       string
	Rows, Cols []string
	// Designer and Users are indexed by seed, row, column.
	Designer, Users [][][]float64
}

// Cell is a place in the matrices.
type Cell struct{ Row, Col int }

// Means returns both players' payoffs averaged over the seeds in pick, with
// repetitions; all seeds if pick is nil.
func (g *Game) Means(pick []int) (designer, users [][]float64) {
	return g.mean(g.Designer, pick), g.mean(g.Users, pick)
}

func (g *Game) mean(samples [][][]float64, pick []int) [][]float64 {
	if pick == nil {
		pick = make([]int, len(samples))
		for i := range pick {
			pick[i] = i
		}
	}
	m := make([][]float64, len(g.Rows))
	for r := range m {
		m[r] = make([]float64, len(g.Cols))
		for c := range m[r] {
			sum := 0.0
			for _, s := range pick {
				sum += samples[s][r][c]
			}
			m[r][c] = sum / float64(len(pick))
		}
	}
	return m
}

// Pure returns the pure Nash equilibria of a bimatrix game: the cells in which
// neither player gains by moving alone, along its column or row.
func Pure(designer, users [][]float64) []Cell {
	var found []Cell
	for r := range designer {
		for c := range designer[r] {
			if bestRow(designer, c) == designer[r][c] && bestCol(users, r) == users[r][c] {
				found = append(found, Cell{r, c})
			}
		}
	}
	return found
}

// bestRow returns the designer's best payoff in column c.
func bestRow(designer [][]float64, c int) float64 {
	best := math.Inf(-1)
	for r := range designer {
		best = max(best, designer[r][c])
	}
	return best
}

// bestCol returns the users' best payoff in row r.
func bestCol(users [][]float64, r int) float64 {
	best := math.Inf(-1)
	for _, x := range users[r] {
		best = max(best, x)
	}
	return best
}

// Without returns the game without the rows for which drop is true.
func (g *Game) Without(drop func(row string) bool) *Game {
	out := &Game{Name: g.Name, Cols: g.Cols}
	var keep []int
	for r, name := range g.Rows {
		if !drop(name) {
			keep = append(keep, r)
			out.Rows = append(out.Rows, name)
		}
	}
	pick := func(samples [][][]float64) [][][]float64 {
		var picked [][][]float64
		for _, m := range samples {
			var rows [][]float64
			for _, r := range keep {
				rows = append(rows, m[r])
			}
			picked = append(picked, rows)
		}
		return picked
	}
	out.Designer, out.Users = pick(g.Designer), pick(g.Users)
	return out
}

// UsersGain is the paired interval of what the users gain in a row by moving
// from one column to another. An interval that holds 0 is a statistical tie.
func (g *Game) UsersGain(row, from, to int) stats.Estimate {
	return stats.EstimateOver(len(g.Users), func(s int) float64 { return g.Users[s][row][to] - g.Users[s][row][from] })
}
