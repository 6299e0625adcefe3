package policytest

import (
	"context"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/traces"
)

// workload is a random workload, the machine it runs on and what it pays. Run
// times are at least a second, so that floors of one second in the orders do not
// see the unit of time.
type workload struct {
	procs    int
	pool     bool
	gpus     float64               // of the pool
	machines []traces.MachineEvent // of a cluster
	own      bool                  // prices of the policy's own kind
	jobs     []traces.Job
	bids     []float64
}

func draw(t *rapid.T, traits policies.Traits, needs policies.Needs, want Expect) *workload {
	w := &workload{procs: rapid.IntRange(1, 8).Draw(t, "procs"), own: rapid.Bool().Draw(t, "own prices")}
	switch {
	case traits.Places:
		w.drawMachines(t, want.GPUs)
	case traits.Packs:
		w.pool = traits.Resources > 1 || rapid.Bool().Draw(t, "pool")
		if w.pool && (traits.MostResources == 0 || traits.MostResources > 2) && (traits.Resources > 2 || rapid.Bool().Draw(t, "gpus")) {
			w.gpus = float64(w.procs) / 2
		}
	}
	widest := w.procs
	if want.SerialOnly || w.machines != nil {
		widest = 1
	}
	if want.GPUs {
		widest = 2
	}
	overruns := want.Overruns && rapid.Bool().Draw(t, "overruns")
	at := events.Time(0)
	for i := rapid.IntRange(1, 30).Draw(t, "jobs"); i > 0; i-- {
		at += events.Time(rapid.IntRange(0, 4).Draw(t, "gap")) * events.Second
		run := events.Time(rapid.IntRange(1, 12).Draw(t, "run")) * events.Second
		estimate := run + events.Time(rapid.IntRange(0, 9).Draw(t, "over"))*events.Second
		if overruns {
			estimate = events.Time(rapid.IntRange(1, 12).Draw(t, "estimate")) * events.Second
		}
		w.jobs = append(w.jobs, traces.Job{
			ID: int64(len(w.jobs) + 1), Submit: at, Run: run, Pieces: 1, Estimate: estimate,
			Procs: int32(rapid.IntRange(1, widest).Draw(t, "width")),
			CPU:   float64(rapid.IntRange(1, 4).Draw(t, "cpu")) / 4, Memory: float64(rapid.IntRange(0, 4).Draw(t, "memory")) / 4,
			User: traces.Label(rapid.IntRange(1, 4).Draw(t, "user")),
		})
		if needs.RecordedWaits {
			if w.jobs[len(w.jobs)-1].Wait = events.Unknown; rapid.Bool().Draw(t, "waited") {
				w.jobs[len(w.jobs)-1].Wait = events.Time(rapid.IntRange(0, 9).Draw(t, "wait")) * events.Second
			}
		}
		if want.GPUs {
			w.jobs[len(w.jobs)-1].GPU = rapid.SampledFrom([]float64{0, .25, .7, 1, 2}).Draw(t, "gpu")
			w.jobs[len(w.jobs)-1].Model = traces.NoLabel
		}
		if w.gpus > 0 {
			w.jobs[len(w.jobs)-1].GPU = float64(rapid.IntRange(0, 2).Draw(t, "gpu")) / 4
		}
		w.bids = append(w.bids, float64(rapid.IntRange(0, 5).Draw(t, "bid")))
	}
	return w
}

// drawMachines draws machines of a cluster, all but the first of which may go and
// come back otherwise. Any job fits on the first.
func (w *workload) drawMachines(t *rapid.T, gpus bool) {
	n := rapid.IntRange(1, 4).Draw(t, "machines")
	for i := range n {
		w.machines = append(w.machines, traces.MachineEvent{Machine: int64(100 - i), CPU: 1, Memory: 1})
		if x := &w.machines[i]; gpus {
			x.GPU, x.Model = float64(rapid.IntRange(0, 3).Draw(t, "devices")), "some"
		}
	}
	if x := &w.machines[0]; gpus {
		x.CPU, x.Memory, x.GPU = 2, 2, 4
	}
	at := events.Time(0)
	for i := rapid.IntRange(0, 6).Draw(t, "changes"); i > 0 && n > 1; i-- {
		at += events.Time(rapid.IntRange(0, 9).Draw(t, "later")) * events.Second
		w.machines = append(w.machines, traces.MachineEvent{
			At: at, Machine: int64(100 - rapid.IntRange(1, n-1).Draw(t, "machine")), Gone: rapid.Bool().Draw(t, "gone"),
			CPU: float64(rapid.IntRange(1, 4).Draw(t, "cpu")) / 4, Memory: float64(rapid.IntRange(1, 4).Draw(t, "memory")) / 4,
		})
	}
}

// config is the engine's, with the policy under watch.
func (w *workload) config(t *rapid.T, p policies.Policy) engine.Config {
	cfg := engine.Config{Machine: engine.Processors(w.procs), Policy: &watched{Policy: p, t: t}, Pricer: w.pricer(p), Bidder: &offers{bids: w.bids}, Check: true}
	switch {
	case w.machines != nil:
		cfg.Machine = engine.Cluster(w.machines)
	case w.pool:
		cfg.Machine = engine.Pool{CPU: float64(w.procs), Memory: float64(w.procs), GPU: w.gpus, Machines: float64(w.procs)}
	}
	return cfg
}

// pricer is one that works with the policy.
func (w *workload) pricer(p policies.Policy) policies.Pricer {
	if w.own {
		if s, ok := policies.As[policies.Spender](p); ok {
			return payment.NewBids(s)
		}
		if m, ok := policies.As[policies.Market](p); ok {
			return payment.NewKth(m, 1)
		}
	}
	return payment.NewFirst(1)
}

// replay returns what became of the jobs, and how many were evicted from machines
// that went.
func (w *workload) replay(t *rapid.T, p policies.Policy) ([]engine.Outcome, int64) {
	var got outcomes
	sum, err := engine.Run(context.Background(), w.config(t, p), traces.MemoryOf(w.jobs...).Source(), &got)
	if err != nil {
		t.Fatal(err)
	}
	return got, sum.Evictions
}

// relay hands a replay over to a copy every few instants and lets the original go
// on for some afterwards: what it does must not reach the copy.
func (w *workload) relay(t *rapid.T, p policies.Policy, every int) []engine.Outcome {
	cfg := w.config(t, p)
	offered := cfg.Bidder.(*offers)
	got := &outcomes{}
	r, err := engine.New(cfg, traces.MemoryOf(w.jobs...).Source(), got)
	for step := 1; err == nil && r.More(); step++ {
		if err = r.Step(); err != nil || step%every != 0 {
			continue
		}
		original := r
		forked, bids := append(outcomes(nil), *got...), *offered
		if r, err = original.Fork(&bids, &forked); err != nil {
			break
		}
		for i := 0; err == nil && i < every && original.More(); i++ {
			err = original.Step()
		}
		got, offered = &forked, &bids
	}
	if err != nil {
		t.Fatal(err)
	}
	return *got
}

type outcomes []engine.Outcome

func (s *outcomes) Record(o *engine.Outcome) error {
	*s = append(*s, *o)
	return nil
}

// offers hands the drawn bids out in trace order.
type offers struct {
	bids []float64
	at   int
}

func (o *offers) Bid(*traces.Job) (policies.Offer, error) {
	b := o.bids[o.at]
	o.at++
	return policies.Offer{Value: b, Bid: b}, nil
}
