package input

import (
	"math"
	"strconv"
	"strings"

	"bourse/events"
)

// Nanoseconds marks a unit smaller than the clock's.
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
	return events.ParseClock(text)
}
