package sched

import (
	"math"
	"slices"

	"bourse/policies"
)

// treap is a table of jobs, or of groups of them, that stand in one or several
// search trees by (key, seq), every subtree summed up. Its nodes are indexed by Ref
// (or group), so a job is found without a search and the whole is copied by copying
// a slice. Priorities are hashes of the jobs' numbers: equal replays build equal
// trees, on every machine. Insertion and removal take O(log n) and do not allocate
// once the table has grown.
//
// Searches are for the first node that is small enough in two extents: a job's
// processors and estimate, or a group's CPU and memory.
type treap struct{ nodes []node }

type node struct {
	key           int64
	seq           int64
	extent, least extent          // its own; in each the least of the subtree
	need, sum     policies.Amount // its own; of the subtree
	left, right   int32
	rank          uint32
}

// extent is how much a node asks for in two ways.
type extent struct{ wide, long int64 }

// within reports whether e is at most f in both.
func (e extent) within(f extent) bool { return e.wide <= f.wide && e.long <= f.long }

func (e extent) with(f extent) extent { return extent{min(e.wide, f.wide), min(e.long, f.long)} }

// anyLength is an extent of so many processors for any time.
func anyLength(procs int64) extent { return extent{procs, math.MaxInt64} }

// amount is an extent of CPU and memory, which are whole grains.
func amount(a policies.Amount) extent {
	return extent{int64(a.CPU), int64(a.Memory)}
}

// nobody is the empty tree.
const nobody = -1

func (n *node) before(m *node) bool { return n.key < m.key || n.key == m.key && n.seq < m.seq }

// ordered turns a key into a whole number of the same order; both zeros are one.
func ordered(key float64) int64 {
	if key == 0 {
		return 0
	}
	b := int64(math.Float64bits(key))
	if b < 0 {
		b ^= math.MaxInt64
	}
	return b
}

// scatter makes a treap priority of a job's number (the finaliser of SplitMix64).
func scatter(seq int64) uint32 {
	z := uint64(seq) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return uint32(z >> 32)
}

// insert adds ref, which must not be in any tree, and returns the new root.
func (t *treap) insert(root int32, ref policies.Ref, key int64, j *policies.Job) int32 {
	return t.insertBy(root, ref, key, j.Seq, j)
}

// insertBy is insert with another number than the job's own to break ties.
func (t *treap) insertBy(root int32, ref policies.Ref, key, seq int64, j *policies.Job) int32 {
	return t.put(root, ref, node{key: key, seq: seq, extent: extent{int64(j.Procs), int64(j.Estimate)}, need: j.Need, rank: scatter(j.Seq)})
}

// put adds node ref.
func (t *treap) put(root int32, ref policies.Ref, n node) int32 {
	for int(ref) >= len(t.nodes) {
		t.nodes = append(t.nodes, node{})
	}
	t.nodes[ref] = n
	return t.insertAt(root, int32(ref))
}

func (t *treap) insertAt(root, x int32) int32 {
	n := &t.nodes[x]
	if root == nobody || n.rank > t.nodes[root].rank {
		n.left, n.right = t.split(root, n)
		t.pull(x)
		return x
	}
	m := &t.nodes[root]
	m.sum = m.sum.Plus(n.need)
	m.least = m.least.with(n.extent)
	if n.before(m) {
		m.left = t.insertAt(m.left, x)
	} else {
		m.right = t.insertAt(m.right, x)
	}
	return root
}

// split divides a tree into what stands before n and what does not.
func (t *treap) split(root int32, n *node) (int32, int32) {
	if root == nobody {
		return nobody, nobody
	}
	m := &t.nodes[root]
	if m.before(n) {
		a, b := t.split(m.right, n)
		m.right = a
		t.pull(root)
		return root, b
	}
	a, b := t.split(m.left, n)
	m.left = b
	t.pull(root)
	return a, root
}

// remove takes x out of the tree and returns the new root.
func (t *treap) remove(root, x int32) int32 {
	if root == x {
		return t.merge(t.nodes[x].left, t.nodes[x].right)
	}
	m := &t.nodes[root]
	if t.nodes[x].before(m) {
		m.left = t.remove(m.left, x)
	} else {
		m.right = t.remove(m.right, x)
	}
	t.pull(root)
	return root
}

// merge joins two trees, all of a standing before all of b.
func (t *treap) merge(a, b int32) int32 {
	switch {
	case a == nobody:
		return b
	case b == nobody:
		return a
	case t.nodes[a].rank > t.nodes[b].rank:
		t.nodes[a].right = t.merge(t.nodes[a].right, b)
		t.pull(a)
		return a
	}
	t.nodes[b].left = t.merge(a, t.nodes[b].left)
	t.pull(b)
	return b
}

// pull sums a subtree up from its two halves.
func (t *treap) pull(x int32) {
	n := &t.nodes[x]
	n.least, n.sum = n.extent, n.need
	if n.left != nobody {
		n.add(&t.nodes[n.left])
	}
	if n.right != nobody {
		n.add(&t.nodes[n.right])
	}
}

func (n *node) add(half *node) {
	n.least = n.least.with(half.least)
	n.sum = n.sum.Plus(half.sum)
}

// search returns the first node of a tree with at most this extent, nobody if there
// is none.
func (t *treap) search(x int32, most extent) int32 {
	for x != nobody {
		n := &t.nodes[x]
		if !n.least.within(most) {
			return nobody
		}
		if found := t.search(n.left, most); found != nobody {
			return found
		}
		if n.extent.within(most) {
			return x
		}
		x = n.right
	}
	return nobody
}

func (t *treap) sum(x int32) policies.Amount {
	if x == nobody {
		return policies.Amount{}
	}
	return t.nodes[x].sum
}

func (t *treap) clone() treap { return treap{slices.Clone(t.nodes)} }

// noLimit admits jobs of every size.
const noLimit = math.MaxInt64

// head returns the first node of a tree, nobody if it is empty.
func (t *treap) head(x int32) int32 {
	if x == nobody {
		return nobody
	}
	for t.nodes[x].left != nobody {
		x = t.nodes[x].left
	}
	return x
}

// tail returns the last node of a tree that is not empty.
func (t *treap) tail(x int32) int32 {
	for t.nodes[x].right != nobody {
		x = t.nodes[x].right
	}
	return x
}

// upTo returns what all jobs with a key of at most key hold.
func (t *treap) upTo(root int32, key int64) (sum policies.Amount) {
	for x := root; x != nobody; {
		n := &t.nodes[x]
		if n.key <= key {
			sum = sum.Plus(t.sum(n.left)).Plus(n.need)
			x = n.right
		} else {
			x = n.left
		}
	}
	return sum
}

// first returns the first node with at most procs processors.
func (t *treap) first(root int32, procs int64) int32 { return t.search(root, anyLength(procs)) }

// after returns the first node behind x with at most procs processors.
func (t *treap) after(root, x int32, procs int64) int32 {
	if root == nobody {
		return nobody
	}
	n := &t.nodes[root]
	if n.least.wide > procs {
		return nobody
	}
	if !t.nodes[x].before(n) {
		return t.after(n.right, x, procs)
	}
	if found := t.after(n.left, x, procs); found != nobody {
		return found
	}
	if n.extent.wide <= procs {
		return root
	}
	return t.first(n.right, procs)
}
