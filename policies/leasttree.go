package policies

import "math"

// LeastTree is a Tree of jobs, or of groups of them, whose nodes know the least that any
// below them asks for in two extents: a job's processors and estimate, or a group's CPU and
// memory. It finds the first node that asks for little enough.
type LeastTree struct{ Tree[Load] }

// Load is the extent of a node, and the least in each extent of it and the nodes below.
type Load struct{ Own, Least Extent }

// Extent is how much a node asks for, in two ways.
type Extent struct{ Wide, Long int64 }

// AnyLength is an extent of so many processors for any time.
func AnyLength(procs int64) Extent { return Extent{procs, math.MaxInt64} }

// ExtentOf is a job's processors and estimate.
func ExtentOf(j *Job) Extent { return Extent{int64(j.Procs), int64(j.Estimate)} }

// fitsIn reports whether e is at most f in both.
func (e Extent) fitsIn(f Extent) bool { return e.Wide <= f.Wide && e.Long <= f.Long }

// Insert adds node x, which must not be in any tree, and returns the new root.
func (t *LeastTree) Insert(root, x int32, key, seq int64, e Extent) int32 {
	*t.Put(x, key, seq) = Load{e, e}
	root, above, below := t.Link(root, x)
	for _, y := range above {
		t.Nodes[y].Of.add(e)
	}
	if len(below) > 1 { // below a leaf there is nothing
		t.pull(below)
	}
	return root
}

// Remove takes x out of the tree and returns the new root.
func (t *LeastTree) Remove(root, x int32) int32 {
	root, above, below := t.Unlink(root, x)
	t.pull(below)
	t.pull(above)
	return root
}

// pull brings what is known of the subtrees of a path up to date, the deepest first.
func (t *LeastTree) pull(path []int32) {
	for i := len(path) - 1; i >= 0; i-- {
		n := &t.Nodes[path[i]]
		n.Of.Least = n.Of.Own
		if n.Left != NilNode {
			n.Of.add(t.Nodes[n.Left].Of.Least)
		}
		if n.Right != NilNode {
			n.Of.add(t.Nodes[n.Right].Of.Least)
		}
	}
}

// add counts in what some node below asks for.
func (l *Load) add(e Extent) {
	l.Least = Extent{min(l.Least.Wide, e.Wide), min(l.Least.Long, e.Long)}
}

// Search returns the first node of a tree with at most this extent, NilNode if there
// is none.
func (t *LeastTree) Search(x int32, most Extent) int32 {
	for x != NilNode {
		n := &t.Nodes[x]
		if !n.Of.Least.fitsIn(most) {
			return NilNode
		}
		if found := t.Search(n.Left, most); found != NilNode {
			return found
		}
		if n.Of.Own.fitsIn(most) {
			return x
		}
		x = n.Right
	}
	return NilNode
}

// Each visits all nodes in order.
func (t *LeastTree) Each(x int32, visit func(Ref)) {
	for x != NilNode {
		t.Each(t.Nodes[x].Left, visit)
		visit(Ref(x))
		x = t.Nodes[x].Right
	}
}

// Clone returns an independent copy.
func (t *LeastTree) Clone() LeastTree { return LeastTree{t.Tree.Clone()} }
