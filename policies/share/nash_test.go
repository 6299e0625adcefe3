package share

import (
	"math"
	"math/rand/v2"
	"testing"
)

func about(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance*max(1, math.Abs(b)) }

// TestNashExamples: 9 CPU and 18 GB for tasks of (1, 4) and (3, 1); Ghodsi et al. 2011: 100
// and 100 for tasks of (16, 1) and (1, 2), and what agent 1 gains by asking for (16, 8).
func TestNashExamples(t *testing.T) {
	for _, c := range []struct {
		total  [2]float64
		tasks  [2][2]float64
		limits []float64
		want   [2]float64 // dominant shares, or tasks
		count  bool
	}{
		{total: [2]float64{9, 18}, tasks: [2][2]float64{{1, 4}, {3, 1}}, want: [2]float64{10. / 11, 6. / 11}},
		{total: [2]float64{9, 18}, tasks: [2][2]float64{{1, 4}, {3, 1}}, want: [2]float64{45. / 11, 18. / 11}, count: true},
		{total: [2]float64{9, 18}, tasks: [2][2]float64{{1, 4}, {3, 1}}, limits: []float64{.5, 1}, want: [2]float64{.5, .75}},
		{total: [2]float64{100, 100}, tasks: [2][2]float64{{16, 1}, {1, 2}}, want: [2]float64{100. / 31, 1500. / 31},
			count: true},
		{total: [2]float64{100, 100}, tasks: [2][2]float64{{16, 8}, {1, 2}}, want: [2]float64{25. / 6, 100. / 3},
			count: true},
	} {
		raw := [][]float64{}
		for _, task := range c.tasks {
			raw = append(raw, []float64{task[0] / c.total[0], task[1] / c.total[1]})
		}
		d, err := Normalise(raw)
		if err != nil {
			t.Fatal(err)
		}
		limits := c.limits
		if limits == nil {
			limits = []float64{math.Inf(1), math.Inf(1)}
		}
		got := LimitedNash().Share(d, limits)
		if one, _ := WeightedNash(nil)(d); c.limits == nil && (one[0] != got[0] || one[1] != got[1]) {
			t.Errorf("%v: %v with infinite limits, %v without", c.tasks, got, one)
		}
		for i, want := range c.want {
			if x := got[i]; c.count {
				got[i] = x / max(raw[i][0], raw[i][1])
			}
			if !about(got[i], want, 1e-9) {
				t.Errorf("tasks %v: agent %d gets %g, want %g", c.tasks, i+1, got[i], want)
			}
		}
	}
}

// slowNash bisects each price to the end, the next ones inside.
func slowNash(d Demands, limits []float64) []float64 {
	m, y := len(d[0]), make([]float64, len(d))
	prices := make([]float64, m)
	used := func(r int) (u float64) {
		for i, row := range d {
			cost := 0.0
			for k := range row {
				cost += prices[k] * row[k]
			}
			if y[i] = min(limits[i], 1/cost); row[r] > 0 {
				u += y[i] * row[r]
			}
		}
		return u
	}
	var solve func(r int)
	solve = func(r int) {
		if r == m {
			return
		}
		low, high := 0.0, 2*float64(len(d))
		for range 45 {
			prices[r] = low + (high-low)/2
			if solve(r + 1); used(r) > 1 {
				low = prices[r]
			} else {
				high = prices[r]
			}
		}
		prices[r] = high
		if high < 1e-12 {
			prices[r] = 0
		}
		solve(r + 1)
	}
	solve(0)
	used(0)
	return y
}

// TestNashTwin follows a series of instances, from one's prices to the next's.
func TestNashTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	l := LimitedNash()
	for n := range 400 {
		d := randomDemands(r, 1+n%2+n%40/39)
		limits := make([]float64, len(d))
		for i := range limits {
			if limits[i] = r.Float64() * 3 / float64(len(d)); r.IntN(4) == 0 {
				limits[i] = 1
			}
		}
		want := slowNash(d, limits)
		for i, got := range l.Share(d, limits) {
			if !about(got, want[i], 1e-7) {
				t.Fatalf("%v, limits %v: agent %d gets %.12g, by bisection %.12g", d, limits, i+1, got, want[i])
			}
		}
	}
}

// TestNashProperties wants sharing incentive as far as agents want it, no envy, Pareto
// optimality, and on one resource what DRF gives.
func TestNashProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	l, drf := LimitedNash(), LimitedDRF()
	for n := range 3000 {
		m := 1 + n%3
		d := randomDemands(r, m)
		limits := make([]float64, len(d))
		for i := range limits {
			limits[i] = r.Float64() * 3 / float64(len(d))
		}
		y := l.Share(d, limits)
		used := d.Used(y)
		for i := range y {
			if y[i] < min(1/float64(len(d)), limits[i])-1e-9 {
				t.Fatalf("%v, limits %v: agent %d gets %g, less than an equal part", d, limits, i+1, y[i])
			}
			held := y[i] >= limits[i]-1e-9
			for k, v := range d[i] {
				held = held || v > 0 && used[k] > 1-1e-9
			}
			if !held {
				t.Fatalf("%v, limits %v: agent %d could have more than %g", d, limits, i+1, y[i])
			}
			for j := range y {
				bundle := limits[i]
				for k, v := range d[i] {
					if v > 0 {
						bundle = min(bundle, y[j]*d[j][k]/v)
					}
				}
				if bundle > y[i]+1e-9 {
					t.Fatalf("%v, limits %v: agent %d envies %d", d, limits, i+1, j+1)
				}
			}
		}
		for _, u := range used {
			if u > 1+1e-12 {
				t.Fatalf("%v: %g of a resource", d, u)
			}
		}
		if m == 1 {
			for i, want := range drf.Share(d, limits) {
				if !about(y[i], want, 1e-9) {
					t.Fatalf("one resource: %g, drf %g", y[i], want)
				}
			}
		}
	}
}

func BenchmarkNash(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 3))
	d, limits := make(Demands, 100), make([]float64, 100)
	for i := range d {
		d[i], limits[i] = []float64{1, r.Float64()}, .03*r.Float64()
		if r.IntN(2) == 0 {
			d[i][0], d[i][1] = d[i][1], 1
		}
	}
	l := LimitedNash()
	for b.Loop() {
		i := r.IntN(100)
		limits[i] = .03 * r.Float64()
		l.Share(d, limits)
	}
}
