package stats

import (
	"bourse/engine"
	"bourse/policies"
)

// shapes sums up jobs whose worth falls with time by a shape.
type shapes struct {
	jobs, inTime    int64
	realised, worth policies.Sum
}

func (s *shapes) add(o *engine.Outcome) {
	s.jobs++
	if o.Shape.At(o.Flow()) == o.Shape.Factors[0] {
		s.inTime++
	}
	s.realised.Add(o.Valuation())
	s.worth.Add(float64(o.Worth() * o.Shape.Factors[0]))
}

func (s *shapes) report(a *Aggregate) {
	if s.jobs == 0 {
		return
	}
	in := float64(s.inTime) / float64(s.jobs)
	a.InTime = &in
	if worth := s.worth.Value(); worth > 0 {
		x := s.realised.Value() / worth
		a.Realised = &x
	}
}
