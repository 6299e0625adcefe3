package traces

import (
	"errors"
	"io"

	"bourse/events"
)

// Span passes a source on and remembers the first and the last submission it has
// seen. It belongs to the goroutine that reads it.
type Span struct {
	Wrapped
	First, Last events.Time
	begun       bool
	Ended       bool        // Last is the trace's last submission
	Shortest    events.Time // run time
	Cut         bool        // a job was cut into pieces
	Users       bool        // a job has a user
	Partitions  bool        // a job has a partition
}

// Watch wraps src.
func Watch(src Source) *Span { return &Span{Wrapped: Wrapped{src}} }

// Next implements Source.
func (s *Span) Next(j *Job) error {
	err := s.Inner.Next(j)
	if err != nil {
		s.Ended = s.Ended || errors.Is(err, io.EOF)
		return err
	}
	if !s.begun {
		s.First, s.Shortest, s.begun = j.Submit, j.Run, true
	}
	s.Last, s.Shortest = j.Submit, min(s.Shortest, j.Run)
	s.Cut, s.Users = s.Cut || j.Pieces > 1, s.Users || j.User != NoLabel
	s.Partitions = s.Partitions || j.Partition != NoLabel
	return nil
}

// Edges are the parts of a replay that are not counted: jobs submitted less than
// WarmUp after the first one meet a machine that is emptier than usual, and those
// submitted less than CoolDown before the last one leave it so.
type Edges struct{ WarmUp, CoolDown events.Time }

// Has reports whether a job submitted at t is at an edge of first to last.
func (e Edges) Has(t, first, last events.Time) bool {
	return t < first+e.WarmUp || e.CoolDown > 0 && t > last-e.CoolDown
}

// Counted returns the range of n jobs in order of submission that are not at the
// edges; empty, from = until, if all are.
func (e Edges) Counted(n int, submit func(int) events.Time) (from, until int) {
	if until = n; n == 0 {
		return 0, 0
	}
	first, last := submit(0), submit(n-1)
	for from < until && e.Has(submit(from), first, last) {
		from++
	}
	for from < until && e.Has(submit(until-1), first, last) {
		until--
	}
	return from, until
}
