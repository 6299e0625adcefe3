package sched

import (
	"maps"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/placement"
)

// Placed places jobs on the machines of a cluster: waiting jobs are tried in the
// order of a ranking, each on the machine that a rule of fit chooses, and a job
// that fits nowhere is passed over. With preemption, a job that fits nowhere may
// take the place of jobs of lower rank: on the first machine where that makes
// enough room the lowest class goes first, of equals the one started last. A job that is
// stopped waits until the next round.
//
// Jobs of equal need (and class) stand in one group, for where one does not fit no
// other does. A group that fits nowhere is blocked until some room is freed on a machine
// that can hold it, and then only such machines are searched. Both the next job for a
// machine and a machine for a job are found by descent, so a round costs O(log) for each
// job that starts or stops and for each class.
type Placed struct {
	rank         ranker
	preempts     bool
	fit          placement.Finder
	gpu          *onGPUs // in its stead where machines have GPUs, else nil
	kinds        []kind
	gangs        bool  // some job had several pieces
	jobs         treap // the waiting, a tree for each group
	groups       []group
	byNeed       map[groupKey]int32
	of           []int32          // by Ref, the job's group
	ready        policies.Queue   // groups that are not blocked, by their first job
	blocked      treap            // the others, a tree for each class and kind, in the same order
	classes      []class          // one for all unless jobs preempt
	machines     [][]policies.Ref // running, in order of start
	free         []policies.Amount
	up           []bool
	spots        []policies.Spot   // by Ref, of running jobs, the first piece's; machine -1: none
	further      [][]policies.Spot // by Ref, those of the other pieces of gangs
	freed        []freedMachine    // in this round
	idle         policies.Amount
	fragmented   events.Time // for how long a job waited that fits all idle resources together but no machine
	since        events.Time // when it began to, if it does
	isFragmented bool
	stopped      []policies.Ref
}

// freedMachine is a machine with new room, and the first blocked group that fits
// there if that is known: one of class from, where it stood at (key, seq). No
// group of the classes before fits.
type freedMachine struct {
	machine   int32
	from      int
	candidate int32
	key, seq  int64
}

func newFreed(m int32) freedMachine { return freedMachine{machine: m, candidate: nilNode} }

// OnMachines turns a list scheduler or preemptive priority into one that places
// jobs on machines.
func OnMachines(p policies.Policy, fit placement.Fit) (policies.Policy, error) {
	switch p := p.(type) {
	case *List:
		if !p.rank.changes {
			return newPlaced(p.rank, false, fit), nil
		}
	case *Preemptive:
		if !p.srpt {
			return newPlaced(p.rank, true, fit), nil
		}
	}
	return nil, &policies.MismatchError{Machine: policies.OnCluster}
}

func newPlaced(r ranker, preempts bool, fit placement.Fit) *Placed {
	p := &Placed{rank: r.clone(), preempts: preempts, fit: placement.NewFinder(fit), byNeed: map[groupKey]int32{}, kinds: []kind{{}}}
	if !preempts {
		p.classes = []class{{}}
	}
	return p
}

// Traits declares that jobs are placed.
func (p *Placed) Traits() policies.Traits {
	return policies.Traits{Places: true, ByScale: p.rank.Keys == nil}
}

// Needs are those of the ranking.
func (p *Placed) Needs() policies.Needs { return p.rank.needs() }

// Preempts is false: jobs do not preempt each other by bid.
func (*Placed) Preempts() bool { return false }

// Scale is that of the list scheduler of the ranking.
func (p *Placed) Scale(j *policies.Job) float64 { return (&List{rank: p.rank}).Scale(j) }

// Plan starts waiting jobs in order of rank, where they fit.
func (p *Placed) Plan(r *policies.Round) {
	p.absorb(r)
	p.idle = r.Spare
	p.fill(r)
	p.measure(r)
}

// measure sums up for how long jobs wait that are blocked by fragmentation.
func (p *Placed) measure(r *policies.Round) {
	if p.isFragmented {
		p.fragmented += r.Now - p.since
	}
	if p.gpu != nil {
		p.gpu.measure(r.Now - p.since)
	}
	p.since = r.Now
	p.isFragmented = false
	for c := 0; c < len(p.classes) && !p.isFragmented; c++ {
		p.isFragmented = p.firstBlocked(c, p.idle, anyModel, false) != nilNode || p.gangs && p.firstBlocked(c, p.idle, anyModel, true) != nilNode
	}
}

// Fragmented implements policies.Fragmenter.
func (p *Placed) Fragmented() events.Time { return p.fragmented }

// fill goes through the groups that may have a place, in the order of their jobs.
func (p *Placed) fill(r *policies.Round) {
	if len(p.freed) > 0 {
		p.releaseGangs(r)
	}
	if len(p.freed) > few {
		p.release(r)
	}
	for {
		g := p.unblocked()
		if p.ready.Len() > 0 {
			if h := int32(p.ready.Head()); g == nilNode || p.before(h, g) {
				g = h
			}
		}
		if g == nilNode {
			return
		}
		if !p.start(r, g) {
			p.ready.Pop()
			p.block(g)
		}
	}
}

// unblocked returns the first blocked group that a freed machine has room for, or
// nilNode. In a round machines only lose room, unless they are freed again: what
// was passed over stays so, and a machine without a candidate is dropped.
func (p *Placed) unblocked() int32 {
	next := int32(nilNode)
	for i := 0; i < len(p.freed); i++ {
		g := p.candidate(&p.freed[i])
		switch {
		case g == nilNode:
			last := len(p.freed) - 1
			p.freed[i] = p.freed[last]
			p.freed = p.freed[:last]
			i--
		case next == nilNode || p.before(g, next):
			next = g
		}
	}
	return next
}

// candidate returns the first blocked group with room on a machine, or nilNode. One
// that was found before, and still stands there and fits, is the first still.
func (p *Placed) candidate(x *freedMachine) int32 {
	if g := x.candidate; g != nilNode && p.groups[g].blocked {
		if n := &p.blocked.Nodes[g]; n.Key == x.key && n.Seq == x.seq && p.groups[g].key.need().Fits(p.seen(x.from, x.machine)) {
			return g
		}
	}
	for x.candidate = nilNode; x.from < len(p.classes); x.from++ {
		if !p.classes[x.from].waits() {
			continue
		}
		if g := p.firstBlocked(x.from, p.seen(x.from, x.machine), p.modelOf(x.machine), false); g != nilNode {
			n := &p.blocked.Nodes[g]
			x.candidate, x.key, x.seq = g, n.Key, n.Seq
			return g
		}
	}
	return nilNode
}

// release makes blocked groups ready after many machines were freed, but for those
// that need more than any of the machines has: to look for each group among all
// machines then costs less than for each machine among all groups.
func (p *Placed) release(r *policies.Round) {
	for c := range p.classes {
		if !p.classes[c].waits() {
			continue
		}
		most := placement.Nothing
		for i := range p.freed {
			most = most.Max(p.seen(c, p.freed[i].machine))
		}
		p.unblock(r, c, most, false)
	}
	p.freed = p.freed[:0]
}

// unblock makes the blocked groups of a class ready that so much room holds.
func (p *Placed) unblock(r *policies.Round, c int, room policies.Amount, gangs bool) {
	for g := p.firstBlocked(c, room, anyModel, gangs); g != nilNode; g = p.firstBlocked(c, room, anyModel, gangs) {
		tree := p.tree(&p.groups[g])
		*tree = p.blocked.remove(*tree, g)
		p.groups[g].blocked = false
		p.enqueue(r, g)
	}
}

// releaseGangs makes ready the jobs of several pieces for which there is enough room
// altogether: whether there is for each piece is only seen by placing them.
func (p *Placed) releaseGangs(r *policies.Round) {
	for c := 0; p.gangs && c < len(p.classes); c++ {
		p.unblock(r, c, p.idle, true)
	}
}

// few is how many machines are looked at one by one.
const few = 32

// absorb takes the round's news in. Of machines only what the engine says counts.
func (p *Placed) absorb(r *policies.Round) {
	p.freed = p.freed[:0]
	for _, ref := range r.Ended {
		p.leave(ref)
	}
	for _, ref := range r.Evicted {
		p.leave(ref)
	}
	for _, m := range r.Changed {
		p.change(r, m)
	}
	for _, list := range [][]policies.Ref{r.Evicted, p.stopped, r.Arrived} {
		for _, ref := range list {
			p.wait(r, ref)
		}
	}
	if p.gpu != nil {
		p.gpu.learn(p, r)
	}
	p.stopped = p.stopped[:0]
	if p.rank.bid {
		for _, ref := range r.Rebid {
			p.rebid(r, ref)
		}
	}
}

// wait puts a job into its group.
func (p *Placed) wait(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	key := policies.FloatKey(p.rank.key(r.Now, j))
	k := keyOf(j)
	if p.preempts {
		k.class = key
	}
	g, ok := p.byNeed[k]
	if !ok {
		g = int32(len(p.groups))
		p.groups = append(p.groups, group{key: k, class: p.class(k.class), kind: p.kind(&k), root: nilNode, head: nilNode})
		p.byNeed[k] = g
	}
	for int(ref) >= len(p.of) {
		p.of = append(p.of, nilNode)
	}
	p.of[ref] = g
	x := &p.groups[g]
	x.root = p.jobs.insert(x.root, ref, key, j)
	if x.head == nilNode || p.jobs.Nodes[ref].Before(&p.jobs.Nodes[x.head].Place) {
		x.head = int32(ref)
		p.enqueue(r, g)
	}
}

// rebid moves a waiting job to where its new bid belongs.
func (p *Placed) rebid(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	if j.State != policies.Waiting || slices.Contains(r.Arrived, ref) {
		return
	}
	g := p.byNeed[keyOf(j)]
	x := &p.groups[g]
	x.root = p.jobs.remove(x.root, int32(ref))
	x.root = p.jobs.insert(x.root, ref, policies.FloatKey(p.rank.key(r.Now, j)), j)
	x.head = p.jobs.First(x.root)
	p.enqueue(r, g)
}

// start runs the first job of a group, or reports that it has no place.
func (p *Placed) start(r *policies.Round, g int32) bool {
	x := &p.groups[g]
	ref := policies.Ref(x.head)
	for int(ref) >= len(p.spots) {
		p.spots = append(p.spots, policies.Spot{Machine: -1})
	}
	evicts := false
	for range x.key.pieces {
		at := p.find(g)
		if at.Machine < 0 && p.preempts && x.key.pieces == 1 {
			at = p.evict(r, ref, x)
			evicts = true
		}
		if at.Machine < 0 {
			p.off(ref)
			return false
		}
		p.put(ref, at)
	}
	x.root = p.jobs.remove(x.root, int32(ref))
	x.head = p.jobs.First(x.root)
	p.enqueue(r, g)
	r.StartOn(ref, p.spots[ref])
	for _, at := range p.others(ref) {
		r.StartFurther(at)
	}
	if evicts { // what was stopped may leave more than was needed, for others too
		p.freed = append(p.freed, newFreed(p.spots[ref].Machine))
		p.releaseGangs(r)
	}
	return true
}

// put gives a piece of a job its place.
func (p *Placed) put(ref policies.Ref, at policies.Spot) {
	if p.spots[ref].Machine < 0 {
		p.spots[ref] = at
	} else {
		for int(ref) >= len(p.further) {
			p.further = append(p.further, nil)
		}
		p.further[ref] = append(p.further[ref], at)
	}
	p.machines[at.Machine] = append(p.machines[at.Machine], ref)
	p.gain(p.of[ref], at, -1)
}

// off takes a job off its machines.
func (p *Placed) off(ref policies.Ref) {
	for p.spots[ref].Machine >= 0 {
		at := p.spots[ref]
		if list := p.others(ref); len(list) > 0 {
			last := len(list) - 1
			at, p.further[ref] = list[last], list[:last]
		} else {
			p.spots[ref].Machine = -1
		}
		m := at.Machine
		i := slices.Index(p.machines[m], ref)
		p.machines[m] = slices.Delete(p.machines[m], i, i+1)
		p.gain(p.of[ref], at, 1)
	}
}

// gain gives a machine the room of a piece of a group's job (sign 1), or takes it (-1).
func (p *Placed) gain(g int32, at policies.Spot, sign float64) {
	m, piece := int(at.Machine), p.groups[g].key.piece.Times(sign)
	p.idle = p.idle.Plus(piece)
	if p.gpu != nil {
		p.free[m] = p.gpu.gain(g, at, sign)
	} else {
		p.free[m] = p.free[m].Plus(piece)
		p.fit.Set(m, p.free[m], p.up[m])
	}
	p.hold(&p.groups[g], m, piece)
}

// others are the places of a running job's pieces but for the first.
func (p *Placed) others(ref policies.Ref) []policies.Spot {
	if int(ref) >= len(p.further) {
		return nil
	}
	return p.further[ref]
}

// leave forgets a job that ended or was evicted; its machines gain.
func (p *Placed) leave(ref policies.Ref) {
	p.freed = append(p.freed, newFreed(p.spots[ref].Machine))
	for _, at := range p.others(ref) {
		p.freed = append(p.freed, newFreed(at.Machine))
	}
	p.off(ref)
}

// change takes over a machine that came, went or changed.
func (p *Placed) change(r *policies.Round, m int32) {
	for int(m) >= len(p.free) {
		p.free, p.up, p.machines = append(p.free, policies.Amount{}), append(p.up, false), append(p.machines, nil)
	}
	p.freed = append(p.freed, newFreed(m))
	x := &r.Machines[m]
	p.free[m], p.up[m] = x.Room(), x.Up
	if p.gpu != nil {
		p.gpu.change(p, int(m), x)
	} else {
		p.fit.Set(int(m), x.Free, x.Up)
	}
	for c := range p.classes {
		p.count(c, int(m))
	}
}

// Clone returns an independent copy.
func (p *Placed) Clone() policies.Policy {
	c := *p
	c.rank, c.fit, c.jobs, c.blocked, c.ready = p.rank.clone(), p.fit.Clone(), p.jobs.clone(), p.blocked.clone(), p.ready.Clone()
	c.groups, c.byNeed, c.of, c.spots = slices.Clone(p.groups), maps.Clone(p.byNeed), slices.Clone(p.of), slices.Clone(p.spots)
	c.free, c.up, c.freed, c.stopped = slices.Clone(p.free), slices.Clone(p.up), nil, slices.Clone(p.stopped)
	c.classes, c.machines = slices.Clone(p.classes), slices.Clone(p.machines)
	c.kinds = slices.Clone(p.kinds)
	for i := range c.classes {
		c.classes[i].room, c.classes[i].blocked = c.classes[i].room.Clone(), slices.Clone(c.classes[i].blocked)
	}
	if p.gpu != nil {
		c.gpu = p.gpu.clone()
	}
	for i := range c.machines {
		c.machines[i] = slices.Clone(c.machines[i])
	}
	c.further = slices.Clone(p.further)
	for i := range c.further {
		c.further[i] = slices.Clone(p.further[i])
	}
	return &c
}
