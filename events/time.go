// Package events holds simulated time, the kinds of event, their total order,
// the priority queue that keeps pending events in that order, and the heap below it,
// which serves others too.
//
// It knows nothing of jobs, policies or files: an event names its subject by a
// small number whose meaning belongs to the engine.
package events

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Time is a count of microseconds since the trace's own zero. Durations have
// the same type. There is no floating clock: equal instants compare equal.
type Time int64

// Units and limits of Time.
const (
	Microsecond Time = 1
	Second      Time = 1_000_000
	// Unknown marks a duration that the trace does not record.
	Unknown Time = -1
	// Never is later than every instant of a replay.
	Never Time = math.MaxInt64
	// MaxSeconds bounds the magnitude of a time read from outside, so that
	// sums of a few of them stay inside Time. It is some 73,000 years.
	MaxSeconds = float64(math.MaxInt64/4) / 1e6
)

// FromSeconds rounds s to the microsecond, halves away from zero. It reports
// false when s is not a number or its magnitude exceeds MaxSeconds.
func FromSeconds(s float64) (Time, bool) {
	if !(math.Abs(s) <= MaxSeconds) {
		return 0, false
	}
	return Time(math.Round(s * 1e6)), true
}

// Seconds returns t in seconds.
func (t Time) Seconds() float64 { return float64(t) / 1e6 }

// Known reports whether the trace records the duration t.
func (t Time) Known() bool { return t >= 0 }

// String writes t in seconds, with as many decimals as it needs.
func (t Time) String() string {
	switch t {
	case Never:
		return "never"
	case math.MinInt64:
		return "-Inf"
	}
	return strconv.FormatFloat(t.Seconds(), 'f', -1, 64) + "s"
}

// Short formats a duration for display: "3d04h", "2h05m", "1m30s", "12s".
func (t Time) Short() string {
	if t < 0 {
		return "-" + (-t).Short()
	}
	d := time.Duration(t) * time.Microsecond
	h, m, s := int64(t/(3600*Second)), int64(d.Minutes())%60, d.Seconds()
	switch {
	case t >= 24*3600*Second:
		return fmt.Sprintf("%dd%02dh", h/24, h%24)
	case t >= 3600*Second:
		return fmt.Sprintf("%dh%02dm", h, m)
	case t >= 60*Second:
		return fmt.Sprintf("%dm%02ds", int64(s)/60, int64(s)%60)
	}
	return strconv.FormatFloat(s, 'g', 3, 64) + "s"
}
