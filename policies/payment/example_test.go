package payment_test

import (
	"context"
	"fmt"
	"maps"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
	"bourse/traces"
)

// example: a price

// Evening is a posted price that is halved from 18 h to 24 h of the trace's clock.
type Evening struct {
	Full float64 // per processor-second by day
	now  events.Time
	open map[policies.Ref]events.Time
}

const day, dusk = 24 * 3600 * events.Second, 18 * 3600 * events.Second

// spent is the index: what a processor costs from the trace's zero to t. A bill is
// the difference of it between start and end, however long the job and however
// many run.
func (p *Evening) spent(t events.Time) float64 {
	late := max(t%day-dusk, 0) + t/day*(day-dusk) // time at half the price
	return p.Full * (t.Seconds() - late.Seconds()/2)
}

// Advance, Open and Close follow the jobs; Clear would change a price that depends on
// who waits.
func (p *Evening) Advance(now events.Time)                { p.now = now }
func (p *Evening) Open(ref policies.Ref, _ *policies.Job) { p.open[ref] = p.now }
func (p *Evening) Clear(*policies.Round)                  {}
func (p *Evening) Close(ref policies.Ref, _ *policies.Job) float64 {
	return p.spent(p.now) - p.spent(p.open[ref])
}

// Price is the price in force by its definition, Quote that of all.
func (p *Evening) Price(*policies.Job) float64 { return p.Quote() }
func (p *Evening) Quote() float64 {
	if p.now%day >= dusk {
		return p.Full / 2
	}
	return p.Full
}

// Clone copies what the scheme remembers: replays can be forked.
func (p *Evening) Clone(policies.Policy) policies.Pricer {
	return &Evening{Full: p.Full, now: p.now, open: maps.Clone(p.open)}
}

// end

// A price that does not depend on the jobs: one that runs from 17 h to 20 h pays an hour
// in full and two by half.
func Example() {
	hour := 3600 * events.Second
	job := traces.Job{ID: 1, Submit: 17 * hour, Run: 3 * hour, Procs: 4, Pieces: 1}
	bill := printer(func(o *engine.Outcome) {
		fmt.Printf("%.0f for %v on %d processors\n", o.Payment, o.Job.Run, o.Job.Procs)
	})
	_, err := engine.Run(context.Background(), engine.Config{Machine: engine.Processors(4), Policy: &sched.HighestBid{}, Pricer: &Evening{Full: 1, open: map[policies.Ref]events.Time{}}, Bidder: one{}},
		traces.MemoryOf(job).Source(), bill)
	fmt.Println(err)
	// Output:
	// 28800 for 10800s on 4 processors
	// <nil>
}

type printer func(*engine.Outcome)

func (p printer) Record(o *engine.Outcome) error { p(o); return nil }

type one struct{}

func (one) Bid(*traces.Job) (policies.Offer, error) { return policies.Offer{Value: 1, Bid: 1}, nil }
