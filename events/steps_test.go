package events

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// plainIntegral adds up the values a second at a time.
func plainIntegral(at []Time, value []float64, beyond Beyond, from, to Time) (sum float64) {
	first, last := at[0], 2*at[len(at)-1]-at[max(0, len(at)-2)]
	for t := from; t < to; t += Second {
		u := t
		for beyond == Again && u >= last {
			u -= last - first
		}
		for beyond == Again && u < first {
			u += last - first
		}
		v := value[0]
		for i := range at {
			if at[i] <= u {
				v = value[i]
			}
		}
		sum += v
	}
	return sum
}

// TestSteps compares values and integrals with their definition, for even and uneven steps, inside and outside of them.
func TestSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "steps")
		even, at := rapid.Bool().Draw(t, "even"), []Time{Time(rapid.IntRange(-3, 3).Draw(t, "first")) * Second}
		value := []float64{float64(rapid.IntRange(-5, 9).Draw(t, "value"))}
		for range n - 1 {
			step := 2 * Second
			if !even {
				step = Time(rapid.IntRange(1, 4).Draw(t, "step")) * Second
			}
			at = append(at, at[len(at)-1]+step)
			value = append(value, float64(rapid.IntRange(-5, 9).Draw(t, "value")))
		}
		beyond := Beyond(rapid.IntRange(0, 2).Draw(t, "beyond"))
		s := NewSteps(at, value, beyond)
		from := Time(rapid.IntRange(-30, 60).Draw(t, "from")) * Second
		if beyond != Again {
			from = max(from, at[0])
		}
		to := from + Time(rapid.IntRange(0, 60).Draw(t, "length"))*Second
		if got, want := s.Integral(from, to), plainIntegral(at, value, beyond, from, to); got != want {
			t.Fatalf("from %v to %v it is %g, want %g; %v %v", from, to, got, want, at, value)
		}
		if got, want := s.At(from), plainIntegral(at, value, beyond, from, from+Second); got != want {
			t.Fatalf("at %v it is %g, want %g", from, got, want)
		}
		sum, k := 0.0, 0
		for at := from; at < to; k++ { // the same, a step at a time
			next := min(to, s.Until(at))
			sum += s.At(at) * (next - at).Seconds()
			at = next
		}
		if want := s.Integral(from, to); sum != want {
			t.Fatalf("from %v to %v the steps add up to %g, want %g", from, to, sum, want)
		}
		if got, want := s.Scaled(2).Integral(from, to), 2*s.Integral(from, to); got != want {
			t.Fatalf("twice of it is %g, want %g", got, want)
		}
	})
}

// TestStepsDigits wants a short integral late in a long function to be exact: as far as a step's own is, not the sum of
// all.
func TestStepsDigits(t *testing.T) {
	var at []Time
	var value []float64
	for i := range 100_000 {
		at, value = append(at, Time(i)*300*Second), append(value, 300+math.Sqrt(float64(i%977)))
	}
	s := NewSteps(at, value, Nowhere)
	i := 99_000
	got := s.Integral(at[i]-Second/1000, at[i]+Second/1000)
	if want := (value[i-1] + value[i]) / 1000; math.Abs(got-want) > 1e-11*want {
		t.Errorf("it is %.17g, want %.17g", got, want)
	}
}
