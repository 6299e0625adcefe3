package payment

import (
	"bourse/events"
	"bourse/policies"
)

// cappedIndex charges many jobs min(cap_i, K) at once, K being the same for
// all and changing with every round. Over an interval at K a job with
// cap <= K collects its duration dt (it will pay its own cap for it), one with
// cap > K collects K x dt. In order of cap these are a prefix and a suffix, so
// a balanced tree over the caps of the running jobs with sums waiting at its
// inner nodes takes an interval in O(log n), however far K jumps, and each
// job's sums hold its own intervals only: nothing large is subtracted.
//
// Rejected: two prefix sums over ranks of K, which need all keys of the future
// or grow with the trace; walking the jobs whose side of K changed, which is
// O(n) when K jumps.
//
// Jobs that share one K are one tree; trees of several K are in one table.
type cappedIndex struct {
	policies.Tree[account] // by (cap, Ref)
}

// account is the sum that a job has collected, and the dues of it and all below it.
type account struct{ own, owed due }

// due is time to be paid at one's own cap, and the integral of K over the rest.
type due struct {
	own  events.Time
	keys float64
}

func (d *due) add(e due) {
	d.own += e.own
	d.keys += e.keys
}

// charge collects the interval dt at key k from every job in a tree.
func (x *cappedIndex) charge(root int32, k float64, dt events.Time) {
	key, capped, open := policies.FloatKey(k), due{own: dt}, due{keys: float64(k * dt.Seconds())}
	for at := root; at != policies.NilNode; {
		n := &x.Nodes[at]
		if n.Key <= key {
			n.Of.own.add(capped)
			x.addDue(n.Left, capped)
			at = n.Right
		} else {
			n.Of.own.add(open)
			x.addDue(n.Right, open)
			at = n.Left
		}
	}
}

// addDue puts d on a whole subtree.
func (x *cappedIndex) addDue(at int32, d due) {
	if at != policies.NilNode {
		x.Nodes[at].Of.owed.add(d)
	}
}

// settle moves what is owed at a node to the node itself and its children. It is done
// at every node that is about to get other children.
func (x *cappedIndex) settle(at int32) *policies.Place {
	n := &x.Nodes[at]
	if d := n.Of.owed; d != (due{}) {
		n.Of.own.add(d)
		x.addDue(n.Left, d)
		x.addDue(n.Right, d)
		n.Of.owed = due{}
	}
	return &n.Place
}

// insert adds ref to a tree with a clean slate and returns the new root.
func (x *cappedIndex) insert(root int32, ref policies.Ref, limit float64) int32 {
	*x.Put(int32(ref), policies.FloatKey(limit), int64(ref)) = account{}
	for at, n := root, &x.Nodes[ref].Place; at != policies.NilNode; {
		at = *x.settle(at).Toward(n)
	}
	root, _, _ = x.Link(root, int32(ref))
	return root
}

// remove takes ref out of its tree and returns the new root and what ref collected.
func (x *cappedIndex) remove(root int32, ref policies.Ref) (_ int32, own events.Time, keys float64) {
	n := &x.Nodes[ref]
	for at := root; at != int32(ref); {
		at = *x.settle(at).Toward(&n.Place)
	}
	x.settle(int32(ref))
	for a, b := n.Left, n.Right; a != policies.NilNode && b != policies.NilNode; { // as Unlink joins them
		if l, r := x.settle(a), x.settle(b); l.Above(r) {
			a = l.Right
		} else {
			b = r.Left
		}
	}
	root, _, _ = x.Unlink(root, int32(ref))
	return root, n.Of.own.own, n.Of.own.keys
}

func (x *cappedIndex) clone() *cappedIndex { return &cappedIndex{x.Clone()} }
