package sched

import (
	"bourse/events"
	"bourse/policies"
)

// ends is the availability profile that EASY needs: the running jobs in order of
// their estimated ends, with sums of processors. It is kept from event to event;
// each operation takes O(log running).
type ends struct {
	tree treap // by (estimated end, seq)
	root int32
}

func newEnds() ends { return ends{root: nilNode} }

func (e *ends) insert(ref policies.Ref, end events.Time, j *policies.Job) {
	e.root = e.tree.insert(e.root, ref, int64(end), j)
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
		upTo := before + int64(e.tree.sum(n.Left).CPU) + n.Of.extent.wide
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
	return int64(e.tree.upTo(e.root, int64(at)).CPU)
}

func (e *ends) clone() ends { return ends{e.tree.clone(), e.root} }
