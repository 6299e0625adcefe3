package engine_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/policies"
)

// TestAlso bills one schedule under all price schemes at once and wants the
// bills of as many replays.
func TestAlso(t *testing.T) {
	for _, policy := range policyNames {
		t.Run(policy, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := drawWorkload(t)
				n.under(policy)
				offers := asBidder{}
				for _, j := range n.jobs {
					offers[j.job.ID] = j
				}
				p := newPolicy(policy)
				var also []policies.Pricer
				for _, pay := range paymentNames[1:] {
					also = append(also, newPricer(pay, p))
				}
				var together history
				cfg := n.config(p, newPricer(paymentNames[0], p), offers)
				cfg.Also = also
				_, err := engine.Run(context.Background(), cfg, &asSource{n: n}, &together)
				if err != nil {
					t.Fatal(err)
				}
				for i, pay := range paymentNames {
					n.payment = pay
					alone := replay(t, n)
					for k, o := range together.outcomes {
						if bill := slices.Concat([]float64{o.Payment}, o.Also)[i]; !close(bill, alone.outcomes[k].Payment) {
							t.Fatalf("job %d pays %v under %s beside others, %v alone", o.Job.ID, bill, pay, alone.outcomes[k].Payment)
						}
					}
				}
			})
		})
	}
}
