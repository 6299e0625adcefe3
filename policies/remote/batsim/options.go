package batsim

import "time"

// Any is the endpoint that the command receives in place of {endpoint}: a free port.
const Any = "any"

// Options are where the scheduler is, what it may know and how long it may take.
type Options struct {
	Command, Endpoint string // Command starts it; "" if it runs already
	// Clairvoyant schedulers receive run times; those that need Estimates have one, their
	// wall time, of every job.
	Clairvoyant, Estimates bool
	Timeout                time.Duration // for an answer
}
