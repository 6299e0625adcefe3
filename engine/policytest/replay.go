package policytest

import (
	"errors"
	"fmt"

	"bourse/engine"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/traces"
)

// outcomes are the results of the jobs of a workload, in order of completion.
type outcomes struct {
	list                   []engine.Outcome
	preemptions, evictions int64
	unended                error // jobs were left waiting
}

// Record implements engine.Sink.
func (o *outcomes) Record(x *engine.Outcome) error {
	o.list = append(o.list, *x)
	o.preemptions += int64(x.Preemptions)
	return nil
}

func (o *outcomes) clone() *outcomes {
	c := *o
	c.list = append([]engine.Outcome(nil), o.list...)
	return &c
}

// replay runs a workload under a new policy.
func (k *kit) replay(w *workload) (got outcomes, err error) {
	cfg, err := k.config(w)
	if err != nil {
		return got, err
	}
	sum, err := engine.Run(k.ctx, cfg, w.source(), &got)
	got.evictions = sum.Evictions
	return got, err
}

// source is the jobs as a log that has dates: its zero is a Monday, 17 February 1997, 9:00 in UTC.
func (w *workload) source() traces.Source {
	jobs := traces.MemoryOf(w.jobs...)
	jobs.Header().Start = 856170000
	return jobs.Source()
}

// relay hands a replay over to a copy every few instants and lets the original go
// on for some afterwards: what it does must not reach the copy.
func (k *kit) relay(w *workload) (outcomes, error) {
	cfg, err := k.config(w)
	if err != nil {
		return outcomes{}, err
	}
	every, copied := w.handover, false
	if k.outside {
		every = 1 + len(w.jobs)/2
	}
	offered, got := cfg.Bidder.(*offers), &outcomes{}
	r, err := engine.New(cfg, w.source(), got)
	if err != nil {
		return outcomes{}, err
	}
	defer func() { r.Close() }()
	for step := 1; err == nil && r.More(); step++ {
		if err = r.Step(); err != nil || step%every != 0 || k.outside && copied {
			continue
		}
		original, bids := r, *offered
		forked := got.clone()
		next, failed := original.Fork(&bids, forked)
		if failed != nil {
			return *got, failed
		}
		for i := 0; err == nil && i < every && original.More(); i++ {
			err = original.Step()
		}
		original.Close()
		r, got, offered, copied = next, forked, &bids, true
	}
	return *got, err
}

// config is the engine's, with the policy under watch.
func (k *kit) config(w *workload) (engine.Config, error) {
	p, err := k.fresh()
	if err != nil {
		return engine.Config{}, err
	}
	cfg := engine.Config{Machine: engine.Processors(w.procs), Policy: &watched{Policy: p, left: 1000 * len(w.jobs)},
		Pricer: k.pricer(w, p), Bidder: &offers{bids: w.bids}, Check: true}
	switch {
	case w.machines != nil:
		cfg.Machine = engine.Cluster(w.machines)
	case w.pool:
		cfg.Machine = engine.Pool{CPU: float64(w.procs), Memory: float64(w.procs), GPU: w.gpus, Machines: float64(w.procs)}
	}
	return cfg, nil
}

// pricer is the scheme that is tried, or one that works with the policy.
func (k *kit) pricer(w *workload, p policies.Policy) policies.Pricer {
	if k.price != nil {
		return k.price(p)
	}
	return w.pricer(p)
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

// watched checks that Plan leaves the table of jobs alone, and comes to an end. All else is
// as the policy inside has it.
type watched struct {
	policies.Policy
	left   int // calls of Plan
	before []policies.Job
	err    error
}

var errUnended = errors.New("jobs wait for ever")

func (w *watched) Unwrap() policies.Policy { return w.Policy }

func (w *watched) Clone() policies.Policy {
	return &watched{Policy: w.Policy.Clone(), left: w.left, err: w.err}
}

// Err implements policies.Failer.
func (w *watched) Err() error { return w.err }

// Failers implements policies.Fallible.
func (w *watched) Failers() []policies.Failer {
	list := []policies.Failer{w}
	if inner, ok := policies.As[policies.Fallible](w.Policy); ok {
		list = append(list, inner.Failers()...)
	}
	return list
}

func (w *watched) Plan(r *policies.Round) {
	if w.left--; w.left < 0 {
		w.err = errUnended
	}
	w.before = w.before[:0]
	for ref := range policies.Ref(r.Jobs.Len()) {
		w.before = append(w.before, *r.Job(ref))
	}
	w.Policy.Plan(r)
	for ref, before := range w.before {
		if before != *r.Job(policies.Ref(ref)) {
			w.err = fmt.Errorf("the policy wrote to the table of jobs at %v", r.Now)
		}
	}
}
