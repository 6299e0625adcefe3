package sched_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
)

// drawBids makes up a bid for each job, of few different ones.
func drawBids(t *rapid.T, jobs []traces.Job) bidsByID {
	bids := bidsByID{}
	for i := range jobs {
		bids[jobs[i].ID] = float64(rapid.IntRange(0, 6).Draw(t, "bid"))
	}
	return bids
}

type bidsByID map[int64]float64

func (b bidsByID) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: b[j.ID], Bid: b[j.ID]}, nil
}

// bidding replays jobs under a policy with k-th prices and the audit.
func bidding(t testing.TB, name string, jobs []traces.Job, procs int, bids bidsByID) starts {
	t.Helper()
	p, pricer, _, err := catalog.Market{Policy: name, Payment: "kth", Values: "bimodal", Behaviour: "truthful"}.Build()
	if err != nil {
		t.Fatal(err)
	}
	got := make(starts, len(jobs))
	cfg := engine.Config{Machine: engine.Processors(procs), Policy: p, Pricer: pricer, Bidder: bids, Check: true}
	if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), got); err != nil {
		t.Fatal(err)
	}
	return got
}

// TestWorseBidsDelayNobody wants better bids to have the times they would have alone:
// whatever bids less fills holes.
func TestWorseBidsDelayNobody(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 20).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, true)
		bids, least := drawBids(rt, jobs), float64(rapid.IntRange(0, 6).Draw(rt, "least"))
		var better []traces.Job
		for _, j := range jobs {
			if bids[j.ID] >= least {
				better = append(better, j)
			}
		}
		all, ended := bidding(t, "hb(fit=skip)", jobs, procs, bids), map[int64]events.Time{}
		for _, o := range all {
			ended[o.Job.ID] = o.End
		}
		for _, o := range bidding(t, "hb(fit=skip)", better, procs, bids) {
			if ended[o.Job.ID] != o.End {
				rt.Fatalf("job %d, which bids %g, ends at %v among jobs that bid %g or more, and at %v among all", o.Job.ID, o.Bid,
					o.End, least, ended[o.Job.ID])
			}
		}
	})
}

// TestNobodyPaysMoreThanBid wants critical bids to be at most the job's own, but for the
// reservation price of 1.
func TestNobodyPaysMoreThanBid(t *testing.T) {
	for _, name := range []string{"hb(fit=skip)", "nphb(fit=skip)"} {
		rapid.Check(t, func(rt *rapid.T) {
			procs := rapid.IntRange(1, 20).Draw(rt, "procs")
			jobs := drawJobs(rt, procs, true)
			for _, o := range bidding(t, name, jobs, procs, drawBids(rt, jobs)) {
				if most := max(o.Bid, 1) * float64(o.Job.Procs) * o.Job.Run.Seconds(); o.Payment > most+1e-9 {
					rt.Fatalf("%s: job %d pays %g, its bid allows %g", name, o.Job.ID, o.Payment, most)
				}
			}
		})
	}
}

// TestSkippingOnSerialJobs wants the rule of fit to make no difference to jobs of one
// width, nor to what they pay.
func TestSkippingOnSerialJobs(t *testing.T) {
	for _, name := range []string{"hb", "nphb"} {
		rapid.Check(t, func(rt *rapid.T) {
			procs := rapid.IntRange(1, 8).Draw(rt, "procs")
			jobs := drawJobs(rt, procs, true)
			for i := range jobs {
				jobs[i].Procs = 1
			}
			bids := drawBids(rt, jobs)
			strict := bidding(t, name, jobs, procs, bids)
			for i, o := range bidding(t, name+"(fit=skip)", jobs, procs, bids) {
				if s := &strict[i]; o.Start != s.Start || o.End != s.End || math.Abs(o.Payment-s.Payment) > 1e-9*max(1, s.Payment) {
					rt.Fatalf("job %d: %v to %v for %v, strict %v to %v for %v", o.Job.ID, o.Start, o.End, o.Payment, s.Start, s.End,
						s.Payment)
				}
			}
		})
	}
}

// TestSkippingIsBackfillingWithoutReservations wants nphb(fit=skip) to start what EASY
// starts when it has no reservation to keep.
func TestSkippingIsBackfillingWithoutReservations(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 20).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, true)
		bids := drawBids(rt, jobs)
		easy := bidding(t, "easy(order=bid,backfill=bid,reservations=0)", jobs, procs, bids)
		sameStarts(rt, nil, bidding(t, "nphb(fit=skip)", jobs, procs, bids), easy)
	})
}
