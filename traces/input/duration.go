package input

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/events"
)

// durationUnits are the units of a duration, from the longest.
var durationUnits = []struct {
	names []string
	unit  events.Time
}{
	{[]string{"w"}, Week}, {[]string{"d"}, 24 * 3600 * events.Second}, {[]string{"h"}, 3600 * events.Second}, {[]string{"m", "min"}, 60 * events.Second},
	{[]string{"s"}, events.Second}, {[]string{"ms"}, events.Second / 1000}, {[]string{"us"}, 1},
}

// ParseDuration reads a duration of 0 or more, the one syntax of options and files:
// seconds, numbers with units as in 90s, 5m, 5min, 1h30m, 2d, 1w, or
// [days-]hours:minutes:seconds.
func ParseDuration(text string) (events.Time, error) {
	t, ok := scaled(text, events.Second)
	if !ok {
		t, ok = withUnits(text)
	}
	if !ok {
		t, ok = clock(text)
	}
	if !ok || t < 0 {
		return 0, fmt.Errorf("%q is not a duration; want seconds, or numbers with units as in 90s, 5m, 1h30m, 2d, 1w", text)
	}
	return t, nil
}

// withUnits reads numbers with units, the longer before the shorter.
func withUnits(text string) (total events.Time, ok bool) {
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
func FormatDuration(t events.Time) string {
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
const Week = 7 * 24 * 3600 * events.Second

// Nanoseconds marks a unit smaller than the clock's.
const Nanoseconds events.Time = 0

// longest is the longest duration: events.MaxSeconds, so that two can be added.
const longest events.Time = math.MaxInt64 / 4

// Units are the words for what plain numbers count.
var Units = map[string]events.Time{
	"ns": Nanoseconds, "us": 1, "ms": 1000, "s": events.Second, "min": 60 * events.Second, "h": 3600 * events.Second, "d": 86400 * events.Second,
}

// scaled reads a number of units, rounded to the microsecond.
func scaled(text string, unit events.Time) (events.Time, bool) {
	if unit == Nanoseconds {
		ns, err := strconv.ParseInt(text, 10, 64)
		return events.Time(ns / 1000), err == nil
	}
	n, ok := ParseNumber(text)
	if !ok || n.whole >= math.MaxInt64/4/int64(unit) {
		return 0, false
	}
	t := events.Time(n.whole)*unit + events.Time(n.micro)*unit/events.Second
	if n.Neg {
		t = -t
	}
	return t, true
}

// ParseSpan reads a number of units or [days-]hours:minutes:seconds, where what
// is missing is at the front after no dash and at the back after one, as Slurm
// has it. UNLIMITED and Partition_Limit are unknown.
func ParseSpan(text string, unit events.Time) (events.Time, bool) {
	switch strings.ToLower(text) {
	case "unlimited", "infinite", "partition_limit", "invalid":
		return events.Unknown, true
	}
	if IsUnknown(text) {
		return events.Unknown, true
	}
	if t, ok := scaled(text, unit); ok {
		if t < 0 {
			return events.Unknown, text == "-1"
		}
		return t, true
	}
	return clock(text)
}

// clock reads 1-02:03:04, 02:03:04.5, 03:04, 1-02.
func clock(text string) (events.Time, bool) {
	days, rest, dashed := strings.Cut(text, "-")
	var total events.Time
	if dashed {
		const day = 86400 * events.Second
		d, err := strconv.ParseUint(days, 10, 31)
		if err != nil || events.Time(d) > longest/day {
			return 0, false
		}
		total = events.Time(d) * day
	} else {
		rest = text
	}
	parts := strings.Split(rest, ":")
	if len(parts) > 3 || len(parts) < 2 && !dashed {
		return 0, false
	}
	unit := 3600 * events.Second
	if !dashed && len(parts) == 2 {
		unit = 60 * events.Second
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
