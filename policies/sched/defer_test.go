package sched_test

import (
	"cmp"
	"context"
	"math"
	"slices"
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

// running is in which minutes jobs run.
type runningMinutes map[int64][]int

func (s runningMinutes) Segment(g *engine.Segment) error {
	for t := g.Start; t < g.End; t += 60 * events.Second {
		s[g.Job.ID] = append(s[g.Job.ID], int(t/events.Second/60))
	}
	return nil
}

// cheapest are the minutes of least value of a job's length and slack.
func cheapest(value func(int) float64, now, run, wait int) (minutes []int) {
	for m := now; m < now+run+wait; m++ {
		minutes = append(minutes, m)
	}
	slices.SortStableFunc(minutes, func(a, b int) int { return cmp.Compare(value(a), value(b)) })
	minutes = minutes[:run]
	slices.Sort(minutes)
	return minutes
}

// low are the minutes of a job that runs below the 30th percentile of a day, until it has waited.
func low(value func(int) float64, now, run, wait int) (minutes []int) {
	var day []float64
	for m := now; m < now+24*60; m++ {
		day = append(day, value(m))
	}
	slices.Sort(day)
	place := .3 * float64(len(day)-1)
	i := int(place)
	limit := day[i] + (day[i+1]-day[i])*(place-float64(i))
	for m := now; len(minutes) < run; m++ {
		if value(m) < limit || wait == 0 {
			minutes = append(minutes, m)
		} else {
			wait--
		}
	}
	return minutes
}

// TestDefer wants each job on a machine with room for all to start when the definition says, minute by minute.
func TestDefer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := make([]float64, rapid.IntRange(2, 30).Draw(t, "hours"))
		for i := range values {
			values[i] = float64(rapid.IntRange(1, 9).Draw(t, "value"))
		}
		rule := rapid.SampledFrom([]string{"slot", "window", "saving", "pieces", "threshold"}).Draw(t, "rule")
		var jobs []traces.Job
		at := events.Time(0)
		for i := range rapid.IntRange(1, 12).Draw(t, "jobs") {
			at += events.Time(rapid.IntRange(0, 200).Draw(t, "gap")) * 60 * events.Second
			run := events.Time(rapid.IntRange(1, 500).Draw(t, "run")) * 60 * events.Second
			jobs = append(jobs, traces.Job{ID: int64(i), Submit: at, Run: run, Estimate: run, Pieces: 1, Prev: -1, Procs: 1,
				CPU: -1, Memory: -1, GPU: -1, Disk: -1})
		}
		got := runningMinutes{}
		if _, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(99),
			Policy: given{deferring(t, rule, values)}, Check: true, Segments: got},
			traces.MemoryOf(jobs...).Source(), nil); err != nil {
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
			want := []int{}
			switch rule {
			case "pieces":
				want = cheapest(value, now, run, wait)
			case "threshold":
				want = low(value, now, run, wait)
			default:
				for m := best; m < best+run; m++ {
					want = append(want, m)
				}
			}
			if !slices.Equal(got[j.ID], want) {
				t.Fatalf("%s: job %d, submitted at %v, runs in the minutes %v, want %v", rule, j.ID, j.Submit, got[j.ID], want)
			}
		}
	})
}

// TestDeferConforms puts the policy through the kit's random workloads, on machines with queues.
func TestDeferConforms(t *testing.T) {
	for _, rule := range []string{"slot", "saving", "pieces", "threshold"} {
		policytest.Run(t, func() policies.Policy { return given{deferring(t, rule, []float64{3, 1, 4, 1, 5, 9, 2, 6})} },
			policytest.Expect{KnowsUnits: true, Preempts: rule == "pieces" || rule == "threshold"})
	}
}

// TestDeferLearns wants jobs to be taken to run as long as those of their class that have ended: half an hour, for
// which the best start is the third hour, and not the first, as for the hours that they ask for.
func TestDeferLearns(t *testing.T) {
	for _, learned := range []bool{false, true} {
		d := deferring(t, "window", []float64{5, 1, 0, 9, 9, 9, 9, 9, 9, 9})
		d.Learned, d.Length, d.Border = learned, [2]events.Time{}, 9*hourly
		var jobs []traces.Job
		for i := range 2 {
			j := traces.UnknownJob
			j.ID, j.Submit, j.Run, j.Estimate, j.Procs = int64(i), events.Time(i)*10*hourly, hourly/2, 2*hourly, 1
			jobs = append(jobs, j)
		}
		got := runningMinutes{}
		if _, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(9), Policy: given{d},
			Segments: got},
			traces.MemoryOf(jobs...).Source(), nil); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{false: 660, true: 720}[learned]; got[1][0] != want {
			t.Errorf("learned %t: it starts in minute %d, want %d", learned, got[1][0], want)
		}
	}
}
