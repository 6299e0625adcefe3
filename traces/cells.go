package traces

import (
	"math"
	"strconv"
	"strings"
	"time"

	"bourse/events"
)

// noCell knows the words by which tables say that they do not know.
func noCell(text string) bool {
	switch strings.ToLower(text) {
	case "", "unknown", "none", "null", "nan", "nat", "n/a", "na", "-":
		return true
	}
	return false
}

// numberOf reads a finite number.
func numberOf(text string) (number, bool) {
	if text == "" || blank(text[0]) {
		return number{}, false
	}
	n, next, ok := scanNumber([]byte(text), 0)
	return n, ok && next == len(text)
}

// nanoseconds stands for a unit smaller than the clock's.
const nanoseconds events.Time = 0

// units are the words for what plain numbers count.
var units = map[string]events.Time{
	"ns": nanoseconds, "us": 1, "ms": 1000, "s": events.Second, "min": 60 * events.Second, "h": 3600 * events.Second, "d": 86400 * events.Second,
}

// scaled reads a number of units, rounded to the microsecond.
func scaled(text string, unit events.Time) (events.Time, bool) {
	if unit == nanoseconds {
		ns, err := strconv.ParseInt(text, 10, 64)
		return events.Time(ns / 1000), err == nil
	}
	n, ok := numberOf(text)
	if !ok || n.whole >= math.MaxInt64/4/int64(unit) {
		return 0, false
	}
	t := events.Time(n.whole)*unit + events.Time(n.micro)*unit/events.Second
	if n.neg {
		t = -t
	}
	return t, true
}

// layouts are the ways dates are written. Those without a zone are taken to be
// UTC: a log in local time is an hour off for half of the year at worst.
var layouts = []string{
	"2006-01-02 15:04:05", "2006-01-02T15:04:05", time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700",
	"2006-01-02 15:04:05 MST", "2006-01-02 15:04", "2006-01-02T15:04", "01/02/2006 15:04:05",
}

// instant reads a point in time: a number of units, or a date. Unknown ones are
// told by words, by nothing and by -1.
func instant(text string, unit events.Time) (events.Time, bool) {
	if noCell(text) {
		return events.Unknown, true
	}
	if t, ok := scaled(text, unit); ok {
		if t < 0 {
			return events.Unknown, text == "-1"
		}
		return t, true
	}
	for _, layout := range layouts {
		t, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		if us := t.UnixMicro(); us >= 0 && t.Year() < 10_000 {
			return events.Time(us), true
		}
		return 0, false
	}
	return 0, false
}

// duration reads a number of units or [days-]hours:minutes:seconds, where what
// is missing is at the front after no dash and at the back after one, as Slurm
// has it. UNLIMITED and Partition_Limit are unknown.
func duration(text string, unit events.Time) (events.Time, bool) {
	switch strings.ToLower(text) {
	case "unlimited", "infinite", "partition_limit", "invalid":
		return events.Unknown, true
	}
	if noCell(text) {
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

// memoryKB reads requested memory as KB per processor, -1 if unknown. A plain
// number is taken as it stands. A unit makes it the job's, c after it the
// processor's, n the node's.
func memoryKB(text string, procs, nodes int64) (float64, bool) {
	if noCell(text) {
		return -1, true
	}
	per := text[len(text)-1] | 0x20
	if per == 'c' || per == 'n' {
		text = text[:len(text)-1]
	}
	text = strings.TrimSuffix(strings.ToLower(text), "b")
	if text == "" {
		return 0, false
	}
	kb := 0.0
	switch text[len(text)-1] {
	case 'k':
		kb = 1
	case 'm':
		kb = 1 << 10
	case 'g':
		kb = 1 << 20
	case 't':
		kb = 1 << 30
	}
	if kb > 0 {
		text = text[:len(text)-1]
	}
	n, ok := numberOf(text)
	if !ok {
		return 0, false
	}
	v := n.float()
	if kb == 0 || v <= 0 {
		return max(v, -1), true
	}
	switch v *= kb; per {
	case 'c':
		return v, true
	case 'n':
		return v * float64(nodes) / float64(procs), true
	}
	return v / float64(procs), true
}
