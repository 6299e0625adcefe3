package sched

import (
	"math"
	"slices"

	"bourse/events"
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
	base  int64 // free now
	root  int32
	nodes []step
	spare []int32
	made  int64 // nodes ever made, for their priorities
}

type step struct {
	at             events.Time
	height         int64       // change at at; never 0
	first          events.Time // of the subtree
	sum, low, high int64       // of the subtree: sum, least and greatest partial sum
	left, right    int32
	rank           uint32
}

func newProfile() profile { return profile{root: nobody} }

// add changes the free processors by n from at on.
func (p *profile) add(at events.Time, n int64) {
	for link := p.root; link != nobody; {
		s := &p.nodes[link]
		switch {
		case at == s.at && s.height+n == 0:
			p.root = p.cut(p.root, at)
			p.spare = append(p.spare, link)
			return
		case at == s.at:
			p.raise(p.root, at, n)
			return
		case at < s.at:
			link = s.left
		default:
			link = s.right
		}
	}
	x := p.node()
	p.nodes[x] = step{at: at, height: n, rank: scatter(p.made)}
	p.made++
	p.root = p.insert(p.root, x)
}

func (p *profile) node() int32 {
	if n := len(p.spare); n > 0 {
		x := p.spare[n-1]
		p.spare = p.spare[:n-1]
		return x
	}
	p.nodes = append(p.nodes, step{})
	return int32(len(p.nodes) - 1)
}

// advance makes now the beginning of the profile.
func (p *profile) advance(now events.Time) {
	for p.root != nobody {
		x := p.root
		for p.nodes[x].left != nobody {
			x = p.nodes[x].left
		}
		if p.nodes[x].at > now {
			return
		}
		p.base += p.nodes[x].height
		p.root = p.cut(p.root, p.nodes[x].at)
		p.spare = append(p.spare, x)
	}
}

// place returns the first time t from now on, before limit, at which n processors
// are free until t+length, or at least until own: from there on the job holds a
// place already, which moving it would give up. events.Never if there is none.
//
// It walks over the profile once, in order of time, and leaves out every subtree
// in which all steps have enough processors free, or none has: what it visits are
// the ends of the holes that are wide enough but too short.
func (p *profile) place(now events.Time, n int64, length, own, limit events.Time) events.Time {
	h := hole{n: n, length: length, own: own, limit: limit, since: events.Unknown}
	if p.base >= n {
		h.since = now
	}
	if h.since < limit && !p.walk(p.root, p.base, &h) && h.since != events.Unknown {
		return h.since
	}
	return h.found()
}

// hole is a search for a place under way: since when enough processors have been
// free, events.Unknown while they are not.
type hole struct {
	n                  int64
	length, own, limit events.Time
	since              events.Time
	full               bool // it is large enough
}

// step takes notice that enough processors are free from at on, or not, and
// reports whether the search is over.
func (h *hole) step(at events.Time, enough bool) bool {
	if h.since == events.Unknown {
		if enough {
			h.since = at
		}
		return at >= h.limit
	}
	if at >= h.own || at-h.since >= h.length {
		h.full = true
		return true
	}
	if !enough {
		h.since = events.Unknown
	}
	return !enough && at >= h.limit
}

func (h *hole) found() events.Time {
	if h.full {
		return h.since
	}
	return events.Never
}

// walk takes the search through a subtree and reports whether it is over; acc is
// what is free before the subtree's first step.
func (p *profile) walk(x int32, acc int64, h *hole) bool {
	for x != nobody {
		s := &p.nodes[x]
		if acc+s.high < h.n || acc+s.low >= h.n {
			return h.step(s.first, acc+s.low >= h.n)
		}
		if s.left != nobody {
			if p.walk(s.left, acc, h) {
				return true
			}
			acc += p.nodes[s.left].sum
		}
		acc += s.height
		if h.step(s.at, acc >= h.n) {
			return true
		}
		x = s.right
	}
	return false
}

// most returns the greatest number of processors free at any time from now on and
// before until.
func (p *profile) most(until events.Time) int64 {
	return max(p.base, p.extreme(p.root, p.base, until, true))
}

// least returns the least.
func (p *profile) least(until events.Time) int64 {
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
	for x != nobody {
		s := &p.nodes[x]
		if s.at >= until {
			x = s.left
			continue
		}
		here := acc + s.height
		if s.left != nobody {
			l := &p.nodes[s.left]
			here += l.sum
			if high {
				better(acc + l.high)
			} else {
				better(acc + l.low)
			}
		}
		better(here)
		x, acc = s.right, here
	}
	return best
}

func (p *profile) clone() profile {
	c := *p
	c.nodes, c.spare = slices.Clone(p.nodes), slices.Clone(p.spare)
	return c
}
