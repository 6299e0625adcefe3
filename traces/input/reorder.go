package input

import (
	"fmt"
	"io"
	"sort"

	"bourse/events"
	"bourse/traces"
)

// DefaultSortWindow holds back 16,384 records. Of the archive's logs at hand
// one is out of order by more than a few places, and needs 6,549; 16,384 jobs
// are two megabytes, still inside a second-level cache.
const DefaultSortWindow = 16 << 10

// sorter puts records in order of submission within a window: it holds the last
// `window` records back and passes on the earliest, ties in trace order.
//
// Records in order go through a ring without being compared with
// anything but the record before them; only late ones enter a heap. The
// next record is the earlier of the two heads, so sorted input costs a copy.
type sorter struct {
	traces.Wrapped
	opts   traces.Options
	window int
	ring   []traces.Job // records in order, a circular buffer that grows up to the window
	head   int
	filled int
	late   events.Heap[events.Time, traces.Job] // by submission, then line
	passed events.Time
	any    bool  // something was passed on
	ended  error // what the inner source ended with, returned after the last record
	failed error // what this source ended with
	past   history
}

// Reorder wraps src unless o forbids it.
func Reorder(src traces.Source, o traces.Options) traces.Source {
	window := o.SortWindow
	if window == 0 {
		window = DefaultSortWindow
	}
	window = max(window, 1)
	return &sorter{Wrapped: traces.Wrapped{Inner: src}, opts: o, window: window,
		ring: make([]traces.Job, min(window, 256))}
}

// grow doubles the ring, up to the window: a short trace costs little, and so
// does a window that was chosen far too large.
func (s *sorter) grow() {
	ring := make([]traces.Job, min(2*len(s.ring), s.window))
	n := copy(ring, s.ring[s.head:])
	copy(ring[n:], s.ring[:s.head])
	s.ring, s.head = ring, 0
}

// Next implements Source.
func (s *sorter) Next(j *traces.Job) error {
	if s.failed != nil {
		return s.failed
	}
	for s.ended == nil && s.filled+s.late.Len() < s.window {
		if err := s.take(); err != nil {
			s.failed = err
			return err
		}
	}
	switch {
	case s.filled == 0 && s.late.Len() == 0:
		s.failed = s.ended
		return s.failed
	case s.late.Len() == 0 || s.filled > 0 && earlier(&s.ring[s.head], s.late.Head()):
		*j = s.ring[s.head]
		if s.head++; s.head == len(s.ring) {
			s.head = 0
		}
		s.filled--
	default:
		*j = s.late.Pop()
	}
	s.passed, s.any = j.Submit, true
	return nil
}

// take reads one record into the ring or the heap. Errors of the inner source
// wait in s.ended for the records before them, except that nothing is passed on
// once a fault is known: a fault at once is better than one after hours.
func (s *sorter) take() error {
	if s.filled == len(s.ring) {
		s.grow()
	}
	tail := s.head + s.filled
	if tail >= len(s.ring) {
		tail -= len(s.ring)
	}
	slot := &s.ring[tail]
	if err := s.Inner.Next(slot); err != nil {
		if err != io.EOF {
			return err
		}
		s.ended = err
		return nil
	}
	s.past.note(slot.Submit)
	if s.any && slot.Submit < s.passed {
		return s.tooLate(slot)
	}
	if s.filled > 0 {
		last := tail - 1
		if last < 0 {
			last = len(s.ring) - 1
		}
		if slot.Submit < s.ring[last].Submit {
			s.late.Push(slot.Submit, slot.Line, *slot)
			s.Inner.Header().Ledger.Odd(OddOrder)
			return nil
		}
	}
	s.filled++
	return nil
}

// tooLate drops a record that belongs before one already passed on, or ends
// the trace and says which window would do for the whole of it.
func (s *sorter) tooLate(j *traces.Job) error {
	h := s.Inner.Header()
	fault := &traces.Error{File: h.Name, Line: j.Line,
		What: fmt.Sprintf("job %d, submitted at %v, is out of order beyond the window: jobs of %v have been passed on", j.ID,
			j.Submit, s.passed)}
	if s.opts.Skip {
		h.Ledger.Drop(traces.Malformed, nil)
		if s.opts.OnError != nil {
			s.opts.OnError(fault)
		}
		return nil
	}
	late := &LateError{}
	late.Window, late.Whole = s.measure(j.Submit)
	fault.Err = late
	return fault
}

// measure reads the rest of the trace to find the window that would have
// sufficed; false if the rest cannot be read.
func (s *sorter) measure(submit events.Time) (need int, whole bool) {
	need = s.past.window(submit)
	var j traces.Job
	for {
		switch err := s.Inner.Next(&j); err {
		case nil:
			s.past.note(j.Submit)
			need = max(need, s.past.window(j.Submit))
		default:
			return need, err == io.EOF
		}
	}
}

// LateError says which reorder window would have done: for the whole trace, or for what
// could be read of it.
type LateError struct {
	Window int
	Whole  bool
}

func (e *LateError) Error() string {
	if !e.Whole {
		return fmt.Sprintf("at least %d records have to be held back, or the file sorted by its second field", e.Window)
	}
	return fmt.Sprintf("holding back %d records is enough for this trace", e.Window)
}

func earlier(a, b *traces.Job) bool {
	return a.Submit < b.Submit || a.Submit == b.Submit && a.Line < b.Line
}

// history samples the greatest submit time so far, every 256 records: 8 bytes
// a sample suffice to find how far back a late record belongs.
//
// A window w sorts record i exactly if w >= i-k, where k is the first record
// with a later submit time: nothing before k has to follow i.
type history struct {
	greatest []events.Time
	count    int
	top      events.Time
}

const historyStep = 256

// OddOrder is a record that came late and was put in its place.
const OddOrder = "record out of order, sorted in"

func (h *history) note(t events.Time) {
	if h.count == 0 || t > h.top {
		h.top = t
	}
	if h.count%historyStep == 0 {
		h.greatest = append(h.greatest, h.top)
	}
	h.count++
}

// window returns a window that is enough for the record noted last.
func (h *history) window(t events.Time) int {
	if t >= h.top {
		return 0
	}
	k := sort.Search(len(h.greatest), func(i int) bool { return h.greatest[i] > t })
	return h.count - max(0, k-1)*historyStep
}
