package payment

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
)

// shapleyByDefinition is the mean over all orders of the players of what each adds to the largest peak.
func shapleyByDefinition(peaks []float64) []float64 {
	phi, orders := make([]float64, len(peaks)), 0.0
	var visit func(order []int)
	visit = func(order []int) {
		if len(order) == len(peaks) {
			orders++
			top := 0.0
			for _, i := range order {
				phi[i] += max(top, peaks[i]) - top
				top = max(top, peaks[i])
			}
			return
		}
		for i := range peaks {
			if !slices.Contains(order, i) {
				visit(append(slices.Clone(order), i))
			}
		}
	}
	visit(nil)
	for i := range phi {
		phi[i] /= orders
	}
	return phi
}

// apportionByDefinition divides the cost by the whole seconds of a demand, block by block.
func apportionByDefinition(demand []float64, first int, levels []int, cost float64) (prices []float64) {
	if len(levels) == 0 {
		use := 0.0
		for _, d := range demand {
			use += d
		}
		for range demand {
			if use == 0 {
				prices = append(prices, 0)
			} else {
				prices = append(prices, cost/use)
			}
		}
		return prices
	}
	var peaks, uses []float64
	for from := 0; from < len(demand); from += levels[0] {
		peak, use := 0.0, 0.0
		for _, d := range demand[from:min(len(demand), from+levels[0])] {
			peak, use = max(peak, d), use+d
		}
		peaks, uses = append(peaks, peak), append(uses, use)
	}
	phi, sum := shapleyByDefinition(peaks), 0.0
	for i := range phi {
		phi[i] *= uses[i]
		sum += phi[i]
	}
	for i := range phi {
		from, part := i*levels[0], 0.0
		if sum > 0 {
			part = cost * phi[i] / sum
		}
		prices = append(prices, apportionByDefinition(demand[from:min(len(demand), from+levels[0])], first+from, levels[1:],
			part)...)
	}
	return prices
}

// TestApportionAgainstDefinition compares prices with those of the definition, for demands second by second and levels
// that need not divide each other.
func TestApportionAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 24).Draw(t, "seconds")
		demand, at := make([]float64, n), make([]events.Time, n)
		for i := range demand {
			demand[i], at[i] = float64(rapid.IntRange(0, 4).Draw(t, "demand")), events.Time(i+3)*events.Second
		}
		demand[0]++
		upper := rapid.IntRange((n+5)/6, n+3).Draw(t, "upper")
		levels := []int{upper}
		if lower := (upper + 3) / 4; lower < upper {
			levels = append(levels, lower)
		}
		var lengths []events.Time
		for _, l := range levels {
			lengths = append(lengths, events.Time(l)*events.Second)
		}
		prices, err := Apportion(events.NewSteps(at, demand, events.Nowhere), lengths, 1000)
		if err != nil {
			t.Fatal(err)
		}
		want, paid, k := apportionByDefinition(demand, 0, levels, 1000), 0.0, 0
		for i := range demand {
			for prices[k].To <= at[i] {
				k++
			}
			if math.Abs(prices[k].PerUnit-want[i]) > 1e-9*max(1, want[i]) {
				t.Fatalf("second %d costs %g, want %g", i, prices[k].PerUnit, want[i])
			}
			paid += prices[k].PerUnit * demand[i]
		}
		if math.Abs(paid-1000) > 1e-9 {
			t.Fatalf("%g is paid of 1000", paid)
		}
	})
}
