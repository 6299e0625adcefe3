package sched

import (
	"bourse/events"
	"bourse/policies"
)

// Spot is a market that clears every so often: at each tick the unfinished jobs are ranked by
// bid, and the first of them, as many as fit, win and run until the next. All pay the bid of
// the first that does not fit, or the reservation price if that is more or all fit. It is
// each winner's critical bid for the period, of gang jobs too: one that bids below the first
// loser is passed by it, and the two do not fit together. Losers that run are stopped.
//
// Between ticks no job starts, unless refill lets the best of the waiting take what has
// become free if they bid the price. Jobs that come with a bid below the reservation price
// would never run: they leave.
type Spot struct {
	prefix
	every   events.Time
	reserve float64
	refill  bool
	price   float64
}

// NewSpot returns the market that clears at multiples of a time.
func NewSpot(every events.Time, reserve float64, refill bool) *Spot {
	return &Spot{every: every, reserve: reserve, refill: refill, price: reserve}
}

// Traits declares that jobs rank by bid, several resources will do, and jobs leave.
func (*Spot) Traits() policies.Traits {
	return policies.Traits{RanksByBid: true, Packs: true, Leaves: true}
}

// Scale is 1: jobs rank by bid.
func (*Spot) Scale(*policies.Job) float64 { return 1 }

// Preempts is true.
func (*Spot) Preempts() bool { return true }

// Asked is the price of the period.
func (p *Spot) Asked() float64 { return p.price }

// Agreed is 0: all pay the same.
func (*Spot) Agreed(policies.Ref) float64 { return 0 }

// Plan clears the market if it is time, and asks to be woken when it is.
func (p *Spot) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		p.ended(ref)
	}
	for _, ref := range r.Rebid {
		p.rank(r.Job(ref), ref, -r.Job(ref).Bid)
	}
	for _, ref := range r.Arrived {
		if j := r.Job(ref); j.Bid < p.reserve {
			r.Leave(ref, policies.Elsewhere, "the bid was below the reserve")
		} else {
			p.add(j, ref, -j.Bid)
		}
	}
	since := r.Now % p.every
	switch {
	case since == 0:
		p.settle(r)
		p.price = p.reserve
		if p.waiting.Len() > 0 {
			p.price = max(p.reserve, -p.waiting.HeadKey())
		}
	case p.refill:
		p.fill(r, -p.price)
	}
	if p.waiting.Len()+p.running.Len() > 0 {
		r.Wake(r.Now - since + p.every)
	}
}

// Clone returns an independent copy.
func (p *Spot) Clone() policies.Policy {
	c := *p
	c.prefix = p.clone()
	return &c
}
