// Package terminal formats figures, durations and tables for a terminal.
package terminal

import (
	"fmt"
	"math"
	"strconv"

	"bourse/events"
)

// Duration rounds seconds for display; what cannot be a Time shows as the
// longest.
func Duration(s float64) events.Time {
	t, ok := events.FromSeconds(s)
	if !ok {
		t, _ = events.FromSeconds(math.Copysign(events.MaxSeconds, s))
	}
	return t
}

// Thousands writes n with commas between groups of three digits.
func Thousands(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Plural chooses the word for a number of things.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Count writes a number of things.
func Count(n int, one, many string) string {
	return Thousands(int64(n)) + " " + Plural(n, one, many)
}

// Figure writes x for a table: two decimals below 1000, as Whole beyond.
func Figure(x float64) string {
	switch a := math.Abs(x); {
	case a < 0.005:
		return "0.00"
	case a < 999.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return Whole(x)
}

// PercentOf writes n as a share of a total: one decimal, "< 0.1 %" for what that
// would round to nothing, "-" where the total is 0.
func PercentOf(n, of float64) string {
	switch {
	case of == 0:
		return "-"
	case n > 0 && n/of < 0.0005:
		return "< 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", 100*n/of)
}
