package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/policies"
	"bourse/traces"
)

func (s *asSource) Fork() traces.Source {
	c := *s
	return &c
}

// TestFork copies a replay at a random instant. The copy and the original must
// continue to the same end, each by itself; a copy in which somebody bids
// otherwise must be what a replay with that bid from the start gives.
func TestFork(t *testing.T) {
	for _, policy := range policyNames {
		for _, pay := range paymentNames {
			t.Run(policy+"/"+pay, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					n := drawWorkload(t)
					n.under(policy)
					n.payment = pay
					liar := rapid.IntRange(0, len(n.jobs)-1).Draw(t, "liar")
					lie := float64(rapid.IntRange(0, 6).Draw(t, "lie"))
					truth := outcomes(t, n, nil, liar, 0)
					forked := outcomes(t, n, truth, liar, lie)
					n.jobs[liar].bid = lie
					n.jobs[liar].rebids = nil
					wantSame(t, forked, outcomes(t, n, nil, liar, 0))
				})
			})
		}
	}
}

// outcomes replays n step by step. If truth is given it forks before the instant
// at which the liar arrives, lets the liar bid otherwise in the copy, wants the original to
// end in truth, and returns what the copy and the original's beginning give.
func outcomes(t *rapid.T, n *naive, truth []engine.Outcome, liar int, lie float64) []engine.Outcome {
	offers := asBidder{}
	for _, j := range n.jobs {
		offers[j.job.ID] = j
	}
	p := newPolicy(n.name())
	var got, other history
	r, err := engine.New(n.config(p, newPricer(n.payment, p), offers), &asSource{n: n}, &got)
	if err != nil {
		t.Fatal(err)
	}
	var fork *engine.Replay
	for r.More() {
		if next, more := r.Next(); truth != nil && more && next.Submit >= n.jobs[liar].job.Submit && fork == nil {
			other.outcomes = append(other.outcomes, got.outcomes...)
			if fork, err = r.Fork(lying{offers, n.jobs[liar].job.ID, lie}, &other); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if truth == nil {
		return got.outcomes
	}
	for fork.More() {
		if err := fork.Step(); err != nil {
			t.Fatal(err)
		}
	}
	wantSame(t, got.outcomes, truth)
	return other.outcomes
}

// lying replaces one job's bid, and its later ones.
type lying struct {
	asBidder
	id  int64
	bid float64
}

func (b lying) Bid(j *traces.Job) (policies.Offer, error) {
	o, err := b.asBidder.Bid(j)
	if j.ID == b.id {
		o.Bid = b.bid
	}
	return o, err
}

func (b lying) Rebids(j *traces.Job) []policies.Rebid {
	if j.ID == b.id {
		return nil
	}
	return b.asBidder.Rebids(j)
}

func wantSame(t *rapid.T, a, b []engine.Outcome) {
	if len(a) != len(b) {
		t.Fatalf("%d outcomes and %d", len(a), len(b))
	}
	for i := range a {
		if !close(a[i].Payment, b[i].Payment) {
			t.Fatalf("job %d pays %v and %v", a[i].Job.ID, a[i].Payment, b[i].Payment)
		}
		x, y := a[i], b[i]
		x.Payment, y.Payment = 0, 0
		if !cmp.Equal(x, y) {
			t.Fatalf("outcome %d:\n%+v\n%+v", i, x, y)
		}
	}
}
