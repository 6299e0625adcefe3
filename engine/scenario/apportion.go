package scenario

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/transform"
)

// apportion replays the jobs once without payments for price schemes that are made of the use of the whole replay, if
// any is: who runs does not depend on them. jobs are read once more for that.
func (p *Prepared) apportion(jobs func() (traces.Source, error)) error {
	var schemes []policies.Apportioner
	for _, x := range append([]policies.Pricer{p.Config.Pricer}, p.Config.Also...) {
		if a, ok := x.(policies.Apportioner); ok && a.Needs() {
			schemes = append(schemes, a)
		}
	}
	if len(schemes) == 0 {
		return nil
	}
	s := p.Scenario
	if s.Budget != "" {
		return &ConflictError{"budget", "payment", "shapley makes its prices of what the jobs use, and under budgets that " +
			"depends on the " +
			"prices; give the demand as an input series (demand=NAME)"}
	}
	s.Payment, s.Check = free, false
	dry, err := s.build(p.Hardware, nil)
	if err != nil {
		return err
	}
	src, err := jobs()
	if err != nil {
		return err
	}
	err = s.rules(&dry.Config, p.Hardware, src.Header())
	if err != nil {
		return errors.Join(err, traces.Close(src))
	}
	use := &demand{}
	dry.Config.Segments = use
	sum, err := engine.Run(context.Background(), dry.Config, s.react(src), nil)
	if err := errors.Join(err, traces.Close(src)); err != nil {
		return err
	}
	if sum.Jobs == 0 {
		return nil // which the replay itself will find
	}
	steps := use.steps(sum.First, sum.Last)
	for _, a := range schemes {
		if err := a.Apportion(steps); err != nil {
			return &OptionError{"payment", err}
		}
	}
	return nil
}

// again opens the scenario's trace once more.
func (s *Scenario) again(o transform.Options) (traces.Source, error) {
	if s.Trace == "-" {
		return nil, &OptionError{"payment", errors.New("shapley reads the trace twice, and standard input is there once; " +
			"give a file, or the " +
			"demand as an input series (demand=NAME)")}
	}
	src, err := s.Open(Env{})
	if err != nil {
		return nil, err
	}
	out, err := Apply(src, o)
	if err != nil {
		return nil, errors.Join(err, traces.Close(src))
	}
	return out, nil
}

// demand is what running jobs hold over time, gathered from their segments, an engine.SegmentSink.
type demand struct{ changes []change }

type change struct {
	at events.Time
	by float64
}

// Segment implements engine.SegmentSink.
func (d *demand) Segment(s *engine.Segment) error {
	held := float64(s.Size * s.Share)
	d.changes = append(d.changes, change{s.Start, held}, change{s.End, -held})
	return nil
}

// steps is the demand from one instant to another.
func (d *demand) steps(from, to events.Time) *events.Steps {
	slices.SortStableFunc(d.changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	at, value := []events.Time{from}, []float64{0}
	var held policies.Sum
	for _, c := range d.changes {
		if c.at > at[len(at)-1] {
			at, value = append(at, c.at), append(value, 0)
		}
		held.Add(c.by)
		value[len(value)-1] = max(0, held.Value())
	}
	if n := len(at) - 1; n > 0 && at[n] >= to { // nothing runs any more
		at, value = at[:n], value[:n]
	}
	return events.NewStepsUntil(at, value, to)
}
