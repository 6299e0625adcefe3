package sched_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"bourse/engine"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
	"bourse/traces/tracetest"
)

// bids bids at random, without an allocation.
type bids struct{ *rand.Rand }

func (b bids) Bid(*traces.Job) (policies.Offer, error) {
	w := 100 * b.Float64()
	return policies.Offer{Value: w, Bid: w}, nil
}

// TestSteadyState wants next to no memory taken once a replay has gone on for a while: tables
// still grow in busier hours, which is less than one allocation in fifty instants.
func TestSteadyState(t *testing.T) {
	const steps = 10_000
	jobs := flood(6*steps, 100, 1024)
	for _, c := range [][2]string{
		{"fcfs", "none"}, {"sjf", "none"}, {"easy", "none"}, {"easy(backfill=sjf)", "first"}, {"easy(order=wfp3)", "none"},
		{"conservative", "none"},
		{"srpt", "none"}, {"hb", "kth"}, {"hb(fit=skip)", "kth"}, {"nphb", "kth"}, {"wspt", "toll"},
	} {
		p := policy(t, c[0])
		scheme, err := catalog.Payments.Make(c[1])
		if err != nil {
			t.Fatal(err)
		}
		pricer, err := scheme(p)
		if err != nil {
			t.Fatal(err)
		}
		var done count
		r, err := engine.New(engine.Config{Machine: engine.Processors(1024), Policy: p, Pricer: pricer,
			Bidder: bids{rand.New(rand.NewPCG(1, 2))}}, tracetest.NewSlice(jobs), &done)
		if err != nil {
			t.Fatal(err)
		}
		var m runtime.MemStats
		allocated := func() uint64 { // in the next steps
			runtime.ReadMemStats(&m)
			for range steps {
				if err := r.Step(); err != nil {
					t.Fatal(err)
				}
			}
			before := m.Mallocs
			runtime.ReadMemStats(&m)
			return m.Mallocs - before
		}
		for range 3 {
			allocated()
		}
		if n := allocated(); n > steps/50 {
			t.Errorf("%s under %s: %d allocations in %d steps", c[0], c[1], n, steps)
		}
	}
}
