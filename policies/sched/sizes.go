package sched

import (
	"math/bits"

	"bourse/events"
	"bourse/policies"
)

// sizes is an index of waiting jobs that answers in logarithmic time: which is
// the first in order that needs at most so many processors and so much time?
//
// It keeps a tree in backfill order for each class of sizes. In a class all of
// whose sizes fit, the least estimate of a subtree steers straight to the first
// job that is short enough; only the one class that the number of free processors
// divides may be searched in vain. Classes are exact up to 7 processors and a
// quarter of an octave wide beyond (8-9, 10-11, 12-13, 14-15, 16-19, ...).
//
// Rejected: one tree pruned by least size and least estimate, which walks the
// whole queue when small long jobs and wide short ones alternate in it; a Fenwick
// tree of trees by exact size, which is never searched in vain but moves each job
// through log2(processors) of them.
type sizes struct {
	tree  policies.LeastTree
	roots [numClasses]int32
	used  [numClasses/64 + 1]uint64 // bit set of the classes that are not empty
}

const numClasses = 7 + 4*28

// classOf returns the class of a size of 1 or more.
func classOf(procs int32) int {
	if procs < 8 {
		return int(procs) - 1
	}
	b := bits.Len32(uint32(procs))
	return 7 + 4*(b-4) + int(procs)>>(b-3)&3
}

func newSizes() sizes {
	var s sizes
	for i := range s.roots {
		s.roots[i] = nilNode
	}
	return s
}

func (s *sizes) insert(ref policies.Ref, key float64, j *policies.Job) {
	c := classOf(j.Procs)
	s.roots[c] = s.tree.Insert(s.roots[c], int32(ref), policies.FloatKey(key), j.Seq, policies.ExtentOf(j))
	s.used[c/64] |= 1 << (c % 64)
}

func (s *sizes) remove(ref policies.Ref) {
	c := classOf(int32(s.tree.Nodes[ref].Of.Own.Wide))
	s.roots[c] = s.tree.Remove(s.roots[c], int32(ref))
	if s.roots[c] == nilNode {
		s.used[c/64] &^= 1 << (c % 64)
	}
}

// hasWithin reports whether any waiting job has at most procs processors.
func (s *sizes) hasWithin(procs int) bool {
	for w, set := range s.used {
		if set != 0 {
			c := w*64 + bits.TrailingZeros64(set)
			return int(s.tree.Nodes[s.roots[c]].Of.Least.Wide) <= procs
		}
	}
	return false
}

// first returns the first job in order that needs at most procs processors for at
// most the time length, or at most anyTime processors for any time; a negative
// Ref if there is none.
func (s *sizes) first(procs int, length events.Time, anyTime int) policies.Ref {
	best := int32(nilNode)
	for w, set := range s.used {
		for ; set != 0; set &= set - 1 {
			root := s.roots[w*64+bits.TrailingZeros64(set)]
			if int(s.tree.Nodes[root].Of.Least.Wide) > procs {
				return policies.Ref(best) // and so is all of the larger classes
			}
			best = s.better(best, s.tree.Search(root, policies.Extent{Wide: int64(procs), Long: int64(length)}))
			if anyTime > 0 {
				best = s.better(best, s.tree.Search(root, policies.AnyLength(int64(anyTime))))
			}
		}
	}
	return policies.Ref(best)
}

func (s *sizes) better(a, b int32) int32 {
	if a == nilNode || b != nilNode && s.tree.Nodes[b].Before(&s.tree.Nodes[a].Place) {
		return b
	}
	return a
}

func (s *sizes) clone() sizes { return sizes{s.tree.Clone(), s.roots, s.used} }

// ends is the availability profile that EASY needs: the running jobs in order of
// their estimated ends, with sums of processors. It is kept from event to event;
// each operation takes O(log running).
type ends struct {
	tree heldTree // by (estimated end, seq)
	root int32
}

func newEnds() ends { return ends{root: nilNode} }

func (e *ends) insert(ref policies.Ref, end events.Time, j *policies.Job) {
	e.root = e.tree.insert(e.root, int32(ref), int64(end), j.Seq, j.Need)
}

func (e *ends) remove(ref policies.Ref) { e.root = e.tree.remove(e.root, int32(ref)) }

// shadow returns the earliest time from now on at which need processors will be
// free if every running job ends at its estimate, and how many beyond need will
// be free then: all jobs that end by that time count. need is more than is free
// now and not more than the machine has.
func (e *ends) shadow(now events.Time, free, need int) (events.Time, int) {
	at, before := now, int64(free)
	for x := e.root; x != nilNode; {
		n := &e.tree.Nodes[x]
		upTo := before + int64(e.tree.sum(n.Left).CPU+n.Of.own.CPU)
		if upTo >= int64(need) {
			at, x = events.Time(n.Key), n.Left
		} else {
			before, x = upTo, n.Right
		}
	}
	at = max(at, now)
	return at, free + int(e.endedBy(at)) - need
}

// endedBy returns the processors of all jobs that end by at.
func (e *ends) endedBy(at events.Time) int64 {
	return int64(e.tree.sumUpTo(e.root, int64(at)).CPU)
}

func (e *ends) clone() ends { return ends{e.tree.clone(), e.root} }
