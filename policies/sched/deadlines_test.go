package sched_test

import (
	"context"
	"math"
	"testing"

	"bourse/engine"
	"bourse/engine/policytest"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/traces"
)

// spotting makes the policy with so many processors of spot capacity in hours that repeat.
func spotting(line bool, values ...float64) *sched.Deadlines {
	var at []events.Time
	for i := range values {
		at = append(at, events.Time(i)*hourly)
	}
	d := &sched.Deadlines{Line: line, Capacity: "spot", Every: hourly / 6, Deadline: 2, OnDemand: 10, Reserve: 1}
	d.ReadSite(traces.Names{}, 99)
	if err := d.ReadSeries([]policies.Series{{Name: "spot", Values: events.NewSteps(at, values, events.Again)}}); err != nil {
		panic(err)
	}
	return d
}

type spotted struct{ *sched.Deadlines }

func (spotted) ReadSeries([]policies.Series) error { return nil }
func (s spotted) Clone() policies.Policy {
	return spotted{s.Deadlines.Clone().(*sched.Deadlines)}
}

// bidding are bids by job.
type biddings []float64

func (b biddings) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: b[j.ID], Bid: b[j.ID]}, nil
}

type payments []float64

func (p payments) Record(o *engine.Outcome) error { p[o.Job.ID] = o.Payment; return nil }

// TestDeadlinesConform puts the policies through the kit's random workloads.
func TestDeadlinesConform(t *testing.T) {
	for _, line := range []bool{false, true} {
		policytest.Run(t, func() policies.Policy { return spotted{spotting(line, 1, 0, 2, 1)} },
			policytest.Expect{KnowsUnits: true, Preempts: true, Overruns: true})
	}
}

// TestSpotClears follows three jobs of an hour that share two processors of spot capacity, their bills by hand. The
// third bids least and pays for itself on demand: under greedy from the last moment on, an hour less ten minutes later.
func TestSpotClears(t *testing.T) {
	jobs := make([]traces.Job, 3)
	for i := range jobs {
		jobs[i] = traces.UnknownJob
		jobs[i].ID, jobs[i].Procs, jobs[i].Run, jobs[i].Estimate = int64(i), 1, hourly, hourly
	}
	d := spotted{spotting(false, 2, 2)}
	d.Deadline = 1.9
	paid := payments(make([]float64, 3))
	if _, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(4), Policy: d,
		Pricer: payment.NewAsked(d), Bidder: biddings{7, 5, 3}, Check: true}, traces.MemoryOf(jobs...).Source(),
		paid); err != nil {
		t.Fatal(err)
	}
	// The price is 3 until the third job goes on demand at 50 minutes, and 1 from then on.
	both := 3000*3.0 + 600*1
	for i, want := range []float64{both, both, 3600 * 10} {
		if math.Abs(paid[i]-want) > 1e-6 {
			t.Errorf("job %d pays %g, want %g", i, paid[i], want)
		}
	}
}
