package lending

import "slices"

// Joiner is implemented by lenders that another agent may join between rounds, as
// in a replay where users appear. The newcomer is the last of endow; the others'
// endowments have shrunk in one proportion, so that the sum is what it was, and
// what they have saved shrinks with them. The newcomer has what it would have had
// if it had got its endowment in every round so far. remaining is the number of
// rounds left, 0 if unknown.
type Joiner interface {
	Join(endow []float64, remaining int)
}

// Joining is a Lender that agents may join, and whose state can be copied.
type Joining interface {
	Lender
	Joiner
	Clone() Joining
}

// shrink scales savings to the new endowments and adds the newcomer's.
func shrink(saved, before, endow []float64, newcomer float64) []float64 {
	for i, e := range before {
		if e > 0 {
			saved[i] *= endow[i] / e
		}
	}
	return append(saved, newcomer)
}

// Join implements Joiner.
func (m *Static) Join(endow []float64, _ int) { m.endow = endow }

// Join implements Joiner.
func (m *SMM) Join(endow []float64, _ int) { m.shares = newShares(endow) }

// Join implements Joiner.
func (m *DMM) Join(endow []float64, _ int) {
	m.total = shrink(m.total, m.endow, endow, float64(m.round)*endow[len(endow)-1])
	m.shares = newShares(endow)
}

// Join implements Joiner.
func (m *FL) Join(endow []float64, remaining int) {
	m.tokens = shrink(m.tokens, m.endow, endow, float64(remaining)*endow[len(endow)-1])
	m.shares = newShares(endow)
}

// Join implements Joiner.
func (m *TPeriod) Join(endow []float64, _ int) {
	e := endow[len(endow)-1]
	k := m.round % (2 * m.period)
	m.tokens = shrink(m.tokens, m.endow, endow, float64(2*m.period-k)*e)
	m.payback = shrink(m.payback, m.endow, endow, e)
	m.shares = newShares(endow)
}

// Join implements Joiner. Credits are kept: they are no claim on the endowment.
func (m *Karma) Join(endow []float64, _ int) {
	n := len(endow)
	m.credits = append(m.credits, float64(m.start*endow[n-1]))
	m.borrow, m.donate = make([]ramp, n), make([]ramp, n)
	m.borrowed, m.spent = make([]float64, n), make([]float64, n)
	m.endow = endow
	m.own()
}

// Endowments are replaced when somebody joins and never written, so copies have
// them in common. Everything that a round writes is copied or, where it is only a
// buffer, rebuilt.

func (s *shares) clone() shares { return newShares(s.endow) }

// Clone returns an independent copy.
func (m *Static) Clone() Joining { return &Static{m.endow} }

// Clone returns an independent copy.
func (m *SMM) Clone() Joining { return &SMM{m.shares.clone()} }

// Clone returns an independent copy.
func (m *DMM) Clone() Joining { return &DMM{m.shares.clone(), m.round, slices.Clone(m.total)} }

// Clone returns an independent copy.
func (m *FL) Clone() Joining { return &FL{m.shares.clone(), slices.Clone(m.tokens)} }

// Clone returns an independent copy.
func (m *TPeriod) Clone() Joining {
	c := *m
	c.shares, c.tokens, c.payback = m.shares.clone(), slices.Clone(m.tokens), slices.Clone(m.payback)
	return &c
}

// Clone returns an independent copy.
func (m *Karma) Clone() Joining {
	c := *m
	n := len(m.endow)
	c.credits, c.fill = slices.Clone(m.credits), waterfill{}
	c.borrow, c.donate = make([]ramp, n), make([]ramp, n)
	c.borrowed, c.spent = make([]float64, n), make([]float64, n)
	return &c
}
