package sched

import (
	"math"

	"bourse/events"
	"bourse/policies"
	"bourse/traces/rng"
)

// Order is what waiting jobs are ranked by. The least key is first, ties go by
// submission and trace order. In the formulas r is the estimate (the true run
// time for a clairvoyant Ranking), n the processors, s the submission, all times
// in seconds; r and s count as at least one second.
type Order uint8

// The orders.
const (
	// BySubmit is first come, first served.
	BySubmit Order = iota
	// ByBid is Highest-Bid (Shudler et al., section III.B).
	ByBid
	// ByBidPerRun is WSPT: bid / run time, clairvoyant (Smith 1956).
	ByBidPerRun
	// ByBidPerEstimate is WSEPT: bid / estimate.
	ByBidPerEstimate
	// ByShortest and ByLongest order by r.
	ByShortest
	ByLongest
	// BySmallest and ByLargest order by the area r n.
	BySmallest
	ByLargest
	// ByF1 to ByF4 are the orders that Carastan-Santos and de Camargo (SC'17,
	// Table 3) found by regression over simulated schedules:
	// F1 = log10(r) n + 870 log10(s), F2 = sqrt(r) n + 25,600 log10(s),
	// F3 = r n + 6,860,000 log10(s), F4 = r sqrt(n) + 530,000 log10(s).
	ByF1
	ByF2
	ByF3
	ByF4
	// ByExpansion orders by the expansion factor (wait + r) / r, largest first.
	ByExpansion
	// ByWFP3 orders by (wait/r)^3 n, largest first (Tang, Lan, Desai and
	// Buettner, Cluster 2009).
	ByWFP3
	// ByUNICEF orders by wait / (log2(n) r), largest first (the same paper). As
	// log2(1) = 0, jobs of one processor come before all others that wait; they
	// take log2(n) for 2^-20 so that wait/r orders them among themselves.
	ByUNICEF
	// ByPriority orders by the trace's priority, highest first, or by queue, least
	// first, where jobs have none.
	ByPriority
	// ByUsage is decayed fair share; see usage.
	ByUsage
	// ByExpression is the user's; see Expression.
	ByExpression
)

// Ranking is an order with its parameters.
type Ranking struct {
	Order Order
	// Runtime makes the clairvoyant twin of an order: r is the true run time.
	Runtime bool
	// HalfLife is the time in which past usage loses half its weight (ByUsage).
	HalfLife events.Time
	// Expression is the key of ByExpression.
	Expression *Expression
}

// traits of an order.
type traits struct{ estimate, bid, changes bool }

// traits tells what a ranking looks at, and whether its keys change while jobs
// wait.
func (r *Ranking) traits() traits {
	switch r.Order {
	case ByBid, ByBidPerRun:
		return traits{bid: true}
	case ByBidPerEstimate:
		return traits{bid: true, estimate: true}
	case BySubmit, ByPriority:
		return traits{}
	case ByUsage:
		return traits{changes: true}
	case ByExpression:
		return r.Expression.traits()
	}
	return traits{estimate: !r.Runtime, changes: r.Order >= ByExpansion}
}

// Changes reports whether keys change while jobs wait.
func (r *Ranking) Changes() bool { return r.traits().changes }

// clairvoyant reports whether the ranking looks at true run times.
func (r *Ranking) clairvoyant() bool {
	return r.Runtime || r.Order == ByBidPerRun || r.Order == ByExpression && r.Expression.uses("run")
}

// length is r: at least a second.
func (r *Ranking) length(j *policies.Job) events.Time {
	if r.Runtime || r.Order == ByBidPerRun {
		return max(j.Run, events.Second)
	}
	return max(j.Estimate, events.Second)
}

// key ranks a waiting job at now, least first. Quotients of times are taken of
// whole microseconds, which are exact in a float64, and logarithms from package
// rng, which gives the same bits on every machine.
func (r *Ranking) key(now events.Time, j *policies.Job) float64 {
	n := float64(j.Procs)
	switch r.Order {
	case BySubmit, ByUsage:
		return 0
	case ByBid:
		return -j.Bid
	case ByPriority:
		if j.Priority >= 0 {
			return -float64(j.Priority)
		}
		return float64(j.Queue)
	case ByExpression:
		return r.Expression.key(now, j)
	}
	length := r.length(j)
	switch r.Order {
	case ByBidPerRun, ByBidPerEstimate:
		return -j.Bid / length.Seconds()
	case ByShortest:
		return float64(length)
	case ByLongest:
		return -float64(length)
	case BySmallest:
		return float64(float64(length) * n)
	case ByLargest:
		return -float64(float64(length) * n)
	case ByExpansion, ByWFP3, ByUNICEF:
		return r.waited(float64(now-j.Submit)/float64(length), n)
	}
	return r.fitted(length.Seconds(), n, log10(max(j.Submit, events.Second).Seconds()))
}

// waited is the key of the orders that grow with x = wait / r.
func (r *Ranking) waited(x, n float64) float64 {
	switch r.Order {
	case ByWFP3:
		return -float64(float64(float64(x*x)*x) * n)
	case ByUNICEF:
		if n == 1 {
			return -float64(x * (1 << 20))
		}
		return -x / (rng.Log(n) / math.Ln2)
	}
	return -x // the expansion factor is x + 1
}

// fitted is the key of F1 to F4.
func (r *Ranking) fitted(length, n, logS float64) float64 {
	switch r.Order {
	case ByF1:
		return float64(log10(length)*n) + float64(870*logS)
	case ByF2:
		return float64(math.Sqrt(length)*n) + float64(25_600*logS)
	case ByF3:
		return float64(length*n) + float64(6_860_000*logS)
	}
	return float64(length*math.Sqrt(n)) + float64(530_000*logS)
}

func log10(x float64) float64 { return rng.Log(x) / math.Ln10 }
