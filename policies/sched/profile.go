package sched

import (
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// profile is the number of free processors over time, by the estimates: a step
// function kept as a treap of its steps. A node holds the height of its step, a
// subtree the least and the greatest partial sum of its heights, so that a
// promise to a job is two O(log n) insertions, whatever lies between, and the
// next time with enough or too few processors free is found in O(log n).
//
// Rejected: heights of intervals with lazy additions to ranges, which need twice
// the state and push it down on every look.
type profile struct {
	policies.Tree[step]
	base  int64 // free now
	root  int32
	spare []int32
	path  []int32 // of the last search
}

func newProfile() profile { return profile{root: nilNode} }

// add changes the free processors by n from at on.
func (p *profile) add(at events.Time, n int64) {
	p.path = p.path[:0]
	for x := p.root; x != nilNode; {
		s := &p.Nodes[x]
		p.path = append(p.path, x)
		switch key := int64(at); {
		case key < s.Key:
			x = s.Left
		case key > s.Key:
			x = s.Right
		case s.Of.height+n == 0:
			p.cut(x)
			return
		default:
			s.Of.height += n
			p.pull(p.path)
			return
		}
	}
	p.insert(at, n)
}

// advance makes now the beginning of the profile.
func (p *profile) advance(now events.Time) {
	for p.root != nilNode {
		x := p.First(p.root)
		s := &p.Nodes[x]
		if events.Time(s.Key) > now {
			return
		}
		p.base += s.Of.height
		p.cut(x)
	}
}

// gap is a time during which enough processors are free.
type gap struct{ start, end events.Time }

// gaps appends the gaps for n processors that begin from now on and before limit, up to
// the first that is long enough, and returns before when there are no others. Without a
// limit there is one: in the end all processors are free.
//
// It walks over the profile once, in order of time, and leaves out every subtree
// in which all steps have enough processors free, or none has: what it visits are
// the ends of the gaps.
func (p *profile) gaps(found []gap, now events.Time, n int64, length, limit events.Time) ([]gap, events.Time) {
	s := search{n: n, length: length, limit: limit, since: events.Unknown, found: found}
	if p.base >= n {
		s.since = now
	}
	if !p.walk(p.root, p.base, &s) {
		s.step(events.Never, false)
	}
	return s.found, s.limit
}

// search is a search for gaps under way: since when enough processors have been
// free, events.Unknown while they are not.
type search struct {
	n             int64
	length, limit events.Time
	since         events.Time
	found         []gap
}

// step takes notice that enough processors are free from at on, or not, and
// reports whether the search is over.
func (s *search) step(at events.Time, enough bool) bool {
	if s.since == events.Unknown {
		if enough {
			s.since = at
		}
		return at >= s.limit
	}
	if enough {
		return false
	}
	s.found = append(s.found, gap{s.since, at})
	if at-s.since >= s.length {
		s.limit = at
	}
	s.since = events.Unknown
	return at >= s.limit
}

// walk takes the search through a subtree and reports whether it is over; acc is
// what is free before the subtree's first step.
func (p *profile) walk(x int32, acc int64, h *search) bool {
	for x != nilNode {
		n := &p.Nodes[x]
		s := &n.Of
		if acc+s.high < h.n || acc+s.low >= h.n {
			return h.step(s.first, acc+s.low >= h.n)
		}
		if n.Left != nilNode {
			if p.walk(n.Left, acc, h) {
				return true
			}
			acc += p.Nodes[n.Left].Of.sum
		}
		acc += s.height
		if h.step(events.Time(n.Key), acc >= h.n) {
			return true
		}
		x = n.Right
	}
	return false
}

// maxUntil returns the greatest number of processors free at any time from now on and
// before until.
func (p *profile) maxUntil(until events.Time) int64 {
	return max(p.base, p.extreme(p.root, p.base, until, true))
}

// minUntil returns the least.
func (p *profile) minUntil(until events.Time) int64 {
	return min(p.base, p.extreme(p.root, p.base, until, false))
}

func (p *profile) extreme(x int32, acc int64, until events.Time, high bool) int64 {
	best := int64(math.MaxInt64)
	if high {
		best = math.MinInt64
	}
	better := func(v int64) {
		if v > best == high {
			best = v
		}
	}
	for x != nilNode {
		n := &p.Nodes[x]
		if n.Key >= int64(until) {
			x = n.Left
			continue
		}
		here := acc + n.Of.height
		if n.Left != nilNode {
			l := &p.Nodes[n.Left].Of
			here += l.sum
			if high {
				better(acc + l.high)
			} else {
				better(acc + l.low)
			}
		}
		better(here)
		x, acc = n.Right, here
	}
	return best
}

func (p *profile) clone() profile {
	c := *p
	c.Tree, c.spare, c.path = p.Tree.Clone(), slices.Clone(p.spare), nil
	return c
}
