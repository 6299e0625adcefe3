package policies

import "math"

// Sum adds numbers with Neumaier's compensation (1974): it carries about twice
// the digits of a float64, so its error does not grow with the count, 1/n added
// n times is 1, and the difference of two large integrals is exact to the last
// digits of a bill. The order of the additions still fixes the last bit.
type Sum struct{ sum, lost float64 }

// Add adds x.
func (s *Sum) Add(x float64) {
	t := s.sum + x
	if math.Abs(s.sum) >= math.Abs(x) {
		s.lost += (s.sum - t) + x
	} else {
		s.lost += (x - t) + s.sum
	}
	s.sum = t
}

// Merge adds what another sum has gathered.
func (s *Sum) Merge(t Sum) {
	s.Add(t.sum)
	s.Add(t.lost)
}

// Value returns the sum.
func (s Sum) Value() float64 { return s.sum + s.lost }

// Minus returns the difference of two sums.
func (s Sum) Minus(t Sum) float64 { return (s.sum - t.sum) + (s.lost - t.lost) }
