package sched

import (
	"bourse/policies"
	"bourse/policies/order"
)

// List is the non-preemptive list scheduler: waiting jobs are in an order and
// the first ones start while they fit. Each decision costs O(log n) while keys
// are fixed when jobs arrive (or bid again). Where they change as jobs wait, a
// decision ranks the queue again, O(n), but only when the narrowest waiting job fits:
// nothing could start otherwise.
type List struct {
	order.Base
	waiting policies.Queue
	table   plainQueue // instead of waiting, where keys change
}

// NewList returns a List of an order that needs no parameter.
func NewList(o *order.Order) *List { return NewRanked(order.Ranking{Order: o}) }

// NewRanked returns a List of the ranking.
func NewRanked(r order.Ranking) *List {
	return &List{Base: order.Base{Rank: order.NewRanker(r)}, table: newPlainQueue()}
}

// Traits are those of the order. Several resources will do where keys are fixed.
func (p *List) Traits() policies.Traits {
	return policies.Traits{RanksByBid: p.Rank.Bid, ByScale: p.Rank.Keys == nil, Strict: true, Packs: !p.Rank.Changes}
}

// Preempts is false.
func (*List) Preempts() bool { return false }

// Scale is the order's. Under orders that do not look at bids, such as FCFS, waiting jobs
// still bid against each other for the k-th price.
func (p *List) Scale(j *policies.Job) float64 { return p.Rank.Scale(j) }

// Ranker implements order.Ranked where keys are fixed.
func (p *List) Ranker() (rank *order.Ranker, preempts, ok bool) {
	return &p.Rank, false, !p.Rank.Changes
}

// Plan starts jobs in order while the next one fits.
func (p *List) Plan(r *policies.Round) {
	if p.Rank.Changes {
		p.planAnew(r)
		return
	}
	if p.Rank.Bid {
		for _, ref := range r.Rebid {
			if p.waiting.Remove(ref) {
				p.push(r, ref)
			}
		}
	}
	for _, ref := range r.Arrived {
		p.push(r, ref)
	}
	free := r.Spare
	for p.waiting.Len() > 0 {
		j := r.Job(p.waiting.Head())
		if !j.Need.Fits(free) {
			return
		}
		free = free.Minus(j.Need)
		r.Start(p.waiting.Pop())
	}
}

func (p *List) push(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	p.waiting.Push(p.Rank.Key(r.Now, j), j.Seq, ref)
}

// planAnew is Plan where keys change.
func (p *List) planAnew(r *policies.Round) {
	for _, ref := range r.Ended {
		p.Rank.Ended(r.Now, r.Job(ref))
	}
	for _, ref := range r.Arrived {
		p.table.add(ref, r.Job(ref))
	}
	free := r.Free
	if int(p.table.narrowest) > free {
		return
	}
	p.table.rank(r, &p.Rank)
	for left := &p.table.left; left.Len() > 0 && int(left.Head().procs) <= free; {
		it := left.Pop()
		free -= int(it.procs)
		r.Start(it.ref)
		p.Rank.Started(r.Now, r.Job(it.ref))
	}
	p.table.end()
}

// Clone returns an independent copy.
func (p *List) Clone() policies.Policy {
	return &List{Base: order.Base{Rank: p.Rank.Clone()}, waiting: p.waiting.Clone(), table: p.table.clone()}
}
