package policies_test

import (
	"testing"

	"bourse/policies"
)

type bare struct{}

func (bare) Plan(*policies.Round)   {}
func (bare) Clone() policies.Policy { return bare{} }

type auction struct{ bare }

func (auction) Traits() policies.Traits     { return policies.Traits{RanksByBid: true, Resources: 2} }
func (auction) Needs() policies.Needs       { return policies.Needs{Estimates: true} }
func (auction) Scale(*policies.Job) float64 { return 1 }
func (auction) Preempts() bool              { return true }

type wrapper struct{ policies.Policy }

func (w wrapper) Unwrap() policies.Policy { return w.Policy }

// TestTraits wants a wrapped policy's traits and behaviours to be found, and no
// others.
func TestTraits(t *testing.T) {
	for _, p := range []policies.Policy{auction{}, wrapper{auction{}}, wrapper{wrapper{auction{}}}} {
		if policies.TraitsOf(p) != (policies.Traits{RanksByBid: true, Resources: 2}) {
			t.Errorf("%T: %+v", p, policies.TraitsOf(p))
		}
		if policies.NeedsOf(p) != (policies.Needs{Estimates: true}) {
			t.Errorf("%T: %+v", p, policies.NeedsOf(p))
		}
		if _, ok := policies.As[policies.Market](p); !ok {
			t.Errorf("%T: no market", p)
		}
		if _, ok := policies.As[policies.Sharer](p); ok {
			t.Errorf("%T: shares", p)
		}
	}
	if p := (wrapper{bare{}}); policies.TraitsOf(p) != (policies.Traits{}) || policies.NeedsOf(p) != (policies.Needs{}) ||
		policies.NotesOf(p) != nil {
		t.Errorf("a bare policy has %+v", policies.TraitsOf(p))
	}
}
