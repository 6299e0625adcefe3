package fair

import (
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/lending"
)

// Lend shares a machine of processors round by round, by a mechanism that lends
// between rounds. At each tick of the clock users demand the processors that their
// unfinished jobs ask for, and what they are allotted holds until the next tick: a
// job that arrives in between runs at once if its user has room left.
//
// A season is a number of rounds for which a mechanism keeps account. Its agents
// are the users with jobs when it begins, with equal endowments; others join at
// the tick after their first job (lending.Joiner). It ends when its rounds are over
// or no user has work, and the next begins with nothing owed.
//
// Mechanisms that hand out everything give a user more than it demands when others
// may not have more: processors then idle while work waits. That is the price of
// paying back, which open-loop welfare does not show.
type Lend struct {
	loop
	make    func(endow []float64, rounds int) (lending.Joining, error)
	every   events.Time
	rounds  int
	lender  lending.Joining // of the season; nil between seasons
	members []int32         // by user, the place among the agents of the season; -1 if none
	agents  int
	round   int
	next    events.Time // tick
	demand  []float64
	alloc   []float64
}

// NewLend returns the policy. make makes the mechanism of a season for agents of
// the given endowments.
func NewLend(make func(endow []float64, rounds int) (lending.Joining, error), every events.Time, rounds int) *Lend {
	return &Lend{make: make, every: every, rounds: rounds, loop: newLoop()}
}

// Plan holds users to what the last tick allotted, after the next one if it has
// come.
func (p *Lend) Plan(r *policies.Round) {
	p.begin(r)
	defer p.end(r)
	if len(p.users.active) == 0 {
		p.lender = nil
		return
	}
	if p.lender == nil || r.Now >= p.next {
		p.tick(r)
	}
	for _, u := range p.users.active {
		var allowance policies.Amount
		if i := p.member(u); i >= 0 {
			allowance.CPU = p.alloc[i]
		}
		p.users.hold(r, u, allowance)
	}
	r.Wake(p.next)
}

// tick is a round of the mechanism.
func (p *Lend) tick(r *policies.Round) {
	if p.lender == nil || p.round == p.rounds {
		p.open(r)
	}
	for _, u := range p.users.active {
		if p.member(u) < 0 {
			p.enrol(u)
			p.lender.Join(p.endow(r), p.rounds-p.round)
		}
	}
	n := p.agents
	p.demand, p.alloc = resized(p.demand, n), resized(p.alloc, n)
	for _, u := range p.users.active {
		p.demand[p.members[u]] = p.users.list[u].need.CPU
	}
	p.lender.Round(p.demand, p.alloc)
	p.round++
	p.next = r.Now + p.every
}

// open begins a season. The mechanisms have been made before, by NewLend's caller,
// with the same rounds: they do not fail.
func (p *Lend) open(r *policies.Round) {
	p.members, p.agents, p.round = p.members[:0], 0, 0
	for _, u := range p.users.active {
		p.enrol(u)
	}
	lender, err := p.make(p.endow(r), p.rounds)
	if err != nil {
		panic(err)
	}
	p.lender = lender
}

// member is a user's place among the agents of the season, -1 if it has none.
func (p *Lend) member(user int32) int32 {
	if int(user) >= len(p.members) {
		return -1
	}
	return p.members[user]
}

// enrol makes a user the next agent of the season.
func (p *Lend) enrol(user int32) {
	for int(user) >= len(p.members) {
		p.members = append(p.members, -1)
	}
	p.members[user] = int32(p.agents)
	p.agents++
}

// endow is the contribution of each member: equal parts of the machine.
func (p *Lend) endow(r *policies.Round) []float64 {
	e := make([]float64, p.agents)
	for i := range e {
		e[i] = r.Total.CPU / float64(len(e))
	}
	return e
}

func resized(s []float64, n int) []float64 {
	for cap(s) < n {
		s = append(s[:cap(s)], 0)
	}
	s = s[:n]
	clear(s)
	return s
}

// Traits: the endowments of a season are parts of one machine.
func (*Lend) Traits() policies.Traits { return policies.Traits{Fixed: true} }

// Clone returns an independent copy.
func (p *Lend) Clone() policies.Policy {
	c := *p
	c.loop, c.members, c.demand, c.alloc = p.loop.clone(), slices.Clone(p.members), nil, slices.Clone(p.alloc)
	if p.lender != nil {
		c.lender = p.lender.Clone()
	}
	return &c
}
