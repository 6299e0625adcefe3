package engine

import (
	"fmt"
	"slices"

	"bourse/policies"
	"bourse/traces"
)

// Forker is implemented by sources whose position can be copied.
type Forker interface {
	// Fork returns a source that goes on from here by itself.
	Fork() traces.Source
}

// Fork copies a replay in progress. The copy goes on by itself, drawing bids
// from bidder and giving records to sink: what if from here on something were
// different? It costs time and memory in proportion to the live jobs. Source,
// policy and price scheme must be able to copy their state (Forker,
// policies.PolicyCloner, policies.PricerCloner). Segments, samples, rounds and the
// audit are not carried over.
func (e *Replay) Fork(bidder policies.Bidder, sink Sink) (*Replay, error) {
	source, ok := e.src.(Forker)
	if !ok {
		return nil, fmt.Errorf("a replay of %T cannot be forked; read the trace into memory first (traces.Load)", e.src)
	}
	if e.cluster != nil {
		return nil, fmt.Errorf("a replay on a cluster of machines cannot be forked; use --machines pool")
	}
	policy, ok := e.cfg.Policy.(policies.PolicyCloner)
	if !ok {
		return nil, fmt.Errorf("policy %T cannot be copied (policies.PolicyCloner)", e.cfg.Policy)
	}
	f := *e
	f.pricers = slices.Clone(e.pricers)
	for i, p := range e.pricers {
		pricer, ok := p.(policies.PricerCloner)
		if !ok {
			return nil, fmt.Errorf("price scheme %T cannot be copied (policies.PricerCloner)", p)
		}
		f.pricers[i] = pricer.ClonePricer()
	}
	f.cfg.Policy, f.cfg.Pricer, f.cfg.Also, f.cfg.Bidder = policy.ClonePolicy(), f.pricers[0], f.pricers[1:], bidder
	f.cfg.Segments, f.cfg.Samples, f.cfg.Rounds, f.cfg.Check, f.cfg.Progress = nil, nil, nil, false, nil
	f.nodes, f.audit = nil, nil
	f.src, f.sink = source.Fork(), sink
	f.rebidder, _ = bidder.(policies.Rebidder)
	f.queue = e.queue.Clone()
	f.jobs, f.lives, f.free = e.jobs.Clone(), e.lives.Clone(), slices.Clone(e.free)
	f.rebids, f.bills = slices.Clone(e.rebids), slices.Clone(e.bills)
	f.atOnce = nil
	f.round = policies.Round{Procs: e.round.Procs, Total: e.round.Total, Demand: e.round.Demand}
	return &f, nil
}

// Next returns the next job to arrive and whether there is one.
func (e *Replay) Next() (*traces.Job, bool) { return &e.next, e.more }
