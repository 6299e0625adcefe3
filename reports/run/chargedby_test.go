package run

import (
	"math"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
)

// TestCharges wants groups and hours to add up to all jobs, and each job to be in its own.
func TestCharges(t *testing.T) {
	log := &traces.Header{Start: 1704067200, Names: traces.Names{Groups: &traces.Words{}}}
	c := NewCharges(&engine.Config{Charges: [engine.NumCharges]*engine.Charge{engine.Carbon: {}}}, log)
	for i := range 100 {
		o := engine.Outcome{Job: traces.Job{Group: traces.Label(i % 3)}, Start: events.Time(i) * 1800 * events.Second, Energy: 3.6e6}
		o.Charged[engine.Carbon] = float64(i)
		if err := c.Record(&o); err != nil {
			t.Fatal(err)
		}
	}
	by := c.Result()
	for _, parts := range [][]ChargedPart{by.Groups, by.Hours} {
		carbon, energy, jobs := 0.0, 0.0, int64(0)
		for _, p := range parts {
			carbon, energy, jobs = carbon+p.Carbon, energy+p.Energy, jobs+p.Jobs
		}
		if carbon != 4950 || math.Abs(energy-100) > 1e-9 || jobs != 100 {
			t.Errorf("%g g, %g kWh, %d jobs", carbon, energy, jobs)
		}
	}
	if len(by.Groups) != 3 || by.Groups[2].Name != "2" || by.Groups[2].Carbon != 1650 {
		t.Errorf("%+v", by.Groups)
	}
	if h := by.Hours[1]; h.Name != "01:00" || h.Jobs != 6 { // 2 in the first day and in the next, and 2 of the third
		t.Errorf("%+v", h)
	}
	if NewCharges(&engine.Config{}, log) != nil {
		t.Error("there is nothing to add up")
	}
}
