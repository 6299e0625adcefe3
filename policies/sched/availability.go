package sched

import (
	"bourse/events"
	"bourse/policies"
)

// Profile is the number of free processors over time, as far as it is known: for policies that are written as scripts or
// outside of this package. Its steps are those of conservative backfilling, so that a change costs O(log n).
type Profile struct {
	steps profile
	now   events.Time
	found []gap
}

// NewProfile returns the profile in which so many processors are free from now on.
func NewProfile(now events.Time, free int64) *Profile {
	p := &Profile{steps: newProfile(), now: now}
	p.steps.base = free
	return p
}

// Add lets n processors more be free from an instant on, or fewer if n is below 0.
func (p *Profile) Add(at events.Time, n int64) {
	switch {
	case n == 0 || at == events.Never:
	case at <= p.now:
		p.steps.base += n
	default:
		p.steps.add(at, n)
	}
}

// Expect lets the processors of a running job be free when it is expected to end, just after now if that is past.
func (p *Profile) Expect(j *policies.Job, length events.Time) {
	p.Add(max(j.Since+min(max(length, 1), century), p.now+1), int64(j.Procs))
}

// Reserve takes n processors from one instant to another, and reports whether so many were free throughout: if not,
// nothing has changed.
func (p *Profile) Reserve(from, until events.Time, n int64) bool {
	p.Add(from, -n)
	p.Add(until, n)
	if p.least() >= 0 {
		return true
	}
	p.Add(from, n)
	p.Add(until, -n)
	return false
}

// least is the least number free at any time.
func (p *Profile) least() int64 {
	if p.steps.root == nilNode {
		return p.steps.base
	}
	return min(p.steps.base, p.steps.base+p.steps.Nodes[p.steps.root].Of.low)
}

// Earliest is the first instant, not before after, from which on n processors are free for so long; events.Never if
// there is none. From now on it costs O(log n) for each gap that is too short, after a later instant O(n).
func (p *Profile) Earliest(n int64, length, after events.Time) events.Time {
	after, length = max(after, p.now), min(max(length, 1), century)
	longest := length
	if after > p.now {
		longest = events.Never
	}
	p.found, _ = p.steps.gaps(p.found[:0], p.now, n, longest, events.Never)
	for _, g := range p.found {
		if from := max(g.start, after); g.end == events.Never || g.end-from >= length {
			return from
		}
	}
	return events.Never
}

// Free is how many processors are free at an instant.
func (p *Profile) Free(at events.Time) int64 {
	free := p.steps.base
	for x := p.steps.root; x != nilNode; {
		s := &p.steps.Nodes[x]
		if s.Key > int64(at) {
			x = s.Left
			continue
		}
		if free += s.Of.height; s.Left != nilNode {
			free += p.steps.Nodes[s.Left].Of.sum
		}
		x = s.Right
	}
	return free
}
