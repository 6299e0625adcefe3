package engine

import (
	"fmt"

	"bourse/events"
	"bourse/policies"
)

// The kinds of charges: grams of carbon, and the money of a tariff.
const (
	Carbon = iota
	Tariff
	NumCharges
)

// ChargeNames are the names of their input series.
var ChargeNames = [NumCharges]string{"carbon", "tariff"}

// Charge is so much per second and watt that is drawn (PerWatt), or per processor that jobs hold.
type Charge struct {
	*events.Steps
	PerWatt bool
}

// charge charges a job for the time since it last started or changed its rate, exactly: by the integral of the series.
func (m *meter) charge(e *Replay, l *live, watts, procs float64) {
	for kind, c := range m.charges {
		if c == nil {
			continue
		}
		by := procs
		if c.PerWatt {
			by = watts
		}
		due := float64(c.Integral(l.since, e.now) * by)
		l.Charged[kind] += due
		e.sum.JobCharged[kind] += due
	}
}

// accrue adds up what the machine draws from now on for a time, and is charged for that.
func (m *meter) accrue(e *Replay, dt events.Time) {
	watts := m.watts(e)
	e.sum.Energy += float64(watts * dt.Seconds())
	for kind, c := range m.charges {
		if c != nil && c.PerWatt {
			e.sum.Charged[kind] += float64(c.Integral(e.now, e.now+dt) * watts)
		}
	}
}

// readSeries hands the input series to those who look at them, and finds out how long all last.
func (e *Replay) readSeries() error {
	e.covered = events.Never
	for _, r := range partsOf[policies.SeriesReader](&e.cfg) {
		if err := r.ReadSeries(e.cfg.Series); err != nil {
			return err
		}
	}
	if p, ok := policies.As[policies.StartCostReader](e.cfg.Policy); ok {
		p.ReadStartCost(e.cfg.StartCost)
	}
	for _, s := range e.cfg.Series {
		if _, end := s.Values.Span(); !s.Values.Covers(end, end+1) {
			e.covered = min(e.covered, end)
		}
	}
	return nil
}

// SeriesError says that a replay goes beyond one of its input series.
type SeriesError struct {
	Name          string
	From, To, Now events.Time
	Apart         events.Time // its first two rows
}

func (e *SeriesError) Error() string {
	text := fmt.Sprintf("the series %s is from %s to %s after the log's zero, and the replay is at %s: want a longer "+
		"one, or extend=last or "+
		"extend=repeat", e.Name, e.From.Short(), e.To.Short(), e.Now.Short())
	if e.Apart <= 60*events.Second {
		text += fmt.Sprintf("; its rows are %s apart: if its times are hours, say unit=h", e.Apart.Short())
	}
	return text
}

// uncovered names a series that does not have an instant, nil if all do.
func (e *Replay) uncovered(at events.Time) error {
	for _, s := range e.cfg.Series {
		if from, to := s.Values.Span(); !s.Values.Covers(at, at) {
			first, next, _ := s.Values.Step(0)
			return &SeriesError{s.Name, from, to, at, next - first}
		}
	}
	return nil
}
