// Package policytest is the conformance kit for policies: anyone who writes one
// can run it from a test, with a single call.
//
//	func TestMine(t *testing.T) {
//		policytest.Run(t, func() policies.Policy { return &Mine{} }, policytest.Expect{})
//	}
//
// It replays random workloads full of coincidences under the engine's audit and
// wants decisions that are legal, complete, reproducible, the same from a copy and
// independent of what must not matter: the numbers of the jobs and the unit of
// time. What a policy declares of itself decides on what it is replayed: those
// that pack also run on pools, those that place on clusters whose machines are added and
// removed, and those with prices of their own are billed by them.
package policytest

import (
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
)

// Expect says what the policy promises beyond the contract.
type Expect struct {
	// Preempts allows preemptions.
	Preempts bool
	// SerialOnly keeps the workloads to one-processor jobs.
	SerialOnly bool
	// KnowsUnits is for orders whose formula is in seconds, so that another unit
	// of time may give another schedule.
	KnowsUnits bool
	// Overruns makes half the workloads ones whose estimates may be below the
	// run time. Zero is left out: orders take it for one second.
	Overruns bool
	// GPUs gives machines of clusters GPUs, for which jobs of up to two pieces ask.
	GPUs bool
}

// Run puts the policies that fresh makes through the kit.
func Run(t *testing.T, fresh func() policies.Policy, want Expect) {
	t.Helper()
	check := func(name string, test func(t *rapid.T, w *workload)) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { test(t, draw(t, policies.TraitsOf(fresh()), policies.NeedsOf(fresh()), want)) })
		})
	}
	check("legal and complete", func(t *rapid.T, w *workload) {
		got, evicted := w.replay(t, fresh())
		if len(got) != len(w.jobs) {
			t.Fatalf("%d of %d jobs ended", len(got), len(w.jobs))
		}
		for _, o := range got {
			evicted -= int64(o.Preemptions)
		}
		if evicted < 0 && !want.Preempts {
			t.Fatalf("%d preemptions by a policy that does not preempt", -evicted)
		}
	})
	check("reproducible", func(t *rapid.T, w *workload) {
		first, _ := w.replay(t, fresh())
		second, _ := w.replay(t, fresh())
		same(t, first, second, 1)
	})
	check("blind to job numbers", func(t *rapid.T, w *workload) {
		before, _ := w.replay(t, fresh())
		for i := range w.jobs {
			w.jobs[i].ID = 1_000_003 - 7*w.jobs[i].ID
		}
		after, _ := w.replay(t, fresh())
		same(t, before, after, 1)
	})
	check("a copy goes on alike", func(t *rapid.T, w *workload) {
		straight, _ := w.replay(t, fresh())
		same(t, straight, w.relay(t, fresh(), rapid.IntRange(3, 20).Draw(t, "every")), 1)
	})
	if want.KnowsUnits {
		return
	}
	check("blind to the unit of time", func(t *rapid.T, w *workload) {
		before, _ := w.replay(t, fresh())
		for i := range w.jobs {
			j := &w.jobs[i]
			j.Submit, j.Run, j.Estimate = 3*j.Submit, 3*j.Run, 3*j.Estimate
			if j.Wait.Known() {
				j.Wait *= 3
			}
		}
		for i := range w.machines {
			w.machines[i].At *= 3
		}
		after, _ := w.replay(t, fresh())
		same(t, before, after, 3)
	})
}

// same wants two replays to agree job by job, times of the second being scaled.
func same(t *rapid.T, a, b []engine.Outcome, scale events.Time) {
	if len(a) != len(b) {
		t.Fatalf("%d jobs ended, then %d", len(a), len(b))
	}
	for i := range a {
		x, y := &a[i], &b[i]
		if x.Seq != y.Seq || scale*x.Start != y.Start || scale*x.End != y.End || x.Preemptions != y.Preemptions || scale == 1 && x.Payment != y.Payment {
			t.Fatalf("the %dth job to end: number %d from %v to %v for %v, then number %d from %v to %v for %v",
				i+1, x.Seq, x.Start, x.End, x.Payment, y.Seq, y.Start, y.End, y.Payment)
		}
	}
}

// watched checks that Plan leaves the table of jobs alone. All else is as the
// policy inside has it.
type watched struct {
	policies.Policy
	t      *rapid.T
	before []policies.Job
}

func (w *watched) Unwrap() policies.Policy { return w.Policy }

func (w *watched) Clone() policies.Policy { return &watched{Policy: w.Policy.Clone(), t: w.t} }

func (w *watched) Plan(r *policies.Round) {
	w.before = w.before[:0]
	for ref := range policies.Ref(r.Jobs.Len()) {
		w.before = append(w.before, *r.Job(ref))
	}
	w.Policy.Plan(r)
	for ref, before := range w.before {
		if before != *r.Job(policies.Ref(ref)) {
			w.t.Fatalf("the policy wrote to the table of jobs at %v", r.Now)
		}
	}
}
