package policytest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"bourse/engine"
	"bourse/engine/policytest"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/traces"
)

// example: a policy

// LastIn starts the latest arrival first. It does not preempt, and no job passes
// one that does not fit.
type LastIn struct{ waiting []policies.Ref } // in order of arrival

// Traits: Plan uses Need and Spare, so it works on a pool of CPU and memory, too.
func (*LastIn) Traits() policies.Traits { return policies.Traits{Packs: true} }

// Clone copies what the policy remembers: replays can be forked.
func (p *LastIn) Clone() policies.Policy { return &LastIn{slices.Clone(p.waiting)} }

// Plan is called once per instant, after all its events.
func (p *LastIn) Plan(r *policies.Round) {
	p.waiting = append(p.waiting, r.Arrived...)
	free := r.Spare
	for len(p.waiting) > 0 {
		last := p.waiting[len(p.waiting)-1]
		need := r.Job(last).Need
		if !need.Fits(free) {
			return
		}
		free = free.Minus(need)
		r.Start(last)
		p.waiting = p.waiting[:len(p.waiting)-1]
	}
}

// TestLastIn runs the conformance kit: random workloads full of ties, under
// the engine's audit.
func TestLastIn(t *testing.T) {
	policytest.Run(t, func() policies.Policy { return &LastIn{} }, policytest.Expect{})
}

// end

func Example() {
	var jobs []traces.Job
	for i := range 3 {
		jobs = append(jobs, traces.Job{ID: int64(i + 1), Submit: events.Time(i) * events.Second, Run: 10 * events.Second,
			Procs: 2, Pieces: 1})
	}
	printer := sink(func(o *engine.Outcome) { fmt.Printf("job %d: %v to %v\n", o.Job.ID, o.Start, o.End) })
	_, err := engine.Run(context.Background(),
		engine.Config{Machine: engine.Processors(2), Policy: &LastIn{}, Pricer: payment.NewPosted(0), Bidder: worth(1),
			Check: true},
		traces.MemoryOf(jobs...).Source(), printer)
	fmt.Println(err)
	// Output:
	// job 1: 0s to 10s
	// job 3: 10s to 20s
	// job 2: 20s to 30s
	// <nil>
}

type sink func(*engine.Outcome)

func (s sink) Record(o *engine.Outcome) error { s(o); return nil }

type worth float64

func (w worth) Bid(*traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: float64(w), Bid: float64(w)}, nil
}
