package events

import "slices"

// Steps is a step function of time, continuous from the right: a value holds from its time up to the next one, the last
// for as long as the one before it. It is immutable.
//
// An integral from one instant to another is the difference of two sums, so that it costs O(log n) however long it
// is, or O(1) where all steps are of one length. The sums are of twice the digits of a float64: the difference of
// two large ones is exact to the last digits of a short job's bill.
type Steps struct {
	at       []Time // of the values, and the end
	value    []float64
	sum, low []float64 // up to each time, in value x seconds: sum + low
	even     Time      // the length of all steps, 0 if they differ
	beyond   Beyond
}

// Beyond is what a step function is before its first and after its last time.
type Beyond uint8

// Nowhere means that it is not defined there, OnAndOn that its last value holds, Again that it is periodic.
const (
	Nowhere Beyond = iota
	OnAndOn
	Again
)

// NewSteps makes a step function of times that rise, with a value each.
func NewSteps(at []Time, value []float64, beyond Beyond) *Steps {
	n, last := len(at), Time(0)
	if n > 1 {
		last = at[n-1] - at[n-2]
	}
	return newSteps(at, value, at[n-1]+last, beyond)
}

// NewStepsUntil makes one whose last value holds until an end.
func NewStepsUntil(at []Time, value []float64, end Time) *Steps {
	return newSteps(at, value, end, Nowhere)
}

func newSteps(at []Time, value []float64, end Time, beyond Beyond) *Steps {
	return summed(append(slices.Clone(at), end), slices.Clone(value), beyond)
}

func summed(at []Time, value []float64, beyond Beyond) *Steps {
	n, s := len(value), &Steps{at: at, value: value, beyond: beyond}
	s.even = s.at[1] - s.at[0]
	s.sum, s.low = make([]float64, n+1), make([]float64, n+1)
	for i, v := range value {
		dt := s.at[i+1] - s.at[i]
		if dt != s.even {
			s.even = 0
		}
		area := float64(v * dt.Seconds())
		s.sum[i+1] = s.sum[i] + area
		back := s.sum[i+1] - s.sum[i] // the error of a sum of two is a float64 (Knuth)
		s.low[i+1] = s.low[i] + ((s.sum[i] - (s.sum[i+1] - back)) + (area - back))
	}
	return s
}

// Scaled returns the function times a factor.
func (s *Steps) Scaled(by float64) *Steps {
	if by == 1 {
		return s
	}
	value := slices.Clone(s.value)
	for i := range value {
		value[i] *= by
	}
	return summed(s.at, value, s.beyond)
}

// Span is from when to when the function has values of its own.
func (s *Steps) Span() (from, to Time) { return s.at[0], s.at[len(s.value)] }

// Len is the number of steps, and Step the i-th: from when to when it is which value.
func (s *Steps) Len() int { return len(s.value) }

// Step is documented with Len.
func (s *Steps) Step(i int) (from, to Time, value float64) { return s.at[i], s.at[i+1], s.value[i] }

// Covers reports whether the function is defined at all instants from one to another.
func (s *Steps) Covers(from, to Time) bool {
	first, last := s.Span()
	return s.beyond == Again || from >= first && (to <= last || s.beyond == OnAndOn)
}

// find returns the step of an instant, and by how many periods that is ahead.
func (s *Steps) find(t Time) (i int, periods, at Time) {
	n := len(s.value)
	if first, last := s.Span(); s.beyond == Again && last > first && (t < first || t >= last) {
		length := last - first
		if periods = (t - first) / length; t < first+periods*length {
			periods--
		}
		t -= periods * length
	}
	if s.even > 0 {
		i = int((t - s.at[0]) / s.even)
	} else {
		i, _ = slices.BinarySearch(s.at[:n], t+1)
		i--
	}
	return min(max(i, 0), n-1), periods, t
}

// At is the value at an instant.
func (s *Steps) At(t Time) float64 {
	i, _, _ := s.find(t)
	return s.value[i]
}

// Until is when the value of an instant next may change, Never if it does not.
func (s *Steps) Until(t Time) Time {
	i, _, at := s.find(t)
	if s.beyond != Again && (i == len(s.value)-1 || t < s.at[0]) {
		return Never
	}
	return t + s.at[i+1] - at
}

// Integral is that from an instant to a later one, in value x seconds.
func (s *Steps) Integral(from, to Time) float64 {
	i, p, from := s.find(from)
	j, q, to := s.find(to)
	if i == j && p == q {
		return float64(s.value[i] * (to - from).Seconds())
	}
	sum := (s.sum[j] - s.sum[i]) + (s.low[j] - s.low[i]) + (float64(s.value[j]*(to-s.at[j]).Seconds()) -
		float64(s.value[i]*(from-s.at[i]).Seconds()))
	if q != p {
		n := len(s.value)
		sum += float64(float64(q-p) * (s.sum[n] + s.low[n]))
	}
	return sum
}
