package fork

import (
	"math"
	"slices"
)

// WithTruth returns the multiples of the value that are tried, in order, with 1, the truth,
// among them.
func WithTruth(factors []float64) []float64 {
	all := slices.Clone(factors)
	if !slices.Contains(all, 1) {
		all = append(all, 1)
	}
	slices.Sort(all)
	return all
}

// Best is the place of the multiple with the greatest utility, of equally good ones that of
// the nearest to the truth.
func Best(factors, utility []float64) int {
	best := slices.Index(factors, 1)
	for f, u := range utility {
		if u > utility[best] || u == utility[best] && math.Abs(factors[f]-1) < math.Abs(factors[best]-1) {
			best = f
		}
	}
	return best
}
