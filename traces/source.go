package traces

import (
	"io"
	"strconv"
	"strings"
)

// Source is a stream of jobs in order of submission; jobs submitted together
// come in trace order. Next fills *Job and returns io.EOF after the last one.
// The caller owns the Job: a Source must not keep the pointer.
type Source interface {
	// Header returns what is known of the trace as a whole. It is complete
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

// UnixFrom is the least time, in seconds, that is taken to count from 1970: 1990.
const UnixFrom = 631152000

// Header describes a trace.
type Header struct {
	// Name is the path or the synthetic specification, for messages.
	Name string
	// Format is the format's name in package formats.
	Format string
	// Fields are the header's labelled lines, in order, as written.
	Fields []Field
	// Procs is the machine's size in processors, 0 if the trace does not say.
	Procs int
	// Capacity is what the machines have together where requests are of CPU and
	// memory, zero if the trace does not say.
	Capacity Capacity
	// Asks is of what jobs say how much they ask for, as far as that is known before they
	// are replayed.
	Asks Asks
	// Start is the Unix time of the trace's zero in seconds, 0 if unknown.
	Start int64
	// Unix says that times count from 1970, so that Start is 0 and known.
	Unix bool
	// Names spells labels out; labels of formats without words are numbers.
	Names Names
	// Ledger counts the records.
	Ledger *Ledger
}

// Asks marks what some job asks for in addition to processors.
type Asks struct{ Memory, GPU, Disk, Model bool }

// See takes a job's requests in.
func (a *Asks) See(j *Job) {
	a.Memory, a.GPU, a.Disk = a.Memory || j.Memory > 0, a.GPU || j.GPU > 0, a.Disk || j.Disk > 0
	a.Model = a.Model || j.Model != NoLabel
}

// Field is one labelled header line, "; MaxNodes: 70  (dual)".
type Field struct{ Label, Text string }

// FieldText returns the text of the first field called label.
func FieldText(fields []Field, label string) string {
	for _, f := range fields {
		if strings.EqualFold(f.Label, label) {
			return f.Text
		}
	}
	return ""
}

// LeadingNumber returns the whole number text starts with, up to 2^31-1 for sizes
// and below 2^40 for times (35,000 years of seconds).
func LeadingNumber(text string) (int64, bool) {
	end := 0
	for end < len(text) && (text[end]-'0' <= 9 || end == 0 && text[end] == '-') {
		end++
	}
	n, err := strconv.ParseInt(text[:end], 10, 64)
	return n, err == nil && n < 1<<40
}

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
	// as all attempts together; all other time before its end is waiting.
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
