package sched

import (
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
)

// Conservative is conservative backfilling (Mu'alem and Feitelson, IEEE TPDS
// 12(6), 2001): every job is promised a start when it arrives, the earliest time
// at which enough processors are free for its whole estimate, by the estimates of
// the running jobs and the promises made before. When a job ends before its
// estimate the schedule is compressed: the waiting jobs are taken once in order
// of arrival, and each moves to the earliest place there is now, if that is
// earlier than its own. No promise is ever broken by another job.
//
// A job still running when its estimate is up is expected to run as long again as
// it has so far. If the machine is then promised twice, no promise can be kept: all
// waiting jobs are placed again in order of arrival; and so they are when changes of the
// machine's size become known. Estimates count as at least one microsecond.
//
// Keeping or giving up a promise costs O(log n); finding a place costs that for
// each gap on the way that is wide enough but too short. Compression looks at the
// waiting jobs one after the other, since each move changes what the next one
// finds; it leaves out those too wide for what is free in the time that has been
// given back, and searches once for all jobs of a width until one moves (gapMemo).
// So an early end costs time in proportion to the queue.
//
// That is the rule's own cost as long as promises are kept job by job: they are
// part of the schedule, and an early end moves some in proportion to the queue. It
// is all of them if each job needs the whole machine, and about one in twenty under
// the workload of BenchmarkDeepQueue with 14,000 waiting, because a job that moves
// up leaves a place to those behind it. EASY promises one start at a time and does
// not slow down.
//
// The queues by start and end are exact for 285 years of microseconds; beyond, those
// that differ by less than a float64 shows are in order of arrival.
type Conservative struct {
	policies.AsFCFS
	profile profile
	waiting policies.LeastTree // by Seq
	root    int32              // of the waiting
	due     policies.Queue     // the waiting by promised start
	running policies.Queue     // by expected end
	plans   []plan             // by Ref
	memo    gapMemo            // of the compression under way
	found   []gap              // by the last search for a new job
	carry   events.Time        // moves of the last compression gave time back up to here
	asked   events.Time        // the round asked for
}

// plan is the promise made to a job.
type plan struct {
	start, end events.Time
	procs      int64
}

// NewConservative returns conservative backfilling.
func NewConservative() *Conservative {
	return &Conservative{profile: newProfile(), root: nilNode, asked: events.Never}
}

// Backfills implements order.Backfiller.
func (*Conservative) Backfills() (order.Backfilling, bool) {
	return order.Backfilling{Reservations: math.MaxInt}, true
}

// Needs are estimates.
func (*Conservative) Needs() policies.Needs { return policies.Needs{Estimates: true} }

// Plan keeps the promises that are due, after settling what is new.
func (p *Conservative) Plan(r *policies.Round) {
	if p.plans == nil {
		p.profile.base = int64(r.Procs)
	}
	p.profile.advance(r.Now)
	until := p.takeBack(r)
	for _, c := range r.Coming {
		if c.At <= r.Now {
			p.profile.base += int64(c.Procs)
		} else {
			p.profile.add(c.At, int64(c.Procs))
		}
	}
	switch {
	case p.overruns(r) || len(r.Coming) > 0:
		p.placeAnew(r)
	case until > r.Now:
		p.compress(r, until)
	}
	for _, ref := range r.Arrived {
		j := r.Job(ref)
		for int(ref) >= len(p.plans) {
			p.plans = append(p.plans, plan{})
		}
		p.plans[ref] = plan{procs: int64(j.Procs)}
		p.root = p.waiting.Insert(p.root, int32(ref), j.Seq, j.Seq, policies.ExtentOf(j))
		p.promise(r, ref, p.place(r.Now, j))
	}
	p.keep(r)
}

// place returns the earliest time at which there is a place for a job.
func (p *Conservative) place(now events.Time, j *policies.Job) events.Time {
	p.found, _ = p.profile.gaps(p.found[:0], now, int64(j.Procs), length(j), events.Never)
	return p.found[len(p.found)-1].start
}

// length is how long a job is expected to run. A century is as good as for ever, and
// thousands of jobs of a century can be promised one after the other.
func length(j *policies.Job) events.Time { return min(max(j.Estimate, 1), century) }

const century = 100 * 365 * 24 * 3600 * events.Second

// promise gives a waiting job without a place its start.
func (p *Conservative) promise(r *policies.Round, ref policies.Ref, start events.Time) {
	j, pl := r.Job(ref), &p.plans[ref]
	pl.start, pl.end = start, start+length(j)
	p.hold(r.Now, pl, -pl.procs)
	p.due.Push(float64(start), j.Seq, ref)
}

// release takes a waiting job's place from it.
func (p *Conservative) release(r *policies.Round, ref policies.Ref) {
	p.due.Remove(ref)
	p.hold(r.Now, &p.plans[ref], p.plans[ref].procs)
}

// hold changes the free processors by n during the plan.
func (p *Conservative) hold(now events.Time, pl *plan, n int64) {
	if pl.start <= now {
		p.profile.base += n
	} else {
		p.profile.add(pl.start, n)
	}
	p.profile.add(pl.end, -n)
}

// takeBack gives the time that ended jobs did not need back to the profile and
// returns until when there is any.
func (p *Conservative) takeBack(r *policies.Round) events.Time {
	until := r.Now
	for _, ref := range r.Ended {
		p.running.Remove(ref)
		if pl := &p.plans[ref]; pl.end > r.Now {
			p.profile.base += pl.procs
			p.profile.add(pl.end, -pl.procs)
			until = max(until, pl.end)
		}
	}
	return until
}

// overruns plans on for jobs that should have ended and reports whether that
// takes processors from a promise.
func (p *Conservative) overruns(r *policies.Round) bool {
	broken := false
	for p.running.Len() > 0 {
		ref := p.running.Head()
		pl := &p.plans[ref]
		if pl.end > r.Now {
			break
		}
		p.running.Pop()
		pl.end = r.Now + max(r.Now-pl.start, events.Second)
		p.profile.base -= pl.procs
		p.profile.add(pl.end, pl.procs)
		p.running.Push(float64(pl.end), r.Job(ref).Seq, ref)
		broken = broken || p.profile.minUntil(pl.end) < 0
	}
	return broken
}

// placeAnew promises all waiting jobs again. It costs O(waiting log n): every
// promise was made around a job that did not keep to its estimate.
func (p *Conservative) placeAnew(r *policies.Round) {
	p.waiting.Each(p.root, func(ref policies.Ref) { p.release(r, ref) })
	p.waiting.Each(p.root, func(ref policies.Ref) { p.promise(r, ref, p.place(r.Now, r.Job(ref))) })
	p.carry = events.Never
}

// compress lets each waiting job in order of arrival move to an earlier place.
//
// Before this instant no job could move, but for moves of the last compression
// that came after its turn and gave time back up to carry. So a job can move only
// to a start before the end of what has been given back since, and only if it is
// narrow enough for what is free by then.
func (p *Conservative) compress(r *policies.Round, until events.Time) {
	until, p.carry = max(until, p.carry), r.Now
	c := compression{Conservative: p, r: r}
	c.extend(until)
	c.compressTree(p.root)
}

// compression is one under way: until when time has been given back, and the most
// processors free by then.
type compression struct {
	*Conservative
	r     *policies.Round
	until events.Time
	room  int64
}

// extend takes notice that time up to an instant has been given back.
func (c *compression) extend(until events.Time) {
	c.until = max(c.until, until)
	c.room = c.profile.maxUntil(c.until)
	c.memo.forget()
}

// compressTree gives the waiting jobs of a subtree their turns, but those too wide.
func (c *compression) compressTree(x int32) {
	for x != nilNode {
		n := &c.waiting.Nodes[x]
		if n.Of.Least.Wide > c.room {
			return
		}
		c.compressTree(n.Left)
		if n.Of.Own.Wide <= c.room {
			c.compress(policies.Ref(x))
		}
		x = n.Right
	}
}

// compress lets a job move.
func (c *compression) compress(ref policies.Ref) {
	pl := c.plans[ref]
	if pl.start <= c.r.Now {
		return
	}
	if start := c.memo.place(&c.profile, c.r.Now, &pl, c.until); start < pl.start {
		c.release(c.r, ref)
		c.promise(c.r, ref, start)
		c.carry = max(c.carry, pl.end)
		c.extend(pl.end)
	}
}

// keep starts the jobs whose time has come and asks to be called for the next.
// Not every promised start has its own event: the job whose end it was
// meant to follow may have gone earlier.
func (p *Conservative) keep(r *policies.Round) {
	for p.due.Len() > 0 {
		ref := p.due.Head()
		pl := &p.plans[ref]
		if pl.start > r.Now {
			if pl.start != p.asked {
				r.Wake(pl.start)
				p.asked = pl.start
			}
			return
		}
		r.Start(ref)
		p.due.Pop()
		p.root = p.waiting.Remove(p.root, int32(ref))
		p.running.Push(float64(pl.end), r.Job(ref).Seq, ref)
	}
}

// Clone returns an independent copy.
func (p *Conservative) Clone() policies.Policy {
	c := *p
	c.profile, c.waiting, c.due, c.running = p.profile.clone(), p.waiting.Clone(), p.due.Clone(), p.running.Clone()
	c.plans, c.memo, c.found = slices.Clone(p.plans), gapMemo{}, nil
	return &c
}
