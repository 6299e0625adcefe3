package causes

import (
	"slices"
	"sort"

	"bourse/events"
)

// place is a job's place in the queue: better keys first, then earlier submissions. at is
// when the job started.
type place struct {
	at  events.Time
	key float64
	seq int64
}

func (p *place) isAhead(q *place) bool { return p.key > q.key || p.key == q.key && p.seq < q.seq }

// starts answers when a job ahead of a given one started last. A start is forgotten when a
// job with a better place starts later: it is ahead of every job that the first one was ahead
// of. So places become worse from the bottom of the stack to its top.
type starts struct {
	list []place
	kept int // after the last purge
}

func (s *starts) push(p place) {
	for n := len(s.list); n > 0 && !s.list[n-1].isAhead(&p); n-- {
		s.list = s.list[:n-1]
	}
	s.list = append(s.list, p)
}

// last returns when a job ahead of p started last, at the earliest since.
func (s *starts) last(p *place, since events.Time) events.Time {
	i := sort.Search(len(s.list), func(i int) bool { return !s.list[i].isAhead(p) })
	if i == 0 {
		return since
	}
	return max(since, s.list[i-1].at)
}

// full reports whether it is time for a purge, which may look at all live jobs.
func (s *starts) full() bool { return len(s.list) > 1024+2*s.kept }

// purge forgets starts before an instant.
func (s *starts) purge(oldest events.Time) {
	s.list = slices.DeleteFunc(s.list, func(p place) bool { return p.at < oldest })
	s.kept = len(s.list)
}
