package engine

import (
	"errors"
	"fmt"

	"bourse/events"
)

// The errors that can be helped by setting a replay up otherwise. How is for the
// caller to say: it knows what its users can change.

// CapacityError says that a machine has too little to run any job, or more than
// can be counted.
type CapacityError struct{ Machine string }

func (e *CapacityError) Error() string { return e.Machine + " cannot run any job" }

// ErrComesBack says that jobs leave under a policy, which those that are submitted again
// cannot: they have begun.
var ErrComesBack = errors.New("under the policy jobs leave that do not want its price, and those that are killed and " +
	"submitted again have begun")

// ErrOutages says that outages do not go with a policy.
var ErrOutages = errors.New("the policy divides a machine of one size, or lets jobs leave, and is not for one with outages")

// ErrSpeedCauses says that waits are not divided by cause where run times are not those of the log.
var ErrSpeedCauses = errors.New("waits are not divided by cause where jobs run on more or fewer processors than they ask for")

// SerialError says that a job asks for several processors under a policy for jobs of one.
type SerialError struct {
	Job   int64
	Procs int32
}

func (e *SerialError) Error() string {
	return fmt.Sprintf("job %d asks for %d processors; the policy is for jobs of one", e.Job, e.Procs)
}

// NoEstimateError says that a job has no estimate under a policy that needs one.
type NoEstimateError struct{ Job int64 }

func (e *NoEstimateError) Error() string {
	return fmt.Sprintf("job %d has no estimate, which the policy needs", e.Job)
}

// DeadlockError says that the policy leaves jobs waiting although nothing will happen any more, or nothing but that
// outages, windows and limits change: up to Searched there was no time for any of the jobs.
type DeadlockError struct {
	Waiting  int
	First    string // described
	Searched events.Time
}

func (e *DeadlockError) Error() string {
	if e.Searched > 0 {
		return fmt.Sprintf("%d jobs wait for a time at which outages, windows and limits let them run, and up to day %d "+
			"there is none; the first is %s; shorter requested times or longer gaps would let them "+
			"run", e.Waiting, e.Searched/(24*3600*events.Second), e.First)
	}
	return fmt.Sprintf("deadlock: the trace has ended, no event is pending, and %d jobs still wait; the first is %s",
		e.Waiting, e.First)
}

// NamedRankError says that the policy ranks jobs by the number of a label that is a
// name.
type NamedRankError struct {
	Job         int64
	Label, Name string // "queue", "batch"
}

func (e *NamedRankError) Error() string {
	return fmt.Sprintf("job %d: its %s %q is a name, and the policy ranks jobs by the number of their %s; names have no "+
		"order", e.Job, e.Label, e.Name, e.Label)
}

// OverflowError says that simulated time would exceed the last representable instant.
type OverflowError struct{ After, Limit events.Time }

func (e *OverflowError) Error() string {
	return fmt.Sprintf("after %v simulated time overflows, at %v: run times or submissions are too large", e.After,
		e.Limit)
}
