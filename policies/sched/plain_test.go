package sched_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
	"bourse/policies/sched"
	"bourse/traces"
)

// drawJobs makes a workload in which much coincides; estimates may be zero or
// below the run time unless they are to hold.
func drawJobs(t *rapid.T, procs int, estimatesHold bool) []traces.Job {
	jobs := make([]traces.Job, rapid.IntRange(1, 60).Draw(t, "jobs"))
	at := events.Time(0)
	for i := range jobs {
		at += events.Time(max(0, rapid.IntRange(-4, 3).Draw(t, "gap"))) * events.Second
		run := events.Time(rapid.IntRange(0, 12).Draw(t, "run")) * events.Second
		estimate := events.Time(rapid.IntRange(0, 15).Draw(t, "estimate")) * events.Second
		if estimatesHold {
			estimate += run
		}
		jobs[i] = traces.Job{ID: int64(i + 1), Submit: at, Run: run, Estimate: estimate, Pieces: 1,
			Procs: int32(rapid.IntRange(1, procs).Draw(t, "width")), User: traces.Label(rapid.IntRange(0, 3).Draw(t, "user"))}
	}
	return jobs
}

// TestEasyAgainstReference wants Easy, which keeps indexes of waiting and running jobs,
// and EasyScan, which draws up a profile at each decision, to agree on every start. They
// share nothing but the keys of the orders, which TestKeysAreTheFormulas checks.
func TestEasyAgainstReference(t *testing.T) {
	orders := []*order.Order{order.BySubmit, order.ByShortest, order.ByLongest, order.BySmallest, order.ByLargest,
		order.ByF1}
	for _, ranked := range orders {
		t.Run(ranked.Name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				backfill := rapid.SampledFrom(orders).Draw(rt, "backfill")
				rules := sched.Rules{Reservations: 1, Order: order.Ranking{Order: ranked}, Backfill: order.Ranking{Order: backfill}}
				procs := rapid.IntRange(1, 40).Draw(rt, "procs")
				jobs := drawJobs(rt, procs, rapid.Bool().Draw(rt, "estimates hold"))
				p := sched.NewEasy(rules)
				sameStarts(rt, p, replay(t, jobs, procs, p), replay(t, jobs, procs, sched.NewEasyScan(rules)))
			})
		})
	}
}

func sameStarts(t *rapid.T, p policies.Policy, got, want []engine.Outcome) {
	for i := range got {
		if got[i].Start != want[i].Start {
			t.Fatalf("%T starts job %d (%d processors, estimate %v, submitted %v) at %v, the reference at %v",
				p, got[i].Job.ID, got[i].Job.Procs, got[i].Job.Estimate, got[i].Job.Submit, got[i].Start, want[i].Start)
		}
	}
}

// TestOrdersByHeapAndByTable wants an order to give one schedule whether its keys
// are known to be fixed, and kept in heaps and trees, or are worked out again at
// each decision.
func TestOrdersByHeapAndByTable(t *testing.T) {
	for order, anew := range map[string]string{
		"fcfs": "expr(0*wait)", "sjf": "expr(max(estimate,1)+0*wait)", "laf": "expr(-max(estimate,1)*procs+0*wait)",
		"expr(user*10-procs)": "expr(user*10-procs+0*wait)",
	} {
		for _, shape := range []string{"%", "easy(order=%)", "easy(backfill=%)", "easy(order=%,backfill=%,reservations=0)"} {
			rapid.Check(t, func(rt *rapid.T) {
				procs := rapid.IntRange(1, 20).Draw(rt, "procs")
				jobs := drawJobs(rt, procs, rapid.Bool().Draw(rt, "estimates hold"))
				fixed, changing := policy(t, strings.ReplaceAll(shape, "%", order)), policy(t, strings.ReplaceAll(shape, "%", anew))
				sameStarts(rt, changing, replay(t, jobs, procs, changing), replay(t, jobs, procs, fixed))
			})
		}
	}
}

// TestManyReservations wants any number of reservations at least as large as the
// queue to make no difference, and the index and the scan to agree on none.
func TestManyReservations(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 12).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, true)
		sameStarts(rt, nil, replay(t, jobs, procs, sched.NewEasyScan(sched.Rules{Reservations: 60})),
			replay(t, jobs, procs, sched.NewEasyScan(sched.Rules{Reservations: 1000})))
		none := sched.Rules{Backfill: order.Ranking{Order: order.BySmallest}}
		sameStarts(rt, nil, replay(t, jobs, procs, sched.NewEasy(none)), replay(t, jobs, procs, sched.NewEasyScan(none)))
	})
}
