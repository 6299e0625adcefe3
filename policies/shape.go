package policies

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bourse/events"
)

// Shape is how the worth of a job's completion falls with its flow time: Factors[i] of
// value x processors x run time up to Times[i], the last included, and nothing later.
// Without a shape a job's worth falls by value x processors with each second.
type Shape struct {
	Times   []events.Time // rising
	Factors []float64     // not rising, 0 or more
}

// At is the factor for a flow time.
func (s *Shape) At(flow events.Time) float64 {
	i, _ := slices.BinarySearch(s.Times, flow)
	if i == len(s.Times) {
		return 0
	}
	return s.Factors[i]
}

// Next is the first flow time from the given one on after which the factor falls, false if
// it is 0 already.
func (s *Shape) Next(flow events.Time) (events.Time, bool) {
	i, _ := slices.BinarySearch(s.Times, flow)
	if i == len(s.Times) {
		return 0, false
	}
	return s.Times[i], true
}

// Deadline is the flow time after which the job is worth nothing.
func (s *Shape) Deadline() events.Time { return s.Times[len(s.Times)-1] }

// ParseSteps reads rising numbers and factors that do not rise, as in 1.5/2/4 and 1/.8/.5.
func ParseSteps(times, factors string) (at, worth []float64, err error) {
	if at, err = numbers(times); err == nil {
		worth, err = numbers(factors)
	}
	switch {
	case err != nil:
		return nil, nil, err
	case len(at) != len(worth):
		return nil, nil, fmt.Errorf("%d times and %d factors: want as many of each", len(at), len(worth))
	}
	for i := range at {
		if i > 0 && (at[i] <= at[i-1] || worth[i] > worth[i-1]) {
			return nil, nil, errors.New("want times that rise and factors that do not")
		}
	}
	return at, worth, nil
}

func numbers(text string) (list []float64, err error) {
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return c == '/' || c == '-' || c == ' ' }) {
		x, err := strconv.ParseFloat(part, 64)
		if err != nil || !(x >= 0 && x <= events.MaxSeconds) {
			return nil, fmt.Errorf("%q: want numbers of 0 or more, as in 1.5/2/4", text)
		}
		list = append(list, x)
	}
	if len(list) == 0 {
		return nil, errors.New("a shape without steps; want one at least, as in 1.5/2/4")
	}
	return list, nil
}

// NewShape makes a shape of steps whose times are multiples of a unit.
func NewShape(at, factors []float64, unit events.Time) *Shape {
	s := &Shape{Factors: factors}
	for _, x := range at {
		t, ok := events.FromSeconds(x * unit.Seconds())
		if !ok {
			t = events.Never / 4
		}
		s.Times = append(s.Times, t)
	}
	return s
}
