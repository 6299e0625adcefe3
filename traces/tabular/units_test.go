package tabular

import (
	"strings"
	"testing"

	"bourse/events"
	"bourse/traces"
)

// TestUnits wants a note where times look like another unit's, and none of ordinary tables.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		name     string
		apart    float64 // seconds between submissions
		run      float64
		jobs     int
		note     string
		fraction float64
	}{
		{"hours of submission", 40, 86400, 100, "run for up to 1d00h and are all submitted within 1h06m: if the times of submission", 0},
		{"hours of both", 88, 2, 100, "mostly fractions of seconds, 2.27 s on average: if they are hours", .27},
		{"seconds", 600, 3600, 100, "", 0},
		{"few", 1, 86400, 10, "", 0},
		{"milliseconds that are so", 60, 90, 100, "", .5},
	} {
		u, l := units{}, &traces.Ledger{}
		for i := range c.jobs {
			submit, _ := events.FromSeconds(float64(i) * c.apart)
			run, _ := events.FromSeconds(c.run + c.fraction)
			u.add(&traces.Job{Submit: submit, Run: run})
		}
		u.doubt(l)
		notes := ""
		for _, n := range l.Notes() {
			notes += n.What
		}
		if !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: %q, want %q", c.name, notes, c.note)
		}
	}
}
