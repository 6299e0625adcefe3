package placed_test

import (
	"context"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies/bidding"
	"bourse/policies/payment"
	"bourse/policies/placed"
	"bourse/policies/placement"
	"bourse/traces"
)

// starts keeps when each job began.
type starts map[int64]events.Time

func (s starts) Record(o *engine.Outcome) error { s[o.Job.ID] = o.Start; return nil }

// TestRebid wants a waiting job that raises its bid to be ranked by it, with preemption and
// without.
func TestRebid(t *testing.T) {
	var jobs []traces.Job
	for i := range events.Time(3) {
		jobs = append(jobs, traces.Job{ID: int64(i + 1), Submit: i * events.Second, Run: 10 * events.Second, Procs: 1,
			Pieces: 1,
			CPU:    1, Memory: 1, Model: traces.NoLabel, Estimate: events.Unknown})
	}
	rows := []bidding.Row{{Job: 1, Value: 9, Bid: 9, At: bidding.FromStart},
		{Job: 2, Value: 1, Bid: 1, At: bidding.FromStart},
		{Job: 3, Value: 2, Bid: 2, At: bidding.FromStart}, {Job: 2, Value: 1, Bid: 3, At: 5 * events.Second}}
	for _, name := range []string{"nphb", "priority(by=-bid)"} {
		p, err := placed.New(policy(t, name), placement.BestFit)
		if err != nil {
			t.Fatal(err)
		}
		table, err := bidding.NewTable("bids", func(yield func(bidding.Row, error) bool) {
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		got := starts{}
		cfg := engine.Config{Machine: engine.Cluster{{Machine: 1, CPU: 1, Memory: 1}}, Policy: p,
			Pricer: payment.NewPosted(0),
			Bidder: table, Check: true}
		if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), got); err != nil {
			t.Fatal(err)
		}
		if got[1] != 0 || got[2] != 10*events.Second || got[3] != 20*events.Second {
			t.Errorf("%s: starts at %v, want job 2 before job 3", name, got)
		}
	}
}
