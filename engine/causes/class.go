package causes

import (
	"bourse/events"
	"bourse/policies"
)

// state says whether a need fits into what is free.
type state uint8

const (
	tight     state = iota
	scattered       // into all machines together, and into none
	fits
)

// times is how long a class was in a state, by state; tight is not counted.
type times [fits + 1]events.Time

func (t times) minus(u times) times {
	for i := range t {
		t[i] -= u[i]
	}
	return t
}

// wanted is the need of a job, and of each of the pieces in which it is placed.
type wanted struct{ need, piece policies.Amount }

func wantedBy(j *policies.Job) wanted { return wanted{j.Need, j.Piece()} }

// class is the waiting jobs of one need: they fit, or do not, and are overtaken together.
type class struct {
	wanted
	waiting int
	// marks are the changes of state since the class was overtaken last: the first is of
	// that instant, or of the one at which the first of the jobs came. On one
	// machine there is one more at most: what a job needs is free until it or others take
	// it, and if others do the class is overtaken.
	marks   []mark
	machine int32 // of a cluster, one that it fits on
}

// mark is a change of state, and how long each lasted before.
type mark struct {
	at     events.Time
	before times
	state  state
}

func (m *mark) timesAt(at events.Time) times {
	t := m.before
	if m.state != tight {
		t[m.state] += at - m.at
	}
	return t
}

// timesAt returns how long each state lasted up to an instant, no earlier than the first mark.
func (c *class) timesAt(at events.Time) times {
	i := len(c.marks) - 1
	for i > 0 && c.marks[i].at > at {
		i--
	}
	return c.marks[i].timesAt(at)
}

func (c *class) state() state { return c.marks[len(c.marks)-1].state }

// overtaken forgets all marks before now.
func (c *class) overtaken(now events.Time) {
	m := mark{now, c.timesAt(now), c.state()}
	c.marks = append(c.marks[:0], m)
}

// become notes a change of state.
func (c *class) become(now events.Time, s state) {
	last := &c.marks[len(c.marks)-1]
	switch {
	case last.state == s:
	case last.at == now:
		last.state = s
	default:
		c.marks = append(c.marks, mark{now, last.timesAt(now), s})
	}
}
