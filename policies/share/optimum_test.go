package share

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"bourse/traces/rng"
)

// random draws demands of n agents for m resources: entries on the grid
// 0.01 ... 1.00, one of them 1, and in a fifth of the draws many ties or zeros.
func random(r *rng.Rand, n, m int, zeros bool) Demands {
	d := make(Demands, n)
	kind := r.IntN(10)
	for i := range d {
		d[i] = make([]float64, m)
		for k := range d[i] {
			d[i][k] = float64(1+r.IntN(100)) / 100
			switch {
			case kind == 0: // ties
				d[i][k] = float64(1+r.IntN(3)) / 3
			case zeros && r.IntN(4) == 0:
				d[i][k] = 0
			}
		}
		d[i][r.IntN(m)] = 1
	}
	return d
}

// oracle solves the optimum with all rows written out, by gonum's simplex.
func oracle(t *testing.T, d Demands, utilisation bool) float64 {
	n, m := len(d), len(d[0])
	var rows [][]float64 // over v_i = x_i - 1/n and z: row v <= right
	var right []float64
	used := make([]float64, m)
	for r := range m {
		row, back := make([]float64, n+1), make([]float64, n+1)
		for i := range d {
			used[r] += d[i][r] / float64(n)
			row[i], back[i] = d[i][r], -d[i][r]
		}
		rows, right = append(rows, row), append(right, 1-used[r])
		if back[n] = 1; d.wanted(r) {
			rows, right = append(rows, back), append(right, used[r])
		}
	}
	for i := range d {
		for j := range d {
			if i == j {
				continue
			}
			c := math.Inf(1)
			for r := range m {
				if d[i][r] > 0 {
					c = min(c, d[j][r]/d[i][r])
				}
			}
			row := make([]float64, n+1)
			row[j] += c
			row[i]--
			rows, right = append(rows, row), append(right, (1-c)/float64(n))
		}
	}
	cost := make([]float64, n+1+len(rows))
	for i := range n {
		cost[i] = -1
	}
	if utilisation {
		clear(cost)
		cost[n] = -1
	}
	a := mat.NewDense(len(rows), n+1+len(rows), nil)
	basis := make([]int, len(rows))
	for k, row := range rows {
		for j, v := range row {
			a.Set(k, j, v)
		}
		a.Set(k, n+1+k, 1)
		basis[k] = n + 1 + k
		right[k] = max(0, right[k])
	}
	value, _, err := lp.Simplex(cost, a, right, 1e-12, basis)
	if err != nil {
		t.Fatalf("%v for %v", err, d)
	}
	if utilisation {
		return -value
	}
	return -value + 1
}

// TestOptimumAgainstSimplex wants the optimum to be feasible, fair and as good
// as an independent linear program says, to 1e-9.
func TestOptimumAgainstSimplex(t *testing.T) {
	r := rng.New(1, "optimum")
	for k := range 400 {
		r.Key(uint64(k))
		n, m := 1+r.IntN(7), 1+r.IntN(4)
		d := random(r, n, m, k%3 == 0)
		for _, utilisation := range []bool{false, true} {
			m, value := MaxWelfare, Welfare
			if utilisation {
				m, value = MaxUtilisation, d.Utilisation
			}
			x := share(t, m, d)
			for _, e := range CheckAllocation(d, x) {
				if !e.Holds && (e.Property != "Pareto optimality" || !utilisation) {
					t.Fatalf("utilisation %v: %v under the optimum %v of %v", utilisation, e, x, d)
				}
			}
			if got, want := value(x), oracle(t, d, utilisation); math.Abs(got-want) > 1e-9 {
				t.Fatalf("instance %d, utilisation %v: %.12f, want %.12f for %v", k, utilisation, got, want, d)
			}
		}
	}
}

// TestOptimumOfTwoAgainstTheProgram takes two resources as one of many would be.
func TestOptimumOfTwoAgainstTheProgram(t *testing.T) {
	r := rng.New(2, "optimum")
	for k := range 60 {
		r.Key(uint64(k))
		d := random(r, 2+r.IntN(40), 2, k%4 == 0)
		for _, utilisation := range []bool{false, true} {
			fast, err := optimum(d, utilisation)
			slow, err2 := programOptimum(d, utilisation)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			a, b := Welfare(fast), Welfare(slow)
			if utilisation {
				a, b = d.Utilisation(fast), d.Utilisation(slow)
			}
			if math.Abs(a-b) > 1e-9 {
				t.Fatalf("instance %d, utilisation %v: %.12f by levels, %.12f by the program for %v", k, utilisation, a, b, d)
			}
		}
	}
}
