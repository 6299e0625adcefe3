package sched

import (
	"slices"
	"sort"

	"bourse/policies"
	"bourse/policies/placement"
)

// class returns the place of a class, which it makes known.
func (p *Placed) class(r *policies.Round, key int64) int {
	c := sort.Search(len(p.classes), func(c int) bool { return p.classes[c].key >= key })
	if c < len(p.classes) && p.classes[c].key == key {
		return c
	}
	p.classes = slices.Insert(p.classes, c, class{key: key, blocked: nilNode})
	for g := range p.groups {
		if p.groups[g].class >= c {
			p.groups[g].class++
		}
	}
	for m := range p.free {
		p.count(r, c, m)
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
func (p *Placed) count(r *policies.Round, c, m int) {
	if !p.preempts {
		return
	}
	x := &p.classes[c]
	x.room.Grow(m + 1)
	if !p.up[m] {
		x.room.Set(m, placement.Nothing)
		return
	}
	room := p.free[m]
	for _, ref := range p.machines[m] {
		if p.classOf(ref) > c {
			room = room.Plus(r.Job(ref).Need)
		}
	}
	x.room.Set(m, room)
}

// classOf returns the place of a job's class.
func (p *Placed) classOf(ref policies.Ref) int { return p.groups[p.of[ref]].class }

// hold tells the classes that a job has come to a machine (sign -1) or left it
// (1): those of its own rank and below have less or more room there.
func (p *Placed) hold(r *policies.Round, ref policies.Ref, m int, sign float64) {
	if !p.preempts {
		return
	}
	need := r.Job(ref).Need.Times(sign)
	for c := p.classOf(ref); c < len(p.classes); c++ {
		if p.up[m] {
			p.classes[c].room.Set(m, p.classes[c].room.At(m).Plus(need))
		}
	}
}

// evict makes room for a job by stopping jobs of lower rank, and returns the
// machine, or -1 if no machine has enough of them.
func (p *Placed) evict(r *policies.Round, by policies.Ref, x *group) int {
	m := p.evictable(x)
	if m < 0 {
		return -1
	}
	for !x.key.need.Fits(p.free[m]) {
		victim, worst := policies.Ref(-1), x.class
		for _, ref := range p.machines[m] { // the last of the lowest class
			if c := p.classOf(ref); c > x.class && c >= worst {
				victim, worst = ref, c
			}
		}
		p.off(victim)
		p.hold(r, victim, m, 1)
		p.free[m], p.idle = p.free[m].Plus(r.Job(victim).Need), p.idle.Plus(r.Job(victim).Need)
		r.PreemptFor(victim, by)
		p.stopped = append(p.stopped, victim)
	}
	return m
}

// evictable returns the first machine on which jobs of lower rank leave room for a
// group's next job, or -1.
func (p *Placed) evictable(x *group) int {
	room := &p.classes[x.class].room
	if !x.blocked || len(p.freed) > few {
		return room.First(x.key.need)
	}
	at := -1
	for i := range p.freed {
		m := p.freed[i].machine
		if x.key.need.Fits(room.At(int(m))) && (at < 0 || int(m) < at) {
			at = int(m)
		}
	}
	return at
}

type groupKey struct {
	need  policies.Amount
	class int64
}

type group struct {
	key     groupKey
	class   int // the place of key.class
	root    int32
	head    int32 // its first job
	blocked bool  // it fits nowhere but, perhaps, on the machines freed in this round
}

// class is a rank that may preempt lower ones: on each machine it sees what is
// free or held by them.
type class struct {
	key     int64
	room    placement.Rooms
	blocked int32 // root of its blocked groups
}

// before reports whether the first job of group a ranks before that of b.
func (p *Placed) before(a, b int32) bool {
	return p.jobs.Nodes[p.groups[a].head].Before(&p.jobs.Nodes[p.groups[b].head].Place)
}

// find returns the machine for a group's next job, or -1.
func (p *Placed) find(x *group) int {
	if !x.blocked || len(p.freed) > few {
		return p.fit.Find(x.key.need)
	}
	at := -1
	for i := range p.freed {
		m := p.freed[i].machine
		if p.up[m] && x.key.need.Fits(p.free[m]) && (at < 0 || p.fit.Prefers(x.key.need, int(m), p.free[m], at, p.free[at])) {
			at = int(m)
		}
	}
	return at
}

// block puts a group among the blocked ones.
func (p *Placed) block(g int32) {
	x := &p.groups[g]
	x.blocked = true
	c := &p.classes[x.class]
	first := &p.jobs.Nodes[x.head]
	c.blocked = p.blocked.put(c.blocked, g, first.Key, first.Seq, amount(x.key.need), x.key.need)
}

// enqueue puts a group whose first job is new where that belongs. It was among the
// others under another job, or nowhere.
func (p *Placed) enqueue(r *policies.Round, g int32) {
	x := &p.groups[g]
	if x.blocked {
		c := &p.classes[x.class]
		c.blocked = p.blocked.remove(c.blocked, g)
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
