package sched

import (
	"math"

	"bourse/policies"
)

// treap holds jobs, or groups of them: its nodes are indexed by Ref (or group), and know
// the least that any of the subtree asks for.
//
// Searches are for the first node that is small enough in two extents: a job's
// processors and estimate, or a group's CPU and memory.
type treap struct{ policies.Tree[load] }

// load is what a node asks for, and the least in each way of the nodes below it.
type load struct{ extent, least extent }

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
	return t.put(root, int32(ref), key, j.Seq, extent{int64(j.Procs), int64(j.Estimate)})
}

// put adds node x.
func (t *treap) put(root, x int32, key, seq int64, e extent) int32 {
	*t.Put(x, key, seq) = load{e, e}
	root, above, below := t.Link(root, x)
	for _, y := range above {
		t.Nodes[y].Of.add(e)
	}
	if len(below) > 1 { // below a leaf there is nothing
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

// pull brings what is known of the subtrees of a path up to date, the deepest first.
func (t *treap) pull(path []int32) {
	for i := len(path) - 1; i >= 0; i-- {
		n := &t.Nodes[path[i]]
		n.Of.least = n.Of.extent
		if n.Left != nilNode {
			n.Of.add(t.Nodes[n.Left].Of.least)
		}
		if n.Right != nilNode {
			n.Of.add(t.Nodes[n.Right].Of.least)
		}
	}
}

// add counts in what some node below asks for.
func (l *load) add(e extent) {
	l.least = extent{min(l.least.wide, e.wide), min(l.least.long, e.long)}
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

func (t *treap) clone() treap { return treap{t.Clone()} }

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
