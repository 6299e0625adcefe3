package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPairedBatches wants the mean to be the mean, the interval to be that of a
// normal sample of twenty, and to cover the truth about as often as it says.
func TestPairedBatches(t *testing.T) {
	a, b := make([]float64, 40), make([]float64, 40)
	for i := range b {
		b[i] = float64(i / 2) // batch means 0 .. 19
	}
	mean, half, ok := PairedBatches(a, b)
	if want := 2.0930240544 * math.Sqrt(35) / math.Sqrt(20); math.Abs(mean-9.5) > 1e-12 || math.Abs(half-want) > 1e-9 || !ok {
		t.Errorf("mean %v, half width %v, want 9.5 and %v", mean, half, want)
	}
	if mean, _, ok := PairedBatches([]float64{1, 2}, []float64{2, 5}); ok || mean != 2 {
		t.Errorf("two pairs: mean %v, interval %v", mean, ok)
	}
	r, covered := rand.New(rand.NewPCG(1, 2)), 0
	for range 2000 {
		x, y := make([]float64, 400), make([]float64, 400)
		for i := range x {
			x[i] = r.ExpFloat64()
			y[i] = x[i] + 3 + r.NormFloat64()
		}
		if mean, half, _ := PairedBatches(x, y); math.Abs(mean-3) <= half {
			covered++
		}
	}
	if covered < 1860 || covered > 1940 {
		t.Errorf("the 95 %% interval covers the truth %d times of 2000", covered)
	}
}
