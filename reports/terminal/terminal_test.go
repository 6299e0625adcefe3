package terminal_test

import (
	"math"
	"testing"

	"bourse/reports/terminal"
)

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1: "-1", -999: "-999", -1000: "-1,000",
		1234567: "1,234,567", math.MinInt64: "-9,223,372,036,854,775,808"} {
		if got := terminal.Thousands(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0.00", 0.004: "0.00", 0.005: "0.01", -3.14159: "-3.14", 999.99: "999.99",
		999.996: "1,000", -1234.5: "-1,235", 1e9: "1,000,000,000"} {
		if got := terminal.Figure(x); got != want {
			t.Errorf("%g is written %s, want %s", x, got, want)
		}
	}
	for _, c := range []struct {
		n, of float64
		want  string
	}{{1, 3, "33.3 %"}, {0, 3, "0.0 %"}, {1, 10_000, "< 0.1 %"}, {1, 2000, "0.1 %"}, {5, 5, "100.0 %"}, {0, 0, "-"}} {
		if got := terminal.PercentOf(c.n, c.of); got != c.want {
			t.Errorf("%g of %g is written %s, want %s", c.n, c.of, got, c.want)
		}
	}
	if got := terminal.Duration(1.5).Short(); got != "1.5s" {
		t.Errorf("1.5 seconds are written %s", got)
	}
	if a, b := terminal.Duration(1e300), terminal.Duration(math.Inf(-1)); a <= 0 || b >= 0 {
		t.Errorf("durations beyond the range are %v and %v", a, b)
	}
}

// TestExactUnits wants what bills and timelines are made of: to the microsecond and the cent,
// and of little never nothing.
func TestExactUnits(t *testing.T) {
	for _, c := range []struct {
		unit terminal.Unit
		x    float64
		want string
	}{
		{terminal.Clock, 0, "0:00:00"}, {terminal.Clock, 3725, "1:02:05"}, {terminal.Clock, 219600, "2d 13:00:00"},
		{terminal.Clock, .5, "0:00:00.5"}, {terminal.Clock, -90.000001, "-0:01:30.000001"},
		{terminal.Since, 0, "+0:00:00"}, {terminal.Since, 86400, "+1d 00:00:00"},
		{terminal.Exact, 1234567.25, "1,234,567.25"}, {terminal.Exact, -3, "-3"}, {terminal.Exact, .000001, "0.000001"},
		{terminal.Money, 1234.5, "1,234.50"}, {terminal.Money, -.006, "-0.01"}, {terminal.Money, -.004, "0.00"},
		{terminal.Money, 1e15, "1.000000e+15"},
		{terminal.Price, 47.7331, "47.73"}, {terminal.Price, .09876, "0.0988"}, {terminal.Price, 0, "0.00"},
		{terminal.Rate, 32.34404, "32.3440"}, {terminal.Rate, .0012345, "0.00123"},
		{terminal.Amount, 3.999, "4"}, {terminal.Amount, 1000, "1,000"}, {terminal.Amount, 2.5, "2.50"},
		{terminal.Clock, math.NaN(), "-"},
	} {
		if got := c.unit.Text(c.x); got != c.want {
			t.Errorf("%g in unit %d is written %s, want %s", c.x, c.unit, got, c.want)
		}
	}
}
