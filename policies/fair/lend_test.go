package fair_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies/fair"
	"bourse/policies/lending"
	"bourse/policies/payment"
	"bourse/traces"
)

// lenders are the mechanisms of a season.
var lenders = map[string]func([]float64, int) (lending.Joining, error){
	"static":  func(e []float64, _ int) (lending.Joining, error) { return lending.NewStatic(e), nil },
	"smm":     func(e []float64, _ int) (lending.Joining, error) { return lending.NewSMM(e), nil },
	"dmm":     func(e []float64, _ int) (lending.Joining, error) { return lending.NewDMM(e), nil },
	"fl":      func(e []float64, n int) (lending.Joining, error) { return lending.NewFL(e, n), nil },
	"tperiod": func(e []float64, n int) (lending.Joining, error) { return lending.NewTPeriod(e, 2, n) },
	"karma":   func(e []float64, _ int) (lending.Joining, error) { return lending.NewKarma(e, .5, 5) },
}

// TestLendCompletes replays random workloads under the audit: every mechanism hands
// out no more than there is, and everybody's work gets done.
func TestLendCompletes(t *testing.T) {
	for name, make := range lenders {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := drawWorkload(t)
				p := fair.NewLend(make, events.Time(rapid.IntRange(1, 7).Draw(t, "every"))*events.Second,
					rapid.IntRange(1, 6).Draw(t, "rounds"))
				if err := c.replay(p, false); err != nil {
					t.Fatal(err)
				}
				if len(c.done) != len(c.jobs) {
					t.Fatalf("%d of %d jobs ended", len(c.done), len(c.jobs))
				}
			})
		})
	}
}

// TestLendByHand: four processors, rounds of 10 s, a season of three. A has five
// jobs of 10 s at time 0, B four at 5 s.
//
//	round 1, from 0:   only A is there: 4 processors, four jobs end at 10
//	round 2, from 10:  B joins; A demands 1, B 4
//	round 3, from 20
func TestLendByHand(t *testing.T) {
	for name, want := range map[string]map[int64]float64{
		// Max-min: A gets 1 and B 3; then B has one job left.
		"smm": {4: 10, 5: 20, 6: 20, 8: 20, 9: 30},
		// Half each: A's one job runs, the other processor of A idles.
		"static": {4: 10, 5: 20, 6: 20, 7: 20, 8: 30, 9: 30},
		// FL deals A 4 x 3 = 12 tokens; 4 are paid in round 1, and when B joins the rest
		// shrink to 4, B having 2 x 2 = 4. Round 2 hands out A 1, B 3; round 3 A's last 3
		// and B's last 1, which is what B demands.
		"fl": {4: 10, 5: 20, 6: 20, 8: 20, 9: 30},
	} {
		c := &workload{done: map[int64]events.Time{}, ran: map[int64]events.Time{}}
		for i := range 9 {
			j := traces.Job{ID: int64(i + 1), Run: 10 * events.Second, Procs: 1, Pieces: 1, Estimate: events.Unknown}
			if i >= 5 {
				j.User, j.Submit = 1, 5*events.Second
			}
			c.jobs = append(c.jobs, j)
		}
		cfg := engine.Config{Machine: engine.Processors(4), Policy: fair.NewLend(lenders[name], 10*events.Second, 3),
			Pricer: payment.NewPosted(0), Bidder: c, Check: true}
		if _, err := engine.Run(context.Background(), cfg, c, c); err != nil {
			t.Fatal(err)
		}
		for id, end := range want {
			if got := c.done[id].Seconds(); got < end-1e-3 || got > end+1e-3 {
				t.Errorf("%s: job %d ends at %g s, want %g", name, id, got, end)
			}
		}
	}
}
