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
	e := PairedBatches(a, b)
	if want := 2.0930240544 * math.Sqrt(35) / math.Sqrt(20); math.Abs(e.Mean-9.5) > 1e-12 || !(math.Abs(e.Half-want) <= 1e-9) {
		t.Errorf("mean %v, half width %v, want 9.5 and %v", e.Mean, e.Half, want)
	}
	if e := PairedBatches([]float64{1, 2}, []float64{2, 5}); e.Known() || e.Mean != 2 {
		t.Errorf("two pairs: %+v", e)
	}
	r, covered := rand.New(rand.NewPCG(1, 2)), 0
	for range 2000 {
		x, y := make([]float64, 400), make([]float64, 400)
		for i := range x {
			x[i] = r.ExpFloat64()
			y[i] = x[i] + 3 + r.NormFloat64()
		}
		if e := PairedBatches(x, y); math.Abs(e.Mean-3) <= e.Half {
			covered++
		}
	}
	if covered < 1860 || covered > 1940 {
		t.Errorf("the 95 %% interval covers the truth %d times of 2000", covered)
	}
}
