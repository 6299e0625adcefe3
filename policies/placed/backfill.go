package placed

import (
	"cmp"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
)

// Backfill is EASY and conservative backfilling on single machines. Jobs are taken in order of the
// queue: each starts where the rule of fit finds a place for all its pieces, or else gets a reservation,
// until so many have one; all others are tried in backfill order. Each set of machines that jobs are restricted to, by
// partition or by GPU model, has reservations of its own. A reservation is for the earliest time at
// which the pieces have places for the whole estimate, on the first machines in order of appearance, by the
// estimates of what runs and the reservations before; a job past its estimate counts as about to end. A job
// starts only at places that leave all reservations theirs: where the rule's machine would not, the next best
// is taken. A planned outage of a machine is a reservation of all of it.
//
// The plan is made anew in each round in which anything but an arrival has happened, so that under conservative
// backfilling a promise may move to a later time where earlier jobs find other places than planned. Such a round
// walks through the queue once, O(waiting), as what holds a job back may have changed for each; a need that has
// failed is not tried again for as long a time. A reservation costs O(machines x what runs on one): the room at a
// later time is worked out when asked for.
type Backfill struct {
	policies.AsFCFS
	order.Pair
	rules   order.Backfilling
	on      Placed // the machines and what runs on them: nothing waits there
	line    []waiter
	others  []waiter // the same jobs in backfill order, nil if both orders are by submission
	sets    []set
	turn    []int64 // by Ref, the round in which a job was last taken in order
	round   int64
	started bool     // a job, in this round
	news    []waiter // that arrived, in this round
	plan
}

// set is the machines of some kinds, to which jobs are restricted, how many of these have reservations, and the
// last of them.
type set struct {
	models   uint64
	promised int
	last     waiter
}

// setOf is the set of a job's machines.
func (p *Backfill) setOf(ref policies.Ref) *set {
	models := p.on.groupOf(ref).models
	for i := range p.sets { // few: partitions, and models that are asked for
		if p.sets[i].models == models {
			return &p.sets[i]
		}
	}
	p.sets = append(p.sets, set{models: models})
	return &p.sets[len(p.sets)-1]
}

// waiter is a waiting job in the order of the queue.
type waiter struct {
	key float64
	seq int64
	ref policies.Ref
}

func (w waiter) compare(o waiter) int {
	return cmp.Or(cmp.Compare(w.key, o.key), cmp.Compare(w.seq, o.seq))
}

func newBackfill(rules order.Backfilling, find finder) *Backfill {
	p := &Backfill{rules: rules, Pair: order.NewPair(rules.Order, rules.Backfill),
		on: Placed{waiting: newWaitIndex(), find: find}}
	p.on.addRank(0)
	return p
}

// Traits declares that jobs are placed.
func (p *Backfill) Traits() policies.Traits {
	return policies.Traits{Places: true, ByScale: p.rules.Order.ByPlainBid() && p.rules.Backfill.ByPlainBid()}
}

// Needs are estimates, and true run times if an order looks at them.
func (p *Backfill) Needs() policies.Needs {
	return policies.Needs{RunTimes: p.Queue.Needs().RunTimes || p.Others.Needs().RunTimes, Estimates: true}
}

// Fragmented implements policies.Fragmenter: for how long the first job waited that fits all idle resources together.
func (p *Backfill) Fragmented() events.Time { return p.on.fragmented }

// Fragments implements policies.GPUFragmenter.
func (p *Backfill) Fragments() (now, overTime float64) { return p.on.find.fragments() }

// Plan starts jobs in order while they have places, then reserves and backfills. If jobs have only arrived behind
// those with reservations, nothing else is tried: what had no place before has none now.
func (p *Backfill) Plan(r *policies.Round) {
	was := p.started // the machines that are idle now are not those of the plan
	p.on.idle, p.started = r.Spare, false
	if news, only := p.update(r); only && !was && p.stands(r.Now) {
		p.rank(r, news, &p.Others)
		for _, w := range news {
			p.start(r, w.ref)
		}
	} else {
		p.replan(r)
	}
	if p.started {
		runs := func(w waiter) bool { return p.on.spots[w.ref].Machine >= 0 }
		p.line, p.others = slices.DeleteFunc(p.line, runs), slices.DeleteFunc(p.others, runs)
	}
	p.measure(r)
}

func (p *Backfill) replan(r *policies.Round) {
	p.begin(&p.on, r.Now)
	p.round++
	if p.Queue.Changes {
		p.rank(r, p.line, &p.Queue)
	}
	open := 0 // sets that have fewer reservations than they may
	for i := range p.sets {
		if p.sets[i].promised = 0; p.rules.Reservations > 0 {
			open++
		}
	}
	left := 0
	for ; left < len(p.line) && open > 0; left++ {
		w := p.line[left]
		s := p.setOf(w.ref)
		if s.promised == p.rules.Reservations {
			continue
		}
		if p.turn[w.ref] = p.round; p.start(r, w.ref) {
			continue
		}
		p.reserve(&p.on, w.ref, r.Job(w.ref).Estimate)
		if s.promised, s.last = s.promised+1, w; s.promised == p.rules.Reservations {
			open--
		}
	}
	if len(p.sets) > 1 {
		left = 0 // those that a set with its reservations has been passed over for, too
	}
	others := p.line[left:]
	if !p.inOrder() && len(others) > 0 {
		if others = p.others; p.Others.Changes {
			p.rank(r, others, &p.Others)
		}
	}
	for _, w := range others {
		if p.turn[w.ref] != p.round {
			p.start(r, w.ref)
		}
	}
}

// inOrder reports that the others are tried in the order of the queue.
func (p *Backfill) inOrder() bool { return bySubmit(&p.Queue) && bySubmit(&p.Others) }

func bySubmit(by *order.Ranker) bool { return by.Keys == nil && by.Order == order.BySubmit }

// rank sorts waiting jobs by an order.
func (p *Backfill) rank(r *policies.Round, list []waiter, by *order.Ranker) {
	for i := range list {
		list[i].key = by.Key(r.Now, r.Job(list[i].ref))
	}
	slices.SortFunc(list, waiter.compare)
}

// update takes the round's news in, and returns the jobs that have arrived, and whether that is all that has
// happened, behind those with reservations.
func (p *Backfill) update(r *policies.Round) (news []waiter, only bool) {
	on := &p.on
	on.freed = on.freed[:0] // nobody asks for them
	for _, list := range [...][]policies.Ref{r.Ended, r.Evicted} {
		for _, ref := range list {
			on.takeOff(ref)
			p.ended(ref)
			p.Pair.Ended(r.Now, r.Job(ref))
		}
	}
	for _, m := range r.Changed {
		on.change(r, int(m))
	}
	p.absent = append(p.absent, r.Absent...)
	only = len(r.Ended)+len(r.Evicted)+len(r.Changed)+len(r.Rebid) == 0 && !p.Queue.Changes && !p.Others.Changes
	p.news = p.news[:0]
	for _, list := range [...][]policies.Ref{r.Evicted, r.Arrived} {
		for _, ref := range list {
			on.waiting.join(ref, r.Job(ref), 0)
			w, s := p.enqueue(r, ref), p.setOf(ref)
			only = only && s.promised == p.rules.Reservations && w.compare(s.last) > 0
			p.news = append(p.news, waiter{0, r.Job(ref).Seq, ref})
		}
	}
	for _, ref := range r.Arrived {
		on.find.arrive(on.groupOf(ref))
	}
	for _, ref := range r.Rebid {
		is := func(w waiter) bool { return w.ref == ref }
		if i := slices.IndexFunc(p.line, is); i >= 0 && (p.Queue.Bid || p.Others.Bid) {
			p.line, p.others = slices.Delete(p.line, i, i+1), slices.DeleteFunc(p.others, is)
			p.enqueue(r, ref)
		}
	}
	return p.news, only
}

// enqueue puts a waiting job into the line.
func (p *Backfill) enqueue(r *policies.Round, ref policies.Ref) waiter {
	for int(ref) >= len(p.turn) {
		p.turn = append(p.turn, 0)
	}
	for int(ref) >= len(p.on.spots) {
		p.on.spots = append(p.on.spots, policies.Spot{Machine: -1})
	}
	insert := func(into []waiter, by *order.Ranker) ([]waiter, waiter) {
		w := waiter{by.Key(r.Now, r.Job(ref)), r.Job(ref).Seq, ref}
		i, _ := slices.BinarySearchFunc(into, w, waiter.compare)
		return slices.Insert(into, i, w), w
	}
	if !p.inOrder() {
		p.others, _ = insert(p.others, &p.Others)
	}
	var w waiter
	p.line, w = insert(p.line, &p.Queue)
	return w
}

// start runs a job, or reports that it has no place that is its own for the whole estimate.
func (p *Backfill) start(r *policies.Round, ref policies.Ref) bool {
	j := r.Job(ref)
	if !p.place(&p.on, ref, j.Estimate) {
		return false
	}
	p.started = true
	p.Pair.Started(r.Now, j)
	r.StartOn(ref, p.on.spots[ref])
	for _, at := range p.on.furtherSpots(ref) {
		r.StartFurther(at)
	}
	return true
}

// measure sums up for how long the first job waits that is blocked by fragmentation.
func (p *Backfill) measure(r *policies.Round) {
	on := &p.on
	if on.isFragmented {
		on.fragmented += r.Now - on.since
	}
	on.find.measure(r.Now - on.since)
	on.since = r.Now
	on.isFragmented = len(p.line) > 0 && on.groupOf(p.line[0].ref).need().Fits(on.idle)
}

// Clone returns an independent copy, with the plan: one that planned anew would draw other places (gpus.Random).
func (p *Backfill) Clone() policies.Policy {
	return &Backfill{rules: p.rules, Pair: p.Pair.Clone(), on: *p.on.Clone().(*Placed), line: slices.Clone(p.line),
		others: slices.Clone(p.others), turn: slices.Clone(p.turn), round: p.round, sets: slices.Clone(p.sets),
		started: p.started, plan: p.plan.clone()}
}
