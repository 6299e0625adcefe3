package sched_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/traces"
)

// worth is what jobs are worth and bid, by number.
type worth []float64

func (w worth) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: w[j.ID-1], Bid: w[j.ID-1]}, nil
}

// sell replays jobs under a policy that sets prices; a checkpoint below 0 is work that is
// lost.
func sell(t *testing.T, p policies.Policy, procs int, checkpoint events.Time, values worth, jobs ...traces.Job) starts {
	t.Helper()
	seller, _ := policies.As[policies.Seller](p)
	got := make(starts, len(jobs))
	cfg := engine.Config{Machine: engine.Processors(procs), Policy: p, Pricer: payment.NewAsked(seller), Bidder: values,
		Check:   true,
		Restart: checkpoint < 0, Checkpoint: max(checkpoint, 0)}
	if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), got); err != nil {
		t.Fatal(err)
	}
	return got
}

func saleJob(id int64, submit, run events.Time) traces.Job { return lasJob(id, submit, run, 1) }

// TestExponentialExample is the price list of four processors from 1 to 180: 1, 1.7302,
// 8.1375, 38.272.
func TestExponentialExample(t *testing.T) {
	jobs := []traces.Job{saleJob(1, 0, 10), saleJob(2, 0, 10), saleJob(3, 0, 10), saleJob(4, 1, 10), saleJob(5, 2, 10)}
	values := worth{30, 30, 30, 30, 150}
	prices := []float64{1, 1.7302, 8.1375, 0, 38.272}
	for i, o := range sell(t, sched.NewExponential(1, 180, false), 4, 0, values, jobs...) {
		if (o.WhyLeft != "") != (i == 3) || math.Abs(o.Payment-10*prices[i]) > 1e-2 {
			t.Errorf("job %d left %q, pays %g, want %g", i+1, o.WhyLeft, o.Payment, 10*prices[i])
		}
		if o.WhyLeft != "" && o.Flow() != 20*events.Second {
			t.Errorf("job %d is there for %v, want twice its run time", i+1, o.Flow())
		}
	}
	for i, o := range sell(t, sched.NewExponential(1, 180, true), 4, 0, values, jobs...) {
		if o.WhyLeft != "" || i == 3 && o.Start != 10*events.Second {
			t.Errorf("patient job %d starts at %v", i+1, o.Start)
		}
	}
}

// TestSpotExample is two processors and ticks every 5 s: prices 1, 4 and 1.
func TestSpotExample(t *testing.T) {
	jobs := []traces.Job{saleJob(1, 0, 9), saleJob(2, 0, 6), saleJob(3, 5, 4)}
	for _, c := range []struct {
		checkpoint events.Time
		ends       [3]events.Time
		bills      [3]float64
	}{
		{0, [3]events.Time{9, 11, 9}, [3]float64{21, 6, 16}},
		{-1, [3]events.Time{9, 16, 9}, [3]float64{21, 11, 16}},
		{3 * events.Second, [3]events.Time{9, 13, 9}, [3]float64{21, 8, 16}},
	} {
		for i, o := range sell(t, sched.NewSpot(5*events.Second, 1, false), 2, c.checkpoint, worth{5, 4, 8}, jobs...) {
			if o.End != c.ends[i]*events.Second || math.Abs(o.Payment-c.bills[i]) > 1e-9 {
				t.Errorf("checkpoint %v: job %d ends at %v and pays %g, want %d s and %g", c.checkpoint, i+1, o.End, o.Payment,
					int64(c.ends[i]), c.bills[i])
			}
		}
	}
}

// TestDLGMExample is a processor that is busy until 10; C pays B 8, A pays B 4 and C 3.
func TestDLGMExample(t *testing.T) {
	jobs := []traces.Job{saleJob(1, 0, 10), saleJob(2, 1, 4), saleJob(3, 2, 2), saleJob(4, 5, 1)}
	values := worth{1, 4, 3, 6}
	ends, net := []events.Time{10, 17, 13, 11}, []float64{0, -12, 5, 7}
	for i, o := range sell(t, sched.NewDLGM(true), 1, 0, values, jobs...) {
		if o.End != ends[i]*events.Second || math.Abs(o.Payment-net[i]) > 1e-9 {
			t.Errorf("job %d ends at %v and pays %g, want %d s and %g", i+1, o.End, o.Payment, int64(ends[i]), net[i])
		}
	}
	for i, o := range sell(t, sched.NewDLGM(false), 1, 0, values, jobs...) {
		if want := []float64{0, 0, 8, 7}[i]; math.Abs(o.Payment-want) > 1e-9 {
			t.Errorf("job %d pays %g without compensation, want %g", i+1, o.Payment, want)
		}
	}
}

// TestDLGMBalances wants payments to add up to nothing, and the utility of an honest job to be
// the one that it is promised at its arrival, whatever jobs come later.
func TestDLGMBalances(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "jobs")
		procs := rapid.IntRange(1, 3).Draw(rt, "procs")
		var jobs []traces.Job
		var values worth
		at := 0
		for i := range n {
			at += rapid.IntRange(0, 4).Draw(rt, "gap")
			jobs = append(jobs, saleJob(int64(i+1), events.Time(at), events.Time(rapid.IntRange(1, 8).Draw(rt, "run"))))
			values = append(values, float64(rapid.IntRange(0, 9).Draw(rt, "worth")))
		}
		all := sell(t, sched.NewDLGM(true), procs, 0, values, jobs...)
		sum := 0.0
		for i, o := range all {
			sum += o.Payment
			early := sell(t, sched.NewDLGM(true), procs, 0, values, jobs[:i+1]...)[i]
			if math.Abs(early.Utility()-o.Utility()) > 1e-9*(1+math.Abs(o.Utility())) {
				rt.Fatalf("job %d has a utility of %g, and was promised %g", i+1, o.Utility(), early.Utility())
			}
		}
		if math.Abs(sum) > 1e-6 {
			rt.Fatalf("payments add up to %g", sum)
		}
	})
}
