package sched

import (
	"bourse/events"
	"bourse/policies"
)

// Order is what waiting jobs are ranked by: the least key is first, ties go by
// submission and trace order. It is a documented value; orders.go lists them. In
// the formulas r is the estimate (the true run time for a clairvoyant Ranking), n
// the processors, s the submission; r and s count as at least one second.
type Order struct {
	// Name is what a command line calls it, Line says in one line what it is, Paper
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
	// Expression, if not nil, is the key instead of an Order's.
	Expression *Expression
}

// traits tells what a ranking looks at, and whether its keys change while jobs
// wait.
type traits struct{ estimate, run, bid, changes bool }

func (r *Ranking) traits() traits {
	if r.Expression != nil {
		return r.Expression.traits()
	}
	o := r.order()
	return traits{estimate: o.Estimate && !r.Runtime, run: o.Run || r.Runtime, bid: o.Bid, changes: o.Changes}
}

func (r *Ranking) order() *Order {
	if r.Order == nil {
		return BySubmit
	}
	return r.Order
}

// Changes reports whether keys change while jobs wait.
func (r *Ranking) Changes() bool { return r.traits().changes }

// clairvoyant reports whether the ranking looks at true run times.
func (r *Ranking) clairvoyant() bool { return r.traits().run }
