package share

import (
	"math"
	"math/big"
	"testing"

	"bourse/traces/rng"
)

// badlyScaled draws demands whose entries differ by orders of magnitude.
func badlyScaled(r *rng.Rand, n, m int) Demands {
	d, kind := make(Demands, n), r.IntN(4)
	for i := range d {
		d[i] = make([]float64, m)
		for k := range d[i] {
			switch kind {
			case 0:
				d[i][k] = math.Pow(10, -6*r.Float64())
			case 1:
				d[i][k] = math.Pow(10, -12*r.Float64())
			case 2:
				d[i][k] = []float64{1, .9, .7, .5, .3, .1, 1e-6, 1e-6}[r.IntN(8)]
			default:
				d[i][k] = []float64{1, .9, 1e-6, 2e-5, .3, r.Float64()}[r.IntN(6)]
			}
		}
		d[i][r.IntN(m)] = 1
	}
	return d
}

// exactly solves the optimum in rational numbers, all rows written out, by the simplex
// method with Bland's rule: it has no rounding errors, and does not cycle.
func exactly(d Demands, utilisation bool) float64 {
	n, m := len(d), len(d[0])
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	even := big.NewRat(1, int64(n))
	var rows [][]*big.Rat // n variables, z, the right side
	row := func() []*big.Rat {
		r := make([]*big.Rat, n+2)
		for j := range r {
			r[j] = new(big.Rat)
		}
		rows = append(rows, r)
		return r
	}
	for k := range m {
		most, least := row(), row()
		for i := range d {
			v := rat(d[i][k])
			most[i], least[i] = v, new(big.Rat).Neg(v)
			least[n+1].Add(least[n+1], new(big.Rat).Mul(v, even))
		}
		most[n+1].Sub(big.NewRat(1, 1), least[n+1])
		least[n] = big.NewRat(1, 1)
	}
	for i := range d {
		for j := range d {
			if i == j {
				continue
			}
			var c *big.Rat
			for k := range m {
				if q := new(big.Rat).Quo(rat(d[j][k]), rat(d[i][k])); c == nil || q.Cmp(c) < 0 {
					c = q
				}
			}
			r := row()
			r[j], r[i] = c, big.NewRat(-1, 1)
			r[n+1].Mul(new(big.Rat).Sub(big.NewRat(1, 1), c), even)
		}
	}
	gain := make([]*big.Rat, n+2)
	for j := range gain {
		gain[j] = new(big.Rat)
		if utilisation == (j == n) && j <= n {
			gain[j].SetInt64(1)
		}
	}
	value := solveExactly(rows, gain)
	x, _ := value.Float64()
	if !utilisation {
		x++ // every agent has 1/n beforehand
	}
	return x
}

// solveExactly maximises gain v under rows v <= right and v >= 0, all right sides, the
// last places, being 0 or more.
func solveExactly(rows [][]*big.Rat, gain []*big.Rat) *big.Rat {
	last := len(gain) - 1
	names, basic := make([]int, last), make([]int, len(rows))
	for j := range names {
		names[j] = j
	}
	for k := range basic {
		basic[k] = last + k
	}
	for {
		s, r := -1, -1
		for j := range last {
			if gain[j].Sign() > 0 && (s < 0 || names[j] < names[s]) {
				s = j
			}
		}
		if s < 0 {
			return gain[last].Neg(gain[last])
		}
		var least *big.Rat
		for k, row := range rows {
			if row[s].Sign() <= 0 {
				continue
			}
			ratio := new(big.Rat).Quo(row[last], row[s])
			if c := 0; r >= 0 {
				if c = ratio.Cmp(least); c > 0 || c == 0 && basic[k] > basic[r] {
					continue
				}
			}
			r, least = k, ratio
		}
		pivot := rows[r]
		inverse := new(big.Rat).Inv(pivot[s])
		pivot[s] = big.NewRat(1, 1)
		for j := range pivot {
			pivot[j].Mul(pivot[j], inverse)
		}
		for k, row := range append(rows[:len(rows):len(rows)], gain) {
			if k == r || row[s].Sign() == 0 {
				continue
			}
			factor := row[s]
			row[s] = new(big.Rat)
			for j := range row {
				row[j].Sub(row[j], new(big.Rat).Mul(factor, pivot[j]))
			}
		}
		names[s], basic[r] = basic[r], names[s]
	}
}

// TestOptimumExactly wants the optima of badly scaled demands to be feasible, fair and
// as good as rational arithmetic says; and those of more agents to be found at all.
func TestOptimumExactly(t *testing.T) {
	r := rng.New(3, "badly scaled")
	for k := range 40 {
		r.Key(uint64(k))
		d := badlyScaled(r, 2+r.IntN(4), 3+r.IntN(2))
		for _, utilisation := range []bool{false, true} {
			x, err := programOptimum(d, utilisation)
			if err != nil {
				t.Fatalf("instance %d, utilisation %v: %v for %v", k, utilisation, err, d)
			}
			got := Welfare(x)
			if utilisation {
				got = d.Utilisation(x)
			}
			for _, e := range CheckAllocation(d, x) {
				if !e.Holds && e.Property != "Pareto optimality" {
					t.Fatalf("instance %d, utilisation %v: %v under the optimum %v of %v", k, utilisation, e, x, d)
				}
			}
			if want := exactly(d, utilisation); math.Abs(got-want) > 1e-9*max(1, want) {
				t.Fatalf("instance %d, utilisation %v: %.12f, want %.12f for %v", k, utilisation, got, want, d)
			}
		}
	}
	for k := range 200 {
		r.Key(uint64(1000 + k))
		d := badlyScaled(r, []int{7, 20, 40}[k%3], 3+r.IntN(3))
		for _, utilisation := range []bool{false, true} {
			if _, err := programOptimum(d, utilisation); err != nil {
				t.Errorf("instance %d, utilisation %v: %v for %v", k, utilisation, err, d)
			}
		}
	}
}
