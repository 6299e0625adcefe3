package engine

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Forker is implemented by sources whose position can be copied.
type Forker interface {
	// Fork returns an independent source that continues from here.
	Fork() traces.Source
}

// Fork copies a replay in progress. The copy continues independently, drawing bids
// from bidder and giving records to sink: what if from here on something were
// different? The caller closes it. It costs time and memory in proportion to the most jobs
// that have been live at a time. The source must be able to copy its position (Forker).
// Segments, samples, rounds and the audit are not carried over.
func (e *Replay) Fork(bidder policies.Bidder, sink Sink) (*Replay, error) {
	source, ok := e.src.(Forker)
	if !ok {
		return nil, fmt.Errorf("a replay of %T cannot be forked; read the trace into memory first (traces.Load)", e.src)
	}
	f := *e
	f.cfg.Policy = e.cfg.Policy.Clone()
	f.pricers = slices.Clone(e.pricers)
	for i, p := range e.pricers {
		f.pricers[i] = p.Clone(f.cfg.Policy)
	}
	f.queue, f.purses, f.gate, f.meter = e.queue.Clone(), e.purses.clone(), e.gate.clone(), e.meter.clone()
	f.failers = f.ableToFail()
	f.cfg.Pricer, f.cfg.Also, f.cfg.Bidder = f.pricers[0], f.pricers[1:], bidder
	f.cfg.Segments, f.cfg.Samples, f.cfg.Arrivals, f.cfg.Rounds, f.cfg.Causes, f.cfg.Check, f.cfg.Progress = nil, nil, nil,
		nil, nil, false, nil
	f.nodes, f.audit, f.sum.Outages = nil, nil, slices.Clip(e.sum.Outages)
	if e.gpus != nil {
		f.gpus, _ = policies.As[policies.GPUFragmenter](f.cfg.Policy)
	}
	f.src, f.sink = source.Fork(), sink
	f.reactive, _ = traces.As[traces.Reactive](f.src)
	f.rebidder, _ = bidder.(policies.Rebidder)
	f.tables, f.copied = e.tables.copy(), true
	f.rebids, f.bills = slices.Clone(e.rebids), slices.Clone(e.bills)
	f.instant = nil
	f.round = policies.Round{Procs: e.round.Procs, Total: e.round.Total, Demand: e.round.Demand,
		Machines: slices.Clone(e.round.Machines)}
	for i := range f.round.Machines {
		f.round.Machines[i].Devices = slices.Clone(f.round.Machines[i].Devices)
	}
	f.machine.placement = e.machine.clone()
	return &f, nil
}

// spare holds the tables of copies that have been closed. A study makes thousands of copies
// one after the other, and new tables for each would take longer than all the rest.
var spare sync.Pool

// copy returns independent tables.
func (t *tables) copy() tables {
	to, used := spare.Get().(*tables)
	if !used {
		to = &tables{}
	}
	t.jobs.CopyTo(&to.jobs)
	t.lives.CopyTo(&to.lives)
	to.free = append(to.free[:0], t.free...)
	return *to
}

// Now is the instant that the replay has reached.
func (e *Replay) Now() events.Time { return e.now }

// Unfinished yields the jobs that wait or run, as policies see them.
func (e *Replay) Unfinished(yield func(*policies.Job) bool) {
	for ref := range policies.Ref(e.jobs.Len()) {
		if j := e.jobs.At(ref); j.State != policies.Gone && !yield(j) {
			return
		}
	}
}

// Alike reports whether two copies of a replay are at one instant with the same jobs unfinished, the same of them
// running, and the same work left: under a policy without a memory of its own they will not differ any more. Jobs that
// have left count until their records are handed over. With budgets, outages or limits none are alike, as what has been
// paid or held back matters later. It costs O(n log n) in the unfinished jobs.
func (e *Replay) Alike(o *Replay) bool {
	if e.purses != nil || e.gate != nil || e.now != o.now || e.seq != o.seq || e.running != o.running || e.waiting != o.waiting {
		return false
	}
	return slices.Equal(e.jobStates(), o.jobStates())
}

// jobState is the state of a job that Alike compares.
type jobState struct {
	seq     int64
	running bool
	resumes bool // at a cost
	left    events.Time
	opening events.Time
}

func (e *Replay) jobStates() []jobState {
	list := make([]jobState, 0, e.running+e.waiting)
	for ref := range policies.Ref(e.jobs.Len()) {
		j, l := e.jobs.At(ref), e.lives.At(ref)
		if j.State == policies.Gone {
			if l.WhyLeft != "" && l.End > e.now { // its record is still to come
				list = append(list, jobState{seq: j.Seq, left: l.End})
			}
			continue
		}
		s := jobState{j.Seq, j.State == policies.Running, l.begun && e.cfg.MigrationCost > 0, l.left, l.opening}
		if s.running {
			worked := workIn(e.now-l.since, l.pace, l.left)
			s.left, s.opening = s.left-worked, max(0, s.opening-worked)
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b jobState) int { return cmp.Compare(a.seq, b.seq) })
	return list
}

// Next returns the next job to arrive and whether there is one.
func (e *Replay) Next() (*traces.Job, bool) { return &e.next, e.more }

// Submit lets one more job come before the next arrival of the source, which must not be earlier: what if it had been
// there? It is for copies of replays whose jobs do not react to each other.
func (e *Replay) Submit(job traces.Job) error {
	if e.reactive != nil || job.Submit < e.now || e.more && job.Submit > e.next.Submit {
		return fmt.Errorf("job %d cannot be put in at %v: the replay stands at %v, its next job comes at %v",
			job.ID, job.Submit, e.now, e.next.Submit)
	}
	if e.more {
		e.src = &after{e.src, e.next, true}
	}
	e.next, e.more = job, true
	return nil
}

// after is a source whose next job has been read already.
type after struct {
	traces.Source
	next    traces.Job
	pending bool
}

// Next implements traces.Source.
func (a *after) Next(j *traces.Job) error {
	if a.pending {
		*j, a.pending = a.next, false
		return nil
	}
	return a.Source.Next(j)
}
