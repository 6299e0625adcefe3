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
//
// Invariant after each Plan: every running job ranks before every waiting one
// in order of (bid descending, Seq), and the first waiting job does not fit.
// Keeping it costs O(log n) per job that starts or stops.
type HighestBid struct {
	waiting policies.Queue // best first: (-bid, seq)
	running policies.Queue // worst first: (bid, -seq)
	stopped []eviction     // of this round; some are taken back
}

// Traits declares that jobs rank by bid and several resources will do.
func (*HighestBid) Traits() policies.Traits {
	return policies.Traits{RanksByBid: true, ByScale: true, Packs: true}
}

// Scale is 1: jobs rank by bid.
func (*HighestBid) Scale(*policies.Job) float64 { return 1 }

// Preempts is true.
func (*HighestBid) Preempts() bool { return true }

// Plan evicts from the worst end while a better job waits and does not fit,
// and takes jobs from the best end while they fit. Evictions that the same
// round takes back never reach the engine.
func (p *HighestBid) Plan(r *policies.Round) {
	p.absorb(r)
	p.stopped = p.stopped[:0]
	free := r.Spare
	for p.waiting.Len() > 0 {
		best := p.waiting.Head()
		j := r.Job(best)
		if j.Need.Fits(free) {
			p.waiting.Pop()
			p.running.Push(j.Bid, -j.Seq, best)
			free = free.Minus(j.Need)
			if j.State == policies.Waiting {
				r.Start(best)
			}
			continue
		}
		if p.running.Len() == 0 {
			break
		}
		worst := p.running.Head()
		w := r.Job(worst)
		if !(w.Bid < j.Bid || w.Bid == j.Bid && w.Seq > j.Seq) {
			break
		}
		p.running.Pop()
		p.waiting.Push(-w.Bid, w.Seq, worst)
		free = free.Plus(w.Need)
		p.stopped = append(p.stopped, eviction{worst, best})
	}
	for _, e := range p.stopped {
		if p.waiting.Has(e.victim) {
			r.PreemptFor(e.victim, e.by)
		}
	}
}

// eviction is a running job that has to make room for another.
type eviction struct{ victim, by policies.Ref }

func (p *HighestBid) absorb(r *policies.Round) {
	for _, ref := range r.Ended {
		p.running.Remove(ref)
	}
	for _, ref := range r.Rebid {
		j := r.Job(ref)
		if p.running.Remove(ref) {
			p.running.Push(j.Bid, -j.Seq, ref)
		} else if p.waiting.Remove(ref) {
			p.waiting.Push(-j.Bid, j.Seq, ref)
		}
	}
	for _, ref := range r.Arrived {
		j := r.Job(ref)
		p.waiting.Push(-j.Bid, j.Seq, ref)
	}
}

// Clone returns an independent copy.
func (p *HighestBid) Clone() policies.Policy {
	return &HighestBid{waiting: p.waiting.Clone(), running: p.running.Clone()}
}
