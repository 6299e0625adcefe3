package input_test

import (
	"testing"

	"bourse/events"
	"bourse/traces/input"
)

// FuzzCells reads cells of tables as everything they may be: what is read is in range.
func FuzzCells(f *testing.F) {
	for _, text := range []string{"213503983-00:00:00", "1-02:03:04.5", "2024-03-01T08:00:00+01:00", "1e300", "4G", "12Mc",
		"-0", "1h30m", "2d", ""} {
		f.Add(text, int64(4), int64(2))
	}
	limit, _ := events.FromSeconds(events.MaxSeconds)
	f.Fuzz(func(t *testing.T, text string, procs, nodes int64) {
		if d, ok := events.ParseClock(text); ok && (d < 0 || d > limit) {
			t.Errorf("%q is a clock of %d", text, d)
		}
		if d, err := events.ParseDuration(text); err == nil && (d < 0 || d > limit) {
			t.Errorf("%q is a duration of %d", text, d)
		}
		for _, unit := range []events.Time{1, events.Second, 86400 * events.Second} {
			input.ParseInstant(text, unit)
		}
		if kb, ok := input.MemoryKB(text, max(1, procs), max(1, nodes)); ok && !(kb >= 0 || kb == -1) {
			t.Errorf("%q is %v KB", text, kb)
		}
		input.ParseNumber(text)
	})
}
