package lending

import (
	"fmt"
	"slices"
)

// Karma shares by credits (Vuppalapati et al., OSDI 2023). An agent is
// guaranteed the share alpha e_i; what it does not demand of that it donates,
// and the rest of the machine, (1 - alpha) E, is up for borrowing too. Those who
// demand more than their guarantee borrow, richest in credits first, one credit
// a unit; donors earn one credit for each donated unit that is borrowed, poorest
// first, donated units going before the common ones. Every agent gets
// (1 - alpha) e_i credits a round for the common part they give up.
//
// Rich and poor are in credits per unit of endowment: credits are handed out in
// proportion to endowments, so by their number the larger owner would always come
// first. It is the same as giving all agents alike and charging 1 / e_i a unit, as the
// paper does for unequal shares.
//
// Units are divisible here: "one unit at a time to the richest" becomes a water
// level under the credits. Demand beyond what there is stays unmet and what
// no agent demands is not handed out, unlike the other lenders.
type Karma struct {
	endow, credits  []float64
	largest         float64 // endowment
	alpha, common   float64
	start           float64 // credits of a newcomer, in endowments
	fill            waterfill
	borrow, donate  []ramp
	borrowed, spent []float64
}

// NewKarma returns the mechanism; alpha is the guaranteed fraction in [0,1].
// Each agent starts with the credits of `rounds` rounds of its endowment, so
// that no agent runs out of credits at once; the paper leaves the number to the operator.
func NewKarma(endow []float64, alpha float64, rounds int) (*Karma, error) {
	if !(alpha >= 0 && alpha <= 1) {
		return nil, fmt.Errorf("karma:%g: the guaranteed fraction should be from 0 to 1", alpha)
	}
	n := len(endow)
	m := &Karma{endow: endow, alpha: alpha, start: float64(rounds), credits: make([]float64, n), borrow: make([]ramp, n),
		donate:   make([]ramp, n),
		borrowed: make([]float64, n), spent: make([]float64, n)}
	for i, e := range endow {
		m.credits[i] = float64(float64(rounds) * e)
	}
	m.own()
	return m, nil
}

// own works out what follows from the endowments.
func (m *Karma) own() {
	m.common, m.largest = 0, slices.Max(append([]float64{0}, m.endow...))
	for _, e := range m.endow {
		m.common += float64((1 - m.alpha) * e)
	}
}

// Round shares one round.
func (m *Karma) Round(demand, alloc []float64) {
	supply, donated := m.common, 0.0
	for i, d := range demand {
		guaranteed := float64(m.alpha * m.endow[i])
		m.credits[i] += float64((1 - m.alpha) * m.endow[i])
		alloc[i] = min(d, guaranteed)
		// Levels fall from the richest down: at level x = -wealth agent i begins to
		// borrow, and its wealth falls by 1 / weight a unit.
		m.borrow[i], m.donate[i] = ramp{}, ramp{}
		if weight := m.endow[i] / m.largest; weight > 0 {
			wealth := m.credits[i] / weight
			m.borrow[i] = ramp{High: min(max(0, d-guaranteed), m.credits[i]), Slope: weight, Zero: -wealth}
			m.donate[i] = ramp{High: guaranteed - alloc[i], Slope: weight, Zero: wealth}
		}
		donated += guaranteed - alloc[i]
	}
	m.fill.Fill(supply+donated, m.borrow, m.borrowed)
	lent := 0.0
	for _, b := range m.borrowed {
		lent += b
	}
	m.fill.Fill(min(lent, donated), m.donate, m.spent)
	for i, b := range m.borrowed {
		alloc[i] += b
		m.credits[i] += m.spent[i] - b
	}
}
