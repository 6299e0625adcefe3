package policies_test

import (
	"testing"

	"bourse/policies"
)

// TestAmountsCountEveryResource wants each resource to matter in every operation.
func TestAmountsCountEveryResource(t *testing.T) {
	total := policies.Amount{CPU: 8, Memory: 8, GPU: 8, Disk: 8}
	for r, one := range []policies.Amount{{CPU: 1}, {Memory: 1}, {GPU: 1}, {Disk: 1}} {
		if one.At(r) != 1 || one.Plus(one).At(r) != 2 || one.Minus(one) != (policies.Amount{}) || one.Times(.5).At(r) != .5 ||
			one.Over(total).At(r) != .125 {
			t.Errorf("%s: %v", policies.ResourceNames[r], one)
		}
		if share, which := one.Dominant(total); share != .125 || which != r {
			t.Errorf("%s: dominant share %g of resource %d", policies.ResourceNames[r], share, which)
		}
		if one.Fits(policies.Amount{}) || !one.Fits(one) || one.Max(policies.Amount{}) != one {
			t.Errorf("%s: fits", policies.ResourceNames[r])
		}
		free := total.Minus(policies.Amount{CPU: 1, Memory: 1, GPU: 1, Disk: 1})
		if full := (policies.Round{Demand: free.Plus(one), Total: total}); !full.Congested() ||
			(&policies.Round{Demand: free, Total: total}).Congested() {
			t.Errorf("%s: congestion", policies.ResourceNames[r])
		}
	}
}
