package sched

import (
	"bourse/policies"
	"bourse/policies/order"
)

// FirstFit is List where a job that does not fit is passed over: of the waiting jobs, in their
// order, each starts that fits into what those before it leave. Wide jobs may wait for as long
// as narrower ones arrive. The keys are fixed when jobs arrive or bid again; each start costs
// O(log n), whatever waits (see fitTree).
type FirstFit struct {
	order.Base
	policies.AsFCFS
	waiting fitTree
}

// NewFirstFit returns a FirstFit of the order.
func NewFirstFit(o *order.Order) *FirstFit {
	return &FirstFit{Base: order.Base{Rank: order.NewRanker(order.Ranking{Order: o})}, waiting: fitTree{root: nilNode}}
}

// Traits declares that several resources will do.
func (p *FirstFit) Traits() policies.Traits { return policies.Traits{ByScale: true, Packs: true} }

// Ranker implements order.Ranked.
func (p *FirstFit) Ranker() (rank *order.Ranker, preempts, ok bool) { return &p.Rank, false, true }

// Plan starts what fits.
func (p *FirstFit) Plan(r *policies.Round) {
	for _, ref := range r.Arrived {
		p.insert(r, ref)
	}
	if p.Rank.Bid {
		for _, ref := range r.Rebid {
			if _, waits := p.waiting.remove(ref); waits {
				p.insert(r, ref)
			}
		}
	}
	s := settler{fitTree: &p.waiting, round: r, last: -1}
	s.settle(p.waiting.root, r.Spare)
	for _, ref := range r.Started {
		p.waiting.remove(ref)
	}
}

func (p *FirstFit) insert(r *policies.Round, ref policies.Ref) {
	p.waiting.insert(ref, r.Job(ref), p.Rank.Key(r.Now, r.Job(ref)), false)
}

// Clone returns an independent copy.
func (p *FirstFit) Clone() policies.Policy {
	return &FirstFit{Base: order.Base{Rank: p.Rank.Clone()}, waiting: p.waiting.clone()}
}
