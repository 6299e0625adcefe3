package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"bourse/policies"
)

// Estimate is a mean with half the width of its 95 % confidence interval, which is
// NaN where there are fewer than two samples.
type Estimate struct{ Mean, Half float64 }

// Exactly is a figure without an interval.
func Exactly(x float64) Estimate { return Estimate{x, math.NaN()} }

// EstimateOf returns the mean of independent samples and its interval by Student's
// t, which is right also for the few seeds or instances of a study.
func EstimateOf(samples []float64) Estimate {
	n := float64(len(samples))
	var sum, squares policies.Sum
	for _, x := range samples {
		sum.Add(x)
	}
	mean := sum.Value() / max(n, 1)
	for _, x := range samples {
		squares.Add(float64((x - mean) * (x - mean)))
	}
	if n < 2 {
		return Exactly(mean)
	}
	// The quantile's last digits differ between machines; nine behind the point do not.
	t := math.Round(distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975)*1e9) / 1e9
	return Estimate{mean, t * math.Sqrt(squares.Value()/(n-1)/n)}
}

// Known reports whether there is an interval.
func (e Estimate) Known() bool { return !math.IsNaN(e.Half) }

// Tie reports whether the interval contains 0. A single sample has none.
func (e Estimate) Tie() bool { return !e.Known() || math.Abs(e.Mean) <= e.Half }

// Low is the lower end of the interval, the mean if there is none.
func (e Estimate) Low() float64 {
	if !e.Known() {
		return e.Mean
	}
	return e.Mean - e.Half
}

// High is the upper end of the interval, the mean if there is none.
func (e Estimate) High() float64 {
	if !e.Known() {
		return e.Mean
	}
	return e.Mean + e.Half
}

// String writes the mean and the half-width with three decimals.
func (e Estimate) String() string { return e.Text("%.3f") }

// Text writes the mean in the given format, and the half-width in the same but for
// a plus sign.
func (e Estimate) Text(format string) string {
	if !e.Known() {
		return fmt.Sprintf(format, e.Mean)
	}
	return fmt.Sprintf(format+" ±"+strings.Replace(format, "+", "", 1), e.Mean, e.Half)
}

// MarshalJSON writes the mean, and the half-width if there is one.
func (e Estimate) MarshalJSON() ([]byte, error) {
	out := struct {
		Value float64  `json:"value"`
		Half  *float64 `json:"half_interval,omitempty"`
	}{Value: e.Mean}
	if e.Known() {
		out.Half = &e.Half
	}
	return json.Marshal(out)
}

// batches is the number of batches of PairedBatches.
const batches = 20

// PairedBatches returns the mean of b - a over pairs with its 95 % confidence
// interval by the method of batch means: the pairs are cut into
// twenty batches of neighbours, whose means depend on each other much less than
// single values do (Feitelson, "Metrics for parallel job scheduling and their
// convergence", JSSPP 2001). There is no interval for fewer than two pairs a batch.
func PairedBatches(a, b []float64) Estimate {
	mean := 0.0
	n := len(a)
	var means [batches]float64
	for k := range means {
		from, to := k*n/batches, (k+1)*n/batches
		var s policies.Sum
		for i := from; i < to; i++ {
			s.Add(b[i] - a[i])
		}
		mean += s.Value() / float64(max(n, 1))
		means[k] = s.Value() / float64(max(to-from, 1))
	}
	if n < 2*batches {
		return Exactly(mean)
	}
	return Estimate{mean, EstimateOf(means[:]).Half}
}
