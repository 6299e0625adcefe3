package engine

import (
	"cmp"
	"fmt"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// mostIdle is how often a policy may be asked in a row while nothing happens but that it wakes:
// as many seconds are eleven days.
const mostIdle = 1_000_000

// mostWaited is mostIdle where no job runs and rules of the site keep those that wait.
const mostWaited = 100_000

// stuck reports whether nothing will ever happen again but that the policy wakes, or that rules of the site change.
func (e *Replay) stuck() error {
	switch {
	case e.idle > mostWaited && e.gate != nil && e.running == 0 && e.waiting > 0:
		return &DeadlockError{e.waiting, e.firstWaiting(), e.now}
	case e.idle > mostIdle:
		return fmt.Errorf("the policy at %v was asked %d times in a row, since it wanted to be, and no job arrived "+
			"or ended meanwhile: does it wake without an end?", e.now, mostIdle)
	}
	return nil
}

// decide lets the policy plan, applies its decisions and sets the prices. Jobs
// that were started with nothing left to run end at once, and the policy
// decides again on the processors they free, until none does.
func (e *Replay) decide() error {
	for {
		e.pass++
		if e.purses != nil {
			if err := e.changePurses(); err != nil {
				return err
			}
		}
		if e.gate != nil {
			e.readmit()
		}
		r := &e.round
		if e.idle++; len(r.Arrived)+len(r.Ended)+len(r.Changed)+len(r.Rebid) > 0 {
			e.idle = 0
		} else if err := e.stuck(); err != nil {
			return err
		}
		r.Jobs = e.jobs
		r.Spare = e.machine.total.Minus(e.held)
		r.Free = int(r.Spare.CPU)
		r.Started, r.Preempted, r.Preemptors = r.Started[:0], r.Preempted[:0], r.Preemptors[:0]
		if r.Left = r.Left[:0]; e.gate != nil {
			r.Left, e.gate.quits = append(r.Left, e.gate.quits...), e.gate.quits[:0]
		}
		r.Shared, r.Placed, r.Further, r.WakeAt = r.Shared[:0], r.Placed[:0], r.Further[:0], events.Never
		r.Again = false
		e.cfg.Policy.Plan(r)
		if err := e.failed(); err != nil {
			return err
		}
		if err := e.apply(); err != nil {
			return err
		}
		for _, p := range e.pricers {
			p.Clear(r)
		}
		if err := e.failed(); err != nil { // of a price; the last round has no other after it
			return err
		}
		if e.cfg.Rounds != nil {
			if err := e.cfg.Rounds.Round(r); err != nil {
				return err
			}
		}
		if e.cfg.Causes != nil {
			if err := e.cfg.Causes.Round(r); err != nil {
				return err
			}
		}
		e.forget()
		if e.gate != nil && e.tell() || r.Again {
			continue
		}
		if len(e.instant) == 0 && (e.purses == nil || !e.purses.justEmptied()) {
			return e.sample()
		}
		if !e.single { // ties go by trace order, as those of the queue
			slices.SortFunc(e.instant, func(a, b policies.Ref) int { return cmp.Compare(e.jobs.At(a).Seq, e.jobs.At(b).Seq) })
		}
		for _, ref := range e.instant {
			e.sum.Events++
			if err := e.complete(ref); err != nil {
				return err
			}
		}
		e.instant = e.instant[:0]
	}
}

// failed is the first error of the policy and the price schemes.
func (e *Replay) failed() error {
	for _, f := range e.failers {
		if err := f.Err(); err != nil {
			return err
		}
	}
	return nil
}

// apply checks the decisions against the machine and carries them out.
func (e *Replay) apply() error {
	for i, ref := range e.round.Preempted {
		if !e.inState(ref, policies.Running) {
			return e.illegal("preempts", ref, "it is not running")
		}
		by := policies.Ref(-1)
		if i < len(e.round.Preemptors) {
			by = e.round.Preemptors[i]
		}
		if by >= 0 && (int(by) >= e.jobs.Len() || by == ref || e.jobs.At(by).State == policies.Gone) {
			return e.illegal("preempts", ref, "it names no live job to make room for")
		}
		if err := e.preempt(ref, by); err != nil {
			return err
		}
	}
	if e.gate != nil {
		if err := e.decline(); err != nil {
			return err
		}
	}
	for i, ref := range e.round.Started {
		if !e.inState(ref, policies.Waiting) {
			return e.illegal("starts", ref, "it is not waiting")
		}
		l, j := e.lives.At(ref), e.jobs.At(ref)
		if l.stopped == e.pass {
			return e.illegal("starts", ref, "the same round preempts it")
		}
		if free := e.machine.total.Minus(e.held); !j.Need.Fits(free) {
			return e.illegal("starts", ref, fmt.Sprintf("it needs %s, free are %s", e.machine.text(j.Need),
				e.machine.text(free)))
		}
		if why := e.machine.take(&e.round, i); why != "" {
			return e.illegal("starts", ref, why)
		}
		e.begin(ref, l, j, 1)
	}
	for _, d := range e.round.Left {
		if err := e.leave(d); err != nil {
			return err
		}
	}
	if len(e.round.Shared) > 0 && len(e.round.Machines) > 0 {
		return fmt.Errorf("policy %T at %v shares, but jobs on machines run or wait", e.cfg.Policy, e.now)
	}
	if len(e.round.Shared) > 0 {
		if err := e.share(); err != nil {
			return err
		}
	}
	if at := e.round.WakeAt; at != events.Never && at != e.wakeAt {
		e.wakeAt = at
		e.eventSeq++
		e.queue.Push(events.New(at, events.Timer, e.eventSeq, 0, 0))
	}
	return nil
}

func (e *Replay) inState(ref policies.Ref, s policies.State) bool {
	return ref >= 0 && int(ref) < e.jobs.Len() && e.jobs.At(ref).State == s
}

// illegal names policy, instant and job of a decision that cannot be applied.
func (e *Replay) illegal(verb string, ref policies.Ref, why string) error {
	job := fmt.Sprintf("an unknown job (ref %d)", ref)
	if ref >= 0 && int(ref) < e.jobs.Len() {
		job = fmt.Sprintf("job %d", e.jobs.At(ref).ID)
	}
	return fmt.Errorf("the policy at %v %s %s, but %s", e.now, verb, job, why)
}

// forget gives the slots of ended jobs back and empties the round's news.
func (e *Replay) forget() {
	r := &e.round
	if e.gate == nil {
		e.free = append(e.free, r.Ended...)
	} else {
		e.gate.forget(e)
	}
	r.Arrived, r.Rebid, r.Ended = r.Arrived[:0], r.Rebid[:0], r.Ended[:0]
	r.Changed, r.Evicted, r.Absent = r.Changed[:0], r.Evicted[:0], r.Absent[:0]
}

func (e *Replay) sample() error {
	if e.audit != nil {
		if err := e.audit.decided(e); err != nil {
			return err
		}
	}
	if e.cfg.Samples == nil {
		return nil
	}
	fragments := 0.0
	if e.gpus != nil {
		fragments, _ = e.gpus.Fragments()
	}
	all := e.sum.Capacity.CPU
	return e.cfg.Samples.Sample(&Sample{
		Away: all - e.there.CPU, Capped: e.there.CPU - e.usable.CPU,
		Time: e.now, Running: e.running, Queued: e.waiting,
		Use: e.machine.units(e.held), Capacity: e.there, Price: e.cfg.Pricer.Quote(), Fragments: fragments,
		Power: e.meter.watts(e),
	})
}
