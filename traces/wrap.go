package traces

import (
	"errors"

	"bourse/events"
)

// Unwrapper is implemented by sources that wrap another one.
type Unwrapper interface{ Unwrap() Source }

// As returns the first source in the chain of wrappers from s inwards that is a
// T, an optional interface such as Progress or JobLookup.
func As[T any](s Source) (T, bool) {
	for s != nil {
		if t, ok := s.(T); ok {
			return t, true
		}
		w, ok := s.(Unwrapper)
		if !ok {
			break
		}
		s = w.Unwrap()
	}
	var none T
	return none, false
}

// Unkept is implemented by sources whose records say more than a Job holds: it counts the
// records by what is not kept of them.
type Unkept interface{ Unkept() []Note }

// JobLookup is implemented by sources that remember the job numbers they have read.
// HasJob may be called once Next has returned io.EOF; before that it reports only
// what was read so far and must not be called while an Ahead is reading.
type JobLookup interface{ HasJob(id int64) bool }

// Wrapped is embedded by wrapping sources: it passes on what they do not change.
type Wrapped struct{ Inner Source }

// Header returns the inner source's header.
func (w *Wrapped) Header() *Header { return w.Inner.Header() }

// Unwrap returns the inner source.
func (w *Wrapped) Unwrap() Source { return w.Inner }

// Close closes the inner source.
func (w *Wrapped) Close() error { return Close(w.Inner) }

// Progress is implemented by sources that know how far they have read. Fraction
// may be called from any goroutine; it returns the share of the input's bytes
// consumed, 0 to 1, or -1 where the whole is unknown (a pipe).
type Progress interface{ Fraction() float64 }

// ErrHeld is what a Reactive source returns while all jobs that are left wait for
// others to end.
var ErrHeld = errors.New("the jobs that are left follow others that have not ended")

// Reactive is implemented by sources whose jobs arrive when others have ended. They
// are read by the engine that replays them, directly or through wrappers that do not read
// ahead.
type Reactive interface {
	Source
	// Ended takes notice of a row that has ended and reports whether that lets
	// others arrive: Next may then return an earlier job than the one read last.
	Ended(id int64, at events.Time) bool
	// Unread takes the row read last back; Next will return it again.
	Unread()
	// Row is the place of the row read last in the trace, from 0.
	Row() int64
}
