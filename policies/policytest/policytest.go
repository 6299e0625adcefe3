// Package policytest is the conformance kit for policies: anyone who writes one
// can run it from a test, with a single call.
//
//	func TestMine(t *testing.T) {
//		policytest.Run(t, func() policies.Policy { return &Mine{} }, policytest.Expect{})
//	}
//
// It replays random workloads full of coincidences under the engine's audit and
// wants decisions that are legal, complete, reproducible and independent of
// what must not matter: the numbers of the jobs and the unit of time.
package policytest

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/traces"
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
}

// Run puts the policies that fresh makes through the kit.
func Run(t *testing.T, fresh func() policies.Policy, want Expect) {
	t.Helper()
	t.Run("legal and complete", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			w := draw(t, want)
			for _, o := range w.replay(t, fresh()) {
				if o.Preemptions > 0 && !want.Preempts {
					t.Fatalf("job %d was preempted %d times by a policy that does not preempt", o.Job.ID, o.Preemptions)
				}
			}
		})
	})
	t.Run("reproducible", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			w := draw(t, want)
			same(t, w.replay(t, fresh()), w.replay(t, fresh()), 1)
		})
	})
	t.Run("blind to job numbers", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			w := draw(t, want)
			before := w.replay(t, fresh())
			for i := range w.jobs {
				w.jobs[i].ID = 1_000_003 - 7*w.jobs[i].ID
			}
			same(t, before, w.replay(t, fresh()), 1)
		})
	})
	t.Run("a copy goes on alike", func(t *testing.T) {
		if _, ok := fresh().(policies.PolicyCloner); !ok {
			t.Skip("the policy cannot be copied (policies.PolicyCloner)")
		}
		rapid.Check(t, func(t *rapid.T) {
			w := draw(t, want)
			p := &relayed{Policy: fresh(), every: rapid.IntRange(1, 5).Draw(t, "every")}
			same(t, w.replay(t, fresh()), w.replay(t, p), 1)
		})
	})
	if want.KnowsUnits {
		return
	}
	t.Run("blind to the unit of time", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			w := draw(t, want)
			before := w.replay(t, fresh())
			for i := range w.jobs {
				j := &w.jobs[i]
				j.Submit, j.Run, j.Estimate = 3*j.Submit, 3*j.Run, 3*j.Estimate
			}
			same(t, before, w.replay(t, fresh()), 3)
		})
	})
}

// workload is a random workload. Run times are at least a second, so that
// floors of one second in the orders do not see the unit of time.
type workload struct {
	procs int
	jobs  []traces.Job
	bids  []float64
}

func draw(t *rapid.T, want Expect) *workload {
	w := &workload{procs: rapid.IntRange(1, 8).Draw(t, "procs")}
	widest := 1
	if !want.SerialOnly {
		widest = w.procs
	}
	overruns := want.Overruns && rapid.Bool().Draw(t, "overruns")
	at := events.Time(0)
	for i := rapid.IntRange(1, 30).Draw(t, "jobs"); i > 0; i-- {
		at += events.Time(rapid.IntRange(0, 4).Draw(t, "gap")) * events.Second
		run := events.Time(rapid.IntRange(1, 12).Draw(t, "run")) * events.Second
		estimate := run + events.Time(rapid.IntRange(0, 9).Draw(t, "over"))*events.Second
		if overruns {
			estimate = events.Time(rapid.IntRange(1, 12).Draw(t, "estimate")) * events.Second
		}
		w.jobs = append(w.jobs, traces.Job{
			ID: int64(len(w.jobs) + 1), Submit: at, Run: run, Pieces: 1, Estimate: estimate,
			Procs: int32(rapid.IntRange(1, widest).Draw(t, "width")),
			User:  traces.Label(rapid.IntRange(1, 4).Draw(t, "user")),
		})
		w.bids = append(w.bids, float64(rapid.IntRange(0, 5).Draw(t, "bid")))
	}
	return w
}

func (w *workload) replay(t *rapid.T, p policies.Policy) []engine.Outcome {
	var got outcomes
	_, err := engine.Run(context.Background(), engine.Config{
		Procs: w.procs, Policy: &watched{Policy: p, t: t}, Pricer: payment.NewFirst(1), Bidder: &offers{bids: w.bids}, Check: true,
	}, traces.MemoryOf(w.jobs...).Source(), &got)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// same wants two replays to agree job by job, times of the second being scaled.
func same(t *rapid.T, a, b []engine.Outcome, scale events.Time) {
	if len(a) != len(b) {
		t.Fatalf("%d jobs ended, then %d", len(a), len(b))
	}
	for i := range a {
		x, y := &a[i], &b[i]
		if x.Seq != y.Seq || scale*x.Start != y.Start || scale*x.End != y.End || x.Preemptions != y.Preemptions {
			t.Fatalf("the %dth job to end: number %d from %v to %v, then number %d from %v to %v", i+1, x.Seq, x.Start, x.End, y.Seq, y.Start, y.End)
		}
	}
}

// watched checks that Plan leaves the table of jobs alone.
type watched struct {
	policies.Policy
	t      *rapid.T
	before []policies.Job
}

func (w *watched) Unwrap() policies.Policy { return w.Policy }

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

// relayed hands every few rounds over to a copy of the policy, and lets the
// original plan the same round once more afterwards: what it does must not reach
// the copy.
type relayed struct {
	policies.Policy
	every, rounds int
}

func (p *relayed) Unwrap() policies.Policy { return p.Policy }

func (p *relayed) Plan(r *policies.Round) {
	if p.rounds++; p.rounds%p.every == 0 {
		original := p.Policy
		p.Policy = original.(policies.PolicyCloner).ClonePolicy()
		apart := *r
		apart.Started, apart.Preempted = nil, nil
		original.Plan(&apart)
	}
	p.Policy.Plan(r)
}

type outcomes []engine.Outcome

func (s *outcomes) Record(o *engine.Outcome) error {
	*s = append(*s, *o)
	return nil
}

// offers hands the drawn bids out in trace order.
type offers struct {
	bids []float64
	at   int
}

func (o *offers) Bid(*traces.Job) (policies.Offer, error) {
	b := o.bids[o.at]
	o.at++
	return policies.Offer{Value: b, Bid: b}, nil
}
