package causes

import (
	"cmp"
	"math"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
)

// Tracker is an engine.Accountant: it divides the waits of all jobs of a replay.
type Tracker struct {
	market  policies.Market // if jobs are ranked by bid, else nil
	outbid  bool            // better bids preempt
	jobs    policies.Pages[jobState]
	starts  starts
	space   space
	classes []class
	index   map[wanted]int32 // of classes by need
	active  []int32          // classes of waiting jobs, in order of need
	killed  []policies.Ref   // ended by their estimates in this round
	begun   []policies.Ref   // started in this round
}

// jobState is the account of a live job's wait.
type jobState struct {
	sums     engine.Causes
	wait     engine.Cause // what the wait in progress is put down to; Behind before the first start
	class    int32        // in which it waits for its first start, -1 if in none
	machines []int32      // on which its pieces run, of a cluster
	open     bool         // it waits
	closed   bool         // its record has been handed over
	rate     float64
	since    events.Time // the begin of the wait
	at       times       // of its class by then
}

// New returns an empty ledger for a replay under a policy.
func New(policy policies.Policy) *Tracker {
	l := &Tracker{index: map[wanted]int32{}}
	if policies.TraitsOf(policy).RanksByBid {
		if l.market, _ = policies.As[policies.Market](policy); l.market != nil {
			l.outbid = l.market.Preempts()
		}
	}
	return l
}

// Close implements engine.Accountant.
func (l *Tracker) Close(o *engine.Outcome) {
	a := l.jobs.At(o.Ref)
	a.closed = true
	a.sums[engine.Lost] = o.Lost
	a.sums[engine.Slowed] = 0
	a.sums[engine.Slowed] = o.Wait() - a.sums.Sum()
	o.Causes = &a.sums
}

// Round implements engine.RoundSink.
func (l *Tracker) Round(r *policies.Round) error {
	for l.jobs.Len() < r.Jobs.Len() {
		l.jobs.Add()
	}
	l.space.gained, l.killed, l.begun = l.space.gained[:0], l.killed[:0], l.begun[:0]
	for _, ref := range r.Ended {
		if r.Job(ref).State != policies.Gone {
			continue // the rules of the site held it back: see onHold
		}
		l.onEnd(ref)
		if !l.jobs.At(ref).closed {
			l.killed = append(l.killed, ref)
		}
	}
	for i := range r.Held {
		switch h := &r.Held[i]; {
		case h.Stopped:
			l.onStop(r, h.Ref, engine.Evicted)
		case h.New:
			l.onArrive(r, h.Ref)
		}
	}
	for _, ref := range r.Arrived {
		l.onArrive(r, ref)
	}
	for _, ref := range r.Evicted {
		l.onStop(r, ref, engine.Evicted)
	}
	for i := range r.Held {
		if h := &r.Held[i]; !h.Stopped && !h.New {
			l.onHold(r, h.Ref)
		}
	}
	for _, d := range r.Left {
		l.onLeave(d.Ref)
	}
	l.space.measure(r)
	for _, ref := range r.Preempted {
		rate := l.jobs.At(ref).rate
		l.onStop(r, ref, engine.Preempted)
		l.space.change(r.Job(ref).Need, -rate)
	}
	for i, ref := range r.Started {
		l.onStart(r, ref, 1)
		x := l.jobs.At(ref)
		for at := range r.SpotsOf(i) {
			x.machines = append(x.machines, at.Machine)
		}
	}
	for _, a := range r.Shared {
		l.onShare(r, a)
	}
	for _, ref := range l.begun {
		l.starts.push(l.place(r, ref))
	}
	if l.starts.full() {
		l.starts.purge(l.oldest(r.Now))
	}
	l.settle(r)
	return nil
}

// onArrive opens a job's account, or continues with that of a job that was held back or that its estimate ended.
func (l *Tracker) onArrive(r *policies.Round, ref policies.Ref) {
	a, j := l.jobs.At(ref), r.Job(ref)
	if a.open { // it was held back
		if a.wait == engine.Behind {
			a.sums[engine.Held] += r.Now - a.since
			a.since = r.Now
		}
		return
	}
	*a = jobState{class: -1, machines: a.machines[:0], since: r.Now, open: true}
	for i, old := range l.killed {
		if k := r.Job(old); k.ID == j.ID && k.Task == j.Task {
			a.sums, a.wait = l.jobs.At(old).sums, engine.Resubmitted
			l.killed = slices.Delete(l.killed, i, i+1)
			return
		}
	}
}

// onEnd notes that a running job gives back what it held.
func (l *Tracker) onEnd(ref policies.Ref) {
	a := l.jobs.At(ref)
	if len(a.machines) > 0 {
		l.space.gained = append(l.space.gained, a.machines...)
	}
	a.rate, a.machines = 0, a.machines[:0]
}

// onHold takes notice of a job that the rules of the site keep from starting.
func (l *Tracker) onHold(r *policies.Round, ref policies.Ref) {
	a := l.jobs.At(ref)
	if a.wait != engine.Behind {
		return
	}
	if a.class >= 0 {
		p := l.place(r, ref)
		l.divide(a, &p)
	}
	a.class, a.since = -1, r.Now
}

// onLeave closes the account of a job that ran elsewhere.
func (l *Tracker) onLeave(ref policies.Ref) {
	a := l.jobs.At(ref)
	if a.class >= 0 {
		l.classes[a.class].waiting--
	}
	a.open, a.closed = false, true
}

// onStop begins a wait of a job that ran.
func (l *Tracker) onStop(r *policies.Round, ref policies.Ref, why engine.Cause) {
	l.onEnd(ref)
	a := l.jobs.At(ref)
	a.wait, a.since, a.open = why, r.Now, true
}

// onShare sets a job's rate.
func (l *Tracker) onShare(r *policies.Round, set policies.Allocation) {
	a, need := l.jobs.At(set.Ref), r.Job(set.Ref).Need
	if by := set.Rate - a.rate; by != 0 {
		l.space.shared = true
		l.space.change(need, by)
	}
	switch {
	case set.Rate == 0 && a.rate > 0:
		l.onStop(r, set.Ref, engine.Preempted)
	case set.Rate > 0 && a.open:
		l.onStart(r, set.Ref, set.Rate)
	}
	a.rate = set.Rate
}

// onStart ends a wait.
func (l *Tracker) onStart(r *policies.Round, ref policies.Ref, rate float64) {
	a := l.jobs.At(ref)
	l.begun = append(l.begun, ref)
	if a.wait != engine.Behind {
		a.sums[a.wait] += r.Now - a.since
	} else if a.class >= 0 {
		p := l.place(r, ref)
		l.divide(a, &p)
	}
	a.open, a.rate = false, rate
}

// divide puts the wait before a job's first start down to its causes.
func (l *Tracker) divide(a *jobState, p *place) {
	c := &l.classes[a.class]
	c.waiting--
	cut := l.starts.last(p, max(a.since, c.marks[0].at))
	at, end := c.timesAt(cut), c.timesAt(p.at)
	before, after := at.minus(a.at), end.minus(at)
	a.sums[engine.Held] += before[fits] + after[fits]
	a.sums[engine.Behind] += cut - a.since - before[fits]
	a.sums[engine.Scattered] += after[scattered]
	a.sums[engine.Room] += p.at - cut - after[fits] - after[scattered]
	if l.outbid {
		a.sums[engine.Behind] += a.sums[engine.Room]
		a.sums[engine.Room] = 0
	}
}

func (l *Tracker) place(r *policies.Round, ref policies.Ref) place {
	j := r.Job(ref)
	return place{at: r.Now, key: Key(l.market, j), seq: j.Seq}
}

// Key is a market's rank of a job, bid over scale; 0 if there is no market.
func Key(m policies.Market, j *policies.Job) float64 {
	if m == nil {
		return 0
	}
	key := j.Bid / m.Scale(j)
	if math.IsNaN(key) {
		return 0
	}
	return key
}

// settle brings the classes up to date with what is free now.
func (l *Tracker) settle(r *policies.Round) {
	s := &l.space
	if len(r.Machines) > 0 {
		s.machines(r)
	}
	if len(r.Ended)+len(r.Preempted)+len(r.Started)+len(r.Shared)+len(r.Changed) > 0 || r.Resized {
		// A class that needs more than there was before the starts did not fit and does not;
		// all are looked at if that may have been otherwise.
		all := s.shared || len(r.Changed) > 0 || r.Resized
		room := s.free.CPU + s.given.CPU
		keep := l.active[:0]
		for n, i := range l.active {
			c := &l.classes[i]
			if c.need.CPU > room && !all {
				keep = append(keep, l.active[n:]...)
				break
			}
			if c.waiting == 0 {
				c.marks = c.marks[:0]
				continue
			}
			keep = append(keep, i)
			if s.given != (policies.Amount{}) && s.overtaken(c) {
				c.overtaken(r.Now)
			}
			c.become(r.Now, s.state(c, false))
		}
		l.active = keep
	}
	for _, ref := range r.Arrived {
		if a := l.jobs.At(ref); a.open && a.wait == engine.Behind && a.class < 0 && r.Job(ref).State != policies.Held {
			l.joins(r, a, wantedBy(r.Job(ref)))
		}
	}
}

// joins lets a job wait among those of equal need.
func (l *Tracker) joins(r *policies.Round, a *jobState, need wanted) {
	i, known := l.index[need]
	if !known {
		i = int32(len(l.classes))
		l.index[need] = i
		l.classes = append(l.classes, class{wanted: need, machine: -1})
	}
	c := &l.classes[i]
	if len(c.marks) == 0 {
		c.marks = append(c.marks, mark{at: r.Now})
		c.marks[0].state = l.space.state(c, true)
		at, _ := slices.BinarySearchFunc(l.active, need,
			func(k int32, need wanted) int { return cmp.Compare(l.classes[k].need.CPU, need.need.CPU) })
		l.active = slices.Insert(l.active, at, i)
	}
	c.waiting++
	a.class, a.at = i, c.timesAt(r.Now)
}

// oldest is when the first of the waits before a first start began, now if there is none.
func (l *Tracker) oldest(now events.Time) events.Time {
	for i := range policies.Ref(l.jobs.Len()) {
		if a := l.jobs.At(i); a.open && a.wait == engine.Behind {
			now = min(now, a.since)
		}
	}
	return now
}

// Begun lists the jobs that started in the last round.
func (l *Tracker) Begun() []policies.Ref { return l.begun }

// Free is the amount left free by the last round.
func (l *Tracker) Free() policies.Amount { return l.space.free }

// Sees says of a job that waits for its first start what the last round means to it: the
// cause from now on if no job that arrives first is left, and whether it was overtaken.
func (l *Tracker) Sees(j *policies.Job) (cause engine.Cause, overtaken bool) {
	c := class{wanted: wantedBy(j), machine: -1}
	overtaken = l.space.given != (policies.Amount{}) && l.space.overtaken(&c)
	switch l.space.state(&c, true) {
	case fits:
		return engine.Held, overtaken
	case scattered:
		return engine.Scattered, overtaken
	}
	if l.outbid {
		return engine.Behind, overtaken
	}
	return engine.Room, overtaken
}
