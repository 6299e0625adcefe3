package order

import (
	"math"

	"bourse/events"
	"bourse/policies"
	"bourse/traces/rng"
)

const (
	smith   = "Smith 1956"
	shudler = "Shudler, Amar, Barak and Mu'alem"
	santos  = "Carastan-Santos and de Camargo, SC'17"
	tang    = "Tang, Lan, Desai and Buettner, Cluster 2009"
)

// The orders. Quotients of times are taken of whole microseconds, which are exact
// in a float64, and logarithms from package rng, which gives the same bits on every
// machine.
var (
	// BySubmit is first come, first served.
	BySubmit = &Order{Name: "fcfs", Line: "by submission",
		Key: func(events.Time, *policies.Job, events.Time) float64 { return 0 }}
	// ByBid is Highest-Bid (section III.B of the paper).
	ByBid = &Order{Name: "bid", Paper: shudler, Line: "highest bid first", Bid: true,
		Key: func(_ events.Time, j *policies.Job, _ events.Time) float64 { return -j.Bid }}
	// ByBidPerRun is WSPT.
	ByBidPerRun = &Order{Name: "wspt", Paper: smith, Line: "highest bid / run time first, clairvoyant",
		Bid: true, Run: true, PerSecond: true, Key: bidPerSecond}
	// ByBidPerEstimate is WSEPT.
	ByBidPerEstimate = &Order{Name: "wsept", Paper: shudler, Line: "highest bid / estimate first",
		Bid: true, Estimate: true, PerSecond: true, Key: bidPerSecond}

	ByShortest = &Order{Name: "sjf", Line: "shortest estimate first", Estimate: true, Twin: true,
		Key: func(_ events.Time, _ *policies.Job, r events.Time) float64 { return float64(r) }}
	ByLongest = &Order{Name: "ljf", Line: "longest estimate first", Estimate: true, Twin: true,
		Key: func(_ events.Time, _ *policies.Job, r events.Time) float64 { return -float64(r) }}
	// BySmallest and ByLargest order by the area r n.
	BySmallest = &Order{Name: "saf", Line: "smallest estimate x processors first", Estimate: true, Twin: true,
		Key: func(_ events.Time, j *policies.Job, r events.Time) float64 {
			return float64(float64(r) * float64(j.Procs))
		}}
	ByLargest = &Order{Name: "laf", Line: "largest estimate x processors first", Estimate: true, Twin: true,
		Key: func(_ events.Time, j *policies.Job, r events.Time) float64 {
			return -float64(float64(r) * float64(j.Procs))
		}}

	// ByExpansion orders by the expansion factor, which is 1 + wait / r.
	ByExpansion = &Order{Name: "xfactor", Line: "largest (wait + estimate) / estimate first", Estimate: true, Twin: true,
		Changes: true,
		Key:     func(now events.Time, j *policies.Job, r events.Time) float64 { return -waited(now, j, r) }}
	ByWFP3 = &Order{Name: "wfp3", Paper: tang, Line: "largest (wait / estimate)^3 x processors first", Estimate: true,
		Twin: true, Changes: true,
		Key: func(now events.Time, j *policies.Job, r events.Time) float64 {
			x := waited(now, j, r)
			return -float64(float64(float64(x*x)*x) * float64(j.Procs))
		}}
	// ByUNICEF: as log2(1) = 0, jobs of one processor are before all others that
	// wait; they take log2(n) for 2^-20 so that wait / r orders them among themselves.
	ByUNICEF = &Order{Name: "unicef", Paper: tang, Line: "largest wait / (log2(processors) x estimate) first",
		Estimate: true, Twin: true, Changes: true,
		Key: func(now events.Time, j *policies.Job, r events.Time) float64 {
			x := waited(now, j, r)
			if j.Procs == 1 {
				return -float64(x * (1 << 20))
			}
			return -x / (rng.Log(float64(j.Procs)) / math.Ln2)
		}}

	// ByF1 to ByF4 were found by regression over simulated schedules (Table 3).
	ByF1 = &Order{Name: "f1", Paper: santos, Line: "least log10(r) n + 870 log10(s) first: r estimate, n processors, s " +
		"submission", Estimate: true, Twin: true,
		Key: func(_ events.Time, j *policies.Job, r events.Time) float64 {
			return float64(log10(r.Seconds())*float64(j.Procs)) + float64(870*logSubmit(j))
		}}
	ByF2 = &Order{Name: "f2", Paper: santos, Line: "least sqrt(r) n + 25,600 log10(s) first", Estimate: true, Twin: true,
		Key: func(_ events.Time, j *policies.Job, r events.Time) float64 {
			return float64(math.Sqrt(r.Seconds())*float64(j.Procs)) + float64(25_600*logSubmit(j))
		}}
	ByF3 = &Order{Name: "f3", Paper: santos, Line: "least r n + 6,860,000 log10(s) first", Estimate: true, Twin: true,
		Key: func(_ events.Time, j *policies.Job, r events.Time) float64 {
			return float64(r.Seconds()*float64(j.Procs)) + float64(6_860_000*logSubmit(j))
		}}
	ByF4 = &Order{Name: "f4", Paper: santos, Line: "least r sqrt(n) + 530,000 log10(s) first", Estimate: true, Twin: true,
		Key: func(_ events.Time, j *policies.Job, r events.Time) float64 {
			return float64(r.Seconds()*math.Sqrt(float64(j.Procs))) + float64(530_000*logSubmit(j))
		}}

	// ByUsage is decayed fair share; see usage. The ranking's own state is its key.
	ByUsage = &Order{Name: "fairshare", Paper: "Kay and Lauder 1988",
		Line: "jobs of the user with the least decayed usage in processor-seconds first", Changes: true}
	// ByPriority orders by the trace's priority, highest first, or by queue, least
	// first, where jobs have none. It is the default of preemptive priority.
	ByPriority = &Order{Name: "trace", Line: "the trace's priority, highest first, else its queue, least first",
		Key: func(_ events.Time, j *policies.Job, _ events.Time) float64 {
			if j.Priority >= 0 {
				return -float64(j.Priority)
			}
			return float64(j.Queue)
		}}
)

// Orders are those without parameters, in the order of lists.
var Orders = []*Order{BySubmit, ByBid, ByBidPerRun, ByBidPerEstimate, ByShortest, ByLongest, BySmallest, ByLargest,
	ByExpansion, ByWFP3, ByUNICEF, ByF1, ByF2, ByF3, ByF4}

func bidPerSecond(_ events.Time, j *policies.Job, r events.Time) float64 { return -j.Bid / r.Seconds() }

// waited is wait / r.
func waited(now events.Time, j *policies.Job, r events.Time) float64 {
	return float64(now-j.Submit) / float64(r)
}

func logSubmit(j *policies.Job) float64 { return log10(max(j.Submit, events.Second).Seconds()) }

func log10(x float64) float64 { return rng.Log(x) / math.Ln10 }
