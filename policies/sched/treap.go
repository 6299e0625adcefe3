package sched

import (
	"math"

	"bourse/policies"
)

// treap holds jobs, or groups of them, every subtree summed up: its nodes are indexed
// by Ref (or group).
//
// Searches are for the first node that is small enough in two extents: a job's
// processors and estimate, or a group's CPU and memory.
type treap struct{ policies.Tree[load] }

// load is what a node asks for, and the nodes below it.
type load struct {
	extent, least extent          // its own; in each the least of the subtree
	need, sum     policies.Amount // its own; of the subtree
}

// extent is how much a node asks for in two ways.
type extent struct{ wide, long int64 }

// within reports whether e is at most f in both.
func (e extent) within(f extent) bool { return e.wide <= f.wide && e.long <= f.long }

// anyLength is an extent of so many processors for any time.
func anyLength(procs int64) extent { return extent{procs, math.MaxInt64} }

// amount is an extent of CPU and memory, which are whole grains.
func amount(a policies.Amount) extent {
	return extent{int64(a.CPU), int64(a.Memory)}
}

const nilNode = policies.NilNode

// insert adds ref, which must not be in any tree, and returns the new root.
func (t *treap) insert(root int32, ref policies.Ref, key int64, j *policies.Job) int32 {
	return t.insertBy(root, ref, key, j.Seq, j)
}

// insertBy is insert with another number than the job's own to break ties.
func (t *treap) insertBy(root int32, ref policies.Ref, key, seq int64, j *policies.Job) int32 {
	return t.put(root, int32(ref), key, seq, extent{int64(j.Procs), int64(j.Estimate)}, j.Need)
}

// put adds node x.
func (t *treap) put(root, x int32, key, seq int64, e extent, need policies.Amount) int32 {
	own := t.Put(x, key, seq)
	own.extent, own.least, own.need, own.sum = e, e, need, need
	root, above, below := t.Link(root, x)
	for _, y := range above {
		t.Nodes[y].Of.add(own)
	}
	if len(below) > 1 { // a leaf is its own sum
		t.pull(below)
	}
	return root
}

// remove takes x out of the tree and returns the new root.
func (t *treap) remove(root, x int32) int32 {
	root, above, below := t.Unlink(root, x)
	t.pull(below)
	t.pull(above)
	return root
}

// pull sums the subtrees of a path up from their halves, the deepest first.
func (t *treap) pull(path []int32) {
	for i := len(path) - 1; i >= 0; i-- {
		n := &t.Nodes[path[i]]
		l := &n.Of
		l.least, l.sum = l.extent, l.need
		if n.Left != nilNode {
			l.add(&t.Nodes[n.Left].Of)
		}
		if n.Right != nilNode {
			l.add(&t.Nodes[n.Right].Of)
		}
	}
}

// add adds what a subtree asks for.
func (l *load) add(half *load) {
	l.least.wide = min(l.least.wide, half.least.wide)
	l.least.long = min(l.least.long, half.least.long)
	l.sum = l.sum.Plus(half.sum)
}

// search returns the first node of a tree with at most this extent, nilNode if there
// is none.
func (t *treap) search(x int32, most extent) int32 {
	for x != nilNode {
		n := &t.Nodes[x]
		if !n.Of.least.within(most) {
			return nilNode
		}
		if found := t.search(n.Left, most); found != nilNode {
			return found
		}
		if n.Of.extent.within(most) {
			return x
		}
		x = n.Right
	}
	return nilNode
}

func (t *treap) sum(x int32) policies.Amount {
	if x == nilNode {
		return policies.Amount{}
	}
	return t.Nodes[x].Of.sum
}

func (t *treap) clone() treap { return treap{t.Clone()} }

// upTo returns what all jobs with a key of at most key hold.
func (t *treap) upTo(root int32, key int64) (sum policies.Amount) {
	for x := root; x != nilNode; {
		n := &t.Nodes[x]
		if n.Key <= key {
			sum = sum.Plus(t.sum(n.Left)).Plus(n.Of.need)
			x = n.Right
		} else {
			x = n.Left
		}
	}
	return sum
}

// first returns the first node with at most procs processors.
func (t *treap) first(root int32, procs int64) int32 { return t.search(root, anyLength(procs)) }

// each visits all nodes in order.
func (t *treap) each(x int32, visit func(policies.Ref)) {
	for x != nilNode {
		t.each(t.Nodes[x].Left, visit)
		visit(policies.Ref(x))
		x = t.Nodes[x].Right
	}
}
