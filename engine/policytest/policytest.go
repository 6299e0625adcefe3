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
// removed, and those with their own prices are billed by them.
//
// RunPrice, RunBidder and RunSource are kits for price schemes, values and bids, and sources of jobs.
//
// Check is the same for programs: `bourse policy check` prints its findings.
package policytest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces/rng"
)

// Expect is the policy's promises beyond the contract.
type Expect struct {
	// Preempts allows preemptions.
	Preempts bool
	// KnowsUnits is for orders whose formula is in seconds, so that another unit
	// of time may give another schedule.
	KnowsUnits bool
	// Overruns makes half the workloads ones whose estimates may be below the
	// run time. Zero is left out: orders take it for one second.
	Overruns bool
	// GPUs gives machines of clusters GPUs, for which jobs of up to two pieces ask.
	GPUs bool
}

// The checks, in the order in which they are made of a workload.
const (
	Legal   = "its decisions are legal and keep every conservation law"
	Ends    = "every job ends"
	Quiet   = "no job is preempted but by machines that are removed"
	Repeats = "the schedule is the same each time"
	Numbers = "the numbers of jobs do not matter"
	Copies  = "a copy goes on as the policy does"
	Units   = "the unit of time does not matter"
)

// Finding is one check; Fault is empty if it passed, and Tried false if every workload
// failed before.
type Finding struct {
	Check, Fault string
	Tried        bool
}

// TB is the part of testing.TB that Run needs.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Run puts the policies that fresh makes through the kit.
func Run(t TB, fresh func() policies.Policy, want Expect) {
	t.Helper()
	findings, err := Check(context.Background(), func() (policies.Policy, error) { return fresh(), nil }, want, 100, 1)
	if err != nil {
		t.Errorf("%v", err)
	}
	for _, f := range findings {
		if f.Fault != "" {
			t.Errorf("%s: %s", f.Check, f.Fault)
		}
	}
}

// Check tries the policies that fresh makes on so many random workloads. A fault is that of
// the first workload that fails, reduced to the jobs that it takes.
func Check(ctx context.Context, fresh func() (policies.Policy, error), want Expect, workloads int,
	seed uint64) ([]Finding, error) {
	p, err := fresh()
	if err != nil {
		return nil, err
	}
	k := &kit{ctx: ctx, fresh: fresh, traits: policies.TraitsOf(p), needs: policies.NeedsOf(p), want: want}
	c, outside := policies.As[io.Closer](p)
	if k.outside = outside; outside {
		_ = c.Close()
	}
	var findings []Finding
	for _, c := range k.checks() {
		findings = append(findings, Finding{Check: c.name})
	}
	random := rng.New(seed, "conformance")
	for i := range workloads {
		w := k.draw(random)
		at, err := k.try(w)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for j := range findings[:at+1] {
			findings[j].Tried = true
		}
		if err != nil && findings[at].Fault == "" {
			w, err = k.reduce(w, at, err)
			findings[at].Fault = fmt.Sprintf("workload %d, %s: %v", i+1, w, err)
		}
	}
	return findings, nil
}

// kit is one call of Check.
type kit struct {
	ctx     context.Context
	fresh   func() (policies.Policy, error)
	traits  policies.Traits
	needs   policies.Needs
	want    Expect
	outside bool                                  // the policy is a program, for which copies are dear
	price   func(policies.Policy) policies.Pricer // nil for one that fits
}

// check is one of the checks; first is the replay that the others are compared with.
type check struct {
	name string
	run  func(w *workload, first *outcomes) error
}

func (k *kit) checks() []check {
	list := []check{
		{Legal, func(w *workload, first *outcomes) (err error) {
			*first, err = k.replay(w)
			if deadlock := (*engine.DeadlockError)(nil); errors.As(err, &deadlock) || errors.Is(err, errUnended) {
				first.unended, err = err, nil
			}
			return err
		}},
		{Ends, func(_ *workload, first *outcomes) error { return first.unended }},
		{Quiet, func(_ *workload, first *outcomes) error {
			if n := first.preemptions - first.evictions; n > 0 && !k.want.Preempts {
				return fmt.Errorf("%d preemptions", n)
			}
			return nil
		}},
		{Repeats, func(w *workload, first *outcomes) error { return k.compareReplay(w, first, 1) }},
		{Numbers, func(w *workload, first *outcomes) error { return k.compareReplay(w.renumbered(), first, 1) }},
		{Copies, func(w *workload, first *outcomes) error {
			got, err := k.relay(w)
			if err != nil {
				return err
			}
			return same(first, &got, 1)
		}},
		{Units, func(w *workload, first *outcomes) error { return k.compareReplay(w.slowed(3), first, 3) }},
	}
	return slices.DeleteFunc(list, func(c check) bool {
		return c.name == Quiet && k.want.Preempts || c.name == Units && k.want.KnowsUnits
	})
}

// try returns the last check made of a workload, which failed if there is an error.
func (k *kit) try(w *workload) (last int, err error) {
	var first outcomes
	for i, c := range k.checks() {
		if last, err = i, c.run(w, &first); err != nil {
			break
		}
	}
	return last, err
}

// reduce leaves out jobs as long as the same check fails.
func (k *kit) reduce(w *workload, at int, fault error) (*workload, error) {
	for i := len(w.jobs) - 1; i >= 0 && k.ctx.Err() == nil && !k.outside; i-- {
		less := w.omit(i)
		if failed, err := k.try(less); failed == at && err != nil {
			w, fault = less, err
		}
	}
	return w, fault
}

// compareReplay wants another replay to be as the first, times scaled.
func (k *kit) compareReplay(w *workload, first *outcomes, scale events.Time) error {
	got, err := k.replay(w)
	if err != nil {
		return err
	}
	return same(first, &got, scale)
}

// same wants two replays to agree job by job, times of the second being scaled.
func same(first, second *outcomes, scale events.Time) error {
	a, b := first.list, second.list
	if len(a) != len(b) {
		return fmt.Errorf("%d jobs ended, then %d", len(a), len(b))
	}
	for i := range a {
		x, y := &a[i], &b[i]
		if x.Seq != y.Seq || scale*x.Start != y.Start || scale*x.End != y.End || x.Preemptions != y.Preemptions ||
			scale == 1 && x.Payment != y.Payment {
			return fmt.Errorf("the job that ends as number %d is job %d in order of submission, from %v to %v for %v, and "+
				"then job %d from %v to %v for %v",
				i+1, x.Seq+1, x.Start, x.End, x.Payment, y.Seq+1, y.Start, y.End, y.Payment)
		}
	}
	return nil
}
