package perfetto

import "bourse/engine"

// count is a counter and its value so far.
type count struct {
	track uint64
	value float64
}

// figure is what a counter shows.
type figure struct {
	name, unit string
	value      float64
}

// Sample shows the state of the system: of each figure the changes.
func (t *Trace) Sample(s *engine.Sample) error {
	if s.Time < t.options.From {
		t.early, t.isEarly = *s, true
		return nil
	}
	if t.isEarly {
		t.isEarly = false
		if t.early.Time = t.options.From; s.Time > t.early.Time {
			if err := t.Sample(&t.early); err != nil {
				return err
			}
		}
	}
	if t.options.Until != 0 && s.Time >= t.options.Until {
		return nil
	}
	figures := []figure{
		{"jobs waiting", "jobs", float64(s.Queued)}, {"jobs running", "jobs", float64(s.Running)},
		{"utilisation", "%", 100 * s.Utilisation()}, {"price", "per processor-second", s.Price},
	}
	if t.options.Outages {
		figures = append(figures, figure{"processors away or capped", "processors", s.Away + s.Capped})
	}
	for i, f := range figures {
		begins := i == len(t.counters)
		if begins {
			track, err := t.track(0, 10+i, f.name, f.unit)
			if err != nil {
				return err
			}
			t.counters = append(t.counters, count{track: track})
		}
		c := &t.counters[i]
		if !begins && c.value == f.value {
			continue
		}
		c.value = f.value
		e := event(counter, c.track)
		e.double(eventValue, f.value)
		if err := t.emit(s.Time, e); err != nil {
			return err
		}
	}
	return nil
}
