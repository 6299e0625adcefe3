package traces

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"bourse/events"
)

// Span passes a source on and remembers the first and the last submission it has
// seen. It belongs to the goroutine that reads it.
type Span struct {
	wrapped
	First, Last events.Time
	begun       bool
	Ended       bool // Last is the trace's last submission
}

// Watch wraps src.
func Watch(src Source) *Span { return &Span{wrapped: wrapped{src}} }

// Next implements Source.
func (s *Span) Next(j *Job) error {
	err := s.src.Next(j)
	if err != nil {
		s.Ended = s.Ended || errors.Is(err, io.EOF)
		return err
	}
	if !s.begun {
		s.First, s.begun = j.Submit, true
	}
	s.Last = j.Submit
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

// ParseDuration reads seconds, a number with a unit as in 90s, 15min, 12h, 7d, 2w,
// or [days-]hours:minutes:seconds.
func ParseDuration(text string) (events.Time, error) {
	unit, number := events.Second, text
	for _, u := range []struct {
		name string
		unit events.Time
	}{{"min", 60 * events.Second}, {"s", events.Second}, {"h", 3600 * events.Second}, {"d", 24 * 3600 * events.Second}, {"w", Week}} {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			unit, number = u.unit, rest
			break
		}
	}
	t, ok := scaled(number, unit)
	if !ok && number == text {
		t, ok = clock(text)
	}
	if !ok || t < 0 {
		return 0, fmt.Errorf("%q: seconds, or a number with s, min, h, d or w as in 7d, were expected", text)
	}
	return t, nil
}
