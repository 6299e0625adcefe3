// Package lending holds the mechanisms that share one resource among owners round by round, with a
// memory of who lent and who borrowed: as numbers, demands in and allocations out. They know no
// jobs, machines or clocks.
package lending

import (
	"fmt"
	"math"
)

// Lender hands a resource out round by round: E = sum of the endowments in each.
// Agents report demands; what they contribute, their endowment, is fixed. State
// is what the mechanism must remember, O(agents), so that streams of any length
// run in bounded memory.
//
// Every Lender but Karma hands out all of E in every round, to within rounding.
type Lender interface {
	// Round writes one round's allocations into alloc. demand and alloc have
	// one place an agent.
	Round(demand, alloc []float64)
}

// shares is the state common to all proportional lenders: endowments, their sum, and
// PSWC, proportional sharing with constraints (Freeman et al., full version).
type shares struct {
	endow []float64
	sum   float64
	fill  waterfill
	ramps []ramp
	caps  []float64
}

func newShares(endow []float64) shares {
	s := shares{endow: endow, ramps: make([]ramp, len(endow)), caps: make([]float64, len(endow))}
	for _, e := range endow {
		s.sum += e
	}
	return s
}

// step hands out E by demands bounded by caps: if the bounded demands exceed E
// they share it in proportion to the endowments, each up to its demand, and
// otherwise all are met and the rest is shared on top, up to the caps.
func (s *shares) step(demand, caps, alloc []float64) {
	bounded := 0.0
	for i, d := range demand {
		bounded += min(d, caps[i])
	}
	scarce := bounded >= s.sum
	for i, d := range demand {
		r := ramp{High: caps[i], Low: min(d, caps[i]), Slope: s.endow[i]}
		if scarce {
			r = ramp{High: r.Low, Slope: s.endow[i]}
		}
		s.ramps[i] = r
	}
	s.fill.Fill(s.sum, s.ramps, alloc)
}

// uncapped is a list of infinite caps.
func (s *shares) uncapped() []float64 {
	for i := range s.caps {
		s.caps[i] = math.Inf(1)
	}
	return s.caps
}

// Static gives each agent its own endowment.
type Static struct{ endow []float64 }

// NewStatic returns the static mechanism.
func NewStatic(endow []float64) *Static { return &Static{endow} }

// Round copies the endowments.
func (m *Static) Round(_, alloc []float64) { copy(alloc, m.endow) }

// SMM is static max-min: weighted max-min fairness in each round by itself.
type SMM struct{ shares }

// NewSMM returns the mechanism.
func NewSMM(endow []float64) *SMM { return &SMM{newShares(endow)} }

// Round shares one round.
func (m *SMM) Round(demand, alloc []float64) { m.step(demand, m.uncapped(), alloc) }

// DMM is dynamic max-min: weighted max-min fairness of the allocations
// accumulated so far.
type DMM struct {
	shares
	round int
	total []float64 // accumulated
}

// NewDMM returns the mechanism.
func NewDMM(endow []float64) *DMM {
	return &DMM{shares: newShares(endow), total: make([]float64, len(endow))}
}

// Round shares E r so that no agent loses what they have, S, and gives S less what
// was accumulated.
func (m *DMM) Round(demand, alloc []float64) {
	m.round++
	wanted := 0.0
	for _, d := range demand {
		wanted += d
	}
	for i, d := range demand {
		if wanted >= m.sum {
			m.ramps[i] = ramp{Low: m.total[i], High: m.total[i] + d, Slope: m.endow[i]}
		} else {
			m.ramps[i] = ramp{Low: m.total[i] + d, High: math.Inf(1), Slope: m.endow[i]}
		}
	}
	m.fill.Fill(float64(m.sum*float64(m.round)), m.ramps, alloc)
	for i := range alloc {
		s := alloc[i]
		alloc[i] = s - m.total[i]
		m.total[i] = s
	}
}

// FL is flexible lending: each agent starts with as many tokens as the mechanism
// owes them over all rounds, R e_i, pays one for each unit, and gets no more than
// they have tokens left. It needs to know R.
type FL struct {
	shares
	tokens []float64
}

// NewFL returns the mechanism for the given number of rounds.
func NewFL(endow []float64, rounds int) *FL {
	m := &FL{newShares(endow), make([]float64, len(endow))}
	for i, e := range endow {
		m.tokens[i] = float64(rounds) * e
	}
	return m
}

// Round shares one round.
func (m *FL) Round(demand, alloc []float64) {
	m.step(demand, m.tokens, alloc)
	for i, a := range alloc {
		m.tokens[i] = max(0, m.tokens[i]-a)
	}
}

// TPeriod lends for T rounds and pays back for the next T, so that every agent
// has got their endowment at the end of each period of 2T rounds. While lending,
// an agent cannot use tokens that it may need to be paid back: after borrowing
// round k it keeps (T-k) e_i in reserve. A tail of rounds shorter than a period
// is static, which needs R.
//
// Section 3 of the paper says no more than that T rounds borrow, T pay back, and
// that a period adds up to 2T e_i. With this reserve the rest of what it claims
// holds, too: no agent gains by a lie for T <= 2, and some can for T >= 3. What can
// be gained at T = 3 lies in the pay-back rounds: asking for less while others
// borrow leaves the liar more tokens at the end of the third round, as rounds
// that no other agent wants cost tokens as well. An agent that demands nothing while
// paying back gains nothing (TestThreePeriod).
type TPeriod struct {
	shares
	period, round, rounds int
	tokens, payback       []float64
}

// NewTPeriod returns the mechanism with half-period t for the given number of
// rounds; rounds 0 means a stream without end.
func NewTPeriod(endow []float64, t, rounds int) (*TPeriod, error) {
	if t < 1 {
		return nil, fmt.Errorf("tperiod:%d: a period lends for at least 1 round", t)
	}
	n := len(endow)
	return &TPeriod{shares: newShares(endow), period: t, rounds: rounds, tokens: make([]float64, n),
		payback: make([]float64, n)}, nil
}

// Round shares one round.
func (m *TPeriod) Round(demand, alloc []float64) {
	t, k := m.period, m.round%(2*m.period)
	begun := m.round - k
	m.round++
	if m.rounds > 0 && begun+2*t > m.rounds {
		copy(alloc, m.endow)
		return
	}
	if k == 0 {
		for i, e := range m.endow {
			m.tokens[i] = float64(2*t) * e
		}
	}
	if k < t {
		for i, e := range m.endow {
			m.caps[i] = max(0, m.tokens[i]-float64(float64(t-k-1)*e))
		}
		m.step(demand, m.caps, alloc)
		for i, a := range alloc {
			m.tokens[i] -= a
			m.payback[i] = m.tokens[i] / float64(t)
		}
		return
	}
	copy(alloc, m.payback)
}
