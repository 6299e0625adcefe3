package engine_test

import (
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
)

// TestFeedbackAgainstNaiveEngine gives jobs others to follow, among them jobs
// that are not there, themselves, later ones and circles, and wants every job's
// history to be the naive engine's.
func TestFeedbackAgainstNaiveEngine(t *testing.T) {
	for _, policy := range policyNames {
		t.Run(policy, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				n := drawWorkload(t)
				n.under(policy)
				n.payment, n.feedback = "first", true
				for i, j := range n.jobs {
					j.job.Prev = int64(rapid.IntRange(-1, len(n.jobs)+1).Draw(t, "prev"))
					if rapid.Bool().Draw(t, "backward") && i > 0 {
						j.job.Prev = n.jobs[rapid.IntRange(0, i-1).Draw(t, "which")].job.ID
					}
					j.job.Think = 100_000 * events.Time(rapid.IntRange(-1, 10).Draw(t, "think"))
				}
				got := replay(t, n)
				n.run()
				compare(t, n, got)
			})
		})
	}
}

// TestResubmitAgainstNaiveEngine ends jobs at their estimates and submits them
// again, some of them before others may come.
func TestResubmitAgainstNaiveEngine(t *testing.T) {
	for _, policy := range policyNames {
		for _, pay := range paymentNames {
			t.Run(policy+"/"+pay, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					n := drawWorkload(t)
					n.under(policy)
					n.payment, n.resubmit = pay, true
					if n.feedback = rapid.Bool().Draw(t, "feedback"); n.feedback {
						for i, j := range n.jobs[1:] {
							j.job.Prev = n.jobs[rapid.IntRange(0, i).Draw(t, "prev")].job.ID
						}
					}
					got := replay(t, n)
					n.run()
					compare(t, n, got)
				})
			})
		}
	}
}
