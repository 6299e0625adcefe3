package traces

import (
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"sync/atomic"
)

// Source is a stream of jobs in order of submission; jobs submitted together
// come in trace order. Next fills *Job and returns io.EOF after the last one.
// The caller owns the Job: a Source must not keep the pointer.
type Source interface {
	// Header tells what is known of the trace as a whole. It is complete
	// before the first Next, except for its Ledger, which grows with reading.
	Header() *Header
	Next(*Job) error
}

// Closer is implemented by sources that hold a file. Wrapping sources pass it on.
type Closer interface{ Close() error }

// Close closes s if there is something to close.
func Close(s Source) error {
	if c, ok := s.(Closer); ok {
		return c.Close()
	}
	return nil
}

// Header describes a trace.
type Header struct {
	// Name is the path or the synthetic specification, for messages.
	Name string
	// Format is the format's name in Formats.
	Format string
	// Fields are the header's labelled lines, in order, as written.
	Fields []Field
	// Procs is the machine's size in processors, 0 if the trace does not tell.
	Procs int
	// Capacity is what the machines have together where requests are of CPU and
	// memory, zero if the trace does not tell.
	Capacity Capacity
	// Start is the Unix time of the trace's zero in seconds, 0 if unknown.
	Start int64
	// Names spells labels out; labels of formats without words are numbers.
	Names Names
	// Ledger counts the records.
	Ledger *Ledger
}

// Field is one labelled header line, "; MaxNodes: 70  (dual)".
type Field struct{ Label, Text string }

// Names holds the words behind a trace's labels; a nil list means that labels
// of this kind are plain numbers.
type Names struct{ Users, Groups, Queues, Partitions *Words }

// Words interns strings as Labels 0, 1, 2, ... in order of first sight. One
// goroutine may call Label while others call Text: a reader may run ahead of
// those who spell out what it has read.
type Words struct {
	byText map[string]Label
	// text is replaced, never changed, as the list grows: Text then needs no
	// lock, and a word costs one slice header more.
	text atomic.Pointer[[]string]
}

// Label returns text's number, giving it the next one at first sight.
// The empty string is NoLabel.
func (w *Words) Label(text []byte) Label {
	if len(text) == 0 {
		return NoLabel
	}
	if l, ok := w.byText[string(text)]; ok {
		return l
	}
	if w.byText == nil {
		w.byText = map[string]Label{}
	}
	var words []string
	if p := w.text.Load(); p != nil {
		words = *p
	}
	l := Label(len(words))
	words = append(words, string(text))
	w.text.Store(&words)
	w.byText[words[l]] = l
	return l
}

// len returns the number of words, to whoever calls Label.
func (w *Words) len() int {
	if p := w.text.Load(); p != nil {
		return len(*p)
	}
	return 0
}

// Text spells l out: the interned word, or the number itself when w is nil.
// It returns false for NoLabel.
func (w *Words) Text(l Label) (string, bool) {
	if l == NoLabel {
		return "", false
	}
	if w != nil && l >= 0 {
		if p := w.text.Load(); p != nil && int(l) < len(*p) {
			return (*p)[l], true
		}
	}
	return strconv.FormatInt(int64(l), 10), true
}

// Reason says why a record is not replayed.
type Reason int

// The reasons, in the order they are tested.
const (
	Malformed Reason = iota
	// Repeat is an earlier run of a job that the log tells of more than once.
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
	// NotDrawn is a job whose user was not drawn when the log was resampled.
	NotDrawn
	numReasons
)

var reasonNames = [numReasons]string{
	"malformed", "earlier runs of a job", "steps of a job", "never started", "still running at the end", "no processors", "filtered", "outside the window", "larger than the machine",
	"over their queue's limits", "not drawn",
}

// String returns the reason in words.
func (r Reason) String() string { return reasonNames[r] }

// Reasons lists every reason.
func Reasons() []Reason {
	all := make([]Reason, numReasons)
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
	Dropped [numReasons]int64
	// Added counts the jobs that resampling made beyond those read.
	Added int64
	// Oddities counts what was tolerated, by a short phrase such as
	// "fields beyond the 18th ignored". Notes lists them in a fixed order.
	Oddities map[string]int64
}

// Drop counts one record as dropped.
func (l *Ledger) Drop(r Reason) { l.Dropped[r]++ }

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

// Replayed returns the number of records that were passed on.
func (l *Ledger) Replayed() int64 { return l.Read + l.Added - l.DroppedTotal() }

// Error is a fault in the input, at a place.
type Error struct {
	File string
	Line int64 // 0 if the fault has no line
	What string
	Want string // what was expected, or what to do; may be empty
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
