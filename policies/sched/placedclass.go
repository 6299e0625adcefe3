package sched

import (
	"slices"
	"sort"

	"bourse/policies"
	"bourse/policies/placement"
)

// class returns the place of a class, which it makes known.
func (p *Placed) class(key int64) int {
	c := sort.Search(len(p.classes), func(c int) bool { return p.classes[c].key >= key })
	if c < len(p.classes) && p.classes[c].key == key {
		return c
	}
	p.classes = slices.Insert(p.classes, c, class{key: key})
	for g := range p.groups {
		if p.groups[g].class >= c {
			p.groups[g].class++
		}
	}
	for m := range p.free {
		p.count(c, m)
	}
	return c
}

// seen returns what class c sees of machine m: what is free or held by lower ranks.
func (p *Placed) seen(c int, m int32) policies.Amount {
	switch {
	case p.preempts:
		return p.classes[c].room.At(int(m))
	case p.up[m]:
		return p.free[m]
	}
	return placement.Nothing
}

// count works out what class c sees of machine m.
func (p *Placed) count(c, m int) {
	if !p.preempts {
		return
	}
	x := &p.classes[c]
	x.room.Grow(m + 1)
	if !p.up[m] {
		x.room.Set(m, placement.Nothing)
		return
	}
	if p.gpu != nil {
		x.room.Set(m, p.gpu.without(p, m, c))
		return
	}
	room := p.free[m]
	for _, ref := range p.machines[m] {
		if p.classOf(ref) > c {
			room = room.Plus(p.groups[p.of[ref]].key.piece)
		}
	}
	x.room.Set(m, room)
}

// classOf returns the place of a job's class.
func (p *Placed) classOf(ref policies.Ref) int { return p.groups[p.of[ref]].class }

// hold tells the classes that a machine has gained so much room by a group's job: those of
// its own rank and below.
func (p *Placed) hold(x *group, m int, gained policies.Amount) {
	if !p.preempts {
		return
	}
	for c := x.class; c < len(p.classes); c++ {
		if p.gpu != nil { // what a device has left is no sum of needs
			p.count(c, m)
		} else if p.up[m] {
			p.classes[c].room.Set(m, p.classes[c].room.At(m).Plus(gained))
		}
	}
}

// evict makes room for a job of one piece by stopping jobs of lower rank, and returns its
// place, on machine -1 if none has enough of them.
func (p *Placed) evict(r *policies.Round, by policies.Ref, x *group) policies.Spot {
	m := p.evictable(x)
	if m < 0 {
		return policies.Spot{Machine: -1}
	}
	for !x.key.piece.Fits(p.free[m]) {
		victim, worst := policies.Ref(-1), x.class
		for _, ref := range p.machines[m] { // the last of the lowest class
			if c := p.classOf(ref); c > x.class && c >= worst {
				victim, worst = ref, c
			}
		}
		if len(p.others(victim)) > 0 {
			p.freed = append(p.freed, newFreed(p.spots[victim].Machine))
		}
		for _, at := range p.others(victim) {
			p.freed = append(p.freed, newFreed(at.Machine))
		}
		p.off(victim)
		r.PreemptFor(victim, by)
		p.stopped = append(p.stopped, victim)
	}
	at := policies.Spot{Machine: int32(m)}
	if p.gpu != nil {
		at.Devices = p.gpu.find.On(m, p.gpu.ask(p.of[by]))
	}
	return at
}

// evictable returns the first machine on which jobs of lower rank leave room for a
// group's next job, or -1.
func (p *Placed) evictable(x *group) int {
	room := &p.classes[x.class].room
	if !x.blocked || len(p.freed) > few {
		if x.key.models == 0 {
			return room.First(x.key.piece)
		}
		for m := range p.free { // few jobs name models
			if p.may(x, int32(m)) && x.key.piece.Fits(room.At(m)) {
				return m
			}
		}
		return -1
	}
	at := -1
	for i := range p.freed {
		m := p.freed[i].machine
		if p.may(x, m) && x.key.piece.Fits(room.At(int(m))) && (at < 0 || int(m) < at) {
			at = int(m)
		}
	}
	return at
}

type groupKey struct {
	piece  policies.Amount // what each piece of a job needs
	models uint64
	pieces int32
	class  int64
}

// keyOf is the key of a job's group, the class apart.
func keyOf(j *policies.Job) groupKey {
	k := groupKey{piece: j.Piece(), pieces: max(j.Pieces, 1)}
	if k.piece.GPU > 0 {
		k.models = j.Models
	}
	return k
}

// need is what a job of the group needs, all its pieces together.
func (k *groupKey) need() policies.Amount {
	if k.pieces == 1 {
		return k.piece
	}
	return k.piece.Times(float64(k.pieces))
}

type group struct {
	key     groupKey
	class   int // the place of key.class
	kind    int32
	root    int32
	head    int32 // its first job
	blocked bool  // it fits nowhere but, perhaps, on the machines freed in this round
}

// class is a rank that may preempt lower ones: on each machine it sees what is
// free or held by them.
type class struct {
	key     int64
	room    placement.Rooms
	blocked []int32 // roots of its blocked groups, by kind
}

// waits reports whether any of its groups is blocked.
func (c *class) waits() bool {
	return slices.ContainsFunc(c.blocked, func(root int32) bool { return root != nilNode })
}

// kind is what jobs want of GPUs, and whether they are placed in several pieces: a gang.
// Blocked groups stand in a tree for each kind, for a search looks at CPU and memory alone;
// with neither GPUs nor gangs there is one.
type kind struct {
	gpu    float64
	models uint64
	gang   bool
}

// anyModel stands for a machine with GPUs of all models.
const anyModel = ^uint64(0)

// kind returns the place of a group's kind, which it makes known.
func (p *Placed) kind(key *groupKey) int32 {
	k := kind{key.need().GPU, key.models, key.pieces > 1}
	p.gangs = p.gangs || k.gang
	i := slices.Index(p.kinds, k)
	if i < 0 {
		i = len(p.kinds)
		p.kinds = append(p.kinds, k)
	}
	return int32(i)
}

// tree returns the root of the blocked groups of a group's class and kind.
func (p *Placed) tree(x *group) *int32 {
	c := &p.classes[x.class]
	for len(c.blocked) <= int(x.kind) {
		c.blocked = append(c.blocked, nilNode)
	}
	return &c.blocked[x.kind]
}

// firstBlocked returns the first blocked group of a class that so much room holds, on GPUs
// of one of these models, or nilNode: of gangs, or of the others.
func (p *Placed) firstBlocked(c int, room policies.Amount, models uint64, gangs bool) int32 {
	first := int32(nilNode)
	most := amount(room)
	for k, root := range p.classes[c].blocked {
		if root == nilNode {
			continue
		}
		if want := &p.kinds[k]; want.gang != gangs || want.gpu > room.GPU || want.models != 0 && want.models&models == 0 {
			continue
		}
		if g := p.blocked.search(root, most); g != nilNode && (first == nilNode || p.before(g, first)) {
			first = g
		}
	}
	return first
}

// modelOf returns the GPU model of a machine.
func (p *Placed) modelOf(m int32) uint64 {
	if p.gpu == nil {
		return 0
	}
	return p.gpu.find.Node(int(m)).Model
}

// may reports whether machine m has GPUs of a model that a group wants.
func (p *Placed) may(x *group, m int32) bool {
	return x.key.models == 0 || x.key.models&p.modelOf(m) != 0
}

// before reports whether the first job of group a ranks before that of b.
func (p *Placed) before(a, b int32) bool {
	return p.jobs.Nodes[p.groups[a].head].Before(&p.jobs.Nodes[p.groups[b].head].Place)
}

// find returns the place for a piece of a group's next job, on machine -1 if there is none.
func (p *Placed) find(g int32) policies.Spot {
	if p.gpu != nil {
		m, devices := p.gpu.find.Find(p.gpu.ask(g))
		return policies.Spot{Machine: int32(m), Devices: devices}
	}
	return policies.Spot{Machine: int32(p.fitting(&p.groups[g]))}
}

// fitting is find among machines without GPUs.
func (p *Placed) fitting(x *group) int {
	if !x.blocked || len(p.freed) > few {
		return p.fit.Find(x.key.piece)
	}
	at := -1
	for i := range p.freed {
		m := p.freed[i].machine
		if p.up[m] && x.key.piece.Fits(p.free[m]) && (at < 0 || p.fit.Prefers(x.key.piece, int(m), p.free[m], at, p.free[at])) {
			at = int(m)
		}
	}
	return at
}

// block puts a group among the blocked ones.
func (p *Placed) block(g int32) {
	x := &p.groups[g]
	x.blocked = true
	tree := p.tree(x)
	first := &p.jobs.Nodes[x.head]
	*tree = p.blocked.put(*tree, g, first.Key, first.Seq, amount(x.key.need()))
}

// enqueue puts a group whose first job is new where that belongs. It was among the
// others under another job, or nowhere.
func (p *Placed) enqueue(r *policies.Round, g int32) {
	x := &p.groups[g]
	if x.blocked {
		tree := p.tree(x)
		*tree = p.blocked.remove(*tree, g)
		x.blocked = false
		if x.head != nilNode {
			p.block(g)
		}
		return
	}
	p.ready.Remove(policies.Ref(g))
	if x.head != nilNode {
		p.ready.Push(p.rank.key(r.Now, r.Job(policies.Ref(x.head))), p.jobs.Nodes[x.head].Seq, policies.Ref(g))
	}
}
