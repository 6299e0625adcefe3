package payment

import (
	"maps"
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Bids is the payment of the price-anticipating market: users pay what they bid,
// whatever it wins them. The policy tells what a processor-second costs each
// user (policies.Spender), and every user has an index.
type Bids struct {
	policy  policies.Spender
	now     events.Time
	numbers map[traces.Label]int32 // looked up, never walked over
	tariffs []tariff               // by number
	opened  perRef[policies.Sum]
}

// tariff is one user's price and its integral up to a time.
type tariff struct {
	price float64
	paid  policies.Sum
	since events.Time
}

func (t *tariff) move(now events.Time) {
	t.paid.Add(float64(t.price * (now - t.since).Seconds()))
	t.since = now
}

// NewBids returns the scheme for a policy.
func NewBids(p policies.Spender) *Bids { return &Bids{policy: p, numbers: map[traces.Label]int32{}} }

// Advance moves the scheme's clock.
func (p *Bids) Advance(now events.Time) { p.now = now }

// tariffOf returns a user's tariff, good until the next user comes.
func (p *Bids) tariffOf(user traces.Label) *tariff {
	i, known := p.numbers[user]
	if !known {
		i = int32(len(p.tariffs))
		p.numbers[user] = i
		p.tariffs = append(p.tariffs, tariff{since: p.now})
	}
	return &p.tariffs[i]
}

// Open begins to charge ref.
func (p *Bids) Open(ref policies.Ref, j *policies.Job) {
	t := p.tariffOf(j.User)
	t.move(p.now)
	*p.opened.get(ref) = t.paid
}

// Close returns the integral of the user's price since Open.
func (p *Bids) Close(ref policies.Ref, j *policies.Job) float64 {
	t := p.tariffOf(j.User)
	t.move(p.now)
	return t.paid.Minus(*p.opened.get(ref))
}

// Clear takes the prices of the round over.
func (p *Bids) Clear(*policies.Round) {
	for _, s := range p.policy.Spending() {
		t := p.tariffOf(s.User)
		t.move(p.now)
		t.price = s.Price
	}
}

// Price returns the job's user's price of a processor-second.
func (p *Bids) Price(j *policies.Job) float64 { return p.tariffOf(j.User).price }

// Quote is not a number: every user has their own price.
func (p *Bids) Quote() float64 { return math.NaN() }

// Clone returns an independent copy.
func (p *Bids) Clone(of policies.Policy) policies.Pricer {
	c := *p
	c.policy, _ = policies.As[policies.Spender](of)
	c.numbers, c.tariffs, c.opened = maps.Clone(p.numbers), slices.Clone(p.tariffs), slices.Clone(p.opened)
	return &c
}
