package payment_test

import (
	"context"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
)

// worths are what jobs are worth, by number.
type worths []float64

func (w worths) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: w[j.ID-1], Bid: w[j.ID-1]}, nil
}

// TestTollExample is three jobs that come together to one processor: A is worth 6 and takes
// 1 s, B 4 and 4 s, C 3 and 2 s. Under wspt the toll is the Clarke payment.
func TestTollExample(t *testing.T) {
	var jobs []traces.Job
	for i, run := range []int{1, 4, 2} {
		jobs = append(jobs, traces.Job{ID: int64(i + 1), Run: events.Time(run) * events.Second, Procs: 1, Pieces: 1})
	}
	for policy, want := range map[string][3]float64{"hb": {7, 12, 0}, "wspt": {7, 0, 8}} {
		p, err := catalog.Policies.Make(policy)
		if err != nil {
			t.Fatal(err)
		}
		scheme, err := catalog.Payments.Make("toll:0")
		if err != nil {
			t.Fatal(err)
		}
		pricer, err := scheme(p)
		if err != nil {
			t.Fatal(err)
		}
		var got [3]float64
		take := printer(func(o *engine.Outcome) { got[o.Job.ID-1] = o.Payment })
		_, err = engine.Run(context.Background(), engine.Config{Machine: engine.Processors(1), Policy: p, Pricer: pricer, Bidder: worths{6, 4, 3}, Check: true}, traces.MemoryOf(jobs...).Source(), take)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", policy, got, err, want)
		}
	}
}
