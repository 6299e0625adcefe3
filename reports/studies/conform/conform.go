// Package conform puts a policy that somebody wrote, in whatever language, through random
// workloads full of coincidences, under the engine's audit: are its decisions legal, does
// every job end, is the schedule the same each time, and does a copy of the policy go on as
// the policy does? It is to policies by name what engine/policytest is to those in Go.
package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/policies/catalog"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/rng"
)

// Result is what became of each check.
type Result struct {
	Policy    string
	Traits    policies.Traits
	Needs     policies.Needs
	Workloads int
	Findings  []Finding
}

// Finding is one check; Fault is empty if it passed.
type Finding struct {
	Check, Fault string
	Tried        bool
}

// The checks.
const (
	Legal   = "its decisions are legal and keep every conservation law"
	Ends    = "every job ends"
	Repeats = "the schedule is the same each time"
	Copies  = "a copy goes on as the policy does"
)

// checks are in the order in which they are tried.
var checks = []string{Legal, Ends, Repeats, Copies}

// Check tries a policy on so many random workloads.
func Check(ctx context.Context, policy string, workloads int, seed uint64) (*Result, error) {
	p, err := catalog.Policies.Make(policy)
	if err != nil {
		return nil, err
	}
	r := &Result{Policy: policy, Traits: policies.TraitsOf(p), Needs: policies.NeedsOf(p), Workloads: workloads}
	faults, tried := map[string]string{}, map[string]bool{}
	draw := rng.New(seed, "conformance")
	for i := range workloads {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w := newWorkload(draw)
		check, err := w.try(ctx, policy)
		for _, c := range checks[:1+slices.Index(checks, check)] { // a failure is the last check tried
			tried[c] = true
		}
		if err != nil && faults[check] == "" {
			faults[check] = fmt.Sprintf("workload %d, %d jobs on %d processors: %v", i+1, len(w.jobs), w.procs, err)
		}
	}
	for _, check := range checks {
		r.Findings = append(r.Findings, Finding{check, faults[check], tried[check]})
	}
	return r, nil
}

// try returns the first check that fails, and how.
func (w *workload) try(ctx context.Context, policy string) (string, error) {
	first, err := w.replay(ctx, policy, 0)
	if err != nil {
		if errors.Is(err, errUnended) {
			return Ends, err
		}
		return Legal, err
	}
	again, err := w.replay(ctx, policy, 0)
	if err == nil {
		err = differ(first, again)
	}
	if err != nil {
		return Repeats, err
	}
	copied, err := w.replay(ctx, policy, 1+len(w.jobs)/2)
	if err == nil {
		err = differ(first, copied)
	}
	return Copies, err
}

// differ says where two schedules part.
func differ(a, b []engine.Outcome) error {
	for i := range a {
		if a[i].Start != b[i].Start || a[i].End != b[i].End || a[i].Preemptions != b[i].Preemptions {
			return fmt.Errorf("job %d runs from %v to %v, and then from %v to %v", a[i].Job.ID, a[i].Start, a[i].End, b[i].Start, b[i].End)
		}
	}
	return nil
}

// workload is a machine and its jobs.
type workload struct {
	procs int
	jobs  []traces.Job
}

func newWorkload(d *rng.Rand) *workload {
	w := &workload{procs: 1 + d.IntN(8)}
	at := events.Time(0)
	for i := range 1 + d.IntN(40) {
		at += events.Time(d.IntN(5)) * events.Second
		run := events.Time(1+d.IntN(12)) * events.Second
		w.jobs = append(w.jobs, traces.Job{
			ID: int64(i + 1), Submit: at, Run: run, Estimate: run + events.Time(d.IntN(9))*events.Second, Pieces: 1,
			Procs: int32(1 + d.IntN(w.procs)), User: traces.Label(d.IntN(4)), Queue: traces.Label(d.IntN(3)), Priority: -1, Class: -1,
		})
	}
	return w
}

// most is the number of instants at which something may happen in a workload: a policy
// that wakes and never starts anything goes on for ever.
func (w *workload) most() int { return 1000 * len(w.jobs) }

var errUnended = errors.New("jobs wait for ever")

// outcomes take what became of the jobs, by their numbers.
type outcomes []engine.Outcome

// Record implements engine.Sink.
func (o *outcomes) Record(x *engine.Outcome) error {
	(*o)[x.Job.ID-1] = *x
	return nil
}

// replay returns the schedule; after so many instants a copy of the replay takes over, if
// that is not 0.
func (w *workload) replay(ctx context.Context, policy string, copyAfter int) (got outcomes, err error) {
	p, pricer, _, err := catalog.Market{Policy: policy, Payment: "none", Values: catalog.Defaults.Values, Behaviour: catalog.Defaults.Behaviour}.Build()
	if err != nil {
		return nil, err
	}
	bids := func() policies.Bidder {
		return bidding.NewModel(bidding.Bimodal{Low: 30, High: 150, Deviation: 15, Share: .5, Max: 180}, bidding.Truthful{}, 1)
	}
	got = make(outcomes, len(w.jobs))
	source := traces.MemoryOf(w.jobs...).Source()
	e, err := engine.New(engine.Config{Machine: engine.Processors(w.procs), Policy: p, Pricer: pricer, Bidder: bids(), Check: true}, source, &got)
	if err != nil {
		return nil, err
	}
	defer func() { e.Close() }()
	for n := 1; e.More(); n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.Step(); err != nil {
			return nil, err
		}
		if n > w.most() {
			return nil, errUnended
		}
		if n == copyAfter {
			copied, err := e.Fork(bids(), &got)
			if err != nil {
				return nil, err
			}
			e.Close()
			e = copied
		}
	}
	if i := slices.IndexFunc(got, func(o engine.Outcome) bool { return o.Job.ID == 0 }); i >= 0 {
		return nil, fmt.Errorf("%w: job %d of %d processors never runs", errUnended, i+1, w.jobs[i].Procs)
	}
	return got, nil
}

// Print writes the findings, and what the policy looks at.
func (r *Result) Print(w io.Writer) error {
	t := terminal.NewTable("check", "verdict")
	t.Left(1)
	for _, f := range r.Findings {
		verdict := "passed"
		if !f.Tried {
			verdict = "not tried: no workload came so far"
		}
		if f.Fault != "" {
			verdict = "FAILED: " + f.Fault
		}
		t.Row(f.Check, verdict)
	}
	if err := t.Write(w); err != nil {
		return err
	}
	sees := "what every policy may see"
	if r.Needs.Estimates {
		sees += ", and needs estimates"
	}
	if r.Needs.RunTimes {
		sees += ", and the true run times (clairvoyant)"
	}
	verdict := "conforms"
	if n := r.Failed(); n > 0 {
		verdict = fmt.Sprintf("fails %d of %d checks", n, len(r.Findings))
	}
	_, err := fmt.Fprintf(w, "it sees %s\n%s %s, on %d random workloads\n", sees, r.Policy, verdict, r.Workloads)
	return err
}

// Failed counts the checks that did not pass.
func (r *Result) Failed() (n int) {
	for _, f := range r.Findings {
		if f.Fault != "" {
			n++
		}
	}
	return n
}
