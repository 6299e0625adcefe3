package sched_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/traces"
)

// urgent offers jobs with shapes, by number.
type urgent []policies.Offer

func (u urgent) Bid(j *traces.Job) (policies.Offer, error) { return u[j.ID-1], nil }

func (u urgent) replay(t testing.TB, p policies.Policy, procs int, jobs []traces.Job) starts {
	t.Helper()
	got := make(starts, len(jobs))
	cfg := engine.Config{Machine: engine.Processors(procs), Policy: p, Pricer: payment.NewPosted(0), Bidder: u,
		Check: true}
	if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), got); err != nil {
		t.Fatal(err)
	}
	return got
}

// due is an offer of a job that is worth so much until a deadline.
func due(worth float64, run, until events.Time) policies.Offer {
	w := worth / float64(run)
	return policies.Offer{Value: w, Bid: w, Shape: policies.NewShape([]float64{1}, []float64{1}, until*events.Second)}
}

// TestDensityExample is three jobs on one processor, of length 4, 2, 2, worth 8, 10, 3 until
// 6, 4, 8: all are in time, and the second, which displaces the first, is from a worth of
// 4 on.
func TestDensityExample(t *testing.T) {
	jobs := []traces.Job{saleJob(1, 0, 4), saleJob(2, 1, 2), saleJob(3, 2, 2)}
	offers := func(second float64) urgent { return urgent{due(8, 4, 6), due(second, 2, 3), due(3, 2, 6)} }
	for _, p := range []policies.Policy{sched.NewHVD(false), sched.NewHVD(true), &sched.EDF{}} {
		for i, o := range offers(10).replay(t, p, 1, jobs) {
			if want := []float64{8, 10, 3}[i]; o.Valuation() != want {
				t.Errorf("%T: job %d realises %g, want %g", p, i+1, o.Valuation(), want)
			}
		}
	}
	for worth, want := range map[float64]float64{3.9: 0, 4.1: 4.1} {
		if got := offers(worth).replay(t, sched.NewHVD(true), 1, jobs)[1].Valuation(); got != want {
			t.Errorf("a second job worth %g realises %g, want %g", worth, got, want)
		}
	}
}

// TestHigherBidIsNoLater wants a job to lose no more by bidding more, where the density is
// static: what makes a critical payment truthful.
func TestHigherBidIsNoLater(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(rt, "jobs")
		procs := rapid.IntRange(1, 2).Draw(rt, "procs")
		var jobs []traces.Job
		var offers urgent
		at := 0
		for i := range n {
			at += rapid.IntRange(0, 3).Draw(rt, "gap")
			run := rapid.IntRange(1, 5).Draw(rt, "run")
			jobs = append(jobs, saleJob(int64(i+1), events.Time(at), events.Time(run)))
			bid := float64(rapid.IntRange(1, 30).Draw(rt, "bid"))
			offers = append(offers, policies.Offer{Value: bid, Bid: bid,
				Shape: policies.NewShape([]float64{float64(run + rapid.IntRange(0, 6).Draw(rt, "slack"))}, []float64{1},
					events.Second)})
		}
		i := rapid.IntRange(0, n-1).Draw(rt, "whose")
		before := offers.replay(t, sched.NewHVD(true), procs, jobs)[i]
		offers[i].Bid *= float64(rapid.IntRange(2, 9).Draw(rt, "times"))
		after := offers.replay(t, sched.NewHVD(true), procs, jobs)[i]
		if after.Loss() > before.Loss() {
			rt.Fatalf("job %d loses %g, and with a higher bid %g", i+1, before.Loss(), after.Loss())
		}
	})
}
