package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// Outage is a time in which part of the machine is not there: a failure, or work on it. What
// runs when it begins and no longer has room is stopped, by the rule of Config.Evict.
type Outage struct {
	Start, End events.Time
	// Procs is how many processors are away, or CPUs of a pool and as large a part of its
	// other resources; 0 is all there is.
	Procs float64
	// Planned ones are known in advance: nothing starts that by its requested time would
	// leave too little room for one. Of others nobody knows before they begin.
	Planned bool
	// Capped processors are there, and stay idle, as under a cap on power: none of what runs is stopped.
	Capped bool
}

// Evict is the order in which what has no room any more is stopped.
type Evict uint8

// Newest is the last started first, Cheapest the lowest bid, LeastLost that of which the least work is lost, by the
// rule of preemption, of all its processors. Of equals it is the last started.
const (
	Newest Evict = iota
	Cheapest
	LeastLost
)

// Outages yields outages in order of their starts, perhaps without end.
type Outages interface {
	// Next returns the next one, false if there is none.
	Next() (Outage, bool)
	// Fork returns an independent copy that continues from here.
	Fork() Outages
}

// horizon is how long in advance planned outages are known.
const horizon = 366 * 24 * 3600 * events.Second

// outages are those of a replay that are not over, as far as they are known to the engine.
//
// A job with the need n that is expected to run from now to end may start if at the start s of
// each planned outage with now < s < end
//
//	n + what runs and is expected to run beyond s <= what there is at s
//
// and if there is room for it now: capacity falls at no other time that is known.
type outages struct {
	known, sudden feed
	whole         policies.Amount // of the machine
	list          []awayTime      // in order of start
	dates         *events.Calendar
	// usable is what jobs may hold now, but for those that run beyond a cap; capped says that there is one.
	usable policies.Amount
	capped bool
}

// awayTime is an outage, and of a planned one what there is at its start, and what runs and is
// expected to run beyond it.
type awayTime struct {
	Outage
	away, left, past policies.Amount
	begun            bool
}

// feed is a source of outages and the next one of it.
type feed struct {
	src  Outages
	next Outage
	more bool
}

func newFeed(src Outages) (f feed) {
	if src != nil {
		f.src = src.Fork()
		f.next, f.more = f.src.Next()
	}
	return f
}

func (f feed) fork() feed {
	if f.src != nil {
		f.src = f.src.Fork()
	}
	return f
}

func newOutages(cfg *Config, whole policies.Amount, dates *events.Calendar) *outages {
	return &outages{known: newFeed(cfg.Outages), sudden: newFeed(cfg.Capacity), whole: whole, dates: dates}
}

// Clone implements Limit.
func (o *outages) Clone() Limit {
	c := *o
	c.known, c.sudden, c.list = o.known.fork(), o.sudden.fork(), slices.Clone(o.list)
	return &c
}

// at is what may be used of the machine at an instant, by what is known now.
func (o *outages) at(t, now events.Time) policies.Amount {
	there, capped := o.split(t, now)
	return there.Minus(capped).Max(policies.Amount{})
}

// split is what there is, and the part of it that is to stay idle.
func (o *outages) split(t, now events.Time) (there, capped policies.Amount) {
	there = o.whole
	for i := range o.list {
		x := &o.list[i]
		switch {
		case x.Start > t:
			return there.Max(policies.Amount{}), capped // as are all others
		case t >= x.End || !x.Planned && x.Start > now:
		case x.Capped:
			capped = capped.Plus(x.away)
		default:
			there = there.Minus(x.away)
		}
	}
	return there.Max(policies.Amount{}), capped
}

// changes is when an outage begins or ends next, or one becomes known.
func (o *outages) changes(now events.Time) events.Time {
	at := events.Never
	if o.known.more {
		at = max(o.known.next.Start-horizon, now+1)
	}
	if o.sudden.more {
		at = min(at, max(o.sudden.next.Start, now+1))
	}
	for i := range o.list {
		x := &o.list[i]
		if !x.begun {
			return min(at, x.Start) // before those of all others
		}
		at = min(at, x.End)
	}
	return at
}

// advance brings the list up to now and reports whether it has changed. The round is told what is
// news of the capacity.
func (o *outages) advance(e *Replay) (changed bool) {
	n := len(o.list)
	o.list = slices.DeleteFunc(o.list, func(x awayTime) bool { return x.End <= e.now })
	changed = len(o.list) < n
	changed = o.take(e, &o.known, horizon) || changed
	changed = o.take(e, &o.sudden, 0) || changed
	for i := range o.list {
		if x := &o.list[i]; !x.begun && x.Start <= e.now {
			x.begun, changed = true, true
			e.sum.Outages = append(e.sum.Outages, x.Outage)
			if !x.Planned {
				tell(e, x)
			}
		}
	}
	if changed {
		o.expect(e)
	}
	return changed
}

// take adds the outages of a feed that begin within a time.
func (o *outages) take(e *Replay, f *feed, within events.Time) (found bool) {
	for ; f.more && f.next.Start <= e.now+within; f.next, f.more = f.src.Next() {
		if f.next.End <= e.now {
			continue
		}
		x := awayTime{Outage: f.next, away: o.amount(e, &f.next)}
		at := len(o.list)
		for at > 0 && o.list[at-1].Start > x.Start {
			at--
		}
		o.list, found = slices.Insert(o.list, at, x), true
		if x.Planned {
			tell(e, &x)
		}
	}
	return found
}

// amount is what an outage takes.
func (o *outages) amount(e *Replay, x *Outage) policies.Amount {
	if x.Procs == 0 {
		return o.whole
	}
	if x.Capped {
		return policies.Amount{CPU: math.Ceil(o.whole.CPU * x.Procs / e.sum.Capacity.CPU)}
	}
	part := o.whole.Times(min(1, x.Procs/e.sum.Capacity.CPU))
	return policies.Amount{CPU: math.Round(part.CPU), Memory: math.Round(part.Memory), GPU: math.Round(part.GPU),
		Disk: math.Round(part.Disk)}
}

// tell lets the policy know of an outage.
func tell(e *Replay, x *awayTime) {
	r, n := &e.round, int(x.away.CPU)
	r.Coming = append(r.Coming, policies.Change{At: x.Start, Procs: -n})
	if x.End != events.Never {
		r.Coming = append(r.Coming, policies.Change{At: x.End, Procs: n})
	}
}

// expect works out what there is and what is expected to run at each planned start.
func (o *outages) expect(e *Replay) {
	for i := range o.list {
		x := &o.list[i]
		if !x.Planned {
			continue // past is of no use
		}
		x.left, x.past = o.at(x.Start, e.now), policies.Amount{}
		for ref := range policies.Ref(e.jobs.Len()) {
			if j := e.jobs.At(ref); j.State == policies.Running && x.Start > e.now && e.gate.ends[ref] > x.Start {
				x.past = x.past.Plus(j.Need)
			}
		}
	}
}

// Admits implements Limit.
func (o *outages) Admits(s *Start) (Hold, bool) {
	for i := range o.list {
		x := &o.list[i]
		switch {
		case x.Start >= s.End:
			return Hold{}, true
		case x.Start <= s.Now || !x.Planned || x.past.Plus(s.Need).Fits(x.left):
		case s.Need.Fits(x.left): // without what runs
			return Hold{Until: x.Start, Why: x.Text(o.dates)}, false
		default:
			return Hold{Until: o.gap(s), Why: x.Text(o.dates)}, false
		}
	}
	return Hold{}, true
}

// Text says which outage it is, by dates where there are any.
func (x *Outage) Text(dates *events.Calendar) string {
	what := "outage"
	if x.Capped {
		if what = "power cap"; x.End == events.Never {
			return what
		}
	}
	if dates == nil {
		return fmt.Sprintf("%s from %v to %v", what, x.Start, x.End)
	}
	return fmt.Sprintf("%s from %s to %s", what, dates.Text(x.Start), dates.Text(x.End))
}

// gap is the earliest time from which on no outage is in a job's way; Never if there is none
// that is known.
func (o *outages) gap(s *Start) events.Time {
	for at := s.Now; at != events.Never; at = o.endAfter(at) {
		if o.free(at, at+s.End-s.Now, s.Now, s.Need) {
			return at
		}
	}
	return events.Never
}

// free reports whether a need fits into what there is from one instant to another.
func (o *outages) free(from, to, now events.Time, need policies.Amount) bool {
	for i := range o.list {
		if x := &o.list[i]; x.Planned && x.Start > from && x.Start < to && !need.Fits(x.left) {
			return false
		}
	}
	return need.Fits(o.at(from, now)) && !(o.known.more && o.known.next.Start < to)
}

// endAfter is when the next outage ends.
func (o *outages) endAfter(t events.Time) events.Time {
	at := events.Never
	for i := range o.list {
		if x := &o.list[i]; x.End > t && (x.Planned || x.begun) {
			at = min(at, x.End)
		}
	}
	return at
}

// Started implements Limit.
func (o *outages) Started(s *Start) { o.run(s, s.Need) }

// Stopped implements Limit. All jobs that other jobs keep waiting here do so under one key.
func (o *outages) Stopped(s *Start) int64 {
	o.run(s, policies.Amount{}.Minus(s.Need))
	return 0
}

// run takes an amount to what is expected to run beyond the starts before end.
func (o *outages) run(s *Start, need policies.Amount) {
	for i := range o.list {
		x := &o.list[i]
		if x.Start >= s.End {
			return
		}
		if x.Start > s.Now {
			x.past = x.past.Plus(need)
		}
	}
}

// count counts a time under a cap.
func (o *outages) count(e *Replay, dt events.Time) {
	if e.waiting > 0 {
		e.sum.Capped += dt
	}
	if !e.held.Fits(o.usable) {
		e.sum.OverCap += dt
	}
}

// changeCapacity lets outages begin and end: what no longer has room is stopped.
func (e *Replay) changeCapacity() error {
	o := e.gate.outages
	if !o.advance(e) && !(o.capped && e.machine.total != o.usable) {
		return nil
	}
	there, capped := o.split(e.now, e.now)
	o.usable, o.capped = there.Minus(capped).Max(policies.Amount{}), capped != policies.Amount{}
	e.there, e.usable, e.round.Resized = e.machine.units(there), e.machine.units(o.usable), true
	if err := e.stopBeyond(there); err != nil {
		return err
	}
	if _, placed := e.machine.placement.(*cluster); !placed {
		// What runs beyond a cap, longer than it was expected to, runs on.
		e.machine.total = o.usable.Max(e.held)
		e.round.Total = e.machine.total
	}
	return nil
}

// atStake is the work that a running job would lose if it were stopped now.
func (e *Replay) atStake(ref policies.Ref) events.Time {
	l, j := e.lives.At(ref), e.jobs.At(ref)
	worked := l.run - l.left + workIn(e.now-l.since, l.pace, l.left)
	switch {
	case e.cfg.Restart:
	case e.cfg.Checkpoint > 0:
		worked %= e.cfg.Checkpoint
	default:
		worked = 0
	}
	return worked * events.Time(j.Procs)
}

// stopBeyond stops the jobs that have no room in what there is.
func (e *Replay) stopBeyond(there policies.Amount) error {
	if e.held.Fits(there.Times(1 + slack)) {
		return nil
	}
	running := make([]policies.Ref, 0, e.running)
	for ref := range policies.Ref(e.jobs.Len()) {
		if e.jobs.At(ref).State == policies.Running {
			running = append(running, ref)
		}
	}
	slices.SortFunc(running, func(a, b policies.Ref) int {
		x, y := e.jobs.At(a), e.jobs.At(b)
		first := 0
		switch e.cfg.Evict {
		case Cheapest:
			first = cmp.Compare(x.Bid, y.Bid)
		case LeastLost:
			first = cmp.Compare(e.atStake(a), e.atStake(b))
		}
		return cmp.Or(first, cmp.Compare(y.Since, x.Since), cmp.Compare(y.Seq, x.Seq))
	})
	for _, ref := range running {
		if e.held.Fits(there.Times(1 + slack)) {
			break
		}
		if err := e.preempt(ref, -1); err != nil {
			return err
		}
		e.sum.Stopped++
		e.hold(ref, heldBy{}, Hold{Until: e.now, Why: "outage"}).Stopped = true
		e.round.Ended = append(e.round.Ended, ref)
	}
	return nil
}
