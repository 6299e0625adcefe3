package papers

import (
	"math"
	"testing"

	"bourse/reports/stats"
)

// TestWithin wants verdicts only where the whole interval says the same.
func TestWithin(t *testing.T) {
	of := func(mean, half float64) stats.Estimate { return stats.Estimate{Mean: mean, Half: half} }
	inf := math.Inf(1)
	for _, c := range []struct {
		e         stats.Estimate
		n         int
		low, high float64
		want      Verdict
	}{
		{of(.4, .5), 10, -1, 1, Holds}, {of(.4, .7), 10, -1, 1, Unclear}, {of(.4, 2.5), 10, -1, 1, Unclear},
		{of(4, 2.5), 10, -1, 1, Differs}, {of(4, 3.5), 10, -1, 1, Unclear}, {of(4, 2.5), 10, 0, inf, Holds},
		{of(-4, 2.5), 10, 0, inf, Differs}, {of(.4, .1), 4, -1, 1, Unclear}, {stats.Exactly(2), 5, 2, 3, Holds},
		{stats.Exactly(math.NaN()), 9, -1, 1, Unclear},
	} {
		if got := Within(c.e, c.n, c.low, c.high); got != c.want {
			t.Errorf("%v of %d from %g to %g: %s, want %s", c.e, c.n, c.low, c.high, got, c.want)
		}
	}
}
