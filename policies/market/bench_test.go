package market

import (
	"context"
	"testing"

	"bourse/traces/rng"
)

// BenchmarkSweep is one sweep of best responses with 250 users and 100 machines
// near the equilibrium.
func BenchmarkSweep(b *testing.B) {
	m := made(b, Uniform(rng.New(1, "bench"), 250, 100), nil)
	m.Sweep(best)
	b.ReportAllocs()
	for b.Loop() {
		m.Sweep(best)
	}
}

// BenchmarkLarge brings 10,000 users and 1,000 machines to rest: no utility changes
// by a thousandth of an equal part. Bids continue moving between machines that are
// worth nearly the same, which regret shows not to matter.
func BenchmarkLarge(b *testing.B) {
	weights := Uniform(rng.New(1, "bench"), 10_000, 1_000)
	b.ReportAllocs()
	for b.Loop() {
		m := made(b, weights, nil)
		optimum, _, _ := m.Optimum(0)
		found, err := m.Run(context.Background(),
			Search{Rule: best, Until: UtilityGap, Tolerance: 1e-7, Limit: 50, Optimum: optimum})
		if err != nil || !found.Converged {
			b.Fatalf("%+v, %v", found, err)
		}
		b.ReportMetric(float64(found.Sweeps), "sweeps")
		b.ReportMetric(found.Last.Efficiency, "efficiency")
		b.ReportMetric(m.Regret(best), "regret")
	}
}
