package engine

import (
	"fmt"
	"math"

	"bourse/events"
	"bourse/policies"
)

// audit recomputes the conservation laws in the plainest way, independently of the
// engine's own books, and only reads them:
//
//	processors in use = sum over running jobs <= machine
//	demand            = sum over unfinished jobs
//	work done         = run time + work lost to preemption, for every job
//	bill              = sum over rounds of price x processors x time
//	bills             = what was charged to users' budgets, if there are any
//	bills             = the cost, to the cent, where one is divided among the jobs
//
// Prices are asked for job by job at every round (policies.Pricer.Price), so
// bills are checked against the price's definition and not against the
// integrals they were made from. This walks over the running jobs: audits are
// for finding faults, not for speed.
type audit struct {
	running []policies.Ref
	books   []book // by Ref
	work    [policies.Resources]policies.Sum
	paid    policies.Sum // by all jobs
	failed  error
}

// halfCent is by how much bills that add up to the cent may differ from it.
const halfCent = .005

type book struct {
	place   int         // in running
	began   events.Time // with the work that it does now
	worked  float64     // microseconds at the speed on what it asked for
	fastest float64     // pace so far
	bill    float64
	fee     int64 // 1 + the Seq under which it has paid one
}

// advance books the interval from e.now to at for every running job.
func (a *audit) advance(e *Replay, at events.Time) {
	dt := at - e.now
	if dt < 0 {
		a.fail("time runs backwards from %v to %v", e.now, at)
	}
	for _, ref := range a.running {
		j, b := e.jobs.At(ref), &a.books[ref]
		pace := paceOf(j, j.Rate)
		b.worked += float64(pace * float64(dt))
		b.fastest = max(b.fastest, pace)
		b.bill += float64(a.owed(e, j, at) * j.Rate * j.Size)
		use := e.machine.units(j.Need)
		for r := range a.work {
			a.work[r].Add(float64(j.Rate * use.At(r) * dt.Seconds()))
		}
	}
}

// owed is what a running job owes until an instant, per processor.
func (a *audit) owed(e *Replay, j *policies.Job, at events.Time) float64 {
	if p, ok := e.cfg.Pricer.(policies.Continuous); ok {
		return p.Owed(j, e.now, at)
	}
	return e.cfg.Pricer.Price(j) * (at - e.now).Seconds()
}

func (a *audit) begin(e *Replay, ref policies.Ref) {
	for int(ref) >= len(a.books) {
		a.books = append(a.books, book{})
	}
	b, j := &a.books[ref], e.jobs.At(ref)
	if p, ok := e.cfg.Pricer.(policies.FeeCharger); ok && b.fee != j.Seq+1 { // once each time that it arrives
		b.fee = j.Seq + 1
		b.bill += float64(p.FeeOf(ref) * j.Size)
	}
	b.place, b.began = len(a.running), e.now
	a.running = append(a.running, ref)
}

func (a *audit) halt(ref policies.Ref) {
	place, last := a.books[ref].place, len(a.running)-1
	moved := a.running[last]
	a.running[place] = moved
	a.books[moved].place = place
	a.running = a.running[:last]
}

// complete compares an ended job's books with its record.
func (a *audit) complete(e *Replay, ref policies.Ref) error {
	b, l := &a.books[ref], e.lives.At(ref)
	// Shares round work and time to microseconds, once a change: at a pace above 1 that is more work.
	if excess := b.worked - float64(l.Job.Run+l.Lost); excess < -.5 && !l.shared ||
		math.Abs(excess) > .5+float64(float64(l.changes)*max(1, b.fastest))+float64(1e-9*b.worked) {
		a.fail("job %d worked %g s, its run time is %v and it lost %v", l.Job.ID, b.worked/1e6, l.Job.Run, l.Lost)
	}
	if l.Start < l.Job.Submit || l.End < l.Start {
		a.fail("job %d: submitted %v, started %v, ended %v", l.Job.ID, l.Job.Submit, l.Start, l.End)
	}
	if bill := e.billsOf(ref)[0]; !almostEqual(b.bill, bill) {
		a.fail("job %d is billed %g, its prices add up to %g", l.Job.ID, bill, b.bill)
	}
	a.paid.Add(b.bill)
	*b = book{}
	return a.failed
}

// decided checks the machine after the decisions of an instant.
func (a *audit) decided(e *Replay) error {
	var held, demand policies.Amount
	running, waiting := 0, 0
	for i := range policies.Ref(e.jobs.Len()) {
		switch e.jobs.At(i).State {
		case policies.Running:
			held = held.Plus(e.jobs.At(i).Need.Times(e.jobs.At(i).Rate))
			running++
		case policies.Waiting, policies.Held:
			waiting++
		default:
			continue
		}
		demand = demand.Plus(e.jobs.At(i).Need)
	}
	m := &e.machine
	margin := m.total.Times(slack) // shares are rounded as they come and go
	if !held.Fits(e.held.Plus(margin)) || !e.held.Fits(held.Plus(margin)) || m.exceeded(held) {
		a.fail("running jobs hold %s, the engine counts %s, the machine has %s", m.text(held), m.text(e.held),
			m.text(m.total))
	}
	for _, x := range e.round.Machines {
		if !(policies.Amount{}).Fits(x.Free) || !x.Free.Fits(x.Capacity) {
			a.fail("machine %d has %s and %s free", x.ID, m.text(x.Capacity), m.text(x.Free))
		}
		gpu := 0.0
		for d, free := range x.Devices {
			if gpu += float64(free); free < 0 || free > policies.WholeDevice {
				a.fail("device %d of machine %d has %d thousandths free", d, x.ID, free)
			}
		}
		if gpu != x.Free.GPU {
			a.fail("the devices of machine %d have %g thousandths free, the machine %g", x.ID, gpu, x.Free.GPU)
		}
	}
	if demand != e.round.Demand || running != e.running || waiting != e.waiting || running != len(a.running) {
		a.fail("%d running and %d waiting jobs ask for %s, the engine counts %d, %d and %s",
			running, waiting, m.text(demand), e.running, e.waiting, m.text(e.round.Demand))
	}
	a.rules(e)
	if p, ok := policies.As[policies.Auditor](e.cfg.Policy); ok {
		if err := p.Audit(&e.round); err != nil {
			a.fail("%v", err)
		}
	}
	return a.wrap(e.now)
}

// finish checks the totals.
func (a *audit) finish(e *Replay) error {
	if e.sum.Jobs != e.seq {
		a.fail("%d jobs arrived and %d ended", e.seq, e.sum.Jobs)
	}
	if e.purses != nil && !almostEqual(a.paid.Value(), e.purses.paid.Value()) {
		a.fail("the jobs' bills add up to %g, their users' budgets were charged %g", a.paid.Value(), e.purses.paid.Value())
	}
	if p, ok := e.cfg.Pricer.(policies.Apportioner); ok {
		if cost, all := p.Divides(); all && math.Abs(a.paid.Value()-cost) > halfCent {
			a.fail("the jobs' bills add up to %.4f, and %.4f was to be divided among them", a.paid.Value(), cost)
		}
	}
	for r := range a.work {
		books := e.sum.Used.At(r)
		if r == 0 {
			books = e.sum.Work
		}
		if work := a.work[r].Value(); !almostEqual(work, books) {
			a.fail("the jobs worked %g %s-seconds, the engine counts %g", work, policies.ResourceNames[r], books)
		}
	}
	return a.wrap(e.now)
}

func (a *audit) fail(format string, args ...any) {
	if a.failed == nil {
		a.failed = fmt.Errorf("check failed: "+format, args...)
	}
}

func (a *audit) wrap(now events.Time) error {
	if a.failed == nil {
		return nil
	}
	return fmt.Errorf("at %v: %w", now, a.failed)
}

// almostEqual allows for the different order in which the two sums were added.
func almostEqual(x, y float64) bool {
	return math.Abs(x-y) <= 1e-9*max(1, math.Abs(x), math.Abs(y))
}
