package fair_test

import (
	"math"
	"testing"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/fair"
	"bourse/policies/share"
	"bourse/traces"
)

// TestIdleTimeIsNobodys: between two jobs of a user nobody has work for 80 s. What
// the user held is its work, and it was there for 20 s.
func TestIdleTimeIsNobodys(t *testing.T) {
	c := &workload{}
	for i, at := range []events.Time{0, 90} {
		c.jobs = append(c.jobs, traces.Job{ID: int64(i + 1), Submit: at * events.Second, Run: 10 * events.Second, Procs: 4,
			Pieces: 1, Estimate: events.Unknown})
	}
	for name, p := range map[string]policies.Policy{
		"drf":  fair.NewSharing(share.LimitedDRF(), 1),
		"lend": fair.NewLend(lenders["smm"], 10*events.Second, 3),
		"bids": fair.NewBidding(biddingRules(true)),
	} {
		p.(policies.Sharer).KeepAccount()
		if err := c.replay(p, false); err != nil {
			t.Fatal(err)
		}
		if u := p.(policies.Sharer).Users(); len(u) != 1 || math.Abs(u[0].Held-10) > 1e-3 || math.Abs(u[0].Active-20) > 1e-3 {
			t.Errorf("%s: %+v, want half the machine for 20 s", name, u)
		}
	}
}
