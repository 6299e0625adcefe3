package fair_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/fair"
	"bourse/policies/payment"
	"bourse/traces"
)

func biddingRules(alike bool) fair.BiddingRules {
	return fair.BiddingRules{Machines: 4, Alike: alike, Income: 1, Ceiling: 100, Horizon: 50, Sweeps: 4,
		Every: 10 * events.Second, Seed: 1}
}

// payers adds up what each user pays.
type payers struct {
	workload
	paid map[traces.Label]float64
}

func (p *payers) Record(o *engine.Outcome) error {
	p.paid[o.Job.User] += o.Payment
	return p.workload.Record(o)
}

// TestBiddingByHand: two users with eight jobs of 10 s each on four processors
// that are all alike to them. Both can spend no more than they earn, so each gets
// half: 80 processor-seconds of work take 40 s and cost 40.
func TestBiddingByHand(t *testing.T) {
	c := &payers{workload: workload{done: map[int64]events.Time{}, ran: map[int64]events.Time{}},
		paid: map[traces.Label]float64{}}
	for i := range 16 {
		c.jobs = append(c.jobs, traces.Job{ID: int64(i), Run: 10 * events.Second, Procs: 1, Pieces: 1,
			User: traces.Label(i % 2), Estimate: events.Unknown})
	}
	p := fair.NewBidding(biddingRules(true))
	p.KeepAccount()
	cfg := engine.Config{Machine: engine.Processors(4), Policy: p, Pricer: payment.NewBids(p), Bidder: &c.workload,
		Check: true}
	if _, err := engine.Run(context.Background(), cfg, c, c); err != nil {
		t.Fatal(err)
	}
	last := events.Time(0)
	for _, end := range c.done {
		last = max(last, end)
	}
	if math.Abs(last.Seconds()-40) > 1e-3 {
		t.Errorf("the last job ends at %v, want 40 s", last)
	}
	for user, paid := range c.paid {
		if math.Abs(paid-40) > 1e-3 {
			t.Errorf("user %d pays %g, want 40", user, paid)
		}
	}
	if len(p.Users()) == 0 {
		t.Error("no account was kept")
	}
	for _, u := range p.Users() {
		if u.Short > 1e-6 || u.Envies > 0 {
			t.Errorf("%+v", u)
		}
	}
}

// TestBiddingProperties replays random workloads under the audit, which adds the bills
// up again: all work gets done, and nobody pays more than income and savings allow.
func TestBiddingProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := drawWorkload(t)
		c := &payers{workload: workload{jobs: drawn.jobs, done: map[int64]events.Time{}, ran: map[int64]events.Time{}},
			paid: map[traces.Label]float64{}}
		p := fair.NewBidding(biddingRules(rapid.Bool().Draw(t, "alike")))
		p.KeepAccount()
		cfg := engine.Config{Machine: engine.Processors(8), Policy: p, Pricer: payment.NewBids(p), Bidder: &c.workload,
			Check: true}
		if _, err := engine.Run(context.Background(), cfg, c, c); err != nil {
			t.Fatal(err)
		}
		if len(c.done) != len(c.jobs) {
			t.Fatalf("%d of %d jobs ended", len(c.done), len(c.jobs))
		}
		if len(p.Users()) == 0 {
			t.Fatal("no account was kept")
		}
		for _, u := range p.Users() {
			if paid := c.paid[u.User]; paid > u.Active+1e-6 {
				t.Fatalf("user %d pays %g in %g s with an income of 1 a second", u.User, paid, u.Active)
			}
		}
	})
}

// An only user takes what it needs for next to nothing, and saves.
func TestBiddingAlone(t *testing.T) {
	c := &payers{workload: workload{done: map[int64]events.Time{}, ran: map[int64]events.Time{}},
		paid: map[traces.Label]float64{}}
	c.jobs = []traces.Job{{ID: 1, Run: 100 * events.Second, Procs: 2, Pieces: 1, Estimate: events.Unknown}}
	p := fair.NewBidding(biddingRules(true))
	var _ policies.Spender = p
	cfg := engine.Config{Machine: engine.Processors(4), Policy: p, Pricer: payment.NewBids(p), Bidder: &c.workload,
		Check: true}
	if _, err := engine.Run(context.Background(), cfg, c, c); err != nil {
		t.Fatal(err)
	}
	if end := c.done[1].Seconds(); end > 100.001 || c.paid[0] > 1 {
		t.Errorf("ends at %g s and pays %g", end, c.paid[0])
	}
}
