package share

import "slices"

// Endowments are replaced when somebody joins and never written, so copies have
// them in common. Everything that a round writes is copied or, where it is only a
// buffer, made anew.

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
	c.credits, c.fill = slices.Clone(m.credits), Waterfill{}
	c.borrow, c.donate = make([]Ramp, n), make([]Ramp, n)
	c.borrowed, c.spent = make([]float64, n), make([]float64, n)
	return &c
}
