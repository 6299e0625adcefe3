package sched

import (
	"slices"

	"bourse/policies"
)

// Skipping is Highest-Bid for parallel jobs: at every instant it walks the
// unfinished jobs in order of bid and runs each that fits into what the better ones
// leave. A job that does not fit is passed over, so a wide job blocks no other and waits
// for better bids only; worse ones fill the hole that it leaves and are preempted when
// it fits. Without preemption running jobs keep what they have, and of the waiting ones
// each that fits starts, in order of bid.
//
// Invariant after each Plan: a job in the tree runs if and only if it fits into what
// those before it leave. The tree finds the first job of which that has become untrue,
// so a round costs O(log n) for each job that arrives, leaves, starts or stops, whatever
// else runs or waits; jobs that stay as they are are not touched. With several
// resources the search may look into subtrees in vain (see fitTree).
//
// Rejected: the queue and the running jobs in two heaps, as HighestBid has them. A job
// in the middle of the order may start or stop while its neighbours stay.
type Skipping struct {
	preempts bool
	jobs     fitTree // the unfinished, or without preemption the waiting
	room     policies.Amount
}

// NewSkipping returns the policy, with preemption or without.
func NewSkipping(preempts bool) *Skipping {
	return &Skipping{preempts: preempts, jobs: fitTree{root: nilNode}}
}

// Traits declares that jobs rank by bid and several resources will do.
func (*Skipping) Traits() policies.Traits {
	return policies.Traits{RanksByBid: true, ByScale: true, Packs: true}
}

// Scale is 1: jobs rank by bid.
func (*Skipping) Scale(*policies.Job) float64 { return 1 }

// Preempts tells whether running jobs make room for better bids.
func (p *Skipping) Preempts() bool { return p.preempts }

// Plan starts and stops what has to be for the invariant to hold. Without preemption
// what starts leaves the tree.
func (p *Skipping) Plan(r *policies.Round) {
	p.absorb(r)
	p.room = r.Total
	if !p.preempts {
		p.room = r.Spare
	}
	s := settler{fitTree: &p.jobs, round: r, last: -1}
	s.settle(p.jobs.root, p.room)
	if p.preempts {
		return
	}
	for _, ref := range r.Started {
		p.room = p.room.Minus(r.Job(ref).Need)
		p.jobs.remove(ref)
	}
}

func (p *Skipping) absorb(r *policies.Round) {
	for _, ref := range r.Ended {
		p.jobs.remove(ref)
	}
	for _, ref := range r.Rebid {
		if running, there := p.jobs.remove(ref); there {
			p.jobs.insert(ref, r.Job(ref), -r.Job(ref).Bid, running)
		}
	}
	for _, ref := range r.Arrived {
		p.jobs.insert(ref, r.Job(ref), -r.Job(ref).Bid, false)
	}
}

// Critical implements policies.Passer: the first waiting job behind that would fit if
// need were free.
func (p *Skipping) Critical(need policies.Amount, behind policies.Ref) (bid float64, any bool) {
	x := p.jobs.first(p.jobs.root, p.room.Plus(need), behind)
	if x == nilNode {
		return 0, false
	}
	return p.jobs.Nodes[x].Of.bid, true
}

// Fillers implements policies.Passer.
func (p *Skipping) Fillers(to []policies.Ref) []policies.Ref {
	if first := p.jobs.first(p.jobs.root, unlimited, -1); first != nilNode {
		return p.jobs.fillers(p.jobs.root, policies.Ref(first), to)
	}
	return to
}

// Contest implements policies.Passer.
func (p *Skipping) Contest(yield func(seq int64, bid float64, need policies.Amount) bool) {
	p.jobs.walk(p.jobs.root, yield)
}

// Contested implements policies.Passer.
func (p *Skipping) Contested(j *policies.Job) policies.Amount {
	if p.preempts {
		return p.room
	}
	return p.room.Plus(j.Need)
}

// Clone returns an independent copy.
func (p *Skipping) Clone() policies.Policy {
	c := *p
	c.jobs = p.jobs.clone()
	return &c
}

var _ policies.Passer = (*Skipping)(nil)

// settler carries a round's decisions out on the tree.
type settler struct {
	*fitTree
	round *policies.Round
	last  policies.Ref // the latest start: what is stopped behind it makes room for it
}

// settle makes the invariant hold in a subtree before which so much is free. It enters
// only subtrees of which a job has to start or stop, in order: what is decided of a job
// depends on those before it alone.
func (s *settler) settle(x int32, free policies.Amount) {
	if x == nilNode {
		return
	}
	n := &s.Nodes[x]
	if n.Of.sum.Fits(free) && !n.Of.low.Fits(free) {
		return
	}
	s.settle(n.Left, free)
	if n.Left != nilNode {
		free = free.Minus(s.Nodes[n.Left].Of.sum)
	}
	if fits := n.Of.need.Fits(free); fits != n.Of.running {
		n.Of.running = fits
		if ref := policies.Ref(x); fits {
			s.last = ref
			s.round.Start(ref)
		} else {
			s.round.PreemptFor(ref, s.last)
		}
	}
	if n.Of.running {
		free = free.Minus(n.Of.need)
	}
	s.settle(n.Right, free)
	s.pull(x)
}

func (t *fitTree) clone() fitTree { return fitTree{t.Tree.Clone(), t.root, slices.Clone(t.there)} }
