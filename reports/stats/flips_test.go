package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFlips holds p-values against all choices of signs, and the ends of the interval against the
// test that it inverts.
func TestFlips(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	p := func(s, w []float64, shift float64, all int) float64 { // by definition
		n, found := 0, 0.0
		for c := range s {
			found += s[c] - shift*w[c]
		}
		for draw := range all {
			x := 0.0
			for c := range s {
				if d := s[c] - shift*w[c]; draw>>c&1 == 1 {
					x -= d
				} else {
					x += d
				}
			}
			if math.Abs(x) >= math.Abs(found)*(1-1e-12) {
				n++
			}
		}
		return float64(n) / float64(all)
	}
	for trial := range 300 {
		k := 1 + trial%13
		s, w := make([]float64, k), make([]float64, k)
		for c := range s {
			s[c], w[c] = r.NormFloat64()*math.Exp(2*r.NormFloat64())+2, float64(1+r.IntN(40))
		}
		f := FlipsOf(s, w, nil)
		want := p(s, w, 0, 1<<k)
		if slack := map[bool]float64{true: 0, false: .07}[k <= few]; math.Abs(f.P()-want) > slack {
			t.Fatalf("%d stretches: p = %g, by all signs %g", k, f.P(), want)
		}
		low, high := f.Interval(.05)
		if k > few {
			if low <= 0 == (high < 0) && (low <= 0 && high >= 0) != (f.P() > .05) {
				t.Fatalf("p = %g and the interval is %g to %g", f.P(), low, high)
			}
			continue
		}
		if k <= 5 {
			if !math.IsInf(low, -1) || !math.IsInf(high, 1) {
				t.Fatalf("%d stretches reject %g to %g", k, low, high)
			}
			continue
		}
		for _, end := range []float64{low, high} {
			out := math.Copysign(1e-6*(1+math.Abs(end)), end-Total(s)/Total(w))
			if in, out := p(s, w, end-out, 1<<k), p(s, w, end+out, 1<<k); in <= .05 || out > .05 {
				t.Fatalf("at the end %g p is %g within and %g beyond", end, in, out)
			}
		}
	}
}

// TestCommonSigns holds the correction for groups against its definition, and wants it to cost
// nothing where all groups are one.
func TestCommonSigns(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	keys := []int{3, 8, 11, 40, 41, 50, 77, 90, 91, 100, 120, 133}
	ones := slices.Repeat([]float64{1}, len(keys))
	var most [Draws]float64
	var all []*Flips
	for range 3 {
		s := make([]float64, len(keys))
		for c := range s {
			s[c] = r.NormFloat64() + .7
		}
		all = append(all, FlipsOf(s, ones, keys))
	}
	all[0].RaiseMost(&most)
	if p := all[0].PAmong(&most); p != all[0].P() {
		t.Errorf("corrected for itself p is %g, of %g", p, all[0].P())
	}
	for _, f := range all[1:] {
		f.RaiseMost(&most)
	}
	for _, f := range all {
		n := 0
		for d := range Draws {
			far := 0.0
			for _, g := range all {
				far = max(far, math.Abs(g.of[d])/g.scale)
			}
			if far >= math.Abs(f.sum)/f.scale*(1-1e-12) {
				n++
			}
		}
		if got := f.PAmong(&most); got != float64(n)/Draws || got < f.P() {
			t.Errorf("p is %g, want %d in %d, and no less than %g", got, n, Draws, f.P())
		}
	}
}

// TestEffective is 1 where one stretch holds all, and their number where all are alike.
func TestEffective(t *testing.T) {
	for want, s := range map[float64][]float64{0: {}, 1: {1e6, 1e-3}, 4: {3, -3, 3, 3}, 1.4705882352941178: {2, 1}} {
		if got := Effective(s); math.Abs(got-want) > 1e-6 {
			t.Errorf("%v: %g, want %g", s, got, want)
		}
	}
}
