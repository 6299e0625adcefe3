package quota

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// BySize and ByTime make queues classes of jobs: a queue's name is the least that its jobs ask for, in processors
// or of time, and a job is in the last class whose least it reaches.
const BySize, ByTime = "size", "time"

// class is a queue of jobs that ask for so much or more, up to the next.
type class struct {
	least int64
	queue int32
}

// readClasses takes the queues' names for numbers.
func (p *Quota) readClasses() error {
	for _, q := range p.rules.Table.Queues {
		if q.Name == others {
			continue
		}
		n, err := strconv.ParseInt(string(q.Name), 10, 64)
		want := "want the least processors of its jobs, as in 32"
		if p.rules.By == ByTime {
			var t events.Time
			t, err = events.ParseDuration(string(q.Name))
			n, want = int64(t), "want the least time that its jobs ask for, as in 4h"
		}
		if err != nil || n < 0 {
			return fmt.Errorf("by=%s: queue %s: %s", p.rules.By, q.Name, want)
		}
		p.classes = append(p.classes, class{n, p.names[string(q.Name)]})
	}
	slices.SortFunc(p.classes, func(a, b class) int { return cmp.Compare(b.least, a.least) })
	return nil
}

// classOf is the queue of a job's class, or of all others.
func (p *Quota) classOf(j *policies.Job) int32 {
	n := int64(j.Procs)
	if p.rules.By == ByTime {
		n = int64(j.Estimate)
	}
	x := p.names[others]
	if i := slices.IndexFunc(p.classes, func(c class) bool { return c.least <= n }); i >= 0 {
		x = p.classes[i].queue
	}
	p.known[traces.Label(x)] = x // that there are such jobs
	return x
}

// Needs are estimates if classes are by them.
func (p *Quota) Needs() policies.Needs { return policies.Needs{Estimates: p.rules.By == ByTime} }
