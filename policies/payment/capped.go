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
// The tree is a treap in slices indexed by Ref. Its priorities are a fixed hash
// of a counter, so that its shape is the same in every run.
//
// Rejected: two prefix sums over ranks of K, which need all keys of the future
// or grow with the trace; walking the jobs whose side of K changed, which is
// O(n) when K jumps.
type cappedIndex struct {
	nodes []capNode
	root  policies.Ref
	count uint64
}

const nobody policies.Ref = -1

type capNode struct {
	cap         float64
	left, right policies.Ref
	priority    uint64
	mine, below due // collected by this job; owed to it and all below it
}

// due is time to be paid at one's own cap, and the integral of K over the rest.
type due struct {
	own  events.Time
	keys float64
}

func (d *due) add(e due) {
	d.own += e.own
	d.keys += e.keys
}

// charge collects the interval dt at key k from every job in the tree.
func (x *cappedIndex) charge(k float64, dt events.Time) {
	capped, open := due{own: dt}, due{keys: float64(k * dt.Seconds())}
	for at := x.root; at != nobody; {
		n := &x.nodes[at]
		if n.cap <= k {
			n.mine.add(capped)
			x.owe(n.left, capped)
			at = n.right
		} else {
			n.mine.add(open)
			x.owe(n.right, open)
			at = n.left
		}
	}
}

// owe puts d on a whole subtree.
func (x *cappedIndex) owe(at policies.Ref, d due) {
	if at != nobody {
		x.nodes[at].below.add(d)
	}
}

// settle moves what is owed at a node to the node itself and its children.
func (x *cappedIndex) settle(at policies.Ref) *capNode {
	n := &x.nodes[at]
	if n.below != (due{}) {
		n.mine.add(n.below)
		x.owe(n.left, n.below)
		x.owe(n.right, n.below)
		n.below = due{}
	}
	return n
}

// insert adds ref with a clean slate.
func (x *cappedIndex) insert(ref policies.Ref, limit float64) {
	for int(ref) >= len(x.nodes) {
		x.nodes = append(x.nodes, capNode{})
	}
	x.count++
	x.nodes[ref] = capNode{cap: limit, left: nobody, right: nobody, priority: mix(x.count)}
	low, high := x.split(x.root, limit, ref)
	x.root = x.merge(x.merge(low, ref), high)
}

// remove takes ref out and returns what it collected.
func (x *cappedIndex) remove(ref policies.Ref) (own events.Time, keys float64) {
	limit := x.nodes[ref].cap
	link := &x.root
	for {
		at := *link
		n := x.settle(at)
		if at == ref {
			*link = x.merge(n.left, n.right)
			return n.mine.own, n.mine.keys
		}
		if after(limit, ref, n.cap, at) {
			link = &n.right
		} else {
			link = &n.left
		}
	}
}

// after orders nodes by (cap, ref).
func after(a float64, ra policies.Ref, b float64, rb policies.Ref) bool {
	return a > b || a == b && ra > rb
}

// split parts the tree into the nodes before and after (limit, ref).
func (x *cappedIndex) split(at policies.Ref, limit float64, ref policies.Ref) (low, high policies.Ref) {
	if at == nobody {
		return nobody, nobody
	}
	n := x.settle(at)
	if after(limit, ref, n.cap, at) {
		n.right, high = x.split(n.right, limit, ref)
		return at, high
	}
	low, n.left = x.split(n.left, limit, ref)
	return low, at
}

// merge joins two trees, all of a standing before all of b.
func (x *cappedIndex) merge(a, b policies.Ref) policies.Ref {
	if a == nobody {
		return b
	}
	if b == nobody {
		return a
	}
	na, nb := x.settle(a), x.settle(b)
	if na.priority > nb.priority {
		na.right = x.merge(na.right, b)
		return a
	}
	nb.left = x.merge(a, nb.left)
	return b
}

// mix is the finaliser of splitmix64 (Steele, Lea and Flood 2014).
func mix(v uint64) uint64 {
	v *= 0x9e3779b97f4a7c15
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}
