package script

import (
	"fmt"
	"math"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/traces"
)

// Bid is a behaviour from a script: bid(value, job) is what the owner of a job says that a
// processor-second is worth, or bid(value, job, u) with u uniform in [0, 1), its own for
// each job.
type Bid struct {
	m   *module
	bid *starlark.Function
}

var _ bidding.Informed = (*Bid)(nil)

// NewBid starts the script as a behaviour.
func NewBid(f *File) (*Bid, error) {
	m, err := f.start()
	if err != nil {
		return nil, err
	}
	b := &Bid{m: m}
	if m.function("bid") == nil && m.function("submit") != nil {
		return b, nil // truthful: it says when its owner submits
	}
	if b.bid, err = m.requireFunc("bid", "a behaviour"); err != nil {
		return nil, err
	}
	if b.bid.NumParams() == 3 {
		return b, nil
	}
	return b, m.checkParams(b.bid, "value", "job")
}

// Report implements bidding.Behaviour.
func (*Bid) Report(value, _, _ float64) (float64, bool) { return value, false }

// ReportFor implements bidding.Informed: the owner knows the job.
func (b *Bid) ReportFor(j *traces.Job, value, u float64) (float64, error) {
	if b.bid == nil {
		return value, nil
	}
	where := func() string { return fmt.Sprintf("bidding for job %d", j.ID) }
	known := policies.Job{
		ID: j.ID, Task: j.Task, Procs: j.Procs, Size: float64(j.Procs), Submit: j.Submit, Estimate: j.Estimate, Run: j.Run,
		Left: j.Run,
		User: j.User, Group: j.Group, Queue: j.Queue, Partition: j.Partition, Priority: j.Priority, Class: j.Class,
		Bid: value, Since: events.Unknown,
	}
	args := []starlark.Value{starlark.Float(value), &job{Job: known, now: j.Submit, site: b.m.site}, starlark.Float(u)}
	v := b.m.call(where, b.bid, args[:b.bid.NumParams()]...)
	if b.m.err != nil {
		return 0, b.m.err
	}
	x, ok := starlark.AsFloat(v)
	if !ok || math.IsNaN(x) || x < 0 || x > policies.MostMoney {
		return 0, fmt.Errorf("%v: bid gives %s; want a number from 0 to %g (%s)", b.bid.Position(), brief(v),
			policies.MostMoney, where())
	}
	return x, nil
}
