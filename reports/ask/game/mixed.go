package game

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"bourse/traces/rng"
)

// Mixed is an equilibrium in mixed strategies: probabilities of rows and columns.
type Mixed struct{ Rows, Cols []float64 }

// maxMixed bounds the games for which mixed equilibria are searched: support
// enumeration looks at binomially many pairs.
const maxMixed = 8

// mixedEquilibria finds the equilibria of a bimatrix game in which both players
// mix at least two strategies, by enumerating supports of equal size: a player
// mixes so that the other is indifferent within its support and loses outside.
// That finds all equilibria of a nondegenerate game. Games larger than 8 x 8 are
// left alone, and ok is false.
func mixedEquilibria(designer, users [][]float64) (found []Mixed, ok bool) {
	rows, cols := len(designer), len(designer[0])
	if rows > maxMixed || cols > maxMixed {
		return nil, false
	}
	for k := 2; k <= min(rows, cols); k++ {
		for _, rs := range subsets(rows, k) {
			for _, cs := range subsets(cols, k) {
				x, fine := indifferent(k, func(i, j int) float64 { return users[rs[j]][cs[i]] })
				if !fine {
					continue
				}
				y, fine := indifferent(k, func(i, j int) float64 { return designer[rs[i]][cs[j]] })
				if !fine {
					continue
				}
				m := Mixed{spread(x, rs, rows), spread(y, cs, cols)}
				if stable(designer, users, m) {
					found = append(found, m)
				}
			}
		}
	}
	return found, true
}

// indifferent solves sum_j payoff(i,j) p_j = v for all i, sum p = 1, and wants
// all p positive.
func indifferent(k int, payoff func(i, j int) float64) ([]float64, bool) {
	a, b := mat.NewDense(k+1, k+1, nil), mat.NewVecDense(k+1, nil)
	for i := range k {
		for j := range k {
			a.Set(i, j, payoff(i, j))
		}
		a.Set(i, k, -1)
		a.Set(k, i, 1)
	}
	b.SetVec(k, 1)
	var p mat.VecDense
	if err := p.SolveVec(a, b); err != nil {
		return nil, false
	}
	out := make([]float64, k)
	for i := range out {
		if out[i] = p.AtVec(i); !(out[i] > 1e-9) {
			return nil, false
		}
	}
	return out, true
}

// stable checks that neither player gains by a pure strategy.
func stable(designer, users [][]float64, m Mixed) bool {
	rowValue, colValue := make([]float64, len(designer)), make([]float64, len(designer[0]))
	mean, meanUsers, best, bestUsers := 0.0, 0.0, math.Inf(-1), math.Inf(-1)
	for r := range designer {
		for c := range designer[r] {
			rowValue[r] += float64(m.Cols[c] * designer[r][c])
			colValue[c] += float64(m.Rows[r] * users[r][c])
		}
	}
	for r, v := range rowValue {
		mean += float64(m.Rows[r] * v)
		best = max(best, v)
	}
	for c, v := range colValue {
		meanUsers += float64(m.Cols[c] * v)
		bestUsers = max(bestUsers, v)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }
	return near(mean, best) && near(meanUsers, bestUsers)
}

// spread puts a support's probabilities in their places.
func spread(p []float64, support []int, n int) []float64 {
	full := make([]float64, n)
	for i, at := range support {
		full[at] = p[i]
	}
	return full
}

// subsets lists the k-subsets of 0 ... n-1.
func subsets(n, k int) [][]int {
	var out [][]int
	var grow func(from int, have []int)
	grow = func(from int, have []int) {
		if len(have) == k {
			out = append(out, append([]int(nil), have...))
			return
		}
		for i := from; i < n; i++ {
			grow(i+1, append(have, i))
		}
	}
	grow(0, nil)
	return out
}

// resamples is the number of bootstrap resamples of Survival.
const resamples = 2000

// Survival returns for each cell the share of bootstrap resamples of the seeds
// in which it is a pure equilibrium of the mean payoffs: how well an equilibrium
// survives the noise. Seeds are drawn with replacement, the same for all cells,
// so that pairing is kept. It is nil for fewer than two seeds.
func (g *Game) Survival() [][]float64 {
	n := len(g.Designer)
	if n < 2 {
		return nil
	}
	share := make([][]float64, len(g.Rows))
	for r := range share {
		share[r] = make([]float64, len(g.Cols))
	}
	draw, pick := rng.New(1, "bootstrap of a game"), make([]int, n)
	for range resamples {
		for i := range pick {
			pick[i] = draw.IntN(n)
		}
		for _, e := range Pure(g.Means(pick)) {
			share[e.Row][e.Col] += 1. / resamples
		}
	}
	return share
}
