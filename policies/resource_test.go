package policies_test

import (
	"testing"

	"bourse/policies"
)

// example: a resource

// TestNeedWithGPUs plans as every policy that packs does: with whole amounts, never with
// a field of them. A job of 8 CPUs and 2 GPUs does not fit where one GPU is left, and it
// pays for its dominant share, that of the GPUs.
func TestNeedWithGPUs(t *testing.T) {
	machine := policies.Amount{CPU: 64, Memory: 512, GPU: 4}
	need := policies.Amount{CPU: 8, Memory: 64, GPU: 2}
	free := machine.Minus(need)
	if !need.Fits(free) {
		t.Errorf("a second job should fit into %+v", free)
	}
	if free = free.Minus(policies.Amount{GPU: 1}); need.Fits(free) {
		t.Errorf("a second job should not fit into %+v", free)
	}
	if share, resource := need.Dominant(machine); share != .5 || policies.ResourceNames[resource] != "gpu" {
		t.Errorf("dominant share %g of %s", share, policies.ResourceNames[resource])
	}
}

// end
