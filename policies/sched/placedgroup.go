package sched

import (
	"bourse/policies"
	"bourse/policies/placement"
)

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
