package policies

import (
	"errors"

	"bourse/events"
	"bourse/traces"
)

// Policy decides which jobs run. Plan is called once per instant at which anything
// happened, after everything at r.Now has been applied, and again within the
// instant whenever a job that was started ended at once (it had nothing left
// to run). A Policy is a deterministic state machine: no clock, no files, no
// goroutines, no map iteration, no own randomness.
//
// Clone returns an independent copy: forked replays and checkpoints rest on it.
// State that is numbers and Refs in tables is copied by copying slices.
type Policy interface {
	Plan(r *Round)
	Clone() Policy
}

// MostMoney bounds values, bids and prices per processor-second, so that sums of
// bills stay finite.
const MostMoney = 1e100

// Noter is implemented by policies that count anomalies they tolerated.
type Noter interface{ Notes() []traces.Note }

// NotesOf returns the anomalies that p has counted, if it is a Noter.
func NotesOf(p Policy) []traces.Note {
	if n, ok := As[Noter](p); ok {
		return n.Notes()
	}
	return nil
}

// Failer runs something that a user wrote, which can fail. The engine asks
// after every round and stops at the first error.
type Failer interface{ Err() error }

// Fallible is implemented by policies and price schemes with such parts, of which most
// have none.
type Fallible interface{ Failers() []Failer }

// LabelRanker is implemented by policies that may rank jobs by the numbers of their
// labels. Names have no order: a replay stops at a job that would be ranked by one.
type LabelRanker interface {
	// NamedRank returns which of the job's labels, by which it would be ranked, is a
	// name: "user", "group", "queue" or "partition"; "" if none.
	NamedRank(j *Job) string
}

// SiteReader is implemented by policies that know labels by what they are called, or the size of the machine, in
// processors or machines. It is told before the first round.
type SiteReader interface {
	ReadSite(names traces.Names, size float64)
}

// Planner is implemented by policies that can plan around changes of the machine's size. One that is told before the
// replay to expect some finds them in Round.Coming.
type Planner interface{ ExpectChanges() }

// CalendarReader is implemented by policies, price schemes and Bidders that may look at dates. They
// are told those of the log before the first round, nil where it has none: then they return what
// they would need them for, "" if they do not.
type CalendarReader interface {
	ReadCalendar(*events.Calendar) (needs string)
}

// Auditor is implemented by policies that can check their own rules from their definitions:
// under the engine's audit they are asked after each round has been applied, and may take
// their time.
type Auditor interface{ Audit(r *Round) error }

// Market is implemented by policies under which waiting jobs compete by bid,
// and is all a price scheme needs to know of them. The k-th price is one idea,
// the critical bid: the least bid with which a running job would still rank
// before the best waiting job. A policy that ranks jobs by key = bid / Scale
// exposes Scale, and the critical bid of running job i is K * Scale(i), with K
// the best waiting key.
type Market interface {
	// Scale returns the divisor of the job's bid that ranks it: 1 where jobs
	// rank by bid, the run time in seconds where they rank by bid per second.
	Scale(j *Job) float64
	// Preempts reports whether a waiting job with the better key takes a running
	// one's place. Where it does not, the best waiting key may exceed a running
	// job's own, and price schemes cap the critical bid at the job's bid.
	Preempts() bool
}

// AsFCFS is how jobs bid against each other for prices where neither their order nor
// what is preempted depends on bids: as under FCFS, so that the k-th price is capped
// at the job's own bid, at scale 1. Such policies embed it.
type AsFCFS struct{}

// Preempts is false.
func (AsFCFS) Preempts() bool { return false }

// Scale is 1.
func (AsFCFS) Scale(*Job) float64 { return 1 }

// Passer is a Market whose order of bid is walked at every instant, jobs that do
// not fit being passed over. There the critical bid depends on what a job needs, and on
// its place. Walk the contest without job i, each job taking what it needs of
// what is contested if that is left: the bid of the first one after which i does not fit
// any more is what i has to exceed. Until then the same jobs are taken with i and
// without it; so that one is the first waiting job behind i that would fit if i's need
// were free. All answers are as of the last round.
type Passer interface {
	Market
	// Critical returns the bid of the first waiting job behind another one (of any, if
	// that is negative) that would fit if need were free; false if there is none.
	Critical(need Amount, behind Ref) (bid float64, any bool)
	// Fillers appends the running jobs that rank behind the first waiting one. They hold
	// less than that one needs, or it would have preempted them; there are none without
	// preemption.
	Fillers(to []Ref) []Ref
	// Contest yields the jobs that compete, best first: the unfinished, or without
	// preemption the waiting ones. Contested is what they and j compete for.
	Contest(yield func(seq int64, bid float64, need Amount) bool)
	Contested(j *Job) Amount
}

// Pricer is a price scheme. Prices are per processor-second of a running job
// and change only at rounds. The engine's order at an instant is: Advance to
// the instant; Close the jobs that ended; let the policy decide; Close the
// preempted and Open the started; Clear. A job whose bid changes while it runs
// is closed and opened again around the change.
//
// A Pricer keeps running integrals, so that no call costs time proportional to
// the running jobs: a bill is the difference of an integral between two
// moments.
type Pricer interface {
	// Advance charges all running jobs up to now, at the prices in force.
	Advance(now events.Time)
	// Open begins to charge the job, Close ends it and returns the money due
	// per processor since Open.
	Open(ref Ref, j *Job)
	Close(ref Ref, j *Job) float64
	// Clear sets the prices in force from r.Now on. The decisions of the round
	// have been applied: States are up to date, r.Started and r.Preempted done.
	Clear(r *Round)
	// Price returns the price in force for a running job, worked out from its
	// definition and not from the integrals: what audits check bills against.
	Price(j *Job) float64
	// Quote returns the scheme's one common price in force, for time series:
	// the posted price, the best waiting key, or the reservation price.
	Quote() float64
	// Clone returns an independent copy, for a copy of the policy that the scheme
	// was made for.
	Clone(of Policy) Pricer
}

// Offer is the value of a job and the bid of its owner.
type Offer struct {
	// Value is the owner's worth of a processor-second, Bid the declared one.
	Value, Bid float64
	// Aggressive marks members of the risk-aggressive group (behaviour srg).
	Aggressive bool
	// Shape is how the worth of the job falls with time, nil if it does so evenly.
	Shape *Shape
}

// ErrAbsent is a Bidder's answer for a job that is left out: the job never arrives, and
// all others keep their places in the order of submission.
var ErrAbsent = errors.New("the job is not there")

// Bidder draws each job's offer. It is called once per job in trace order, and
// an offer depends on the job and the seed only: the pieces of one serialised
// job, which are one user's job, get equal offers.
type Bidder interface {
	Bid(j *traces.Job) (Offer, error)
}

// Listed is implemented by Bidders whose offers are a table of jobs. It is only read, so
// that replays may share one.
type Listed interface {
	// Unmatched returns how many of the listed jobs a trace does not have, and an error
	// that names the first of them.
	Unmatched(hasJob func(id int64) bool) (int, error)
}

// Rebid is a later bid of a job.
type Rebid struct {
	At  events.Time
	Bid float64
}

// Rebidder is implemented by Bidders whose bids change while jobs live.
type Rebidder interface {
	// Rebids returns the later bids of the job, in order of time. A change at
	// or before the submission counts from the submission on.
	Rebids(j *traces.Job) []Rebid
}

// UserShare is the share of one user under a sharing policy, integrated over the time in
// which it had unfinished jobs. Shares are dominant shares of the machine.
type UserShare struct {
	User traces.Label
	// Active is that time in seconds. Held is the share held x seconds; Entitled
	// that of an equal share of the machine among the active users, up to what the
	// user's jobs needed.
	Active, Held, Entitled float64
	// Short is the user's lack below its entitlement, share x seconds: the
	// violation of sharing incentive. Envies is the time in which it would rather
	// have had another user's bundle.
	Short, Envies float64
}

// Sharer is implemented by policies that share among users. One that is asked to before the
// replay keeps account of what each got: Users returns it, in order of appearance.
type Sharer interface {
	KeepAccount()
	Users() []UserShare
}

// Fragmenter is implemented by policies that place jobs on machines and measure
// what that costs: for how long some job has waited that all machines together had
// room for, and none alone.
type Fragmenter interface{ Fragmented() events.Time }

// GPUFragmenter is implemented by policies that place jobs on GPUs. Fragments returns how
// much of the free GPUs a typical job could not use as of the last round (Weng et al. 2023,
// section 3.2), in devices, and that summed up over time, in device-seconds.
type GPUFragmenter interface {
	Fragments() (now, overTime float64)
}

// Spending is a user's price of a processor-second.
type Spending struct {
	User  traces.Label
	Price float64
}

// Seller is implemented by policies that set prices per processor-second themselves. Asked
// is the price in force for all that run, Agreed what a job pays in addition for all of its
// time, as of its last start.
type Seller interface {
	Asked() float64
	Agreed(ref Ref) float64
}

// Repricer is a Seller who may change what a job pays while it runs: Repriced lists the running jobs of which that is
// so since the last round.
type Repricer interface {
	Seller
	Repriced() []Ref
}

// ApartSeller is a Seller some of whose running jobs pay the price agreed on alone.
type ApartSeller interface {
	Seller
	Apart(ref Ref) bool
}

// FeeSeller is a Seller under whom a job pays a fee as well, per unit of its size, which is agreed on when it arrives
// and due once, however long it runs.
type FeeSeller interface {
	Seller
	Fee(ref Ref) float64
}

// FeeCharger is implemented by price schemes that charge such fees.
type FeeCharger interface{ FeeOf(ref Ref) float64 }

// Spender is implemented by policies under which users bid for shares: what they
// pay is what they bid. Spending lists the users who are there, as of the last
// round.
type Spender interface{ Spending() []Spending }
