package payment

import (
	"slices"

	"bourse/events"
	"bourse/policies"
)

// Kth is the k-th price scheme (Shudler et al., sections IV and V): a running
// job pays its critical bid K x scale, the least bid with which it would still
// rank before the best waiting job, whose key is K; the reservation price
// while no job waits. Under a policy that does not preempt, the best waiting
// job may outbid a running one, and the price is capped at the job's own bid.
//
// Without the cap all running jobs share one index, the integral of K. With it
// job i's bill is the integral of min(bid_i, K scale_i), kept by cappedIndex.
type Kth struct {
	market  policies.Market
	reserve float64
	clocks  clocks
	waiting policies.Queue // (-key, seq)
	key     float64        // K, the best waiting key; meaningful while !reserved
	index   policies.Sum   // integral of K
	capped  *cappedIndex   // nil where no cap applies
	root    int32          // of its tree
	since   perRef[kthMark]
}

type kthMark struct {
	idle  events.Time
	index policies.Sum
}

// NewKth returns the scheme for a market, capped where the market needs it.
func NewKth(m policies.Market, reserve float64) policies.Pricer {
	if q, ok := m.(policies.Passer); ok {
		return newCritical(q, reserve, !m.Preempts())
	}
	p := newKth(m, reserve)
	if !m.Preempts() {
		p.capped = &cappedIndex{}
	}
	return p
}

// NewKthUncapped returns the scheme as the paper's text has it: under policies
// that do not preempt a job may pay more than its bid.
func NewKthUncapped(m policies.Market, reserve float64) policies.Pricer {
	if q, ok := m.(policies.Passer); ok {
		return newCritical(q, reserve, false)
	}
	return newKth(m, reserve)
}

func newKth(m policies.Market, reserve float64) *Kth {
	return &Kth{market: m, reserve: reserve, clocks: clocks{reserved: true}, root: policies.NilNode}
}

// Advance charges up to now, in O(log running) where prices are capped.
func (p *Kth) Advance(now events.Time) {
	reserved := p.clocks.reserved
	dt := p.clocks.advance(now)
	if reserved || dt == 0 {
		return
	}
	if p.capped != nil {
		p.capped.charge(p.root, p.key, dt)
	} else {
		p.index.Add(float64(p.key * dt.Seconds()))
	}
}

// Open begins to charge ref.
func (p *Kth) Open(ref policies.Ref, j *policies.Job) {
	*p.since.get(ref) = kthMark{p.clocks.idle, p.index}
	if p.capped != nil {
		p.root = p.capped.insert(p.root, ref, j.Bid/p.market.Scale(j))
	}
}

// Close returns the integral of the job's price since Open.
func (p *Kth) Close(ref policies.Ref, j *policies.Job) float64 {
	mark := p.since.get(ref)
	idle := float64(p.reserve * (p.clocks.idle - mark.idle).Seconds())
	scale := p.market.Scale(j)
	if p.capped == nil {
		return idle + float64(scale*p.index.Minus(mark.index))
	}
	root, own, keys := p.capped.remove(p.root, ref)
	p.root = root
	return idle + float64(j.Bid*own.Seconds()) + float64(scale*keys)
}

// Clear finds the best waiting key after the decisions of the round.
func (p *Kth) Clear(r *policies.Round) {
	for _, ref := range r.Started {
		p.waiting.Remove(ref)
	}
	for i := range r.Held {
		p.waiting.Remove(r.Held[i].Ref)
	}
	for _, ref := range r.Rebid {
		if p.waiting.Remove(ref) {
			p.wait(r, ref)
		}
	}
	for _, ref := range r.Preempted {
		p.wait(r, ref)
	}
	for _, ref := range r.Arrived {
		if r.Job(ref).State == policies.Waiting {
			p.wait(r, ref)
		}
	}
	p.clocks.reserved = p.waiting.Len() == 0
	if !p.clocks.reserved {
		p.key = -p.waiting.HeadKey()
	}
}

func (p *Kth) wait(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	p.waiting.Push(-j.Bid/p.market.Scale(j), j.Seq, ref)
}

// Price returns the job's price from its definition.
func (p *Kth) Price(j *policies.Job) float64 {
	if p.clocks.reserved {
		return p.reserve
	}
	critical := p.key * p.market.Scale(j)
	if p.capped != nil {
		return min(j.Bid, critical)
	}
	return critical
}

// Quote returns the best waiting key, or the reservation price.
func (p *Kth) Quote() float64 {
	if p.clocks.reserved {
		return p.reserve
	}
	return p.key
}

// Clone returns an independent copy.
func (p *Kth) Clone(of policies.Policy) policies.Pricer {
	c := *p
	c.market, _ = policies.As[policies.Market](of)
	c.since, c.waiting = slices.Clone(p.since), p.waiting.Clone()
	if p.capped != nil {
		c.capped = p.capped.clone()
	}
	return &c
}
