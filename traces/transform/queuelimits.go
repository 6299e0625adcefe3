package transform

import (
	"fmt"
	"slices"
	"strings"

	"bourse/traces"
)

// queueLimits are what jobs of a queue have to be, as a real system's queues have
// it: "debug: procs <= 8 && estimate <= 3600; 2: procs <= 64; *: procs <= 512",
// where * represents all queues without a limit of their own, and for jobs that
// are in none. The conditions see what is recorded.
type queueLimits struct {
	names  []string // of queues, as written
	rules  []*filter
	met    []bool // a job is in the queue
	others *filter
	words  *traces.Words
}

// newQueueLimits compiles text; an empty one limits nothing.
func newQueueLimits(text string, h *traces.Header) (*queueLimits, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	q := &queueLimits{words: h.Names.Queues}
	for _, part := range strings.Split(text, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, condition, ok := strings.Cut(part, ":")
		name = strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, fmt.Errorf("queue limits: %q: want a queue, a colon and a condition, as in '2: procs <= 64 && "+
				"estimate <= 3600; *: procs <= 8'", strings.TrimSpace(part))
		}
		rule, err := newFilter(strings.TrimSpace(condition), h)
		if err != nil {
			return nil, fmt.Errorf("queue limits: queue %s: %w", name, err)
		}
		if name == "*" && q.others != nil || slices.Index(q.names, name) >= 0 {
			return nil, fmt.Errorf("queue limits: queue %s has two limits; join them with &&", name)
		}
		if name == "*" {
			q.others = rule
			continue
		}
		q.names, q.rules, q.met = append(q.names, name), append(q.rules, rule), append(q.met, false)
	}
	return q, nil
}

// admits reports whether a job is within its queue's limits.
func (q *queueLimits) admits(j *traces.Job) (bool, error) {
	if q == nil {
		return true, nil
	}
	rule := q.others
	if name, ok := q.words.Text(j.Queue); ok {
		if i := slices.Index(q.names, name); i >= 0 {
			rule, q.met[i] = q.rules[i], true
		}
	}
	if rule == nil {
		return true, nil
	}
	return rule.holds(j)
}

// OddQueue begins what is counted for a limit of a queue without jobs.
const OddQueue = "limits of a queue that no job is in: "

// finish notes the limits of queues that have not been seen.
func (q *queueLimits) finish(l *traces.Ledger) {
	if q == nil {
		return
	}
	for i, met := range q.met {
		if !met {
			l.Odd(OddQueue + q.names[i])
			q.met[i] = true // once
		}
	}
}
