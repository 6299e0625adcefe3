// Package order is what waiting jobs are ranked by: documented formulas, decayed usage, and
// keys that users write. A Ranker is an order at work; schedulers (policies/sched, placed)
// hold one.
package order

import (
	"bourse/events"
	"bourse/policies"
)

// Order is a formula that ranks waiting jobs: the least key is first, ties go by
// submission and trace order. It is a documented value; orders.go lists them. In
// the formulas r is the estimate (the true run time for a clairvoyant Ranking), n
// the processors, s the submission; r and s count as at least one second.
type Order struct {
	// Name is its spelling on a command line, Line its summary, Paper
	// where it comes from.
	Name, Line, Paper string
	// Bid tells that keys look at bids. Estimate and Run tell that r matters, and is
	// the estimate or the true run time.
	Bid, Estimate, Run bool
	// PerSecond tells that the bid is divided by r, in seconds.
	PerSecond bool
	// Twin tells that there is a clairvoyant twin: Ranking.Runtime.
	Twin bool
	// Changes tells that keys change while jobs wait.
	Changes bool
	// Key ranks a waiting job at now.
	Key func(now events.Time, j *policies.Job, r events.Time) float64
}

// Ranking is an order with its parameters. The zero Ranking is BySubmit.
type Ranking struct {
	Order *Order
	// Runtime makes the clairvoyant twin of an order: r is the true run time.
	Runtime bool
	// HalfLife is the time in which past usage loses half its weight (ByUsage).
	HalfLife events.Time
	// Keys, if not nil, give the key instead of an Order.
	Keys Keys
}

// Ranked is implemented by policies that serve waiting jobs by one ranking, and so could
// serve them on machines, too.
type Ranked interface {
	// Ranker returns the ranking, and whether jobs preempt those of a greater key; not ok if
	// there is more to the policy than that.
	Ranker() (rank *Ranker, preempts, ok bool)
}

// Backfilling is the rules of a policy that reserves for the first jobs of a queue and backfills
// the others.
type Backfilling struct {
	// Order is that of the queue, Backfill that in which the others are tried.
	Order, Backfill Ranking
	// Reservations is how many jobs hold one, at most.
	Reservations int
}

// Backfiller is implemented by policies that could backfill on machines, too; not ok if there is
// more to the policy than its rules.
type Backfiller interface {
	Backfills() (rules Backfilling, ok bool)
}

// Keys rank waiting jobs by what a user wrote, least key first: an Expression, or a
// script. A key is a number.
type Keys interface {
	Key(now events.Time, j *policies.Job) float64
	Looks() Looks
	// Clone returns an independent copy, for use in parallel with this one.
	Clone() Keys
}

// Keys may note oddities (policies.Noter), fail (policies.Failer), want to know what
// becomes of jobs, and say which labels they take for numbers.
type (
	watcher interface {
		Started(now events.Time, j *policies.Job)
		Ended(now events.Time, j *policies.Job)
	}
	labeller interface{ Labels() []string }
)

// Looks are the inputs of keys, and whether they change while jobs wait.
type Looks struct{ Estimate, Run, Bid, Changes bool }

// Looks returns the inputs of the ranking's keys.
func (r *Ranking) Looks() Looks {
	if r.Keys != nil {
		return r.Keys.Looks()
	}
	o := r.order()
	return Looks{Estimate: o.Estimate && !r.Runtime, Run: o.Run || r.Runtime, Bid: o.Bid, Changes: o.Changes}
}

// ByPlainBid reports whether bids, if they matter, are compared as they are.
func (r *Ranking) ByPlainBid() bool { return r.Keys == nil && !r.order().PerSecond }

func (r *Ranking) order() *Order {
	if r.Order == nil {
		return BySubmit
	}
	return r.Order
}

// Needs are those of a policy that ranks jobs so.
func (r *Ranking) Needs() policies.Needs {
	l := r.Looks()
	return policies.Needs{RunTimes: l.Run, Estimates: l.Estimate}
}
