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

// curve asks for a job's flow time, up to the horizon, by its bid: at all bids of lies and all from which a
// payment is counted, and then wherever its integral up to the truth is least certain, until
// it is certain enough or the forks are spent.
func (q *question) curve(lies []fork.Result, bids []float64) (c *curve, err error) {
	c = &curve{}
	until := events.Time(0)
	for i, f := range lies {
		c.add(bids[i], f.Within)
		until = max(until, f.End)
	}
	truth := &lies[q.truth]
	ask := func(bid float64) (fork.Result, error) {
		f, err := q.point.FateWithin(q.job, fork.Bid(q.job.ID, bid))
		f.Complete(truth.Size, q.Horizon)
		until = max(until, f.End)
		c.add(bid, f.Within)
		return f, err
	}
	for k, p := range q.paymentsOf(critical) {
		least := fork.Result{}
		if i := slices.Index(bids, p.from); i >= 0 {
			least = lies[i]
		} else if least, err = ask(p.from); err != nil {
			return nil, err
		}
		q.answer.Late[k] = q.late(&least, truth)
	}
	if q.Horizon > 0 {
		until = q.job.Submit + q.Horizon
	}
	if q.byScale {
		rivals, scale, err := q.point.Rivals(q.job, until)
		if err != nil {
			return nil, err
		}
		c.setBreaks(rivals, scale, c.points[len(c.points)-1].bid)
	}
	for range q.Forks {
		bid, open := q.open(c)
		if !open {
			break
		}
		if _, err := ask(bid); err != nil {
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

// late tells of a job that it waits, bidding the least, for the end of the log: it ends after the last
// submission, and under the truth before. The log's length then sets what it pays. With a
// horizon the horizon does.
func (c *Config) late(least, truth *fork.Result) bool {
	if c.Horizon > 0 {
		return least.Cut
	}
	last := c.Jobs.Memory.Job(c.Jobs.Memory.Len() - 1).Submit
	return least.End > last && truth.End <= last
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
			q.answer.Half[k][i] = half
		}
	}
	return nil
}
