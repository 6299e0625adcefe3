package scenario

import (
	"context"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
)

// bidsByID are bids by number of job, a policies.Bidder.
type bidsByID []float64

func (b bidsByID) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: b[j.ID], Bid: b[j.ID]}, nil
}

// TestEvict lets an outage take one processor of three, and wants each rule to stop another job.
func TestEvict(t *testing.T) {
	job := func(id int64, submit events.Time) traces.Job {
		return traces.Job{ID: id, Submit: submit * events.Second, Run: 100 * events.Second, Estimate: 100 * events.Second,
			Procs: 1, Pieces: 1, Prev: -1, CPU: -1,
			Memory: -1, GPU: -1, Disk: -1}
	}
	// When the outage begins, at 50, they have worked for 50, 40 and 25 s; of checkpoints every 20 s, 10, 0 and 5 s are
	// lost.
	jobs, bids := []traces.Job{job(0, 0), job(1, 10), job(2, 25)}, bidsByID{1, 3, 5}
	for _, c := range []struct {
		rule       engine.Evict
		restart    bool
		checkpoint events.Time
		want       int64
	}{
		{engine.Newest, false, 0, 2}, {engine.Cheapest, false, 0, 0}, {engine.LeastLost, false, 0, 2},
		{engine.LeastLost, true, 0, 2},
		{engine.LeastLost, false, 20 * events.Second, 1},
	} {
		policy, err := catalog.Policies.Make("fcfs")
		if err != nil {
			t.Fatal(err)
		}
		cfg := engine.Config{Machine: engine.Processors(3), Policy: policy, Bidder: bids, Evict: c.rule, Restart: c.restart,
			Checkpoint: c.checkpoint, Check: true,
			Outages: &outageList{[]engine.Outage{{Start: 50 * events.Second, End: 60 * events.Second, Procs: 1}}}}
		var d records
		if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), &d); err != nil {
			t.Fatal(err)
		}
		for i := range d {
			if o := &d[i]; (o.Preemptions == 1) != (o.Job.ID == c.want) {
				t.Errorf("rule %d: job %d was stopped %d times, want job %d once", c.rule, o.Job.ID, o.Preemptions, c.want)
			}
		}
	}
}
