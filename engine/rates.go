package engine

import (
	"fmt"
	"math"

	"bourse/events"
	"bourse/policies"
)

// An allocation is a rate, the share that a job holds of what it asked for, and makes a
// pace: its work falls at pace x time. The pace is the rate, or what the job's speed
// makes of it. Work and time stay whole microseconds. At pace 1 they are equal; at
// others, work done is rounded down and time needed up, so a job is never early, and
// each change of rate may cost it the work of a microsecond.

// workIn returns the work done in a time at a pace, at most what is left.
func workIn(dt events.Time, pace float64, left events.Time) events.Time {
	if pace == 1 {
		return dt
	}
	return min(left, events.Time(math.Floor(pace*float64(dt))))
}

// timeFor returns the time that work takes at a pace.
func timeFor(work events.Time, pace float64) events.Time {
	if pace == 1 {
		return work
	}
	return events.Time(math.Ceil(float64(work) / pace))
}

// paceOf is the pace of a job at a rate.
func paceOf(j *policies.Job, rate float64) float64 {
	if rate == 1 || j.Speed == nil {
		return rate
	}
	return j.Speed.At(rate)
}

// slack is how far shares may exceed the machine by rounding, as a fraction.
const slack = 1e-9

// share carries out the rates of a round: first those that fall, then those that
// rise, so that none needs processors that another is about to free.
func (e *Replay) share() error {
	for _, rising := range []bool{false, true} {
		for _, a := range e.round.Shared {
			if err := e.setRate(a, rising); err != nil {
				return err
			}
		}
	}
	if e.machine.exceeded(e.held) {
		return fmt.Errorf("policy %T at %v allocates %s, the machine has %s", e.cfg.Policy, e.now, e.machine.text(e.held),
			e.machine.text(e.machine.total))
	}
	return nil
}

func (e *Replay) setRate(a policies.Allocation, rising bool) error {
	if !e.inState(a.Ref, policies.Waiting) && !e.inState(a.Ref, policies.Running) {
		return e.illegal("shares with", a.Ref, "it is not in the system")
	}
	l, j := e.lives.At(a.Ref), e.jobs.At(a.Ref)
	if most := j.Speed.MostRate(); !(a.Rate >= 0 && a.Rate <= most) {
		return e.illegal("shares with", a.Ref, fmt.Sprintf("a rate of %g is not from 0 to %g", a.Rate, most))
	}
	if a.Rate > 0 && j.Speed != nil && !(j.Speed.At(a.Rate) >= policies.LeastSpeed) {
		return e.illegal("shares with", a.Ref, fmt.Sprintf("at a rate of %g it would never end", a.Rate))
	}
	now := 0.0
	if j.State == policies.Running {
		now = j.Rate
	}
	if a.Rate == now || a.Rate > now != rising {
		return nil
	}
	if l.shared = true; j.Speed != nil && a.Rate != 1 && a.Rate != 0 {
		e.sum.Stretched++
	}
	l.changes++
	switch {
	case now == 0:
		e.begin(a.Ref, l, j, a.Rate)
	case a.Rate == 0:
		return e.preempt(a.Ref, -1)
	default:
		return e.change(a.Ref, a.Rate)
	}
	return nil
}

// change gives a running job another rate: the bill so far is at the old one, and
// the completion that was scheduled becomes void.
func (e *Replay) change(ref policies.Ref, rate float64) error {
	l, j := e.lives.At(ref), e.jobs.At(ref)
	if err := e.settle(ref, l, j); err != nil {
		return err
	}
	worked := workIn(e.now-l.since, l.pace, l.left)
	l.left, l.opening = l.left-worked, max(0, l.opening-worked)
	e.release(ref, j)
	l.since = e.now
	if e.needs.RunTimes {
		j.Left, j.Since = l.left, e.now
	}
	l.epoch++
	e.stale++
	j.Rate, l.pace = rate, paceOf(j, rate)
	e.held = e.held.Plus(j.Need.Times(rate))
	if e.meter != nil {
		e.meter.run(e, ref, rate)
	}
	e.open(ref, j)
	e.schedule(ref, l, j)
	e.sweep()
	return nil
}

// release takes what a job holds out of what is in use.
func (e *Replay) release(ref policies.Ref, j *policies.Job) {
	e.held = e.held.Minus(j.Need.Times(j.Rate))
	if e.meter != nil {
		e.meter.stop(e, ref)
	}
}
