package input

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bourse/events"
)

// ParseDuration reads seconds, a number with a unit as in 90s, 15min, 12h, 7d, 2w,
// or [days-]hours:minutes:seconds.
func ParseDuration(text string) (events.Time, error) {
	unit, number := events.Second, text
	for _, u := range []struct {
		name string
		unit events.Time
	}{{"min", 60 * events.Second}, {"s", events.Second}, {"h", 3600 * events.Second}, {"d", 24 * 3600 * events.Second}, {"w", Week}} {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			unit, number = u.unit, rest
			break
		}
	}
	t, ok := scaled(number, unit)
	if !ok && number == text {
		t, ok = clock(text)
	}
	if !ok || t < 0 {
		return 0, fmt.Errorf("%q: seconds, or a number with s, min, h, d or w as in 7d, were expected", text)
	}
	return t, nil
}

// Week is the period that resampling keeps.
const Week = 7 * 24 * 3600 * events.Second

// Nanoseconds stands for a unit smaller than the clock's.
const Nanoseconds events.Time = 0

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
		d, err := strconv.ParseUint(days, 10, 31)
		if err != nil {
			return 0, false
		}
		total = events.Time(d) * 86400 * events.Second
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
		total += t
		unit /= 60
	}
	return total, true
}
