package fair

import (
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/market"
	"bourse/traces"
	"bourse/traces/rng"
)

// Bidding shares a machine of processors by the price-anticipating market of
// Feldman, Lai and Zhang, with what they left to the future: users with finite
// work, who arrive and leave.
//
// The processors form divisible machines of equal size. Each user values a
// processor of each machine with a weight from its own stream: the speed of
// their work there, 1 on the machine they like best. Users earn a budget a second
// while they have work, and keep what they do not spend up to a ceiling. At every
// arrival and end of a job, and at every tick of a clock, all users who are there
// answer each other's bids a few times over (sweeps, from where the bids were),
// and jobs progress at the shares won.
//
// A user with less work than their money could buy bids no more than it takes: after
// each sweep their spending is scaled down to their need, or up again as far as their
// income and savings reach, so that spending and shares settle together. What they
// get beyond their need is not used.
type Bidding struct {
	loop
	rules   BiddingRules
	market  *market.Market
	size    float64  // processors of a machine
	bidders []bidder // by user
	now     events.Time
	next    events.Time // tick
	spends  []policies.Spending
}

// BiddingRules are the parameters of the market.
type BiddingRules struct {
	// Machines is how many the processors are divided into; Alike makes all
	// weights 1.
	Machines int
	Alike    bool
	// Income is a user's money a second, Ceiling the most that is saved, in seconds
	// of income; savings are spent over Horizon seconds.
	Income, Ceiling, Horizon float64
	// Sweeps is how often users answer each other in a round, Every the longest time
	// between rounds.
	Sweeps int
	Every  events.Time
	// Seed is that of the weights.
	Seed uint64
}

// bidder is a user's money and place in the market.
type bidder struct {
	place    int // -1: not in the market
	weights  []market.Want
	savings  float64
	spending float64 // a second, since the last round
	present  bool
}

// NewBidding returns the policy.
func NewBidding(rules BiddingRules) *Bidding {
	return &Bidding{rules: rules, loop: newLoop()}
}

// Plan lets users bid and holds them to what they win.
func (p *Bidding) Plan(r *policies.Round) {
	p.earn(r.Now)
	p.leaveAll(r)
	p.begin(r)
	p.enter(r)
	p.settle(r)
	for _, u := range p.users.active {
		p.users.hold(r, u, policies.Amount{CPU: min(p.won(u), p.users.list[u].need.CPU)})
	}
	p.bill(r)
	if r.Now >= p.next {
		p.next = r.Now + p.rules.Every
	}
	if len(p.users.active) > 0 {
		r.Wake(p.next)
	}
	p.end(r)
}

// earn updates every user's money: those with work earn, and spend what they
// bid.
func (p *Bidding) earn(now events.Time) {
	dt := (now - p.now).Seconds()
	p.now = now
	for _, u := range p.users.active {
		b := &p.bidders[u]
		b.savings = min(b.savings+float64((p.rules.Income-b.spending)*dt), p.rules.Income*p.rules.Ceiling)
		b.savings = max(b.savings, 0) // rounding
	}
}

// leaveAll notes who is there before the round's news.
func (p *Bidding) leaveAll(r *policies.Round) {
	if p.market == nil {
		p.size = r.Total.CPU / float64(p.rules.Machines)
		p.market, _ = market.New(p.rules.Machines, market.Reserve*p.rules.Income)
	}
	for _, u := range p.users.active {
		p.bidders[u].present = false
	}
}

// enter lets those with work into the market, and those without out of it.
func (p *Bidding) enter(r *policies.Round) {
	for n := len(p.bidders); n < len(p.users.list); n++ {
		p.bidders = append(p.bidders, bidder{place: -1, weights: p.weights(p.users.list[n].label)})
	}
	for _, u := range p.users.active {
		p.bidders[u].present = true
	}
	for _, ref := range r.Ended {
		if b := &p.bidders[p.users.jobs[ref].user]; b.place >= 0 && !b.present {
			p.market.Leave(b.place)
			b.place, b.spending = -1, 0
		}
	}
	for _, u := range p.users.active {
		if b := &p.bidders[u]; b.place < 0 {
			b.place, _ = p.market.Join(p.means(b), b.weights)
		}
	}
}

// weights draws what a processor of each machine is worth to a user.
func (p *Bidding) weights(user traces.Label) []market.Want {
	wants := make([]market.Want, p.rules.Machines)
	r := rng.Stream(p.rules.Seed, "machine weights", uint64(user))
	most := 0.0
	for j := range wants {
		wants[j] = market.Want{Machine: j, Weight: 1}
		if !p.rules.Alike {
			wants[j].Weight = 1 - float64(r.Float64()) // above 0
		}
		most = max(most, wants[j].Weight)
	}
	for j := range wants {
		wants[j].Weight /= most
	}
	return wants
}

// means is the most a user can spend a second.
func (p *Bidding) means(b *bidder) float64 {
	return p.rules.Income + b.savings/p.rules.Horizon
}

// settle sweeps, and after each sweep limits every user's spending to their need.
func (p *Bidding) settle(r *policies.Round) {
	rule := market.Rule{Update: market.BestResponse}
	for range p.rules.Sweeps {
		p.market.Sweep(rule)
		for _, u := range p.users.active {
			b := &p.bidders[u]
			want := p.means(b)
			if got := p.won(u); got > 0 {
				want = min(want, p.market.Budget(b.place)*p.users.list[u].need.CPU/got)
			}
			// A trace of a bid keeps a place in the market.
			if p.market.SetBudget(b.place, max(want, 1e-6*p.rules.Income)) != nil {
				panic("fair: a budget that the market refuses")
			}
		}
	}
	for _, u := range p.users.active {
		b := &p.bidders[u]
		b.spending = p.market.Budget(b.place)
	}
}

// won is the speed of a user's work under their shares, in processors.
func (p *Bidding) won(u int32) float64 {
	return p.market.Utility(p.bidders[u].place) * p.size
}

// bill works out what a processor-second costs each user: what they bid over what
// they hold.
func (p *Bidding) bill(r *policies.Round) {
	p.spends = p.spends[:0]
	for _, u := range p.users.active {
		b, price := &p.bidders[u], 0.0
		if held := p.users.using(r, u).CPU; held > 0 {
			price = b.spending / held
		} else {
			b.spending = 0 // who holds nothing pays nothing
		}
		p.spends = append(p.spends, policies.Spending{User: p.users.list[u].label, Price: price})
	}
}

// Spending returns the price of a processor-second for each active user.
func (p *Bidding) Spending() []policies.Spending { return p.spends }

// Traits: the processors are dealt out to the machines of the market once.
func (*Bidding) Traits() policies.Traits { return policies.Traits{Fixed: true} }

// Clone returns an independent copy. Weights are never written and are shared.
func (p *Bidding) Clone() policies.Policy {
	c := *p
	c.loop, c.bidders, c.spends = p.loop.clone(), slices.Clone(p.bidders), slices.Clone(p.spends)
	if p.market != nil {
		c.market = p.market.Clone()
	}
	return &c
}
