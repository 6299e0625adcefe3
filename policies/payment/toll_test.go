package payment_test

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

// worths are what jobs are worth, by number.
type worths []float64

func (w worths) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: w[j.ID-1], Bid: w[j.ID-1]}, nil
}

// TestTollExample is three jobs that arrive together to one processor: A is worth 6 and takes
// 1 s, B 4 and 4 s, C 3 and 2 s. Under wspt the toll is the Clarke payment.
func TestTollExample(t *testing.T) {
	var jobs []traces.Job
	for i, run := range []int{1, 4, 2} {
		jobs = append(jobs, traces.Job{ID: int64(i + 1), Run: events.Time(run) * events.Second, Procs: 1, Pieces: 1})
	}
	for policy, want := range map[string][3]float64{"hb": {7, 12, 0}, "wspt": {7, 0, 8}} {
		if got := [3]float64(tolls(t, policy, jobs, worths{6, 4, 3})); got != want {
			t.Errorf("%s: %v; want %v", policy, got, want)
		}
	}
}

// tolls replays jobs on one processor and returns what each pays.
func tolls(t testing.TB, policy string, jobs []traces.Job, values worths) []float64 {
	t.Helper()
	p, err := catalog.Policies.Make(policy)
	if err != nil {
		t.Fatal(err)
	}
	scheme, err := catalog.Payments.Make("toll:0")
	if err != nil {
		t.Fatal(err)
	}
	pricer, err := scheme(p)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, len(jobs))
	take := printer(func(o *engine.Outcome) { got[o.Job.ID-1] = o.Payment })
	config := engine.Config{Machine: engine.Processors(1), Policy: p, Pricer: pricer, Bidder: values, Check: true}
	if _, err := engine.Run(context.Background(), config, traces.MemoryOf(jobs...).Source(), take); err != nil {
		t.Fatal(err)
	}
	return got
}

// TestTollIsClarke compares the toll under wspt, on one processor with all jobs there at
// once, with what each job costs the others: its run time at the bids of those behind it.
func TestTollIsClarke(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var jobs []traces.Job
		var values worths
		for i := range rapid.IntRange(1, 9).Draw(rt, "jobs") {
			jobs = append(jobs, traces.Job{ID: int64(i + 1),
				Run: events.Time(rapid.IntRange(1, 9).Draw(rt, "run")) * events.Second, Procs: 1, Pieces: 1})
			values = append(values, float64(rapid.IntRange(0, 20).Draw(rt, "worth")))
		}
		density := func(i int) float64 { return values[i] / jobs[i].Run.Seconds() }
		for i, paid := range tolls(t, "wspt", jobs, values) {
			clarke := 0.0
			for k := range jobs {
				if density(k) < density(i) || density(k) == density(i) && k > i {
					clarke += jobs[i].Run.Seconds() * values[k]
				}
			}
			if math.Abs(paid-clarke) > 1e-9*(1+clarke) {
				rt.Fatalf("job %d pays a toll of %g, and costs the others %g", i+1, paid, clarke)
			}
		}
	})
}
