package engine

import (
	"math"

	"bourse/events"
	"bourse/policies"
)

// attempt returns the time that a job may run before it is killed: its run time, or under
// ResubmitKilled its estimate if that is less.
func (e *Replay) attempt(run, estimate events.Time) events.Time {
	if e.cfg.ResubmitKilled && estimate.Known() {
		return min(run, estimate)
	}
	return run
}

// resubmit sends a job that its estimate has ended back to the queue, with twice
// the estimate and all its work before it. To the policy one job has ended and
// another has arrived, last in order of submission; the record, the bill and the value
// continue. Arrivals of the same instant are after it.
func (e *Replay) resubmit(ref policies.Ref) {
	fresh := e.slot()
	old, l := e.lives.At(ref), e.lives.At(fresh)
	epoch := l.epoch
	*l = *old
	l.epoch, l.stopped, l.before = epoch, -1, old.Preemptions
	l.Ref = fresh
	l.Lost += old.run
	l.Restarts++
	copy(e.billsOf(fresh), e.billsOf(ref))

	j := e.jobs.At(fresh)
	*j = *e.jobs.At(ref)
	j.Estimate = min(max(2*j.Estimate, events.Second), math.MaxInt64/8)
	l.run = e.attempt(l.Job.Run, j.Estimate)
	l.left = l.run
	j.Seq, j.Submit = e.arrivalSeq, e.now
	e.arrivalSeq++
	j.State, j.Rate = policies.Waiting, 0
	if e.needs.RunTimes {
		j.Run, j.Left = l.run, l.left
	}
	if e.purses != nil {
		l.Bid = e.purses.wanted[ref]
	}
	e.scheduleRebids(fresh, l, j.Seq)
	l.Bid = e.affordable(fresh, j.User, l.Bid)
	j.Bid = l.Bid
	e.jobs.At(ref).State, e.jobs.At(ref).Rate = policies.Gone, 0
	e.round.Ended = append(e.round.Ended, ref)
	e.round.Arrived = append(e.round.Arrived, fresh)
	e.waiting++
	e.sum.Events++
	e.sum.Resubmissions++
	if e.audit != nil {
		e.audit.moved(ref, fresh)
	}
}

// moved lets a job's books continue in another slot.
func (a *audit) moved(from, to policies.Ref) {
	for int(to) >= len(a.books) {
		a.books = append(a.books, book{})
	}
	a.books[to] = a.books[from]
	a.books[from] = book{}
}
