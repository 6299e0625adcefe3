package payment

import (
	"slices"

	"bourse/events"
	"bourse/policies"
)

// Toll charges running jobs for the queue that they delay: per processor-second the sum over
// the waiting jobs k of b_k p_k / n, n the machine's processors, or the reservation price if
// that is more. A processor taken for a second delays the queue by about 1/n s (the form
// that a replay gives to Mendelson and Whang 1990); it does not depend on the job's own bid. Under wspt
// on one processor with all jobs there at once it is what the job costs the others, the
// Clarke payment. Of a job that runs at a rate below 1 the rest waits.
//
// The price is one index for all, brought up to date by what changed in a round.
type Toll struct {
	reserve float64
	now     events.Time
	price   float64
	index   policies.Sum // integral of the price
	since   perRef[policies.Sum]
	delayed perRef[float64] // b p of what waits of a job
	waiting int             // jobs of which anything waits
	queue   policies.Sum    // of delayed
}

// NewToll returns the scheme with the given reservation price.
func NewToll(reserve float64) *Toll { return &Toll{reserve: reserve, price: reserve} }

// Advance charges up to now.
func (p *Toll) Advance(now events.Time) {
	if dt := now - p.now; dt != 0 {
		p.index.Add(float64(p.price * dt.Seconds()))
	}
	p.now = now
}

// Open begins to charge ref.
func (p *Toll) Open(ref policies.Ref, _ *policies.Job) { *p.since.get(ref) = p.index }

// Close returns the integral of the price since Open.
func (p *Toll) Close(ref policies.Ref, _ *policies.Job) float64 {
	return p.index.Minus(*p.since.get(ref))
}

// Clear sums up what waits after the decisions of the round.
func (p *Toll) Clear(r *policies.Round) {
	for _, changed := range [][]policies.Ref{r.Ended, r.Arrived, r.Rebid, r.Evicted, r.Preempted, r.Started} {
		for _, ref := range changed {
			p.update(ref, r.Job(ref))
		}
	}
	for _, a := range r.Shared {
		p.update(a.Ref, r.Job(a.Ref))
	}
	p.price = p.reserve
	if p.waiting == 0 {
		p.queue = policies.Sum{} // without what rounding has left
	} else {
		p.price = max(p.reserve, p.queue.Value()/float64(r.Procs))
	}
}

// update takes note of how much of a job waits.
func (p *Toll) update(ref policies.Ref, j *policies.Job) {
	delayed := 0.0
	switch j.State {
	case policies.Waiting:
		delayed = float64(j.Bid * j.Size)
	case policies.Running:
		delayed = float64(float64(j.Bid*j.Size) * (1 - j.Rate))
	}
	was := p.delayed.get(ref)
	if *was == delayed {
		return
	}
	if *was == 0 {
		p.waiting++
	}
	if delayed == 0 {
		p.waiting--
	}
	p.queue.Add(delayed)
	p.queue.Add(-*was)
	*was = delayed
}

// Price returns the toll in force.
func (p *Toll) Price(*policies.Job) float64 { return p.price }

// Quote returns the toll in force.
func (p *Toll) Quote() float64 { return p.price }

// Clone returns an independent copy.
func (p *Toll) Clone(policies.Policy) policies.Pricer {
	c := *p
	c.since, c.delayed = slices.Clone(p.since), slices.Clone(p.delayed)
	return &c
}
