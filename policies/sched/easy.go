package sched

import (
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
)

// Rules are the choices that "EASY" leaves open.
type Rules struct {
	// Order is the order of the queue, whose head holds the reservation;
	// Backfill the order in which the others are tried.
	Order, Backfill order.Ranking
	// Reservations is the number of jobs that hold one: 0 stands for 1, which is EASY;
	// NoReservation starts whatever fits.
	Reservations int
	// Predict plans with predicted run times instead of requests; nil does not.
	Predict Predictor
	// SingleEvents decides as pyss does (tie=pyss): after every single event,
	// submissions before completions, and on the processors that are free by the
	// estimates. A job whose estimate is up counts as ended though its completion
	// may be the next event of the instant; what starts on its processors does so
	// when it has ended.
	SingleEvents bool
}

// NoReservation is the number of reservations under which no job waits for a wider one.
const NoReservation = -1

// reserved is the number of jobs that hold a reservation.
func (r *Rules) reserved() int {
	if r.Reservations == 0 {
		return 1
	}
	return max(r.Reservations, 0)
}

// Easy is EASY backfilling (Lifka, JSSPP 1995; Mu'alem and Feitelson, IEEE TPDS
// 12(6), 2001): jobs start in order while the next one fits. The head, which does
// not, gets a reservation at the shadow time, the earliest time it fits if every
// running job ends at its estimate; extra is what is free then beyond the head's
// need, counting all jobs expected to end by the shadow time. A later job may
// start now if it fits and either ends by the shadow time, by its estimate, or
// leaves the head its processors (procs <= extra). The queue is tried once, in
// backfill order; extra shrinks with each job that will outlast the shadow time.
//
// A job past its estimate is taken to end any moment: its processors count for
// the shadow time, but are not there to start anything on. The reservation then
// is broken by the job's overrun, never by backfilling.
//
// Since free and extra only shrink during a pass, a job that was passed over
// cannot fit later in it: trying the queue once in order is taking the first job
// that fits until none does. Each is found by an index in logarithmic time, so a
// pass costs O(log n) per start and not the length of the queue.
type Easy struct {
	policies.AsFCFS
	rules Rules
	order.Pair
	queue      policies.Queue // waiting, in queue order
	candidates sizes          // waiting, in backfill order
	running    ends
	decided    []policies.Ref // to start when their processors are free (SingleEvents)
	scan       *EasyScan      // decides instead where changes of the machine's size are to come
}

// Scans reports whether the rules need EasyScan.
func (r *Rules) Scans() bool {
	return r.Predict != nil || r.Reservations > 1 || r.Order.Looks().Changes || r.Backfill.Looks().Changes
}

func (r *Rules) traits() policies.Traits {
	return policies.Traits{SingleEvents: r.SingleEvents, ByScale: r.Order.ByPlainBid() && r.Backfill.ByPlainBid()}
}

// needs are estimates, and true run times if an order looks at them.
func (r *Rules) needs() policies.Needs {
	return policies.Needs{RunTimes: r.Order.Needs().RunTimes || r.Backfill.Needs().RunTimes, Estimates: true}
}

// EASY returns EASY itself: the first waiting job holds a reservation, the others are tried in order of submission.
func EASY() policies.Policy { return NewEasy(Rules{}) }

// NewEasy returns EASY under the rules. Orders whose keys change while jobs wait
// and more than one reservation need EasyScan, which knows no
// SingleEvents.
func NewEasy(rules Rules) policies.Policy {
	if rules.Scans() {
		return NewEasyScan(rules)
	}
	return &Easy{rules: rules, Pair: order.NewPair(rules.Order, rules.Backfill),
		candidates: newSizes(), running: newEnds()}
}

// Backfills implements order.Backfiller.
func (r *Rules) Backfills() (order.Backfilling, bool) {
	return order.Backfilling{Order: r.Order, Backfill: r.Backfill, Reservations: r.reserved()},
		!r.SingleEvents && r.Predict == nil
}

// Backfills implements order.Backfiller.
func (p *Easy) Backfills() (order.Backfilling, bool) { return p.rules.Backfills() }

// Traits are those of the rules.
func (p *Easy) Traits() policies.Traits { return p.rules.traits() }

// Needs are those of the rules.
func (p *Easy) Needs() policies.Needs { return p.rules.needs() }

// ExpectChanges implements policies.Planner. With SingleEvents there is no plan for what is to come: the simulator
// that does so has none.
func (p *Easy) ExpectChanges() {
	if !p.rules.SingleEvents {
		p.scan = NewEasyScan(p.rules)
	}
}

// Plan starts jobs in order while they fit, then backfills.
func (p *Easy) Plan(r *policies.Round) {
	if p.scan != nil {
		p.scan.Plan(r)
		return
	}
	p.absorb(r)
	// What is free now, and what has to end for the rest to be free.
	now, free := r.Free, r.Free
	if p.rules.SingleEvents {
		now = p.carryOut(r)
		free = now + int(p.running.endedBy(r.Now))
	}
	for p.queue.Len() > 0 {
		head := p.queue.Head()
		n := int(r.Job(head).Procs)
		if n > free {
			break
		}
		p.start(r, head)
		free, now = free-n, now-n
	}
	// The head does not fit, so it is never found among the candidates.
	if p.queue.Len() == 0 || !p.candidates.hasWithin(free) {
		return
	}
	shadow, extra := events.Never, free
	if p.rules.reserved() > 0 {
		shadow, extra = p.running.shadow(r.Now, now, int(r.Job(p.queue.Head()).Procs))
	}
	for free > 0 {
		ref := p.candidates.first(free, shadow-r.Now, min(free, extra))
		if ref < 0 {
			return
		}
		j := r.Job(ref)
		free -= int(j.Procs)
		if j.Estimate > shadow-r.Now {
			extra -= int(j.Procs)
		}
		p.start(r, ref)
	}
}

// carryOut starts the jobs decided on earlier whose processors have come free,
// and returns what is left free once all of them have theirs: negative while some
// jobs whose estimates are up have not ended.
func (p *Easy) carryOut(r *policies.Round) int {
	left, promised, kept := r.Free, 0, p.decided[:0]
	for _, ref := range p.decided {
		n := int(r.Job(ref).Procs)
		if promised += n; n <= left {
			left -= n
			r.Start(ref)
		} else {
			kept = append(kept, ref)
		}
	}
	p.decided = kept
	return r.Free - promised
}

func (p *Easy) absorb(r *policies.Round) {
	for _, ref := range r.Ended {
		p.running.remove(ref)
	}
	if p.Queue.Bid || p.Others.Bid {
		for _, ref := range r.Rebid {
			if p.queue.Remove(ref) {
				p.candidates.remove(ref)
				p.wait(r, ref)
			}
		}
	}
	for _, ref := range r.Arrived {
		p.wait(r, ref)
	}
}

func (p *Easy) wait(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	p.queue.Push(p.Queue.Key(r.Now, j), j.Seq, ref)
	p.candidates.insert(ref, p.Others.Key(r.Now, j), j)
}

func (p *Easy) start(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	if p.rules.SingleEvents && int(j.Procs) > p.idle(r) {
		p.decided = append(p.decided, ref)
	} else {
		r.Start(ref)
	}
	p.queue.Remove(ref)
	p.candidates.remove(ref)
	p.running.insert(ref, r.Now+j.Estimate, j)
}

// idle returns the processors that this round's starts leave.
func (p *Easy) idle(r *policies.Round) int {
	n := r.Free
	for _, ref := range r.Started {
		n -= int(r.Job(ref).Procs)
	}
	return n
}

// Clone returns an independent copy.
func (p *Easy) Clone() policies.Policy {
	if p.scan != nil {
		return p.scan.Clone()
	}
	return &Easy{rules: p.rules, Pair: p.Pair.Clone(),
		queue: p.queue.Clone(), candidates: p.candidates.clone(), running: p.running.clone(),
		decided: slices.Clone(p.decided)}
}
