package share

import (
	"math"
	"testing"

	"bourse/traces/rng"
)

// slowly is progressive filling in small steps: everybody has 1/n, and in each
// step the agent that `least` picks gets a little more, until that would not fit.
func slowly(d Demands, step float64, least func(a [][]float64) []int) []float64 {
	n, m := len(d), len(d[0])
	a := make([][]float64, n)
	left := make([]float64, m)
	for r := range left {
		left[r] = 1
	}
	grow := func(i int, x float64) {
		for r, v := range d[i] {
			a[i][r] += x * v
			left[r] -= x * v
		}
	}
	for i := range a {
		a[i] = make([]float64, m)
		grow(i, 1/float64(n))
	}
	for {
		for _, i := range least(a) {
			for r, v := range d[i] {
				if left[r] < step*v {
					x := make([]float64, n)
					for j := range a {
						for _, held := range a[j] {
							x[j] = max(x[j], held)
						}
					}
					return x
				}
			}
			grow(i, step)
		}
	}
}

// leastBy picks the agent of least g.
func leastBy(g func([]float64) float64) func([][]float64) []int {
	return func(a [][]float64) []int {
		best := 0
		for i := range a {
			if g(a[i]) < g(a[best]) {
				best = i
			}
		}
		return []int{best}
	}
}

// TestAgainstSmallSteps compares with filling in steps of 1e-5.
func TestAgainstSmallSteps(t *testing.T) {
	r := rng.New(1, "small steps")
	for k := range 60 {
		r.Key(uint64(k))
		d := random(r, 2+r.IntN(5), 2+r.IntN(2), false)
		for _, g := range []Monotone{Most, Sum, Product, Coordinate(1), Norm(2)} {
			got := share(t, Family(g, nil), d)
			wantShares(t, "family:"+g.Name, got, slowly(d, 1e-5, leastBy(g.At)), 1e-4)
		}
		major := d.Majority(nil)
		wantShares(t, "unb", share(t, UNB, d), slowly(d, 1e-5, leastBy(func(v []float64) float64 { return v[major] })), 1e-4)
	}
}

// TestBalanceAgainstSmallSteps raises in each step the group that is behind the
// ratio R1 : R2.
func TestBalanceAgainstSmallSteps(t *testing.T) {
	r := rng.New(2, "small steps")
	for k := range 100 {
		r.Key(uint64(k))
		d := random(r, 2+r.IntN(5), 2, false)
		if a := d.Alpha(); a == 0 {
			continue
		}
		n := float64(len(d))
		p, err := newPair(d)
		if err != nil {
			t.Fatal(err)
		}
		group := make([]int, len(d))
		for _, i := range p.groups[1].agents {
			group[i] = 1
		}
		left, least := [2]float64{1, 1}, [2]float64{1, 1}
		for i, row := range d {
			left[0] -= row[0] / n
			left[1] -= row[1] / n
			least[1-group[i]] = min(least[1-group[i]], row[1-group[i]])
		}
		for _, star := range []bool{false, true} {
			ratio, m := left, BAL
			if star {
				ratio, m = [2]float64{left[0] + least[0]/n, left[1] + least[1]/n}, BALStar
			}
			added := [2]float64{}
			pick := func(a [][]float64) []int {
				behind := 0
				if added[0]*ratio[1] > added[1]*ratio[0] {
					behind = 1
				}
				added[behind] += 1e-5
				best := -1
				for i := range a {
					if group[i] == behind && (best < 0 || a[i][1-behind] < a[best][1-behind]) {
						best = i
					}
				}
				return []int{best}
			}
			want := slowly(d, 1e-5, pick)
			if left[0] < 1e-9 || left[1] < 1e-9 {
				want = slowly(d, 1, pick) // nothing fits
			}
			wantShares(t, map[bool]string{false: "bal", true: "bal*"}[star], share(t, m, d), want, 2e-4)
		}
	}
}

// TestLevelsAgainstBisection compares levels by sorting with those of the
// general solver, which bisects.
func TestLevelsAgainstBisection(t *testing.T) {
	r := rng.New(1, "levels")
	for k := range 150 {
		r.Key(uint64(k))
		d := random(r, 1+r.IntN(8), 2+r.IntN(3), false)
		for _, g := range []Monotone{Sum, Product, Least, Coordinate(2), Norm(1.5)} {
			general := g
			general.Degree = 0
			wantShares(t, g.Name, share(t, Family(general, nil), d), share(t, Family(g, nil), d), 1e-9)
		}
		squares := Monotone{Name: "squares", Degree: 2, At: func(v []float64) float64 {
			sum := 0.0
			for _, x := range v {
				sum += x * x
			}
			return sum
		}}
		wantShares(t, "sum of squares", share(t, Family(squares, nil), d), share(t, Family(Norm(2), nil), d), 1e-12)
	}
}

// TestGeneralFamily takes functions that no power law describes: one that
// jumps and one whose slope changes by orders of magnitude.
func TestGeneralFamily(t *testing.T) {
	jump := Monotone{Name: "jump", At: func(v []float64) float64 {
		s := v[0] + v[1]
		if s > .3 {
			s += 10
		}
		return s
	}}
	bent := Monotone{Name: "bent", At: func(v []float64) float64 { return math.Expm1(20*v[0]) + v[1] }}
	r := rng.New(1, "general family")
	for k := range 100 {
		r.Key(uint64(k))
		d := random(r, 2+r.IntN(6), 2, false)
		for _, g := range []Monotone{jump, bent} {
			m := Family(g, nil)
			x := share(t, m, d)
			for _, e := range CheckAllocation(d, x) {
				if !e.Holds {
					t.Fatalf("%s gives %v of %v: %v", g.Name, x, d, e)
				}
			}
			if k%10 == 0 {
				wantShares(t, g.Name, x, slowly(d, 1e-5, leastBy(g.At)), 1e-4)
			}
			if lie, err := (Probe{Tries: 8, Agents: 2, Seed: uint64(k)}).Search(m, d); err != nil || lie.Gain > Tolerance {
				t.Fatalf("%s: %+v of %v (%v)", g.Name, lie, d, err)
			}
		}
	}
	if _, err := Family(Monotone{Name: "falling", At: func(v []float64) float64 { return -v[0] }},
		nil)(Demands{{1, .5}, {.5, 1}}); err == nil {
		t.Error("a falling function should be refused")
	}
}
