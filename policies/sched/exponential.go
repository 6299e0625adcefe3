package sched

import (
	"math"
	"slices"

	"bourse/policies"
)

// Exponential sells processors at posted prices that grow with their use: the next
// processor-second costs, with a share z of the processors busy,
//
//	pi(z) = max(low, low/e (high e/low)^z),
//
// low while z <= 1 / (1 + ln(high/low)), high at z = 1. A job of p processors that would be
// the (k+1)-th to (k+p)-th busy pays the mean of pi(k/n) ... pi((k+p-1)/n), agreed on at its
// start, for all of its time. For small items that never come back the welfare is at least the
// optimum / (1 + ln(high/low)), and no online rule is better (Zhou, Chakrabarty, Lukose 2008).
//
// Jobs are offered the price in order of submission. One that does not take it, or finds no
// room, leaves: the price does not depend on what it says, so that truth is best. Or it
// waits as a limit order, unless an idle machine is too dear for it, and is asked again
// whenever something happens, which takes time in the queue; then the best limit is a
// question of when to stop waiting.
type Exponential struct {
	policies.AsFCFS
	low, high float64
	patient   bool
	sums      []float64 // sums[k]: of the prices of the first k processors
	waiting   []policies.Ref
	agreed    []float64 // by Ref
}

// NewExponential returns the policy; patient jobs wait.
func NewExponential(low, high float64, patient bool) *Exponential {
	return &Exponential{low: low, high: high, patient: patient}
}

// Traits say that jobs leave.
func (*Exponential) Traits() policies.Traits { return policies.Traits{Leaves: true} }

// Asked is 0: each job has its own price.
func (*Exponential) Asked() float64 { return 0 }

// Agreed is the price at the job's start.
func (p *Exponential) Agreed(ref policies.Ref) float64 { return p.agreed[ref] }

// price is the mean of pi over the processors that a job would take.
func (p *Exponential) price(busy, procs int) float64 {
	return (p.sums[busy+procs] - p.sums[busy]) / float64(procs)
}

// open adds up the prices of n processors.
func (p *Exponential) open(n int) {
	p.sums = make([]float64, n+1)
	for k := range n {
		pi := max(p.low, p.low/math.E*math.Pow(p.high*math.E/p.low, float64(k)/float64(n)))
		p.sums[k+1] = p.sums[k] + pi
	}
}

// Plan offers the price to those who ask.
func (p *Exponential) Plan(r *policies.Round) {
	if p.sums == nil {
		p.open(r.Procs)
	}
	p.waiting = append(p.waiting, r.Arrived...)
	free, why := r.Free, "the price was above the bid, or too little was free"
	if p.patient {
		why = "even an idle machine's price was above the bid"
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(ref policies.Ref) bool {
		j := r.Job(ref)
		procs := int(j.Procs)
		if procs <= free {
			if price := p.price(r.Procs-free, procs); price <= j.Bid {
				p.agree(ref, price)
				r.Start(ref)
				free -= procs
				return true
			}
		}
		if p.patient && p.price(0, procs) <= j.Bid {
			return false
		}
		r.Leave(ref, policies.Elsewhere, why)
		return true
	})
}

func (p *Exponential) agree(ref policies.Ref, price float64) {
	for int(ref) >= len(p.agreed) {
		p.agreed = append(p.agreed, 0)
	}
	p.agreed[ref] = price
}

// Clone returns an independent copy.
func (p *Exponential) Clone() policies.Policy {
	c := *p
	c.waiting, c.agreed = slices.Clone(p.waiting), slices.Clone(p.agreed)
	return &c
}
