package sched_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/engine/policytest"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
	"bourse/traces"
)

const hourly = 3600 * events.Second

// deferring makes the policy with a series of hours that is periodic.
func deferring(t rapid.TB, rule string, values []float64) *sched.Defer {
	var at []events.Time
	for i := range values {
		at = append(at, events.Time(i)*hourly)
	}
	d := &sched.Defer{Policy: sched.NewFirstFit(), Rule: rule, By: "carbon", Border: 2 * hourly,
		Slack: [2]events.Time{3 * hourly, 8 * hourly}}
	if err := d.ReadSeries([]policies.Series{{Name: "carbon", Values: events.NewSteps(at, values,
		events.Again)}}); err != nil {
		t.Fatal(err)
	}
	return d
}

// given is the policy with the series that it was made with, whatever a replay has.
type given struct{ *sched.Defer }

func (given) ReadSeries([]policies.Series) error { return nil }
func (g given) Clone() policies.Policy           { return given{g.Defer.Clone().(*sched.Defer)} }

// startTimes are those of jobs.
type startTimes map[int64]events.Time

func (s startTimes) Record(o *engine.Outcome) error { s[o.Job.ID] = o.Start; return nil }

// TestDefer wants each job on a machine with room for all to start when the definition says, minute by minute.
func TestDefer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := make([]float64, rapid.IntRange(2, 30).Draw(t, "hours"))
		for i := range values {
			values[i] = float64(rapid.IntRange(1, 9).Draw(t, "value"))
		}
		rule := rapid.SampledFrom([]string{"slot", "window", "saving"}).Draw(t, "rule")
		var jobs []traces.Job
		at := events.Time(0)
		for i := range rapid.IntRange(1, 12).Draw(t, "jobs") {
			at += events.Time(rapid.IntRange(0, 200).Draw(t, "gap")) * 60 * events.Second
			run := events.Time(rapid.IntRange(1, 500).Draw(t, "run")) * 60 * events.Second
			jobs = append(jobs, traces.Job{ID: int64(i), Submit: at, Run: run, Estimate: run, Pieces: 1, Prev: -1, Procs: 1,
				CPU: -1, Memory: -1, GPU: -1, Disk: -1})
		}
		got := startTimes{}
		if _, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(99),
			Policy: given{deferring(t, rule, values)}, Check: true},
			traces.MemoryOf(jobs...).Source(), got); err != nil {
			t.Fatal(err)
		}
		value := func(minute int) float64 { return values[minute/60%len(values)] }
		for _, j := range jobs {
			now, run, wait := int(j.Submit/events.Second/60), int(j.Run/events.Second/60), 3*60
			if run >= 120 {
				wait = 8 * 60
			}
			mean := func(from int) (sum float64) {
				for m := from; m < from+run; m++ {
					sum += value(m)
				}
				return sum
			}
			best, score := now, math.Inf(-1)
			for m := now; m <= now+wait; m++ {
				x := -value(m)
				switch {
				case rule != "slot" && (m-now)%60 != 0:
					continue
				case rule == "window":
					x = -mean(m)
				case rule == "saving":
					x = (mean(now) - mean(m)) / float64(m-now+run)
				}
				if x > score {
					best, score = m, x
				}
			}
			if want := events.Time(best) * 60 * events.Second; got[j.ID] != want {
				t.Fatalf("%s: job %d, submitted at %v, starts at %v, want %v", rule, j.ID, j.Submit, got[j.ID], want)
			}
		}
	})
}

// TestDeferConforms puts the policy through the kit's random workloads, on machines with queues.
func TestDeferConforms(t *testing.T) {
	for _, rule := range []string{"slot", "saving"} {
		policytest.Run(t, func() policies.Policy { return given{deferring(t, rule, []float64{3, 1, 4, 1, 5, 9, 2, 6})} },
			policytest.Expect{KnowsUnits: true})
	}
}
