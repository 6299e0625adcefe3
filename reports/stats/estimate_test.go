package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

// TestEstimateOf against values worked out by hand: for 1, 2, 3 the deviation is 1
// and t at two degrees of freedom 4.3027.
func TestEstimateOf(t *testing.T) {
	for _, c := range []struct {
		samples    []float64
		mean, half float64
		text       string
	}{
		{[]float64{1, 2, 3}, 2, 4.302652729911275 / math.Sqrt(3), "2.000 ±2.484"},
		{[]float64{1, 2, 3, 4}, 2.5, 3.182446305284263 * math.Sqrt(5./3/4), "2.500 ±2.054"},
		{[]float64{4, 6}, 5, 12.706204736432095, "5.000 ±12.706"}, // by the normal distribution 1.96
		{[]float64{3, 3, 3}, 3, 0, "3.000 ±0.000"},
	} {
		e := EstimateOf(c.samples)
		if math.Abs(e.Mean-c.mean) > 1e-12 || math.Abs(e.Half-c.half) > 1e-6 || e.String() != c.text || !e.Known() {
			t.Errorf("of %v: %v with half-width %v, printed %v", c.samples, e.Mean, e.Half, e)
		}
		if e.Low() != e.Mean-e.Half || e.High() != e.Mean+e.Half {
			t.Errorf("of %v: from %v to %v", c.samples, e.Low(), e.High())
		}
	}
	if one := EstimateOf([]float64{7}); one.Mean != 7 || one.Known() || !one.Tie() || one.String() != "7.000" ||
		one.Low() != 7 || one.High() != 7 {
		t.Errorf("of one sample: %v", one)
	}
	if none := EstimateOf(nil); none.Mean != 0 || none.Known() {
		t.Errorf("of nothing: %v", none)
	}
	if e := (Estimate{Mean: 2, Half: 1.5}); e.Tie() || e.Text("%+.1f") != "+2.0 ±1.5" {
		t.Errorf("printed %s", e.Text("%+.1f"))
	}
	if !(Estimate{Mean: -1, Half: 1.5}).Tie() {
		t.Error("an interval from -2.5 to 0.5 holds 0")
	}
}

// TestEstimateJSON wants no half-width where there is no interval.
func TestEstimateJSON(t *testing.T) {
	for want, e := range map[string]Estimate{`{"value":2,"half_interval":0.5}`: {Mean: 2, Half: 0.5},
		`{"value":2,"half_interval":1.5,"low":1.5,"high":3.5}`: Exactly(2).Between(1.5, 3.5), `{"value":3}`: Exactly(3).Between(math.Inf(-1), 2),
		`{"value":5}`: EstimateOf([]float64{5}), `{"value":7}`: Exactly(7)} {
		if got, err := json.Marshal(e); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}

// TestCoverage wants the interval of a few samples to hold the true mean about as
// often as it says.
func TestCoverage(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 3, 5, 30} {
		covered := 0
		for range 4000 {
			x := make([]float64, n)
			for i := range x {
				x[i] = 10 + r.NormFloat64()
			}
			if e := EstimateOf(x); e.Low() <= 10 && 10 <= e.High() {
				covered++
			}
		}
		if covered < 3750 || covered > 3850 {
			t.Errorf("%d samples: the 95 %% interval holds the mean in %d of 4000", n, covered)
		}
	}
}

func TestRanks(t *testing.T) {
	got := Ranks([]float64{3, 1, 3, 2})
	for i, want := range []float64{3.5, 1, 3.5, 2} {
		if got[i] != want {
			t.Errorf("rank %d is %g, want %g", i, got[i], want)
		}
	}
}
