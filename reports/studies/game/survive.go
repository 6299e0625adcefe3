package game

import "bourse/traces/rng"

// Resamples is the number of bootstrap resamples of Survival.
const Resamples = 2000

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
	for range Resamples {
		for i := range pick {
			pick[i] = draw.IntN(n)
		}
		for _, e := range Pure(g.Means(pick)) {
			share[e.Row][e.Col] += 1. / Resamples
		}
	}
	return share
}
