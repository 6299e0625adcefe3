package engine

import (
	"bourse/events"
	"bourse/policies"
)

// leave takes a waiting job out of the system. What it loses by that is what it would lose
// by waiting as long as it runs: its record has it end after twice its run time.
func (e *Replay) leave(ref policies.Ref) {
	l, j := e.lives.At(ref), e.jobs.At(ref)
	l.Left, l.Start, l.End = true, l.Job.Submit+l.Job.Run, l.Job.Submit+2*l.Job.Run
	j.State = policies.Gone
	e.waiting--
	e.round.Demand = e.round.Demand.Minus(j.Need)
	e.sum.Left++
	if e.audit != nil {
		e.audit.forget(ref)
	}
	e.queue.Push(events.New(max(e.now, l.End), events.Completion, j.Seq, int32(ref), l.epoch))
}

// elsewhere hands over the record of a job that has left.
func (e *Replay) elsewhere(ref policies.Ref) error {
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
		a.books[ref] = book{}
	}
}
