package input

import (
	"testing"

	"bourse/events"
)

// TestCells: how times, durations and memory are written.
func TestCells(t *testing.T) {
	for text, want := range map[string]events.Time{
		"": -1, "Unknown": -1, "-1": -1, "0": 0, "1.5": 1_500_000, "1e2": 100_000_000,
		"1970-01-02 00:00:00": 86400 * events.Second, "1970-01-01T01:00:00+01:00": 0, "1970-01-01T00:00:00.25Z": 250_000,
	} {
		if got, ok := ParseInstant(text, events.Second); !ok || got != want && !(want < 0 && !got.Known()) {
			t.Errorf("instant %q: %v %v", text, int64(got), ok)
		}
	}
	for text, want := range map[string]events.Time{
		"UNLIMITED": -1, "Partition_Limit": -1, "": -1, "90": 90, "1-02:03:04": 93784, "02:03:04": 7384, "2-0": 172800,
		"1-02:03": 93780, "03:04": 184, "100:00:00": 360000,
	} {
		if got, ok := ParseSpan(text, events.Second); !ok || got != want*events.Second && !(want < 0 && !got.Known()) {
			t.Errorf("duration %q: %v %v", text, got, ok)
		}
	}
	// the longest days
	for text, want := range map[string]events.Time{"26687997-00:00:00": 26687997 * 86400,
		"26687997-07:36:43": 26687997*86400 + 7*3600 + 36*60 + 43} {
		if got, ok := ParseSpan(text, events.Second); !ok || got != want*events.Second {
			t.Errorf("duration %q: %v %v", text, got, ok)
		}
	}
	for _, bad := range []string{"213503983-00:00:00", "150000000-00:00:00", "106751992-0", "26687998-00:00:00",
		"26687997-24:00:00", "2147483647-23:59:59", "640511948:00:00", "1-640511946:00", "640511945:38430716700:00"} {
		if got, ok := ParseSpan(bad, events.Second); ok {
			t.Errorf("duration %q: %v, want it refused as too long", bad, got)
		}
		if got, err := events.ParseDuration(bad); err == nil {
			t.Errorf("duration %q: %v, want it refused as too long", bad, got)
		}
	}
	for _, bad := range []string{"1:2:3:4", "x", "1-", "-5", "1:-2", "::", "1-x", "1.5:00"} {
		if got, ok := ParseSpan(bad, events.Second); ok {
			t.Errorf("duration %q: %v", bad, got)
		}
	}
	for _, c := range []struct {
		text         string
		procs, nodes int64
		want         float64
	}{{"4G", 4, 1, 1 << 20}, {"4Gc", 4, 1, 4 << 20}, {"4Gn", 8, 2, 1 << 20}, {"2000M", 1, 1, 2048000}, {"123", 4, 1, 123},
		{"0", 4, 1, 0}, {"?", 1, 1, 0}, {"", 1, 1, -1}, {"-1e-3", 1, 1, -1}, {"-2G", 1, 1, -1}, {"1Tb", 2, 1, 1 << 29}} {
		if got, ok := MemoryKB(c.text, c.procs, c.nodes); got != c.want || ok != (c.text != "?") {
			t.Errorf("memory %q: %v %v", c.text, got, ok)
		}
	}
}
