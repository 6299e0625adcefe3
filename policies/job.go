// Package policies is the contract between the engine and everything that can
// be plugged into it: schedulers (Policy), price schemes (Pricer) and models of
// what jobs are worth and what their owners bid (Bidder).
//
// A policy sees one instant as a Round and answers by adding decisions to it;
// the engine checks and applies them. Implementations are in the packages below
// (sched, payment, bidding), their names only in catalog. This package imports
// neither the engine nor any implementation.
package policies

import (
	"bourse/events"
	"bourse/traces"
)

// Ref names a live job: its place in the engine's table of jobs. A Ref is
// valid from the round in which the job arrives to the round in which it is
// reported ended, and may then be reused for another job. State that holds
// Refs and numbers instead of pointers can be copied by copying slices, which
// is what forked replays and checkpoints rest on.
type Ref int32

// State is the state of a job: waiting, running or gone.
type State uint8

// The states of a live job. A preempted job is Waiting again. One that is Held waits as well, and the
// policy does not know of it (Round.Held).
const (
	Gone State = iota
	Waiting
	Running
	Held
)

// Job is the public face of a live job: what a policy or a price scheme may
// know. The job's private value is not here. Policies must not write to it.
type Job struct {
	// ID and Task are the trace's numbers for the job.
	ID   int64
	Task int32
	// Procs is the number of processors the job holds while it runs.
	Procs int32
	// Need is the amount of each resource that it holds, and Size the quantity that it pays for: its
	// processors, or on a pool its dominant share times the machines in it.
	Need Amount
	Size float64
	// Pieces is in how many equal pieces it is placed on a cluster, each on one machine.
	Pieces int32
	// Models are the kinds of machines it may run on in a cluster, by GPU model and partition, a bit each; none is
	// any.
	Models uint64
	// GPU and Disk are what the trace says it asks for of them per processor, -1 if
	// nothing: by what orders may rank it; what it holds is in Need.
	GPU, Disk float64
	// Seq is the job's place in order of (submission, trace order): 0, 1, 2...
	// Comparing Seq is comparing submit times with ties broken by the trace.
	Seq int64
	// Submit is when the job arrived.
	Submit events.Time
	// Estimate is the requested time, events.Unknown if the user gave none.
	Estimate events.Time
	// Run is the true run time. It is events.Unknown unless the policy
	// needs run times.
	Run events.Time
	// Recorded is how long the log says that the job waited. It is events.Unknown unless the
	// log has it and the policy needs recorded waits.
	Recorded events.Time
	// Since is the last start of a running job. Left is the work it had left then,
	// or that a waiting job has left, any cost of resuming or restarting included;
	// events.Unknown unless the policy needs run times.
	Since, Left events.Time
	// Bid is the owner's declared worth of a processor-second. It may
	// change while the job lives: the policy learns of it by Round.Rebid.
	Bid float64
	// Shape is how its worth falls with time, nil if it does so evenly.
	Shape *Shape
	// User, Group, Queue and Partition are the trace's labels.
	User, Group, Queue, Partition traces.Label
	// Priority and Class are the trace's: higher is more important, or more
	// sensitive to latency; -1 if it has none.
	Priority, Class int32
	// Speed is how fast it is at other rates than 1, nil if as fast as the rate and no faster than 1.
	Speed *Speed
	// State says whether the job waits or runs.
	State State
	// Rate is the job's share of its processors while it runs, 1 unless a policy
	// shares them.
	Rate float64
}

// Piece is the need of each of its pieces.
func (j *Job) Piece() Amount {
	if j.Pieces <= 1 {
		return j.Need
	}
	return j.Need.Over(Amount{float64(j.Pieces), float64(j.Pieces), float64(j.Pieces), float64(j.Pieces)})
}
