// Package placed serves waiting jobs by rank on the machines of a cluster, each piece on one.
package placed

import (
	"iter"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/gpus"
	"bourse/policies/order"
	"bourse/policies/placement"
)

// Placed tries waiting jobs in the order of a ranking, each on the machine that a rule of fit
// chooses; a job that fits nowhere is passed over, but under strict FCFS, where it keeps those
// behind it waiting. With preemption, such a job may
// take the place of jobs of lower rank: on the first machine where that makes
// enough room the lowest rank goes first, of equals the one started last. A job that is
// stopped waits until the next round.
//
// A waitIndex has the waiting jobs in groups, a finder what machines have free. A group that
// fits nowhere is blocked until some room is freed on a machine that can hold it, and then
// only such machines are searched. Both the next job for a machine and a machine for a job
// are found by descent, so a round costs O(log) for each job that starts or stops and for each
// rank.
type Placed struct {
	order.Base
	policies.AsFCFS
	preempts     bool
	strict       bool
	waiting      waitIndex
	find         finder
	rooms        []placement.Rooms // by rank, with preemption
	machines     [][]piece         // running, in order of start
	models       []uint64
	spots        []policies.Spot   // by Ref, of running jobs, the first piece's; machine -1: none
	further      [][]policies.Spot // by Ref, those of the other pieces of gangs
	freed        []freedMachine    // in this round
	stopped      []policies.Ref    // in the last round
	idle         policies.Amount
	fragmented   events.Time // for how long a job waited that fits all idle resources together but no machine
	since        events.Time // of the last round
	isFragmented bool
}

// piece is a piece of a running job on a machine.
type piece struct {
	ref     policies.Ref
	devices uint64
}

// New turns a policy that serves jobs by one ranking (order.Ranked) into one that places them
// on machines without GPUs.
func New(p policies.Policy, fit placement.Fit) (policies.Policy, error) {
	return newPlaced(p, &plain{Finder: placement.NewFinder(fit)})
}

// OnGPUs is New for machines of which some have GPUs. Seed is that of the rule random.
func OnGPUs(p policies.Policy, rule gpus.Rule, seed uint64) (policies.Policy, error) {
	return newPlaced(p, newDevices(rule, seed))
}

func newPlaced(p policies.Policy, find finder) (policies.Policy, error) {
	if by, ok := policies.As[order.Backfiller](p); ok {
		if rules, ok := by.Backfills(); ok {
			return newBackfill(rules, find), nil
		}
	}
	by, ranked := policies.As[order.Ranked](p)
	if !ranked {
		return nil, &policies.MismatchError{Machine: policies.OnCluster}
	}
	rank, preempts, ok := by.Ranker()
	if !ok {
		return nil, &policies.MismatchError{Machine: policies.OnCluster}
	}
	made := &Placed{Base: order.Base{Rank: rank.Clone()}, preempts: preempts, waiting: newWaitIndex(), find: find}
	made.strict = policies.TraitsOf(p).Strict && rank.Keys == nil && rank.Order == order.BySubmit
	if !preempts {
		made.addRank(0)
	}
	return made, nil
}

// Traits declares that jobs are placed.
func (p *Placed) Traits() policies.Traits {
	return policies.Traits{Places: true, ByScale: p.Rank.Keys == nil, Strict: p.strict}
}

// Scale is the ranking's: jobs do not preempt each other by bid.
func (p *Placed) Scale(j *policies.Job) float64 { return p.Rank.Scale(j) }

// Fragmented implements policies.Fragmenter.
func (p *Placed) Fragmented() events.Time { return p.fragmented }

// Fragments implements policies.GPUFragmenter.
func (p *Placed) Fragments() (now, overTime float64) { return p.find.fragments() }

// Plan starts waiting jobs in order of rank, where they fit.
func (p *Placed) Plan(r *policies.Round) {
	p.update(r)
	p.idle = r.Spare
	p.fill(r)
	p.measure(r)
}

// measure sums up for how long jobs wait that are blocked by fragmentation.
func (p *Placed) measure(r *policies.Round) {
	if p.isFragmented {
		p.fragmented += r.Now - p.since
	}
	p.find.measure(r.Now - p.since)
	p.since = r.Now
	w := &p.waiting
	p.isFragmented = w.anyBlocked(p.idle) || p.strict && w.ready.Len() > 0 &&
		w.groups[w.ready.Head()].need().Fits(p.idle) // the one that did not fit
}

// update takes the round's news in. Of machines only what the engine has counts.
func (p *Placed) update(r *policies.Round) {
	p.freed = p.freed[:0]
	for _, list := range [...][]policies.Ref{r.Ended, r.Evicted} {
		for _, ref := range list {
			p.freeAll(ref)
			p.takeOff(ref)
		}
	}
	for _, m := range r.Changed {
		p.change(r, int(m))
	}
	for _, list := range [...][]policies.Ref{r.Evicted, p.stopped, r.Arrived} {
		for _, ref := range list {
			p.enqueue(r, ref)
		}
	}
	for _, ref := range r.Arrived {
		p.find.arrive(p.groupOf(ref))
	}
	p.stopped = p.stopped[:0]
	if p.Rank.Bid {
		for _, ref := range r.Rebid {
			if r.Job(ref).State == policies.Waiting {
				p.waiting.remove(ref)
				p.enqueue(r, ref)
			}
		}
	}
}

// enqueue adds a job that waits.
func (p *Placed) enqueue(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	key, rank := p.Rank.Key(r.Now, j), int64(0)
	if p.preempts {
		rank = policies.FloatKey(key)
		p.addRank(rank)
	}
	p.waiting.insert(ref, j, key, rank)
}

// groupOf returns the group of a job, running or waiting.
func (p *Placed) groupOf(ref policies.Ref) *group { return &p.waiting.groups[p.waiting.of[ref]] }

// change takes over a machine that was added, removed or changed.
func (p *Placed) change(r *policies.Round, m int) {
	for m >= len(p.machines) {
		p.machines, p.models = append(p.machines, nil), append(p.models, 0)
	}
	p.free(int32(m))
	x := &r.Machines[m]
	p.models[m] = x.Models
	p.find.change(m, x, p.held(m, -1))
	for place := range p.rooms {
		p.count(place, m)
	}
}

// fill starts the first group that may have a place, until there is none.
func (p *Placed) fill(r *policies.Round) {
	if len(p.freed) > 0 {
		p.releaseGangs()
	}
	if len(p.freed) > few {
		p.release()
	}
	w := &p.waiting
	for {
		g := p.unblocked()
		if w.ready.Len() > 0 {
			if h := int32(w.ready.Head()); g == nilNode || w.before(h, g) {
				g = h
			}
		}
		if g == nilNode {
			return
		}
		if !p.start(r, g) {
			if p.strict {
				return
			}
			w.ready.Pop()
			w.block(g)
		}
	}
}

// start runs the first job of a group, or reports that it has no place.
func (p *Placed) start(r *policies.Round, g int32) bool {
	x := &p.waiting.groups[g]
	ref := policies.Ref(x.head)
	for int(ref) >= len(p.spots) {
		p.spots = append(p.spots, policies.Spot{Machine: -1})
	}
	evicts := false
	for range x.pieces {
		var among []freedMachine
		if x.blocked && len(p.freed) <= few {
			among = p.freed
		}
		at := p.find.find(x, among)
		if at.Machine < 0 && p.preempts && x.pieces == 1 {
			at = p.evict(r, ref, x)
			evicts = true
		}
		if at.Machine < 0 {
			p.takeOff(ref)
			return false
		}
		p.assign(ref, at)
	}
	p.waiting.remove(ref)
	r.StartOn(ref, p.spots[ref])
	for _, at := range p.furtherSpots(ref) {
		r.StartFurther(at)
	}
	if evicts { // what was stopped may leave more than was needed, for others too
		p.free(p.spots[ref].Machine)
		p.releaseGangs()
	}
	return true
}

// assign gives a piece of a job its place.
func (p *Placed) assign(ref policies.Ref, at policies.Spot) {
	if p.spots[ref].Machine < 0 {
		p.spots[ref] = at
	} else {
		for int(ref) >= len(p.further) {
			p.further = append(p.further, nil)
		}
		p.further[ref] = append(p.further[ref], at)
	}
	p.machines[at.Machine] = append(p.machines[at.Machine], piece{ref, at.Devices})
	p.gain(p.groupOf(ref), at, -1)
}

// takeOff takes a job off its machines, the last piece first.
func (p *Placed) takeOff(ref policies.Ref) {
	for p.spots[ref].Machine >= 0 {
		at := p.spots[ref]
		if list := p.furtherSpots(ref); len(list) > 0 {
			last := len(list) - 1
			at, p.further[ref] = list[last], list[:last]
		} else {
			p.spots[ref].Machine = -1
		}
		m := at.Machine
		i := slices.Index(p.machines[m], piece{ref, at.Devices})
		p.machines[m] = slices.Delete(p.machines[m], i, i+1)
		p.gain(p.groupOf(ref), at, 1)
	}
}

// furtherSpots are the places of a running job's pieces but for the first.
func (p *Placed) furtherSpots(ref policies.Ref) []policies.Spot {
	if int(ref) >= len(p.further) {
		return nil
	}
	return p.further[ref]
}

// spotsOf yields the places of a running job's pieces.
func (p *Placed) spotsOf(ref policies.Ref) iter.Seq[policies.Spot] {
	return func(yield func(policies.Spot) bool) {
		if !yield(p.spots[ref]) {
			return
		}
		for _, at := range p.furtherSpots(ref) {
			if !yield(at) {
				return
			}
		}
	}
}

// Clone returns an independent copy.
func (p *Placed) Clone() policies.Policy {
	c := *p
	c.Rank, c.waiting, c.find = p.Rank.Clone(), p.waiting.clone(), p.find.clone()
	c.spots, c.models = slices.Clone(p.spots), slices.Clone(p.models)
	c.freed, c.stopped = nil, slices.Clone(p.stopped)
	c.rooms, c.machines, c.further = slices.Clone(p.rooms), slices.Clone(p.machines), slices.Clone(p.further)
	for i := range c.rooms {
		c.rooms[i] = p.rooms[i].Clone()
	}
	for i := range c.machines {
		c.machines[i] = slices.Clone(p.machines[i])
	}
	for i := range c.further {
		c.further[i] = slices.Clone(p.further[i])
	}
	return &c
}
