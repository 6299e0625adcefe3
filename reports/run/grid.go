package run

import (
	"fmt"

	"bourse/engine"
	"bourse/events"
)

// grid thins samples out to the instants 0, every, 2 every, ...: at each it
// is the state in force. With every = 0 all samples pass.
type grid struct {
	every events.Time
	next  events.Time
	last  engine.Sample
	begun bool
	rows  int64
}

// mostRows is how many instants a grid may have: a step that is too small would fill any
// disk.
const (
	mostRows   = 1_000_000_000
	mostAtOnce = 100_000_000 // while nothing happens
)

// add takes a sample and emits the grid's instants before it, which are all
// that the samples before it decide.
func (g *grid) add(s *engine.Sample, emit func(*engine.Sample) error) error {
	if g.every <= 0 {
		return emit(s)
	}
	if !g.begun {
		g.begun = true
		g.next = ceilTo(s.Time, g.every)
	}
	err := g.until(s.Time-1, emit)
	g.last = *s
	return err
}

// finish emits the instants up to the last sample.
func (g *grid) finish(emit func(*engine.Sample) error) error {
	if !g.begun {
		return nil
	}
	return g.until(g.last.Time, emit)
}

func (g *grid) until(end events.Time, emit func(*engine.Sample) error) error {
	if end >= g.next {
		more := int64((end-g.next)/g.every) + 1
		if g.rows += more; more > mostAtOnce || g.rows > mostRows {
			return fmt.Errorf("the series would have %d rows by %s; want more than %s between them", g.rows, end.Short(),
				events.FormatDuration(g.every))
		}
	}
	for ; g.next <= end; g.next += g.every {
		s := g.last
		s.Time = g.next
		if err := emit(&s); err != nil {
			return err
		}
	}
	return nil
}

// ceilTo returns the first multiple of step at or after t.
func ceilTo(t, step events.Time) events.Time {
	q := t / step * step
	if q < t {
		q += step
	}
	return q
}
