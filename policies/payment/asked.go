package payment

import (
	"slices"

	"bourse/events"
	"bourse/policies"
)

// Asked is the price that the policy itself sets: one for all that run, one agreed on with
// each job at its start, or a fee agreed on when it arrives, or several of these.
type Asked struct {
	policy policies.Seller
	fees   policies.FeeSeller   // nil if there are none
	apart  policies.ApartSeller // likewise
	again  policies.Repricer    // nil if what is agreed on holds
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
	due    float64 // at prices that were agreed on before
	paid   bool    // the fee
	alone  bool    // the price agreed on is all that it pays
}

// NewAsked returns the scheme for a policy.
func NewAsked(p policies.Seller) *Asked {
	a := &Asked{}
	a.sellBy(p)
	return a
}

func (p *Asked) sellBy(s policies.Seller) {
	p.policy = s
	p.fees, _ = s.(policies.FeeSeller)
	p.apart, _ = s.(policies.ApartSeller)
	p.again, _ = s.(policies.Repricer)
}

// FeeOf implements policies.FeeCharger.
func (p *Asked) FeeOf(ref policies.Ref) float64 {
	if p.fees == nil {
		return 0
	}
	return p.fees.Fee(ref)
}

// Advance charges up to now.
func (p *Asked) Advance(now events.Time) {
	p.index.Add(float64(p.price * (now - p.now).Seconds()))
	p.now = now
}

// Open begins to charge ref at the price agreed on.
func (p *Asked) Open(ref policies.Ref, j *policies.Job) {
	m := p.since.get(ref)
	*m = askedMark{seq: j.Seq, at: p.now, index: p.index, agreed: p.policy.Agreed(ref), paid: m.seq == j.Seq && m.paid,
		alone: p.apart != nil && p.apart.Apart(ref)}
}

// Close returns the cost of a processor since Open, and once the fee.
func (p *Asked) Close(ref policies.Ref, _ *policies.Job) float64 {
	m := p.since.get(ref)
	due := m.due + float64(m.agreed*(p.now-m.at).Seconds())
	if !m.alone {
		due += p.index.Minus(m.index)
	}
	if !m.paid {
		m.paid = true
		due += p.FeeOf(ref)
	}
	return due
}

// Clear takes over the common price of the round, and what running jobs pay from now on.
func (p *Asked) Clear(r *policies.Round) {
	if p.price = p.policy.Asked(); p.again == nil {
		return
	}
	for _, ref := range p.again.Repriced() {
		if m := p.since.get(ref); m.seq == r.Job(ref).Seq {
			m.due += float64(m.agreed * (p.now - m.at).Seconds())
			m.at, m.agreed = p.now, p.policy.Agreed(ref)
		}
	}
}

// Price is the price in force for a running job, found by going through all.
func (p *Asked) Price(j *policies.Job) float64 {
	ref := policies.Ref(slices.IndexFunc(p.since, func(m askedMark) bool { return m.seq == j.Seq }))
	if p.apart != nil && p.apart.Apart(ref) {
		return p.policy.Agreed(ref)
	}
	return p.policy.Asked() + p.policy.Agreed(ref)
}

// Quote returns the common price.
func (p *Asked) Quote() float64 { return p.policy.Asked() }

// Clone returns an independent copy.
func (p *Asked) Clone(of policies.Policy) policies.Pricer {
	c := *p
	seller, _ := policies.As[policies.Seller](of)
	c.sellBy(seller)
	c.since = slices.Clone(p.since)
	return &c
}
