package model

import (
	"math"
	"slices"
	"testing"

	"bourse/traces/google"
	"bourse/traces/rng"
)

// TestCurve: the quantiles of what a curve yields are those it is made of.
func TestCurve(t *testing.T) {
	const n = 200_000
	r := rng.New(1, "test")
	for i := range measuredTiers {
		law := measuredTiers[i].wait
		values := make([]float64, n)
		for k := range values {
			values[k] = law.draw(r, valueGrid[:])
		}
		slices.Sort(values)
		for g, q := range valueGrid {
			if got := values[min(n-1, int(q*n))]; q > 0 && q < 0.999 && math.Abs(got/law[g]-1) > 0.1 {
				t.Errorf("%s: quantile %v of the wait is %v, want %v", measuredTiers[i].name, q, got, law[g])
			}
		}
	}
}

// TestLife measures hazards anew on lives that were drawn from them.
func TestLife(t *testing.T) {
	const n = 300_000
	r := rng.New(2, "test")
	for i := range measuredTiers {
		p := &measuredTiers[i].arriving
		var events [lifeBins][4]float64
		var exposure [lifeBins]float64
		for range n {
			life, cause := p.life(exponential(r), r.Float64())
			for b, from := range lifeEdges {
				to := math.Inf(1)
				if b+1 < lifeBins {
					to = lifeEdges[b+1]
				}
				if life < from {
					break
				}
				exposure[b] += min(life, to) - from
				if life < to {
					events[b][cause]++
				}
			}
		}
		for b := range lifeBins {
			for c := range 4 {
				want := float64(p.ends[b][c] * exposure[b])
				if got := events[b][c]; math.Abs(got-want) > 5*math.Sqrt(want)+1 {
					t.Errorf("%s, bin %d, cause %d: %v ends, %.0f expected", measuredTiers[i].name, b, c, got, want)
				}
			}
		}
	}
}

// TestTables looks at what the tables must be whatever was measured.
func TestTables(t *testing.T) {
	jobs := 0.0
	for i := range measuredTiers {
		x := &measuredTiers[i]
		jobs += x.arriving.jobs
		for _, p := range []*population{&x.before, &x.arriving} {
			for _, list := range [][]weighted{p.few.priority, p.few.class, p.few.cpu, p.many.priority, p.many.class, p.many.cpu} {
				sum := 0.0
				for _, w := range list {
					sum += w.share
				}
				if math.Abs(sum-1) > 0.02 {
					t.Errorf("%s: shares sum up to %v", x.name, sum)
				}
			}
			for _, w := range p.few.priority {
				if tierOf(int(w.value)) != i {
					t.Errorf("%s: priority %v", x.name, w.value)
				}
			}
			if len(p.size) != len(sizeGrid) || len(p.memory) != len(valueGrid) || !slices.IsSorted(p.size) || !slices.IsSorted(p.memory) {
				t.Errorf("%s: a curve is none", x.name)
			}
			if total(&p.ends[lifeBins-1]) <= 0 {
				t.Errorf("%s: who grows old lives for ever", x.name)
			}
		}
	}
	if math.Abs(jobs-1) > 0.01 {
		t.Errorf("tiers have %v of the jobs", jobs)
	}
}

// TestUsers: the law of users comes near what was measured.
func TestUsers(t *testing.T) {
	sums, real := userShares(), 0.0
	for i, share := range topUsers {
		real += share
		if math.Abs(sums[i]-real) > 0.03 {
			t.Errorf("the first %d users have %.3f of the jobs, in the trace %.3f", i+1, sums[i], real)
		}
	}
}

// TestWarp: shares of the jobs come in the hours that have them.
func TestWarp(t *testing.T) {
	o := Options{Days: 2.03}
	w := newWarp(&o)
	if w.time(0) != google.WindowStart || w.time(1) != o.end() {
		t.Fatalf("from %v to %v", w.time(0), w.time(1))
	}
	const n = 480_000
	var got [24]float64
	for i := range n {
		if k := int((w.time((float64(i)+0.5)/n) - google.WindowStart) / hour); k < 24 {
			got[k]++
		}
	}
	day := 0.0
	for _, h := range hours {
		day += h
	}
	for k := range got {
		if want := hours[k] / day * sum(got[:]); math.Abs(got[k]-want) > 2 {
			t.Errorf("hour %d: %v jobs, want %v", k, got[k], want)
		}
	}
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}
