package engine_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/traces"
	"bourse/traces/transform"
)

var (
	policyNames  = []string{"hb", "hb(fit=skip)", "nphb", "nphb(fit=skip)", "wspt", "wsept", "fcfs"}
	paymentNames = []string{"first", "kth", "kth-uncapped", "posted", "none"}
)

func newPolicy(name string) policies.Policy {
	switch name {
	case "hb":
		return &sched.HighestBid{}
	case "hb(fit=skip)":
		return sched.NewSkipping(true)
	case "nphb(fit=skip)":
		return sched.NewSkipping(false)
	case "nphb":
		return sched.NewList(order.ByBid)
	case "wspt":
		return sched.NewList(order.ByBidPerRun)
	case "wsept":
		return sched.NewList(order.ByBidPerEstimate)
	case "fcfs":
		return sched.NewList(order.BySubmit)
	}
	panic(name)
}

func newPricer(name string, p policies.Policy) policies.Pricer {
	switch name {
	case "first":
		return payment.NewFirst(1)
	case "kth":
		return payment.NewKth(p.(policies.Market), 1)
	case "kth-uncapped":
		return payment.NewKthUncapped(p.(policies.Market), 1)
	case "posted":
		return payment.NewPosted(3)
	case "none":
		return payment.NewPosted(0)
	}
	panic(name)
}

// TestAgainstNaiveEngine draws small workloads full of ties, zero run times,
// wide jobs and changing bids, and wants every job's history from the engine to
// be the naive engine's.
func TestAgainstNaiveEngine(t *testing.T) {
	for _, policy := range policyNames {
		for _, pay := range paymentNames {
			t.Run(policy+"/"+pay, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					n := drawWorkload(t)
					n.payment = pay
					n.under(policy)
					got := replay(t, n)
					n.run()
					compare(t, n, got)
				})
			})
		}
	}
}

// drawWorkload draws times in tenths of seconds out of few values, so that
// events coincide often.
func drawWorkload(t *rapid.T) *naive {
	n := &naive{procs: rapid.IntRange(1, 6).Draw(t, "procs"), reserve: 1, posted: 3}
	if rapid.Bool().Draw(t, "migration") {
		n.migration = 300_000
	}
	if rapid.Bool().Draw(t, "starting") {
		n.starting = 700_000
	}
	n.restart = rapid.Bool().Draw(t, "restart")
	if rapid.Bool().Draw(t, "pool") {
		n.pool = []float64{float64(n.procs) / 2, float64(n.procs) / 4}
		if rapid.Bool().Draw(t, "gpus") {
			n.pool = append(n.pool, float64(n.procs)/8)
		}
	}
	highest := rapid.IntRange(1, 6).Draw(t, "highest bid")
	widest := rapid.IntRange(1, n.procs).Draw(t, "widest")
	tenths := func(name string, high int) events.Time {
		return events.Time(rapid.IntRange(0, high).Draw(t, name)) * 100_000
	}
	count := rapid.IntRange(1, 25).Draw(t, "jobs")
	for i := 0; i < count; i++ {
		j := &naiveJob{
			job: traces.Job{
				ID: int64(i + 1), Submit: tenths("submit", 60), Run: tenths("run", 30), Pieces: 1,
				Estimate: tenths("estimate", 40), Procs: int32(rapid.IntRange(1, widest).Draw(t, "width")),
				CPU: -1, Memory: -1,
			},
			value: float64(rapid.IntRange(0, 8).Draw(t, "value")),
			bid:   float64(rapid.IntRange(0, highest).Draw(t, "bid")),
		}
		if n.pool != nil { // in eighths, at most as much as there is
			j.job.CPU = float64(rapid.IntRange(0, 4).Draw(t, "cpu")) / 8
			j.job.Memory = float64(rapid.IntRange(0, 2).Draw(t, "memory")) / 8
		}
		if len(n.pool) > 2 { // shares of a device
			j.job.GPU = float64(rapid.IntRange(0, 2).Draw(t, "gpu")) / 16
		}
		last := events.Time(-1)
		for k := rapid.IntRange(0, 2).Draw(t, "rebids"); k > 0; k-- {
			if at := tenths("rebid at", 80); at > last {
				j.rebids = append(j.rebids, policies.Rebid{At: at, Bid: float64(rapid.IntRange(0, highest).Draw(t, "rebid"))})
				last = at
			}
		}
		j.left = j.job.Run
		n.jobs = append(n.jobs, j)
	}
	sort.SliceStable(n.jobs, func(a, b int) bool { return n.jobs[a].job.Submit < n.jobs[b].job.Submit })
	return n
}

// asSource serves a naive workload's jobs, and asBidder its offers.
type asSource struct {
	n  *naive
	at int
}

func (s *asSource) Header() *traces.Header { return &traces.Header{Ledger: &traces.Ledger{}} }

func (s *asSource) Next(j *traces.Job) error {
	if s.at == len(s.n.jobs) {
		return io.EOF
	}
	*j = s.n.jobs[s.at].job
	s.at++
	return nil
}

type asBidder map[int64]*naiveJob

func (b asBidder) Bid(j *traces.Job) (policies.Offer, error) {
	return policies.Offer{Value: b[j.ID].value, Bid: b[j.ID].bid}, nil
}

func (b asBidder) Rebids(j *traces.Job) []policies.Rebid { return b[j.ID].rebids }

// history keeps what a replay says.
type history struct {
	outcomes []engine.Outcome
	charges  map[int64]float64
	held     map[int64]events.Time
	samples  []engine.Sample
}

func (s *history) Record(o *engine.Outcome) error {
	kept := *o
	kept.Also = slices.Clone(o.Also)
	s.outcomes = append(s.outcomes, kept)
	return nil
}

func (s *history) Segment(g *engine.Segment) error {
	s.charges[g.Job.ID] += g.Charge
	s.held[g.Job.ID] += g.End - g.Start
	return nil
}

func (s *history) Sample(x *engine.Sample) error {
	s.samples = append(s.samples, *x)
	return nil
}

func replay(t *rapid.T, n *naive) *history {
	offers := asBidder{}
	for _, j := range n.jobs {
		offers[j.job.ID] = j
	}
	got := &history{charges: map[int64]float64{}, held: map[int64]events.Time{}}
	p := newPolicy(n.name())
	cfg := n.config(p, newPricer(n.payment, p), offers)
	cfg.Check, cfg.Segments, cfg.Samples = true, got, got
	var src traces.Source = &asSource{n: n}
	if n.feedback {
		src = transform.NewFeedback(src)
	}
	_, err := engine.Run(context.Background(), cfg, src, got)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// under sets the policy, by name.
func (n *naive) under(name string) { n.policy, n.skip = strings.CutSuffix(name, "(fit=skip)") }

// name is the policy's with its rule of fit.
func (n *naive) name() string {
	if n.skip {
		return n.policy + "(fit=skip)"
	}
	return n.policy
}

// config is the engine's for a naive workload.
func (n *naive) config(p policies.Policy, pricer policies.Pricer, offers policies.Bidder) engine.Config {
	cfg := engine.Config{Machine: engine.Processors(n.procs), Policy: p, Pricer: pricer, Bidder: offers,
		MigrationCost: n.migration, StartCost: n.starting, Restart: n.restart, ResubmitKilled: n.resubmit}
	if n.pool != nil {
		pool := engine.Pool{CPU: n.pool[0], Memory: n.pool[1], Machines: float64(n.procs)}
		if len(n.pool) > 2 {
			pool.GPU = n.pool[2]
		}
		cfg.Machine = pool
	}
	return cfg
}

func compare(t *rapid.T, n *naive, got *history) {
	if len(got.outcomes) != len(n.jobs) {
		t.Fatalf("%d outcomes for %d jobs", len(got.outcomes), len(n.jobs))
	}
	for i := range got.outcomes {
		o := &got.outcomes[i]
		w := n.came[o.Seq]
		g := fmt.Sprintf("start %v end %v preempted %d restarts %d lost %v", o.Start, o.End, o.Preemptions, o.Restarts,
			o.Lost)
		if want := fmt.Sprintf("start %v end %v preempted %d restarts %d lost %v", w.start, w.end, w.preemptions, w.restarts,
			w.worked-w.job.Run); g != want {
			t.Fatalf("job %d: %s, naive engine: %s", o.Job.ID, g, want)
		}
		utility := -w.value*n.size(w)*(w.end-w.job.Submit).Seconds() - w.payment
		if !close(o.Payment, w.payment) || !close(o.Utility(), utility) || o.Bid != w.bid {
			t.Fatalf("job %d: payment %v utility %v bid %v, naive engine: %v %v %v", o.Job.ID, o.Payment, o.Utility(), o.Bid,
				w.payment, utility, w.bid)
		}
		if !close(got.charges[o.Job.ID], o.Payment) || got.held[o.Job.ID] != o.Job.Run+o.Lost {
			t.Fatalf("job %d: segments add up to %v in %v, bill %v, run %v", o.Job.ID, got.charges[o.Job.ID], got.held[o.Job.ID],
				o.Payment, o.Job.Run+o.Lost)
		}
		if i > 0 && o.End < got.outcomes[i-1].End {
			t.Fatalf("outcome %d is out of order of completion", i)
		}
	}
}

func close(x, y float64) bool { return math.Abs(x-y) <= 1e-9*max(1, math.Abs(x), math.Abs(y)) }
