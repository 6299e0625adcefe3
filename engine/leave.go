package engine

import (
	"fmt"

	"bourse/events"
	"bourse/policies"
)

// leave takes a waiting job out of the system. Its run is the last part of its time elsewhere.
func (e *Replay) leave(d policies.Departure) error {
	ref, flow := d.Ref, events.Time(d.Flow)
	switch {
	case !e.inState(ref, policies.Waiting):
		return e.illegal("lets go of", ref, "it is not waiting")
	case flow < 1 || d.Why == "":
		return e.illegal("lets go of", ref, fmt.Sprintf("for %d run times elsewhere, as %q; want at least 1, and a reason",
			flow, d.Why))
	}
	l, j := e.lives.At(ref), e.jobs.At(ref)
	if l.Job.Run > (clockEnd-l.Job.Submit)/flow {
		return &OverflowError{e.now, clockEnd}
	}
	if e.gate != nil {
		s := e.start(ref)
		e.gate.unshow(ref, &s)
	}
	l.WhyLeft, l.End = d.Why, l.Job.Submit+flow*l.Job.Run
	l.Start = l.End - l.Job.Run
	j.State = policies.Gone
	e.waiting--
	e.round.Demand = e.round.Demand.Minus(j.Need)
	if e.sum.Left++; e.sum.Left == 1 {
		e.sum.WhyLeft = d.Why
	}
	if e.audit != nil {
		e.audit.forget(ref)
	}
	e.queue.Push(events.New(max(e.now, l.End), events.Completion, j.Seq, int32(ref), l.epoch))
	return nil
}

// recordLeft hands over the record of a job that has left.
func (e *Replay) recordLeft(ref policies.Ref) error {
	l := e.lives.At(ref)
	if e.cfg.Causes != nil {
		l.Causes = &Causes{}
		l.Causes[Held] = l.Wait() // what it did not want, or was not given
	}
	bills := e.billsOf(ref)
	l.Payment, l.Also = bills[0], bills[1:]
	e.sum.Jobs++
	e.free = append(e.free, ref)
	if err := e.sink.Record(&l.Outcome); err != nil {
		return err
	}
	return e.react(&l.Job)
}

// forget closes the books of a job that has left.
func (a *audit) forget(ref policies.Ref) {
	if int(ref) < len(a.books) {
		a.paid.Add(a.books[ref].bill)
		a.books[ref] = book{}
	}
}
