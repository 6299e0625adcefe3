// Package payment holds the price schemes: what a running job pays per
// processor-second, and when that changes.
//
// A price is an index. Each scheme keeps integrals of its prices over time,
// brought forward once per round, and a job's bill is the difference of them
// between two moments: no call walks over the running jobs.
package payment

import (
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// clocks splits time by whether the reservation price is in force.
type clocks struct {
	now      events.Time
	reserved bool
	idle     events.Time // total time at the reservation price
	busy     events.Time // total time at the scheme's own price
}

// advance moves to now and returns the time passed.
func (c *clocks) advance(now events.Time) events.Time {
	dt := now - c.now
	c.now = now
	if c.reserved {
		c.idle += dt
	} else {
		c.busy += dt
	}
	return dt
}

// perRef is a table indexed by Ref that grows as jobs arrive.
type perRef[T any] []T

func (t *perRef[T]) get(ref policies.Ref) *T {
	for int(ref) >= len(*t) {
		var zero T
		*t = append(*t, zero)
	}
	return &(*t)[ref]
}

// Posted charges the same price at all times. Posted(0) is no payment.
type Posted struct {
	price float64
	now   events.Time
	since perRef[events.Time]
}

// NewPosted returns the scheme with the given price per processor-second.
func NewPosted(price float64) *Posted { return &Posted{price: price} }

// Advance moves the scheme's clock.
func (p *Posted) Advance(now events.Time) { p.now = now }

// Open begins to charge ref.
func (p *Posted) Open(ref policies.Ref, _ *policies.Job) { *p.since.get(ref) = p.now }

// Close returns the posted price times the seconds since Open.
func (p *Posted) Close(ref policies.Ref, _ *policies.Job) float64 {
	return p.price * (p.now - *p.since.get(ref)).Seconds()
}

// Clear does nothing: the price stays.
func (p *Posted) Clear(*policies.Round) {}

// Price returns the posted price.
func (p *Posted) Price(*policies.Job) float64 { return p.price }

// Quote returns the posted price.
func (p *Posted) Quote() float64 { return p.price }

// First is the first-price scheme: a running job pays its own bid, or the
// reservation price while the jobs in the system need fewer processors than
// there are (Shudler et al., section IV). The reservation price is charged as
// it is, also to a job that bid less.
type First struct {
	reserve float64
	clocks  clocks
	since   perRef[clocks]
}

// NewFirst returns the scheme with the given reservation price.
func NewFirst(reserve float64) *First {
	return &First{reserve: reserve, clocks: clocks{reserved: true}}
}

// Advance charges up to now.
func (p *First) Advance(now events.Time) { p.clocks.advance(now) }

// Open begins to charge ref.
func (p *First) Open(ref policies.Ref, _ *policies.Job) { *p.since.get(ref) = p.clocks }

// Close returns bid x congested time + reservation price x other time.
func (p *First) Close(ref policies.Ref, j *policies.Job) float64 {
	s := p.since.get(ref)
	busy, idle := (p.clocks.busy - s.busy).Seconds(), (p.clocks.idle - s.idle).Seconds()
	return float64(j.Bid*busy) + float64(p.reserve*idle)
}

// Clear switches between bid and reservation price.
func (p *First) Clear(r *policies.Round) { p.clocks.reserved = !r.Congested() }

// Price returns the job's bid or the reservation price.
func (p *First) Price(j *policies.Job) float64 {
	if p.clocks.reserved {
		return p.reserve
	}
	return j.Bid
}

// Quote returns the reservation price while it is in force; while every job
// pays its own bid there is no common price and Quote is not a number.
func (p *First) Quote() float64 {
	if p.clocks.reserved {
		return p.reserve
	}
	return math.NaN()
}

// Clone returns an independent copy.
func (p *Posted) Clone(policies.Policy) policies.Pricer {
	c := *p
	c.since = slices.Clone(p.since)
	return &c
}

// Clone returns an independent copy.
func (p *First) Clone(policies.Policy) policies.Pricer {
	c := *p
	c.since = slices.Clone(p.since)
	return &c
}
