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
	for i := range measured().Tiers {
		law := measured().Tiers[i].Wait
		values := make([]float64, n)
		for k := range values {
			values[k] = law.draw(r, valueGrid[:])
		}
		slices.Sort(values)
		for g, q := range valueGrid {
			if got := values[min(n-1, int(q*n))]; q > 0 && q < 0.999 && math.Abs(got/law[g]-1) > 0.1 {
				t.Errorf("%s: quantile %v of the wait is %v, want %v", measured().Tiers[i].Name, q, got, law[g])
			}
		}
	}
}

// TestLife measures hazards anew on lives that were drawn from them.
func TestLife(t *testing.T) {
	const n = 300_000
	r := rng.New(2, "test")
	for i := range measured().Tiers {
		p := &measured().Tiers[i].Arriving
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
				want := float64(p.Ends[b][c] * exposure[b])
				if got := events[b][c]; math.Abs(got-want) > 5*math.Sqrt(want)+1 {
					t.Errorf("%s, bin %d, cause %d: %v ends, %.0f expected", measured().Tiers[i].Name, b, c, got, want)
				}
			}
		}
	}
}

// TestTables looks at what the tables must be whatever was measured.
func TestTables(t *testing.T) {
	jobs := 0.0
	for i := range measured().Tiers {
		x := &measured().Tiers[i]
		jobs += x.Arriving.Jobs
		for _, p := range []*population{&x.Before, &x.Arriving} {
			for _, list := range [][]weighted{p.Few.Priority, p.Few.Class, p.Few.CPU, p.Many.Priority, p.Many.Class,
				p.Many.CPU} {
				sum := 0.0
				for _, w := range list {
					sum += w.Share
				}
				if math.Abs(sum-1) > 0.02 {
					t.Errorf("%s: shares sum up to %v", x.Name, sum)
				}
			}
			for _, w := range p.Few.Priority {
				if tierOf(int(w.Value)) != i {
					t.Errorf("%s: priority %v", x.Name, w.Value)
				}
			}
			if len(p.Size) != len(sizeGrid) || len(p.Memory) != len(valueGrid) || !slices.IsSorted(p.Size) ||
				!slices.IsSorted(p.Memory) {
				t.Errorf("%s: a curve is none", x.Name)
			}
			if total(&p.Ends[lifeBins-1]) <= 0 {
				t.Errorf("%s: who grows old lives for ever", x.Name)
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
	for i, share := range measured().TopUsers {
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
	for _, h := range measured().Hours {
		day += h
	}
	for k := range got {
		if want := measured().Hours[k] / day * sum(got[:]); math.Abs(got[k]-want) > 2 {
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
