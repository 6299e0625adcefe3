package policies

import (
	"math"
	"slices"

	"bourse/traces/rng"
)

// Tree is a table of nodes, indexed by Ref or another small number, that are in one
// or several search trees by (key, seq). A node is found without a search, and the
// whole is copied by copying a slice. The trees are treaps: balanced by random
// priorities, which are drawn from a counter, so that equal replays build equal trees
// on every machine. All operations take O(log n) and none allocates once the table has
// grown. The zero Tree holds no nodes; the empty tree is NilNode.
//
// S is the owner's data at a node, above all a summary of the subtree below it. The
// tree never looks at it: Link and Unlink return the nodes whose subtrees have
// changed, from the root downwards, and the owner brings their summaries up to date
// from the last to the first. That keeps every call of the owner's code a direct one;
// a method of a type parameter is called through a dictionary and never inlined.
type Tree[S any] struct {
	Nodes []Node[S]
	path  []int32
	drawn uint64
}

// Node is an entry of a Tree.
type Node[S any] struct {
	Place
	Of S
}

// Place is the place of a node. Key and Seq must not change while it is in a tree.
type Place struct {
	Key, Seq    int64
	priority    uint64
	Left, Right int32
}

// NilNode is the empty tree.
const NilNode = -1

// Before reports whether n is before m.
func (n *Place) Before(m *Place) bool { return n.Key < m.Key || n.Key == m.Key && n.Seq < m.Seq }

// Toward returns the child of n below which m belongs.
func (n *Place) Toward(m *Place) *int32 {
	if m.Before(n) {
		return &n.Left
	}
	return &n.Right
}

// Above reports whether n is the root of a tree that joins those below n and m.
func (n *Place) Above(m *Place) bool { return n.priority > m.priority }

// Put gives node x, which must not be in any tree, its place in the order, and returns
// what the owner keeps there.
func (t *Tree[S]) Put(x int32, key, seq int64) *S {
	t.Grow(int(x) + 1)
	t.drawn++
	n := &t.Nodes[x]
	n.Key, n.Seq, n.priority, n.Left, n.Right = key, seq, rng.SplitMix64(0, t.drawn), NilNode, NilNode
	return &n.Of
}

// Grow makes room for n nodes.
func (t *Tree[S]) Grow(n int) {
	if grow := n - len(t.Nodes); grow > 0 {
		t.Nodes = append(t.Nodes, make([]Node[S], grow)...)
	}
}

// Link adds node x and returns the new root, the nodes that x is now below, and
// x with the nodes below it that have changed.
func (t *Tree[S]) Link(root, x int32) (_ int32, above, below []int32) {
	nodes, path, link := t.Nodes, t.path[:0], &root
	n := &nodes[x].Place
	for *link != NilNode && !n.Above(&nodes[*link].Place) {
		path = append(path, *link)
		link = nodes[*link].Toward(n)
	}
	depth, rest := len(path), *link
	path = append(path, x)
	*link = x
	low, high := &n.Left, &n.Right
	for rest != NilNode { // divides what stood here at n
		m := &nodes[rest].Place
		path = append(path, rest)
		if m.Before(n) {
			*low = rest
			low = &m.Right
			rest = m.Right
		} else {
			*high = rest
			high = &m.Left
			rest = m.Left
		}
	}
	*low, *high = NilNode, NilNode
	t.path = path
	return root, path[:depth], path[depth:]
}

// Unlink takes node x out and returns the new root, the nodes that x stood below, and
// the others that have changed.
func (t *Tree[S]) Unlink(root, x int32) (_ int32, above, below []int32) {
	nodes, path, link := t.Nodes, t.path[:0], &root
	n := &nodes[x].Place
	for *link != x {
		path = append(path, *link)
		link = nodes[*link].Toward(n)
	}
	depth, a, b := len(path), n.Left, n.Right
	for a != NilNode && b != NilNode { // joins them, all of a standing before all of b
		if l, r := &nodes[a].Place, &nodes[b].Place; l.Above(r) {
			path = append(path, a)
			*link = a
			link = &l.Right
			a = l.Right
		} else {
			path = append(path, b)
			*link = b
			link = &r.Left
			b = r.Left
		}
	}
	if *link = a; a == NilNode {
		*link = b
	}
	t.path = path
	return root, path[:depth], path[depth:]
}

// First returns the first node of a tree, NilNode if it is empty.
func (t *Tree[S]) First(root int32) int32 {
	if root == NilNode {
		return NilNode
	}
	for t.Nodes[root].Left != NilNode {
		root = t.Nodes[root].Left
	}
	return root
}

// Last returns the last node of a tree that is not empty.
func (t *Tree[S]) Last(root int32) int32 {
	for t.Nodes[root].Right != NilNode {
		root = t.Nodes[root].Right
	}
	return root
}

// Clone returns an independent copy.
func (t *Tree[S]) Clone() Tree[S] { return Tree[S]{Nodes: slices.Clone(t.Nodes), drawn: t.drawn} }

// FloatKey turns a number into a whole number of the same order; both zeros are one.
func FloatKey(x float64) int64 {
	if x == 0 {
		return 0
	}
	b := int64(math.Float64bits(x))
	if b < 0 {
		b ^= math.MaxInt64
	}
	return b
}
