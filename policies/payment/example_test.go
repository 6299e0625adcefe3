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

// Surge is a price that follows the load: Base while the jobs in the system need at most
// the machine, Base x demand / capacity while they need more.
type Surge struct {
	Base  float64 // per processor-second
	now   events.Time
	price float64 // in force since the last round
	spent float64 // the index: what a processor has cost from the trace's zero to now
	open  map[policies.Ref]float64
}

// Advance moves the index at the price in force. A bill is the difference of the index
// between start and end, however long the job and however many run.
func (p *Surge) Advance(now events.Time) {
	p.spent += float64(p.price * (now - p.now).Seconds())
	p.now = now
}

// Open and Close follow the jobs.
func (p *Surge) Open(ref policies.Ref, _ *policies.Job)          { p.open[ref] = p.spent }
func (p *Surge) Close(ref policies.Ref, _ *policies.Job) float64 { return p.spent - p.open[ref] }

// Clear sets the price from here to the next round. A price changes nowhere else: when
// jobs arrive, end, start, stop or bid again.
func (p *Surge) Clear(r *policies.Round) {
	p.price = p.Base * max(1, r.Demand.CPU/r.Total.CPU)
}

// Price is the price in force by its definition, Quote that of all jobs.
func (p *Surge) Price(*policies.Job) float64 { return p.Quote() }
func (p *Surge) Quote() float64              { return p.price }

// Clone copies what the scheme remembers: replays can be forked.
func (p *Surge) Clone(policies.Policy) policies.Pricer {
	q := *p
	q.open = maps.Clone(p.open)
	return &q
}

// end

// Two jobs of the whole machine arrive together: while one runs and the other waits the
// price is double.
func Example() {
	job := func(id int64) traces.Job {
		return traces.Job{ID: id, Run: 100 * events.Second, Procs: 4, Pieces: 1}
	}
	bill := printer(func(o *engine.Outcome) {
		fmt.Printf("job %d: %.0f for %v on %d processors\n", o.Job.ID, o.Payment, o.Job.Run, o.Job.Procs)
	})
	_, err := engine.Run(context.Background(), engine.Config{
		Machine: engine.Processors(4), Policy: &sched.HighestBid{}, Pricer: &Surge{Base: 1, open: map[policies.Ref]float64{}},
		Bidder: one{}, Check: true,
	}, traces.MemoryOf(job(1), job(2)).Source(), bill)
	fmt.Println(err)
	// Output:
	// job 1: 800 for 100s on 4 processors
	// job 2: 400 for 100s on 4 processors
	// <nil>
}

type printer func(*engine.Outcome)

func (p printer) Record(o *engine.Outcome) error { p(o); return nil }

type one struct{}

func (one) Bid(*traces.Job) (policies.Offer, error) { return policies.Offer{Value: 1, Bid: 1}, nil }
