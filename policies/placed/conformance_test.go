package placed_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine/policytest"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/policies/gpus"
	"bourse/policies/placed"
	"bourse/policies/placement"
	"bourse/traces/tracetest"
)

func policy(t rapid.TB, text string) policies.Policy {
	t.Helper()
	p, err := catalog.Policies.Make(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSparingOnMachines wants the limit to be refused where jobs are placed, not
// forgotten.
func TestSparingOnMachines(t *testing.T) {
	if _, err := placed.New(policy(t, "priority(by=user)"), placement.FirstFit); err != nil {
		t.Error(err)
	}
	if _, err := placed.New(policy(t, "priority(by=user,preemptions=3)"), placement.FirstFit); err == nil {
		t.Error("a limit of preemptions is taken and not kept")
	}
}

// TestLongPlacedOnGPUsConformance does the same on machines with GPUs, with jobs of two pieces.
func TestLongPlacedOnGPUsConformance(t *testing.T) {
	tracetest.Long(t)
	for _, name := range []string{"fcfs", "fcfs(fit=skip)", "wspt", "priority(by=user)", "easy",
		"easy(order=wfp3,backfill=sjf)", "conservative"} {
		for rule := range gpus.Rules {
			t.Run(name+", "+gpus.Rule(rule).String(), func(t *testing.T) {
				policytest.Run(t, func() policies.Policy {
					p, err := placed.OnGPUs(policy(t, name), gpus.Rule(rule), 1)
					if err != nil {
						t.Fatal(err)
					}
					return p
				}, policytest.Expect{Preempts: strings.HasPrefix(name, "priority"), Overruns: true, GPUs: true})
			})
		}
	}
}

// TestPlacedConformance does the same on clusters whose machines are added and removed.
func TestPlacedConformance(t *testing.T) {
	for _, name := range []string{"fcfs", "fcfs(fit=skip)", "wspt", "priority(by=user)", "easy",
		"easy(order=bid,reservations=3)", "easy(order=fairshare)", "conservative"} {
		for _, fit := range []placement.Fit{placement.FirstFit, placement.BestFit, placement.WorstFit, placement.DotProduct} {
			t.Run(fmt.Sprintf("%s, fit %d", name, fit), func(t *testing.T) {
				policytest.Run(t, func() policies.Policy {
					p, err := placed.New(policy(t, name), fit)
					if err != nil {
						t.Fatal(err)
					}
					return p
				}, policytest.Expect{Preempts: strings.HasPrefix(name, "priority"), Overruns: true})
			})
		}
	}
}
