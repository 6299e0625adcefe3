package stats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"bourse/policies"
)

// Estimate is a mean with half the width of its 95 % confidence interval, which is NaN where
// there is none, and how far the middle of the interval is from the mean.
type Estimate struct{ Mean, Half, Shift float64 }

// Total adds numbers up, one after the other.
func Total(x []float64) (all float64) {
	for _, v := range x {
		all += v
	}
	return all
}

// Exactly is a figure without an interval.
func Exactly(x float64) Estimate { return Estimate{Mean: x, Half: math.NaN()} }

// Between is the estimate with an interval from low to high; without one if that has no end.
func (e Estimate) Between(low, high float64) Estimate {
	if math.IsInf(low, 0) || math.IsInf(high, 0) {
		return Exactly(e.Mean)
	}
	return Estimate{e.Mean, float64((high - low) / 2), float64((high+low)/2) - e.Mean}
}

// EstimateOf returns the mean of independent samples and its interval by Student's
// t, which is right also for the few seeds or instances of a study.
func EstimateOf(samples []float64) Estimate { return EstimateAt(samples, .05) }

// EstimateAt is EstimateOf with an interval that is wrong with probability alpha.
func EstimateAt(samples []float64, alpha float64) Estimate {
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
	t := math.Round(student(n-1).quantile(1-float64(alpha/2))*1e9) / 1e9
	return Estimate{Mean: mean, Half: t * math.Sqrt(squares.Value()/(n-1)/n)}
}

// RatioOf returns the ratio of two sums over the same independent samples and its interval,
// by what the samples differ from that ratio (linearisation).
func RatioOf(over, under []float64) Estimate {
	var a, b policies.Sum
	for i := range over {
		a.Add(over[i])
		b.Add(under[i])
	}
	if b.Value() == 0 {
		return Exactly(0)
	}
	ratio, mean := a.Value()/b.Value(), b.Value()/float64(len(under))
	return Estimate{Mean: ratio, Half: EstimateOver(len(over),
		func(i int) float64 { return (over[i] - float64(ratio*under[i])) / mean }).Half}
}

// Skewed reports whether one term is above a tenth of a sum: a sample of such terms says too little of what it
// has missed for an interval by Student's t.
func Skewed(terms []float64) bool {
	var sum, most float64
	for _, x := range terms {
		sum, most = sum+math.Abs(x), max(most, math.Abs(x))
	}
	return most > sum/10
}

// EstimateOver is EstimateOf for a sample of each i below n.
func EstimateOver(n int, sample func(i int) float64) Estimate {
	samples := make([]float64, n)
	for i := range samples {
		samples[i] = sample(i)
	}
	return EstimateOf(samples)
}

// Known reports whether there is an interval.
func (e Estimate) Known() bool { return !math.IsNaN(e.Half) }

// Tie reports whether the interval contains 0. A single sample has none.
func (e Estimate) Tie() bool { return !e.Known() || e.Low() <= 0 && e.High() >= 0 }

// Low is the lower end of the interval, the mean if there is none.
func (e Estimate) Low() float64 {
	if !e.Known() {
		return e.Mean
	}
	return e.Mean + e.Shift - e.Half
}

// High is the upper end of the interval, the mean if there is none.
func (e Estimate) High() float64 {
	if !e.Known() {
		return e.Mean
	}
	return e.Mean + e.Shift + e.Half
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

// MarshalJSON writes the mean, null if it is NaN, and if there is an interval the distance of its
// farther end as half_interval, and both ends where they are not as far.
func (e Estimate) MarshalJSON() ([]byte, error) {
	var out struct {
		Value *float64 `json:"value"`
		Half  *float64 `json:"half_interval,omitempty"`
		Low   *float64 `json:"low,omitempty"`
		High  *float64 `json:"high,omitempty"`
	}
	if !math.IsNaN(e.Mean) {
		out.Value = &e.Mean
	}
	if e.Known() {
		half := e.Half + math.Abs(e.Shift)
		out.Half = &half
		if low, high := e.Low(), e.High(); e.Shift != 0 {
			out.Low, out.High = &low, &high
		}
	}
	return json.Marshal(out)
}

// Quantile is the ceil(q n)-th least of a sorted sample (nearest rank).
func Quantile(sorted []float64, q float64) float64 {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

// PValue is the probability of a mean at least this far from 0 if the samples, independent
// and normal, had a mean of 0: by Student's t, of both sides. It is 1 where all are 0, and
// NaN for fewer than two samples and for copies of another number, which prove nothing.
func PValue(samples []float64) float64 {
	e := EstimateOf(samples)
	n := float64(len(samples))
	if n < 2 || slices.Min(samples) == slices.Max(samples) {
		if n > 1 && samples[0] == 0 {
			return 1
		}
		return math.NaN()
	}
	t := math.Abs(e.Mean) / e.Half * student(n-1).quantile(0.975)
	return math.Round(2*student(n-1).beyond(t)*1e9) / 1e9 // the last digits differ between machines
}

// Holm corrects p-values for their number: the probability that any true hypothesis among
// those rejected below alpha is rejected is at most alpha (Holm 1979). NaN stays, and does
// not count.
func Holm(p []float64) []float64 {
	out := slices.Clone(p)
	var order []int
	for i, x := range p {
		if !math.IsNaN(x) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(len(order)-rank)*p[i]))
		out[i] = least
	}
	return out
}

// Ranks are the places of values in order, the least being 1; equal ones share their mean.
func Ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	at := make([]float64, len(values))
	for begin, end := 0, 0; begin < len(order); begin = end {
		for end < len(order) && values[order[end]] == values[order[begin]] {
			end++
		}
		for _, i := range order[begin:end] {
			at[i] = float64(begin+end+1) / 2
		}
	}
	return at
}
