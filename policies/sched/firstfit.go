package sched

import (
	"bourse/policies"
	"bourse/policies/order"
)

// FirstFit is FCFS where a job that does not fit is passed over: of the waiting jobs, in order
// of submission, each starts that fits into what those before it leave. Wide jobs may wait for
// as long as narrower ones arrive. A start costs O(log n), whatever waits (see fitTree).
type FirstFit struct {
	order.Base
	policies.AsFCFS
	waiting fitTree
}

// NewFirstFit returns the policy.
func NewFirstFit() *FirstFit {
	return &FirstFit{Base: order.Base{Rank: order.NewRanker(order.Ranking{Order: order.BySubmit})},
		waiting: fitTree{root: nilNode}}
}

// Traits declares that several resources will do.
func (*FirstFit) Traits() policies.Traits { return policies.Traits{ByScale: true, Packs: true} }

// Ranker implements order.Ranked.
func (p *FirstFit) Ranker() (rank *order.Ranker, preempts, ok bool) { return &p.Rank, false, true }

// Plan starts what fits.
func (p *FirstFit) Plan(r *policies.Round) {
	for _, ref := range r.Arrived {
		p.waiting.insert(ref, r.Job(ref), 0, false)
	}
	s := settler{fitTree: &p.waiting, round: r, last: -1}
	s.settle(p.waiting.root, r.Spare)
	for _, ref := range r.Started {
		p.waiting.remove(ref)
	}
}

// Clone returns an independent copy.
func (p *FirstFit) Clone() policies.Policy {
	return &FirstFit{Base: order.Base{Rank: p.Rank.Clone()}, waiting: p.waiting.clone()}
}
