package traces

import "io"

// Attempts says which attempts of a task become jobs: each time a task is
// scheduled begins one, and evicted and failed ones are tried again.
type Attempts string

// The modes.
const (
	// LastAttempt makes one job of a task: its last attempt, from the submission
	// before it. The time of the earlier ones is Wasted.
	LastAttempt Attempts = "last"
	// AllAttempts makes a job of every attempt.
	AllAttempts Attempts = "all"
	// MergedAttempts makes one job of a task: from its first submission, as long
	// as all attempts together.
	MergedAttempts Attempts = "merge"
)

// Options says how a trace is read. The zero value reads strictly.
type Options struct {
	// Stdin is read for the path "-"; os.Stdin if nil.
	Stdin io.Reader
	// Skip counts malformed records as dropped and reads on; otherwise the
	// first one ends the trace with its error.
	Skip bool
	// OnError is called with each malformed record that is skipped. It is called by
	// whichever goroutine reads.
	OnError func(error)
	// Attempts says which attempts of a Google trace's tasks become jobs; last if
	// empty. Censored keeps those still running when the trace ends, as if they
	// ended there.
	Attempts Attempts
	Censored bool
	// SortWindow is the number of records held back to put those right that
	// are out of order; 0 means DefaultSortWindow, a negative one none.
	SortWindow int
	// Stop is asked now and then while a log is read whole, by Open or the first Next;
	// an error ends it.
	Stop func() error
}
