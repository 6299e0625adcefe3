package game

import (
	"math"
	"testing"

	"bourse/traces/rng"
)

func TestPureAndMixed(t *testing.T) {
	// Battle of the sexes: two pure equilibria and one mixed.
	a, b := [][]float64{{3, 0}, {0, 2}}, [][]float64{{2, 0}, {0, 3}}
	if got := Pure(a, b); len(got) != 2 || got[0] != (Cell{0, 0}) || got[1] != (Cell{1, 1}) {
		t.Errorf("pure equilibria %v", got)
	}
	mixed, ok := mixedEquilibria(a, b)
	if !ok || len(mixed) != 1 || math.Abs(mixed[0].Rows[0]-.6) > 1e-12 || math.Abs(mixed[0].Cols[0]-.4) > 1e-12 {
		t.Errorf("mixed equilibria %v", mixed)
	}
	// Rock, paper, scissors: none pure, a third each.
	rps := [][]float64{{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}}
	minus := [][]float64{{0, 1, -1}, {-1, 0, 1}, {1, -1, 0}}
	if got := Pure(rps, minus); len(got) != 0 {
		t.Errorf("pure equilibria of rock, paper, scissors: %v", got)
	}
	if mixed, _ = mixedEquilibria(rps, minus); len(mixed) != 1 || math.Abs(mixed[0].Rows[2]-1./3) > 1e-12 {
		t.Errorf("mixed equilibria of rock, paper, scissors: %v", mixed)
	}
}

// TestEveryGameHasAnOddNumberOfEquilibria is the theorem of Nash, Wilson and
// Harsanyi for nondegenerate games, which random ones are.
func TestEveryGameHasAnOddNumberOfEquilibria(t *testing.T) {
	r := rng.New(1, "games")
	for i := range 500 {
		rows, cols := 1+i%4, 1+i/4%4
		draw := func() [][]float64 {
			m := make([][]float64, rows)
			for k := range m {
				for range cols {
					m[k] = append(m[k], r.Float64())
				}
			}
			return m
		}
		a, b := draw(), draw()
		mixed, _ := mixedEquilibria(a, b)
		if n := len(Pure(a, b)) + len(mixed); n%2 != 1 {
			t.Errorf("%d equilibria of the %d x %d game %v %v", n, rows, cols, a, b)
		}
	}
}

func TestSurvival(t *testing.T) {
	g := &Game{Rows: []string{"x", "y"}, Cols: []string{"l"}}
	for _, d := range []float64{1, 1, 1, -1} { // x is better in three seeds of four, and in the mean
		g.Designer = append(g.Designer, [][]float64{{d}, {0}})
		g.Users = append(g.Users, [][]float64{{0}, {0}})
	}
	s := g.Survival()
	// y wins or ties when at least two of four draws are the bad seed: 1 - .75^4 - 4 .25 .75^3 = .262.
	if math.Abs(s[1][0]-.262) > .04 || s[0][0] < .7 {
		t.Errorf("survival %v", s)
	}
}
