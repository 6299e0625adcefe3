package input

import (
	"strings"
	"time"

	"bourse/events"
)

// IsUnknown recognises the words by which tables mark unknown values.
func IsUnknown(text string) bool {
	switch strings.ToLower(text) {
	case "", "unknown", "none", "null", "nan", "nat", "n/a", "na", "-":
		return true
	}
	return false
}

// ParseNumber reads a finite number.
func ParseNumber(text string) (Number, bool) {
	if text == "" || Blank(text[0]) {
		return Number{}, false
	}
	n, next, ok := ScanNumber([]byte(text), 0)
	return n, ok && next == len(text)
}

// layouts are the ways dates are written. Those without a zone are taken to be
// UTC: a log in local time is an hour off for half of the year at worst.
var layouts = []string{
	"2006-01-02 15:04:05", "2006-01-02T15:04:05", time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700",
	"2006-01-02 15:04:05 MST", "2006-01-02 15:04", "2006-01-02T15:04", "01/02/2006 15:04:05",
}

// ParseInstant reads a point in time: a number of units, or a date. Unknown ones are
// marked by words, by nothing and by -1.
func ParseInstant(text string, unit events.Time) (events.Time, bool) {
	if IsUnknown(text) {
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

// MemoryKB reads requested memory as KB per processor, -1 if unknown. A plain
// number is taken as it is. A unit makes it the job's, c after it the
// processor's, n the node's.
func MemoryKB(text string, procs, nodes int64) (float64, bool) {
	if IsUnknown(text) {
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
	n, ok := ParseNumber(text)
	if !ok {
		return 0, false
	}
	v := n.Float()
	switch {
	case v < 0:
		return -1, true
	case kb == 0:
		return v, true
	}
	switch v *= kb; per {
	case 'c':
		return v, true
	case 'n':
		return v * float64(nodes) / float64(procs), true
	}
	return v / float64(procs), true
}
