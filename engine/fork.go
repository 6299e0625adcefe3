package engine

import (
	"fmt"
	"slices"

	"bourse/policies"
	"bourse/traces"
)

// Forker is implemented by sources whose position can be copied.
type Forker interface {
	// Fork returns an independent source that continues from here.
	Fork() traces.Source
}

// Fork copies a replay in progress. The copy continues independently, drawing bids
// from bidder and giving records to sink: what if from here on something were
// different? It costs time and memory in proportion to the live jobs. The
// source must be able to copy its position (Forker). Segments, samples, rounds and
// the audit are not carried over.
func (e *Replay) Fork(bidder policies.Bidder, sink Sink) (*Replay, error) {
	source, ok := e.src.(Forker)
	if !ok {
		return nil, fmt.Errorf("a replay of %T cannot be forked; read the trace into memory first (traces.Load)", e.src)
	}
	f := *e
	f.cfg.Policy = e.cfg.Policy.Clone()
	f.pricers = slices.Clone(e.pricers)
	for i, p := range e.pricers {
		f.pricers[i] = p.Clone(f.cfg.Policy)
	}
	f.failers = f.ableToFail()
	f.cfg.Pricer, f.cfg.Also, f.cfg.Bidder = f.pricers[0], f.pricers[1:], bidder
	f.cfg.Segments, f.cfg.Samples, f.cfg.Arrivals, f.cfg.Rounds, f.cfg.Causes, f.cfg.Check, f.cfg.Progress = nil, nil, nil, nil, nil, false, nil
	f.nodes, f.audit = nil, nil
	f.src, f.sink = source.Fork(), sink
	f.reactive, _ = traces.As[traces.Reactive](f.src)
	f.rebidder, _ = bidder.(policies.Rebidder)
	f.queue = e.queue.Clone()
	f.jobs, f.lives, f.free = e.jobs.Clone(), e.lives.Clone(), slices.Clone(e.free)
	f.rebids, f.bills = slices.Clone(e.rebids), slices.Clone(e.bills)
	f.atOnce = nil
	f.round = policies.Round{Procs: e.round.Procs, Total: e.round.Total, Demand: e.round.Demand, Machines: slices.Clone(e.round.Machines)}
	f.machine.placement = e.machine.clone()
	return &f, nil
}

// Next returns the next job to arrive and whether there is one.
func (e *Replay) Next() (*traces.Job, bool) { return &e.next, e.more }
