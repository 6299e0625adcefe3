package events

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// durationUnits are the units of a duration, from the longest.
var durationUnits = []struct {
	names []string
	unit  Time
}{
	{[]string{"w"}, Week}, {[]string{"d"}, 24 * 3600 * Second}, {[]string{"h"}, 3600 * Second},
	{[]string{"m", "min"}, 60 * Second},
	{[]string{"s"}, Second}, {[]string{"ms"}, Second / 1000}, {[]string{"us"}, 1},
}

// ParseDuration reads a duration of 0 or more, the one syntax of options and files:
// seconds, numbers with units as in 90s, 5m, 5min, 1h30m, 2d, 1w, or
// [days-]hours:minutes:seconds.
func ParseDuration(text string) (Time, error) {
	t, ok := scaled(text, Second)
	if !ok {
		t, ok = withUnits(text)
	}
	if !ok {
		t, ok = ParseClock(text)
	}
	if !ok || t < 0 {
		return 0, fmt.Errorf("%q is not a duration; want seconds, or numbers with units as in 90s, 5m, 1h30m, 2d, 1w", text)
	}
	return t, nil
}

// withUnits reads numbers with units, the longer before the shorter.
func withUnits(text string) (total Time, ok bool) {
	next := 0
	for text != "" {
		n := len(text) - len(strings.TrimLeft(text, "0123456789."))
		word := text[n:]
		word = word[:len(word)-len(strings.TrimLeft(word, "abcdefghijklmnopqrstuvwxyz"))]
		i := next
		for i < len(durationUnits) && !slices.Contains(durationUnits[i].names, word) {
			i++
		}
		if n == 0 || i == len(durationUnits) {
			return 0, false
		}
		t, fine := scaled(text[:n], durationUnits[i].unit)
		if total += t; !fine || total > longest {
			return 0, false
		}
		text, next = text[n+len(word):], i+1
	}
	return total, next > 0
}

// FormatDuration writes a duration of 0 or more so that ParseDuration reads it back.
func FormatDuration(t Time) string {
	var b strings.Builder
	for _, u := range durationUnits {
		if n := int64(t / u.unit); n > 0 {
			fmt.Fprintf(&b, "%d%s", n, u.names[0])
			t %= u.unit
		}
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

// Week is the period that resampling keeps.
const Week = 7 * 24 * 3600 * Second

// longest is the longest duration: MaxSeconds, so that two can be added.
const longest Time = math.MaxInt64 / 4

// ParseClock reads 1-02:03:04, 02:03:04.5, 03:04, 1-02.
func ParseClock(text string) (Time, bool) {
	days, rest, dashed := strings.Cut(text, "-")
	var total Time
	if dashed {
		const day = 86400 * Second
		d, err := strconv.ParseUint(days, 10, 31)
		if err != nil || Time(d) > longest/day {
			return 0, false
		}
		total = Time(d) * day
	} else {
		rest = text
	}
	parts := strings.Split(rest, ":")
	if len(parts) > 3 || len(parts) < 2 && !dashed {
		return 0, false
	}
	unit := 3600 * Second
	if !dashed && len(parts) == 2 {
		unit = 60 * Second
	}
	for i, p := range parts {
		t, ok := scaled(p, unit)
		if !ok || t < 0 || len(p) > 12 || i < len(parts)-1 && strings.Contains(p, ".") {
			return 0, false
		}
		if total += t; total > longest {
			return 0, false
		}
		unit /= 60
	}
	return total, true
}

// scaled reads a number of units of 0 or more, rounded to the microsecond.
func scaled(text string, unit Time) (Time, bool) {
	if strings.Trim(text, "0123456789.eE+-") != "" || strings.HasPrefix(text, "-") {
		return 0, false // and what ParseFloat also takes: inf, nan, hexadecimal
	}
	n, err := strconv.ParseInt(text, 10, 64)
	micro := 0.0
	if err != nil {
		var f float64
		if f, err = strconv.ParseFloat(text, 64); err != nil || f >= 1e18 {
			return 0, false
		}
		whole, frac := math.Modf(f)
		n, micro = int64(whole), math.Round(frac*1e6)
	}
	if n >= math.MaxInt64/4/int64(unit) {
		return 0, false
	}
	return Time(n)*unit + Time(micro)*unit/Second, true
}
