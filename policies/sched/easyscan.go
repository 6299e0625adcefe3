package sched

import (
	"cmp"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
	"bourse/traces"
)

// EasyScan is the reference implementation of EASY: at each decision it ranks the
// queue, draws up a profile of free processors over time, gives the first jobs in
// order that do not fit their reservations in it and tries all others for a place. It
// takes the orders whose keys change while jobs wait and any number of reservations,
// and it is what Easy is tested against: with one reservation both decide alike. A
// decision costs O(waiting + running log running) and O(log waiting) for each job
// looked at, and nothing of that if not even the narrowest waiting job fits.
//
// With k reservations, jobs are taken in queue order until k of them have had to
// be given a reservation, the earliest place in the profile; what fits at once
// starts. The rest is tried once, in backfill order: a job starts if the profile
// has room for it from now to its estimated end. Jobs past their estimate are
// handled as in Easy. Where changes of the machine's size are known in advance, the
// profile has them, and no job starts that they leave no room.
type EasyScan struct {
	policies.AsFCFS
	rules Rules
	order.Pair
	waiting plainQueue
	running []running
	predict predicted
	plan    steps
	changes []policies.Change // of the machine's size, to come
}

// running is a job that runs, as its estimate has it.
type running struct {
	end   events.Time
	procs int
	ref   policies.Ref
	// Of predicted jobs.
	limit     events.Time
	corrected int
}

// NewEasyScan returns the reference implementation under the rules.
func NewEasyScan(rules Rules) *EasyScan {
	p := &EasyScan{rules: rules, Pair: order.NewPair(rules.Order, rules.Backfill), waiting: newPlainQueue()}
	if rules.Predict != nil {
		p.predict.by = rules.Predict.Clone()
	}
	return p
}

// Backfills implements order.Backfiller.
func (p *EasyScan) Backfills() (order.Backfilling, bool) { return p.rules.Backfills() }

// Traits are those of the rules.
func (p *EasyScan) Traits() policies.Traits { return p.rules.traits() }

// Failers implements policies.Fallible.
func (p *EasyScan) Failers() []policies.Failer {
	list := p.Pair.Failers()
	if f, ok := p.predict.by.(policies.Failer); ok {
		list = append(list, f)
	}
	return list
}

// ReadCalendar implements policies.CalendarReader.
func (p *EasyScan) ReadCalendar(c *events.Calendar) (needs string) {
	if r, ok := p.predict.by.(policies.CalendarReader); ok {
		needs = r.ReadCalendar(c)
	}
	return cmp.Or(needs, p.Pair.ReadCalendar(c))
}

// ReadSeries implements policies.SeriesReader.
func (p *EasyScan) ReadSeries(all []policies.Series) (err error) {
	if r, ok := p.predict.by.(policies.SeriesReader); ok {
		err = r.ReadSeries(all)
	}
	return cmp.Or(err, p.Pair.ReadSeries(all))
}

// ReadSite implements policies.SiteReader.
func (p *EasyScan) ReadSite(n traces.Names, size float64) {
	p.Pair.ReadSite(n, size)
	if r, ok := p.predict.by.(policies.SiteReader); ok {
		r.ReadSite(n, size)
	}
}

// Needs are those of the rules.
func (p *EasyScan) Needs() policies.Needs { return p.rules.needs() }

// Plan starts jobs in order while they fit, then reserves and backfills.
func (p *EasyScan) Plan(r *policies.Round) {
	p.absorb(r)
	free := r.Free
	if int(p.waiting.narrowest) > free {
		return
	}
	defer p.waiting.end()
	w := &p.waiting
	p.rank(r, &p.Queue)
	ahead := len(p.changes) > 0
	if ahead {
		p.profile(r.Now, free)
	}
	for w.left.Len() > 0 && int(w.left.Head().procs) <= free {
		it := w.left.Head()
		n, length := int(it.procs), p.predict.length(r.Now, r.Job(it.ref))
		if ahead && !p.plan.fits(n, length) {
			break
		}
		if free -= p.start(r, w.left.Pop()); ahead {
			p.plan.add(r.Now, r.Now+length, -n)
		}
	}
	if w.left.Len() == 0 || free == 0 {
		return
	}
	if !ahead {
		p.profile(r.Now, free)
	}
	for reserved := 0; w.left.Len() > 0 && reserved < p.rules.reserved(); {
		it := w.left.Pop()
		n, length := int(it.procs), p.predict.length(r.Now, r.Job(it.ref))
		from := p.plan.earliest(n, max(length, 1))
		if from == r.Now && n <= free {
			free -= p.start(r, it)
		} else {
			w.pass(it)
			reserved++
		}
		p.plan.add(from, from+max(length, 1), -n)
	}
	p.rank(r, &p.Others)
	for w.left.Len() > 0 && int(w.narrowest) <= free {
		it := w.left.Pop()
		n, length := int(it.procs), p.predict.length(r.Now, r.Job(it.ref))
		if n <= free && p.plan.fits(n, length) {
			free -= p.start(r, it)
			p.plan.add(r.Now, r.Now+length, -n)
		} else {
			w.pass(it)
		}
	}
}

// rank puts the waiting jobs that are left in order, by their predictions where there are some.
func (p *EasyScan) rank(r *policies.Round, k *order.Ranker) {
	if p.predict.by == nil {
		p.waiting.rank(r, k)
		return
	}
	p.waiting.left.Rank(func(it *item) float64 { return k.Key(r.Now, p.predict.withLength(r.Now, r.Job(it.ref))) })
}

// profile draws up what will be free if every running job ends at its estimate,
// those that should have ended at once.
func (p *EasyScan) profile(now events.Time, free int) {
	if p.predict.by != nil {
		for i := range p.running {
			p.predict.correct(now, &p.running[i])
		}
	}
	slices.SortFunc(p.running, func(a, b running) int { return int(min(1, max(-1, a.end-b.end))) })
	p.plan.from(now, free, p.running, p.changes)
}

func (p *EasyScan) absorb(r *policies.Round) {
	p.changes = append(p.changes, r.Coming...)
	if len(p.changes) > 0 {
		p.changes = slices.DeleteFunc(p.changes, func(c policies.Change) bool { return c.At <= r.Now })
	}
	for _, ref := range r.Ended {
		p.Pair.Ended(r.Now, r.Job(ref))
		i := slices.IndexFunc(p.running, func(job running) bool { return job.ref == ref })
		if p.predict.by != nil && r.Job(ref).State == policies.Gone {
			p.predict.by.Ended(r.Now, r.Job(ref))
		}
		p.running = slices.Delete(p.running, i, i+1)
	}
	for _, ref := range r.Arrived {
		p.waiting.add(ref, r.Job(ref))
	}
}

// start starts a waiting job and returns its processors.
func (p *EasyScan) start(r *policies.Round, it item) int {
	j := r.Job(it.ref)
	r.Start(it.ref)
	p.Pair.Started(r.Now, j)
	p.running = append(p.running, running{end: r.Now + p.predict.length(r.Now, j), procs: int(j.Procs), ref: it.ref,
		limit: r.Now + j.Estimate})
	return int(j.Procs)
}

// Clone returns an independent copy.
func (p *EasyScan) Clone() policies.Policy {
	return &EasyScan{rules: p.rules, Pair: p.Pair.Clone(),
		waiting: p.waiting.clone(), running: slices.Clone(p.running), changes: slices.Clone(p.changes),
		predict: p.predict.clone()}
}
