package scenario

import (
	"fmt"

	"bourse/engine"
	"bourse/events"
)

// reservation keeps processors of a time for the jobs of a user, group, queue or partition, an engine.Limit. Members may
// run anywhere; at any time t of it
//
//	processors of all others that run, or are expected to, at t <= processors of the machine - reserved
//
// so that what an outage takes at that time is taken from the reserved ones first. It stops no job.
type reservation struct {
	labelled
	from, until events.Time
	open        int64 // processors that others may have
	text        string
	running     int64 // processors of others that run
	past        int64 // of these, those that are expected to run beyond its start
}

// Admits implements engine.Limit.
func (l *reservation) Admits(s *engine.Start) (engine.Hold, bool) {
	_, member := l.key(s.Job)
	if member || s.Now >= l.until || s.End <= l.from && s.Now < l.from {
		return engine.Hold{}, true
	}
	others := l.running
	if s.Now < l.from {
		others = l.past
	}
	if others+int64(s.Job.Procs) <= l.open {
		return engine.Hold{}, true
	}
	return engine.Hold{Until: l.until, Why: l.text}, false
}

// Started implements engine.Limit.
func (l *reservation) Started(s *engine.Start) { l.add(s, 1) }

// Stopped implements engine.Limit: all whom others keep waiting wait under one key.
func (l *reservation) Stopped(s *engine.Start) int64 {
	if l.add(s, -1); s.Now >= l.until {
		return -1
	}
	return 0
}

func (l *reservation) add(s *engine.Start, n int64) {
	if _, member := l.key(s.Job); member {
		return
	}
	n *= int64(s.Job.Procs)
	if l.running += n; s.End > l.from {
		l.past += n
	}
}

// Clone implements engine.Limit.
func (l *reservation) Clone() engine.Limit {
	c := *l
	return &c
}

// Check implements engine.Checking.
func (l *reservation) Check(now events.Time, running []engine.Start) error {
	others, starts := int64(0), false
	for i := range running {
		s := &running[i]
		if _, member := l.key(s.Job); !member && (s.End > l.from || now >= l.from) {
			others += int64(s.Job.Procs)
			starts = starts || s.Now == now
		}
	}
	if starts && now < l.until && others > l.open {
		return fmt.Errorf("a job starts, and %d processors are in use by others under the %s, which leaves %d", others,
			l.text, l.open)
	}
	return nil
}
