package engine_test

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/traces"
)

// plan is a policy made of a function.
type plan func(*policies.Round)

func (p plan) Plan(r *policies.Round) { p(r) }
func (p plan) Clone() policies.Policy { return p }

// flat bids the same for everybody.
type flat float64

func (b flat) Bid(*traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: float64(b), Bid: float64(b)}, nil
}

type slice []traces.Job

func (s *slice) Header() *traces.Header { return &traces.Header{Ledger: &traces.Ledger{}} }

func (s *slice) Next(j *traces.Job) error {
	if len(*s) == 0 {
		return io.EOF
	}
	*j, *s = (*s)[0], (*s)[1:]
	return nil
}

func sec(n int) events.Time { return events.Time(n) * events.Second }

func startAll(r *policies.Round) {
	for _, ref := range r.Arrived {
		r.Start(ref)
	}
}

// TestFaultsAreNamed wants every fault of a policy, a source, a bidder or a
// sink to stop the replay with a sentence that says whose it is.
func TestFaultsAreNamed(t *testing.T) {
	one := traces.Job{ID: 41, Submit: sec(5), Run: sec(10), Procs: 1, Estimate: events.Unknown}
	wide := traces.Job{ID: 42, Submit: sec(6), Run: sec(10), Procs: 3, Estimate: events.Unknown}
	early := traces.Job{ID: 43, Submit: sec(1), Run: sec(1), Procs: 1}
	unrun := traces.Job{ID: 44, Run: events.Unknown, Procs: 1}
	huge := traces.Job{ID: 45, Run: 1, Procs: 5}
	for _, c := range []struct {
		name   string
		policy policies.Policy
		bids   flat
		procs  int
		jobs   slice
		want   string
	}{
		{"start twice", plan(func(r *policies.Round) { startAll(r); startAll(r) }), 1, 4, slice{one},
			"the policy at 5s starts job 41, but it is not waiting"},
		{"preempt a waiting job", plan(func(r *policies.Round) { r.Preempt(r.Arrived[0]) }), 1, 4, slice{one},
			"preempts job 41, but it is not running"},
		{"stop and go", plan(func(r *policies.Round) {
			startAll(r)
			if r.Now == sec(6) {
				r.Preempt(0)
				r.Start(0)
			}
		}), 1, 4, slice{one, wide}, "starts job 41, but the same round preempts it"},
		{"leave without reason", plan(func(r *policies.Round) { r.Leave(r.Arrived[0], 2, "") }), 1, 4, slice{one},
			`lets go of job 41, but for 2 run times elsewhere, as ""`},
		{"leave twice", plan(func(r *policies.Round) { startAll(r); r.Leave(r.Arrived[0], 2, "tired") }), 1, 4, slice{one},
			"lets go of job 41, but it is not waiting"},
		{"unknown ref", plan(func(r *policies.Round) { r.Start(77) }), 1, 4, slice{one},
			"starts an unknown job (ref 77), but it is not waiting"},
		{"overfull", plan(startAll), 1, 3, slice{one, wide},
			"the policy at 6s starts job 42, but it needs 3 processors, free are 2 processors"},
		{"leaves jobs waiting", plan(func(*policies.Round) {}), 1, 4, slice{one, wide},
			"2 jobs still wait; the first is job 41, 1 processors, submitted at 5s"},
		{"no processors", plan(startAll), 1, 0, slice{one}, "a machine of 0 processors cannot run any job"},
		{"disorder", plan(startAll), 1, 4, slice{one, early}, "job 43 was submitted at 1s, before the job read last (5s)"},
		{"never ran", plan(startAll), 1, 4, slice{unrun}, "job 44 has no run time"},
		{"too large", plan(startAll), 1, 4, slice{huge}, "job 45 asks for 5 processors, the machine has 4"},
		{"no estimate", sched.NewList(order.ByBidPerEstimate), 1, 4, slice{one},
			"job 41 has no estimate, which the policy needs"},
		{"NaN", plan(startAll), flat(math.NaN()), 4, slice{one}, "job 41: value NaN and bid NaN should be finite"},
		{"negative", plan(startAll), -1, 4, slice{one}, "job 41: value -1 and bid -1 should be finite"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := engine.Config{Machine: engine.Processors(c.procs), Policy: c.policy, Pricer: payment.NewPosted(0),
				Bidder: c.bids}
			_, err := engine.Run(context.Background(), cfg, &c.jobs, &history{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant an error with %q", err, c.want)
			}
		})
	}
}

type full struct{}

var errFull = errors.New("no space left")

func (full) Record(*engine.Outcome) error { return errFull }

func TestSinkAndContextStopTheReplay(t *testing.T) {
	jobs := func() *slice {
		return &slice{{ID: 1, Run: 1, Procs: 1}, {ID: 2, Submit: 1, Run: 1, Procs: 1}}
	}
	cfg := engine.Config{Machine: engine.Processors(1), Policy: sched.NewList(order.BySubmit),
		Pricer: payment.NewPosted(0), Bidder: flat(1)}
	if sum, err := engine.Run(context.Background(), cfg, jobs(), full{}); !errors.Is(err, errFull) || sum.Jobs != 1 {
		t.Errorf("a failing sink: %v after %d jobs", err, sum.Jobs)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := engine.Run(ctx, cfg, jobs(), &history{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled replay: %v", err)
	}
}

// cheat is a price scheme that bills less than its prices add up to.
type cheat struct{ *payment.Posted }

func (c cheat) Close(ref policies.Ref, j *policies.Job) float64 { return c.Posted.Close(ref, j) * .99 }

func TestCheckFindsWrongBills(t *testing.T) {
	cfg := engine.Config{Machine: engine.Processors(1), Policy: sched.NewList(order.BySubmit),
		Pricer: cheat{payment.NewPosted(2)}, Bidder: flat(1), Check: true}
	_, err := engine.Run(context.Background(), cfg, &slice{{ID: 7, Run: sec(10), Procs: 1}}, &history{})
	if err == nil || !strings.Contains(err.Error(), "job 7 is billed 19.8, its prices add up to 20") {
		t.Errorf("a wrong bill under Check: %v", err)
	}
}

// TestWake wants a policy to be called at the time it asked for.
func TestWake(t *testing.T) {
	var rounds []events.Time
	p := plan(func(r *policies.Round) {
		rounds = append(rounds, r.Now)
		if len(r.Arrived) > 0 {
			r.Wake(r.Now + sec(3))
			r.Wake(r.Now + sec(2))
			r.Wake(r.Now - 1)
		}
		if r.Now == sec(7) {
			r.Start(0)
		}
	})
	cfg := engine.Config{Machine: engine.Processors(1), Policy: p, Pricer: payment.NewPosted(0), Bidder: flat(1),
		Check: true}
	sum, err := engine.Run(context.Background(), cfg, &slice{{ID: 1, Submit: sec(5), Run: sec(1), Procs: 1}}, &history{})
	if err != nil || len(rounds) != 3 || rounds[1] != sec(7) || sum.Events != 3 {
		t.Errorf("rounds at %v, %d events, %v", rounds, sum.Events, err)
	}
}

// TestClockRunsOver wants absurd run times to be an error, not ends before the start.
func TestClockRunsOver(t *testing.T) {
	for _, jobs := range []int{2, 12} {
		var log slice
		for i := range jobs {
			j := traces.UnknownJob
			j.ID, j.Procs, j.Run = int64(i+1), 1, 2e12*events.Second
			log = append(log, j)
		}
		cfg := engine.Config{Machine: engine.Processors(1), Policy: sched.NewList(order.BySubmit),
			Pricer: payment.NewPosted(0), Bidder: flat(1), Check: true}
		_, err := engine.Run(context.Background(), cfg, &log, &history{})
		if over := err != nil && strings.Contains(err.Error(), "simulated time overflows"); over != (jobs > 2) {
			t.Errorf("%d jobs: %v", jobs, err)
		}
	}
}
