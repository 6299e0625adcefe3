package payment

import (
	"slices"

	"bourse/events"
	"bourse/policies"
)

// Asked is the price that the policy itself sets: one for all that run, one agreed on with
// each job at its start, or both.
type Asked struct {
	policy policies.Seller
	now    events.Time
	price  float64
	index  policies.Sum // integral of the common price
	since  perRef[askedMark]
}

type askedMark struct {
	seq    int64 // of the job
	at     events.Time
	index  policies.Sum
	agreed float64
}

// NewAsked returns the scheme for a policy.
func NewAsked(p policies.Seller) *Asked { return &Asked{policy: p} }

// Advance charges up to now.
func (p *Asked) Advance(now events.Time) {
	p.index.Add(float64(p.price * (now - p.now).Seconds()))
	p.now = now
}

// Open begins to charge ref at the price agreed on.
func (p *Asked) Open(ref policies.Ref, j *policies.Job) {
	*p.since.get(ref) = askedMark{j.Seq, p.now, p.index, p.policy.Agreed(ref)}
}

// Close returns the cost of a processor since Open.
func (p *Asked) Close(ref policies.Ref, _ *policies.Job) float64 {
	m := p.since.get(ref)
	return p.index.Minus(m.index) + float64(m.agreed*(p.now-m.at).Seconds())
}

// Clear takes the common price of the round over.
func (p *Asked) Clear(*policies.Round) { p.price = p.policy.Asked() }

// Price is the price in force for a running job, found by going through all.
func (p *Asked) Price(j *policies.Job) float64 {
	ref := slices.IndexFunc(p.since, func(m askedMark) bool { return m.seq == j.Seq })
	return p.policy.Asked() + p.policy.Agreed(policies.Ref(ref))
}

// Quote returns the common price.
func (p *Asked) Quote() float64 { return p.policy.Asked() }

// Clone returns an independent copy.
func (p *Asked) Clone(of policies.Policy) policies.Pricer {
	c := *p
	c.policy, _ = policies.As[policies.Seller](of)
	c.since = slices.Clone(p.since)
	return &c
}
