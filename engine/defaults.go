package engine

import (
	"errors"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// ErrNoPolicy says that nothing decides which jobs run.
var ErrNoPolicy = errors.New("a replay needs a policy")

// withDefaults fills in what may be left out: nobody pays, and a processor-second is worth 1
// to all.
func (c Config) withDefaults() Config {
	if c.Pricer == nil {
		c.Pricer = free{}
	}
	if c.Bidder == nil {
		c.Bidder = alike{}
	}
	return c
}

// free is the price scheme under which nobody pays.
type free struct{}

func (free) Advance(events.Time)                       {}
func (free) Open(policies.Ref, *policies.Job)          {}
func (free) Close(policies.Ref, *policies.Job) float64 { return 0 }
func (free) Clear(*policies.Round)                     {}
func (free) Price(*policies.Job) float64               { return 0 }
func (free) Quote() float64                            { return 0 }
func (f free) Clone(policies.Policy) policies.Pricer   { return f }

// alike is the bidder of whom all jobs have the same value, truly told.
type alike struct{}

func (alike) Bid(*traces.Job) (policies.Offer, error) { return policies.Offer{Value: 1, Bid: 1}, nil }
