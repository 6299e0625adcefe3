package policies

import (
	"cmp"
	"slices"

	"bourse/events"
)

// Allocation gives a job a rate: the fraction of what it asked for that it gets.
// Running on its processors is rate 1 and waiting is 0; a share is anything
// between.
type Allocation struct {
	Ref  Ref
	Rate float64
}

// Departure is the decision that a waiting job leaves: it runs elsewhere, and its record has
// it end Flow x its run time after its submission. That is no instant, for most policies do
// not know run times.
type Departure struct {
	Ref  Ref
	Flow int
	Why  string
}

// Spot is where a job, or a piece of one, runs: a machine, and devices of it, bit i for
// device i.
type Spot struct {
	Machine int32
	Started int32 // whose it is, of those that a round starts
	Devices uint64
}

// Change is a change of how many processors there are, and when it happens.
type Change struct {
	At    events.Time
	Procs int
}

// Holding is a job that the rules of the site hold back: it was to start and must not, an outage has
// stopped it, or it is not considered yet.
type Holding struct {
	Ref     Ref
	Until   events.Time // when it may come back at the latest, events.Never if that is not known
	Why     string      // in words that continue "held back by the"
	Stopped bool
	New     bool // it has just been submitted, and is not shown to the policy yet
}

// Round is one instant as a policy sees it: everything that happens at Now has
// been applied, nothing has been decided. The engine owns the Round and its
// slices and reuses them; a policy keeps what it needs (Refs and numbers).
type Round struct {
	// Now is the instant.
	Now events.Time
	// Procs is the machine's size, Free the whole processors idle before the
	// decisions of this round.
	Procs, Free int
	// Total is the capacity, Spare the resources that are idle before the
	// decisions of this round, Demand what all unfinished jobs together ask for,
	// running or waiting. On a machine of processors they repeat Procs and Free.
	Total, Spare, Demand Amount
	// Arrived, Rebid and Ended are the jobs that arrived, changed their bid or
	// ended since the last round, each in trace order. An ended job may still
	// be looked up during the round that reports it; its State is Gone.
	Arrived, Rebid, Ended []Ref

	// Machines are those of a cluster, nil elsewhere. Changed are the places in it
	// of those that were added, removed or changed since the last round, Evicted the jobs
	// that this has stopped: they wait again.
	Machines []Machine
	Changed  []int32
	Evicted  []Ref
	// Absent are the planned outages of machines that have become known since the last round.
	Absent []Absence

	// Coming are the changes of the machine's size that have become known since the last round, of
	// which some may be of this instant: planned outages, and the ends of those that have begun.
	// Resized means that Total is another than in the last round.
	Coming  []Change
	Resized bool
	// Held are the jobs that the rules of the site hold back since this round. The policy is told
	// in the next round of this instant that such a job has Ended, though it is not Gone; it is among those
	// Arrived again, with the Seq that it has, when it may start: that may be the same round.
	Held []Holding

	// Started and Preempted are the decisions taken, in order. Price schemes
	// read them after the engine has applied them.
	Started, Preempted []Ref
	// Placed gives for each of Started on which of the Machines it runs, and on which of the
	// GPUs there; of a job of several pieces the first, Further the others.
	Placed  []Spot
	Further []Spot
	// Shared are the rates set in this round, in order.
	Shared []Allocation
	// Preemptors gives for each of Preempted which job it has to make room for,
	// negative if the policy does not say.
	Preemptors []Ref
	// Left are the waiting jobs that leave.
	Left []Departure
	// WakeAt is when the policy asked to be called again; events.Never if not.
	WakeAt events.Time
	// Again asks for another round at this instant, as by a policy that starts a job once more which it has preempted.
	Again bool

	// Jobs is the table of live jobs, indexed by Ref; some are Gone.
	Jobs Pages[Job]
}

// Job returns the live job ref. The pointer is good until the round ends.
func (r *Round) Job(ref Ref) *Job { return r.Jobs.At(ref) }

// Start asks to run the waiting job ref from now on. Starts take effect after
// all preemptions of the round, so a policy may start what it has just made
// room for. A job both preempted and started in one round is an error.
func (r *Round) Start(ref Ref) { r.Started = append(r.Started, ref) }

// StartOn is Start on one of the Machines of a cluster, where every start needs one.
// The first place is that of its first piece.
func (r *Round) StartOn(ref Ref, at Spot) {
	r.Start(ref)
	at.Started = int32(len(r.Placed))
	r.Placed = append(r.Placed, at)
}

// StartFurther places the next piece of the job that was started last.
func (r *Round) StartFurther(at Spot) {
	at.Started = int32(len(r.Placed) - 1)
	r.Further = append(r.Further, at)
}

// SpotsOf yields where the i-th of Started runs, a place for each of its pieces; there are
// none but on a cluster.
func (r *Round) SpotsOf(i int) func(yield func(Spot) bool) {
	return func(yield func(Spot) bool) {
		if i >= len(r.Placed) || !yield(r.Placed[i]) || len(r.Further) == 0 {
			return
		}
		from, _ := slices.BinarySearchFunc(r.Further, int32(i),
			func(p Spot, i int32) int { return cmp.Compare(p.Started, i) })
		for _, p := range r.Further[from:] {
			if p.Started != int32(i) || !yield(p) {
				return
			}
		}
	}
}

// KeepStarted takes the starts back of all jobs but those for which keep holds.
func (r *Round) KeepStarted(keep func(Ref) bool) {
	n, next, further := 0, 0, 0
	for i, ref := range r.Started {
		kept := keep(ref)
		for ; next < len(r.Further) && r.Further[next].Started == int32(i); next++ {
			if kept {
				r.Further[further] = r.Further[next]
				r.Further[further].Started = int32(n)
				further++
			}
		}
		if !kept {
			continue
		}
		if r.Started[n] = ref; i < len(r.Placed) {
			r.Placed[n] = r.Placed[i]
			r.Placed[n].Started = int32(n)
		}
		n++
	}
	r.Started, r.Placed, r.Further = r.Started[:n], r.Placed[:min(n, len(r.Placed))], r.Further[:further]
}

// Elsewhere is the flow time, in run times, of a job that leaves a market: it loses as much as by a wait as long as its run.
const Elsewhere = 2

// Leave takes the waiting job ref out, to run elsewhere at no price. Flow is its flow time
// there in run times, 1 or more, and why the reason, in words that continue a sentence.
func (r *Round) Leave(ref Ref, flow int, why string) {
	r.Left = append(r.Left, Departure{ref, flow, why})
}

// Preempt asks to stop the running job ref. It waits again, with the work it has
// done kept or lost as the replay is set; the engine does not put it back into any
// queue of the policy's.
func (r *Round) Preempt(ref Ref) { r.PreemptFor(ref, -1) }

// PreemptFor is Preempt, stating that by is the job that ref makes room for.
func (r *Round) PreemptFor(ref, by Ref) {
	r.Preempted, r.Preemptors = append(r.Preempted, ref), append(r.Preemptors, by)
}

// Share asks to run the job ref at a rate from 0 to 1 from now on, or with a Speed up to
// its most: its remaining work falls at that rate, or that Speed at it, and it holds
// rate x Procs processors. A waiting
// job given a rate above 0 starts; a running one given 0 waits again, which
// counts as a preemption. Rates hold until they are changed; setting the rate a
// job has costs nothing. A policy shares or starts, not both.
func (r *Round) Share(ref Ref, rate float64) {
	r.Shared = append(r.Shared, Allocation{ref, rate})
}

// Wake asks for a round at the instant at, even if nothing else happens then.
// The earliest wish of a round counts; a wish at or before Now is ignored.
func (r *Round) Wake(at events.Time) {
	if at > r.Now && at < r.WakeAt {
		r.WakeAt = at
	}
}

// Congested reports whether the unfinished jobs ask for at least as much of some
// resource as there is. While they ask for less, price schemes charge the
// reservation price.
func (r *Round) Congested() bool {
	d, t := &r.Demand, &r.Total
	return d.CPU >= t.CPU || t.Memory > 0 && d.Memory >= t.Memory || t.GPU > 0 && d.GPU >= t.GPU || t.Disk > 0 &&
		d.Disk >= t.Disk
}
