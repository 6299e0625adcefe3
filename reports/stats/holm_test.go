package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPValue holds Student's t against all ways to turn the signs of the samples: for
// symmetric samples both say how often a mean is so far from 0 by chance.
func TestPValue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		x, shift := make([]float64, 12), r.Float64()*1.2
		for i := range x {
			x[i] = r.NormFloat64() + shift
		}
		sum := func(signs int) (s float64) {
			for i := range x {
				if signs>>i&1 == 1 {
					s -= x[i]
				} else {
					s += x[i]
				}
			}
			return math.Abs(s)
		}
		as := 0
		for signs := range 1 << len(x) {
			if sum(signs) >= sum(0)-1e-12 {
				as++
			}
		}
		exact := float64(as) / float64(int(1)<<len(x))
		if p := PValue(x); math.Abs(p-exact) > 0.02+0.1*exact {
			t.Errorf("p is %g, by permutation %g", p, exact)
		}
		if e := EstimateOf(x); (PValue(x) < 0.05) == e.Tie() {
			t.Errorf("p is %g and the interval %v", PValue(x), e)
		}
	}
	if p := PValue([]float64{0, 0, 0}); p != 1 {
		t.Errorf("no difference has p = %g", p)
	}
	for _, x := range [][]float64{nil, {3}, {2, 2, 2}} {
		if p := PValue(x); !math.IsNaN(p) {
			t.Errorf("%v has p = %g", x, p)
		}
	}
}

// TestHolm holds the correction against its definition, which rejects the least p-values one
// after the other, at every level.
func TestHolm(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		p := make([]float64, 1+r.IntN(8))
		for i := range p {
			p[i] = math.Pow(r.Float64(), 3)
		}
		adjusted := Holm(p)
		for _, level := range []float64{.001, .01, .05, .2, .5, .9} {
			sorted := slices.Clone(p)
			slices.Sort(sorted)
			rejected := 0
			for rejected < len(p) && sorted[rejected] <= level/float64(len(p)-rejected) {
				rejected++
			}
			for i := range p {
				if want := slices.Index(sorted, p[i]) < rejected; (adjusted[i] <= level) != want {
					t.Fatalf("%v at %g: %v", p, level, adjusted)
				}
			}
		}
	}
	if got := Holm([]float64{.04, math.NaN(), .01}); got[0] != .04 || !math.IsNaN(got[1]) || got[2] != .02 {
		t.Errorf("%v", got)
	}
}
