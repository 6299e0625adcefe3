package truth

import (
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/reports/ask/fork"
)

// Precision is what a critical payment may be off by before no more bids are asked: a
// share of what the job costs its owner, the wait and the payment.
const Precision = 1e-3

// curve asks for a job's flow time by its bid: at all bids of lies and all from which a
// payment is counted, and then wherever its integral up to the truth is least certain, until
// it is certain enough or the forks are spent.
func (q *question) curve(lies []fork.Result, bids []float64) (*curve, error) {
	c := &curve{}
	until := events.Time(0)
	for i, f := range lies {
		c.add(bids[i], f.Flow)
		until = max(until, f.End)
	}
	ask := func(bid float64) error {
		if _, known := c.find(bid); known {
			return nil
		}
		f, err := q.point.FateOf(q.job, fork.Bid(q.job.ID, bid))
		until = max(until, f.End)
		c.add(bid, f.Flow)
		return err
	}
	for _, p := range q.paymentsOf(critical) {
		if err := ask(p.from); err != nil {
			return nil, err
		}
	}
	if q.byScale {
		rivals, scale, err := q.point.Rivals(q.job, until)
		if err != nil {
			return nil, err
		}
		c.setBreaks(rivals, scale, c.points[len(c.points)-1].bid)
	}
	if err := q.oneFork(ask, c); err != nil {
		return nil, err
	}
	for range q.Forks {
		bid, open := q.open(c)
		if !open {
			break
		}
		if err := ask(bid); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// open is the next bid to ask, if a payment is not certain enough yet.
func (q *question) open(c *curve) (bid float64, open bool) {
	from := math.Inf(1)
	for _, p := range q.paymentsOf(critical) {
		paid, half := c.payment(p.from, q.value)
		if half > Precision*(math.Abs(paid)+float64(q.value*c.flow(q.value))) {
			from = min(from, p.from)
		}
	}
	if math.IsInf(from, 1) {
		return 0, false
	}
	return c.next(min(from, q.value), max(from, q.value))
}

// oneFork estimates critical payments from one more copy each: at a bid z drawn uniformly
// between z0 and the truth, (w - z0) (x(z) - x(w)) has the integral as its mean, whatever
// the curve (Archer, Papadimitriou, Talwar and Tardos 2003).
func (q *question) oneFork(ask func(float64) error, c *curve) error {
	q.draw.Key(uint64(q.job.ID))
	u := q.draw.Float64()
	for k, p := range q.paymentsOf(critical) {
		z := p.from + float64(u*(q.value-p.from))
		if err := ask(z); err != nil {
			return err
		}
		integral, first := float64((q.value-p.from)*above(c.flow(z), c.flow(q.value))),
			float64(p.from*above(c.flow(p.from), c.flow(q.value)))
		q.answer.OneFork[k] = integral + first
	}
	return nil
}

// byScale reports whether the bids at which a schedule changes are known before.
func byScale(p policies.Policy, r *Config) bool {
	_, market := policies.As[policies.Market](p)
	s := &r.Jobs.Scenario
	return market && policies.TraitsOf(p).ByScale && !s.Feedback && !s.ResubmitKilled
}

// criticals fills in what critical payments take, and what each lie then gains.
func (q *question) criticals(lies []fork.Result, bids []float64) error {
	if !slices.ContainsFunc(q.Payments, func(p Payment) bool { return p.kind == critical }) {
		return nil
	}
	c, err := q.curve(lies, bids)
	if err != nil {
		return err
	}
	q.answer.Rises, q.answer.Places = c.rises()
	for k, p := range q.paymentsOf(critical) {
		for i, bid := range bids {
			paid, half := c.payment(p.from, bid)
			q.answer.set(k, i, lies[i], paid)
			if i == q.truth {
				q.answer.Half[k] = half
			}
		}
	}
	return nil
}
