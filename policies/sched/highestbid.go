// Package sched holds the schedulers that share a machine in space: at any
// time each processor runs one job. One file is one idea.
//
// Every order here breaks ties by submission and then by the trace's order
// (policies.Job.Seq). Gang jobs take all their processors or none. Without
// backfilling an order is kept strictly: the jobs that run are taken in order
// while the next one fits, and no job passes one that does not.
package sched

import "bourse/policies"

// HighestBid is the preemptive Highest-Bid algorithm (Shudler, Amar, Barak and
// Mu'alem, Algorithm 1): at every instant the first jobs by bid run, as many as
// the machine holds.
type HighestBid struct{ prefix }

// Traits declares that jobs rank by bid and several resources will do.
func (*HighestBid) Traits() policies.Traits {
	return policies.Traits{RanksByBid: true, ByScale: true, Strict: true, Packs: true}
}

// Scale is 1: jobs rank by bid.
func (*HighestBid) Scale(*policies.Job) float64 { return 1 }

// Preempts is true.
func (*HighestBid) Preempts() bool { return true }

// Plan brings the jobs up to date and lets the first of them run.
func (p *HighestBid) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		p.ended(ref)
	}
	for _, ref := range r.Rebid {
		p.rank(r.Job(ref), ref, -r.Job(ref).Bid)
	}
	for _, ref := range r.Arrived {
		p.add(r.Job(ref), ref, -r.Job(ref).Bid)
	}
	p.settle(r)
}

// Clone returns an independent copy.
func (p *HighestBid) Clone() policies.Policy { return &HighestBid{p.clone()} }
