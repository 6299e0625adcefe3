package share

import (
	"fmt"
	"math"
)

// byLevel raises by any monotone g, by bisection: for a level t of g each mover
// i has the least y_i with g(y_i d_i) >= t, itself found by bisection, and the
// largest t that fits is searched for until its bracket is two neighbouring floats.
// Between the brackets' two allocations the last step is linear, so a resource
// is used up to rounding, and levels are off by no more than one part in 2^52 of
// the range of g. g may jump. It costs some 3000 evaluations of g an agent.
func byLevel(g Monotone) rise {
	return func(f *fillState, movers []int) (int, error) {
		s := &levels{g: g, fillState: f, movers: movers, at: make([]float64, len(f.d[0]))}
		low, high, err := s.span()
		if err != nil {
			return 0, err
		}
		below, above := append([]float64(nil), f.y...), s.raised(high)
		for {
			t := low + float64((high-low)/2)
			if t <= low || t >= high {
				break
			}
			if y := s.raised(t); s.fits(y) {
				low, below = t, y
			} else {
				high, above = t, y
			}
		}
		return s.interpolate(below, above), nil
	}
}

// levels seeks the level of g.
type levels struct {
	*fillState
	g      Monotone
	movers []int
	at     []float64 // scratch
}

// value returns g at share y of agent i's demands.
func (s *levels) value(i int, y float64) float64 {
	for r, v := range s.d[i] {
		s.at[r] = y * v
	}
	return s.g.At(s.at)
}

// limit is a share that no agent can exceed: all of its dominant resource.
func (s *levels) limit(i int) float64 { return 1 / weight(s.weights, i) }

// span returns a level at which no agent is raised and one that is beyond
// every agent's reach.
func (s *levels) span() (low, high float64, err error) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, i := range s.movers {
		a, b := s.value(i, s.y[i]), s.value(i, s.limit(i))
		if !(a <= b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
			return 0, 0, fmt.Errorf("family %s changes from %g to %g as agent %d is raised; want a finite, growing value",
				s.g.Name, a, b, i+1)
		}
		low, high = min(low, a), max(high, b)
	}
	return low, high, nil
}

// raised returns the shares at level t.
func (s *levels) raised(t float64) []float64 {
	y := append([]float64(nil), s.y...)
	for _, i := range s.movers {
		if s.value(i, y[i]) >= t {
			continue
		}
		low, high := y[i], s.limit(i)
		for {
			mid := low + float64((high-low)/2)
			if mid <= low || mid >= high {
				break
			}
			if s.value(i, mid) >= t {
				high = mid
			} else {
				low = mid
			}
		}
		y[i] = high
	}
	return y
}

func (s *levels) fits(y []float64) bool {
	for r, u := range s.used(y) {
		if !s.full[r] && u > 1 {
			return false
		}
	}
	return true
}

func (s *levels) used(y []float64) []float64 {
	f := fillState{weights: s.weights, y: y}
	return s.d.Used(f.shares())
}

// interpolate goes from shares that fit towards shares that do not until the first
// resource is used up, and returns it.
func (s *levels) interpolate(below, above []float64) int {
	step, tight := math.Inf(1), 0
	low, high := s.used(below), s.used(above)
	for r := range low {
		if grow := high[r] - low[r]; !s.full[r] && grow > 0 && (1-low[r])/grow < step {
			step, tight = (1-low[r])/grow, r
		}
	}
	step = max(0, min(step, 1))
	for _, i := range s.movers {
		s.y[i] = below[i] + float64(step*(above[i]-below[i]))
	}
	return tight
}
