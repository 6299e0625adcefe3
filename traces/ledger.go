package traces

import (
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"bourse/events"
)

// Reason says why a record is not replayed.
type Reason int

// The reasons, in the order they are tested.
const (
	Malformed Reason = iota
	// Repeat is an earlier run of a job that the log records more than once.
	Repeat
	// Step is a part of a job that has a record of its own, as of srun.
	Step
	NeverStarted
	Unfinished
	NoProcessors
	Filtered
	OutsideWindow
	TooLarge
	// OverLimits is a job that its queue does not take.
	OverLimits
	// TooLong is a job that asks for more time than the site's limit.
	TooLong
	// NotDrawn is a job whose user was not drawn when the log was resampled.
	NotDrawn
	NumReasons // how many there are
)

var reasonNames = [NumReasons]string{
	"malformed", "earlier runs of a job", "steps of a job", "never started", "still running at the end", "no processors",
	"filtered", "outside the window", "larger than the machine",
	"over their queue's limits", "longer than the limit", "not drawn",
}

// String returns the reason in words.
func (r Reason) String() string { return reasonNames[r] }

// Reasons lists every reason.
func Reasons() []Reason {
	all := make([]Reason, NumReasons)
	for i := range all {
		all[i] = Reason(i)
	}
	return all
}

// Ledger accounts for every record: Read + Added = replayed + sum(Dropped).
type Ledger struct {
	// Read counts the records read from the trace, malformed ones included.
	Read int64
	// Dropped counts the records that are not replayed, by reason.
	Dropped [NumReasons]int64
	// Outside are the first and the last submission of those dropped as OutsideWindow.
	Outside [2]events.Time
	// Added counts the jobs that resampling made beyond those read.
	Added int64
	// Oddities counts what was tolerated, by a short phrase such as
	// "fields beyond the 18th ignored". Notes lists them in a fixed order.
	Oddities map[string]int64
	// Observer, if not nil, is called for each job that is dropped, by the goroutine that
	// reads. It is not copied with the counts.
	Observer func(*Job, Reason)
}

// Drop counts one record as dropped. j is the job that could be read of it, or nil.
func (l *Ledger) Drop(r Reason, j *Job) {
	if l.Dropped[r]++; r == OutsideWindow && j != nil {
		if l.Dropped[r] == 1 {
			l.Outside = [2]events.Time{j.Submit, j.Submit}
		}
		l.Outside = [2]events.Time{min(l.Outside[0], j.Submit), max(l.Outside[1], j.Submit)}
	}
	if l.Observer != nil && j != nil {
		l.Observer(j, r)
	}
}

// Odd counts one tolerated oddity.
func (l *Ledger) Odd(what string) {
	if l.Oddities == nil {
		l.Oddities = map[string]int64{}
	}
	l.Oddities[what]++
}

// Add counts an oddity met several times.
func (l *Ledger) Add(n Note) {
	if l.Oddities == nil {
		l.Oddities = map[string]int64{}
	}
	l.Oddities[n.What] += n.Count
}

// Note is one kind of oddity and how often it was met.
type Note struct {
	What  string
	Count int64
}

// Notes lists the oddities in alphabetical order.
func (l *Ledger) Notes() []Note {
	notes := make([]Note, 0, len(l.Oddities))
	for what, n := range l.Oddities {
		notes = append(notes, Note{what, n})
	}
	sort.Slice(notes, func(i, k int) bool { return notes[i].What < notes[k].What })
	return notes
}

// DroppedTotal returns the number of records dropped for any reason.
func (l *Ledger) DroppedTotal() (n int64) {
	for _, d := range l.Dropped {
		n += d
	}
	return n
}

// DroppedText says in words what was dropped.
func (l *Ledger) DroppedText() string {
	var parts []string
	for _, reason := range Reasons() {
		if n := l.Dropped[reason]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, reason))
		}
	}
	return strings.Join(parts, ", ")
}

// Replayed returns the number of records that were passed on.
func (l *Ledger) Replayed() int64 { return l.Read + l.Added - l.DroppedTotal() }

// The oddities that records of several formats may show.
const (
	OddWait     = "negative wait time taken as unknown"
	OddStatus   = "status outside 0..5 taken as unknown"
	OddEstimate = "requested time of 0 or below -1 taken as unknown"
	OddFraction = "fraction in a whole-number field rounded"
)

// Error is a fault in the input, at a place.
type Error struct {
	File string
	Line int64 // 0 if the fault has no line
	What string
	Want string // what is wanted, or what to do; may be empty
	Err  error  // the cause, may be nil
}

// Error formats "file:line: what; want".
func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	s := at + ": " + e.What
	if e.Err != nil && !errors.Is(e.Err, io.ErrUnexpectedEOF) {
		s += ": " + e.Err.Error()
	}
	if e.Want != "" {
		s += "; " + e.Want
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
