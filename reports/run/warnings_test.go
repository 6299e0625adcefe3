package run

import (
	"slices"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/reports/stats"
	"bourse/traces"
)

// TestConclude wants each warning where its bound is passed, and none where it is not.
func TestConclude(t *testing.T) {
	const day = 24 * 3600 * events.Second
	calm := engine.Summary{Last: 200 * day, Submitted: 190 * day, Drained: 191 * day, Backlog: 9, Blocked: 9 * day}
	blocked, late := calm, calm
	blocked.Blocked, late.Drained = 11*day, 195*day
	for _, c := range []struct {
		what           string
		sum            engine.Summary
		strict         bool
		wait, recorded float64
		larger         int64
		want           []string
	}{
		{"calm", calm, true, 3e4, 4e3, 0, nil},
		{"blocked", blocked, true, 0, 0, 0, []string{"strict-order"}},
		{"blocked by a policy that lets others pass", blocked, false, 0, 0, 0, nil},
		{"late", late, false, 0, 0, 0, []string{"backlog"}},
		{"slow", calm, false, 3e4, 2e3, 0, []string{"above-recorded"}},
		{"slow by less than an hour", calm, false, 3e3, 2, 0, nil},
		{"larger", calm, false, 0, 0, 5, []string{"larger-jobs"}},
	} {
		l := &traces.Ledger{Read: 20}
		l.Dropped[traces.TooLarge] = c.larger
		result := &stats.Result{Recorded: &stats.Times{Jobs: 1, MeanWait: c.recorded}}
		result.Total.MeanWait = c.wait
		s := NewSummary(l, nil, Machine{}, result)
		s.Conclude(&c.sum, c.strict, false)
		var got []string
		for _, w := range s.Warnings {
			got = append(got, w.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, s.Warnings, c.want)
		}
	}
}
