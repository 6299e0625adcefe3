package sched

import "bourse/policies"

// lineup keeps groups of waiting jobs in the order of their first jobs, in one tree
// or several, each subtree with the least that anyone in it needs of each resource:
// the first group that fits is found by descent, and where even the least does not
// fit nobody is looked at. Nodes are indexed by group; treap.go says how it works.
type lineup struct{ nodes []lineNode }

type lineNode struct {
	key, seq    int64 // of the first job
	need, least policies.Amount
	left, right int32
	rank        uint32
}

func (n *lineNode) before(m *lineNode) bool {
	return n.key < m.key || n.key == m.key && n.seq < m.seq
}

// insert adds group g, which must not be in any tree, under its first job and
// returns the new root.
func (t *lineup) insert(root, g int32, first *node, need policies.Amount) int32 {
	for int(g) >= len(t.nodes) {
		t.nodes = append(t.nodes, lineNode{})
	}
	t.nodes[g] = lineNode{key: first.key, seq: first.seq, need: need, rank: scatter(int64(g))}
	return t.insertAt(root, g)
}

func (t *lineup) insertAt(root, x int32) int32 {
	n := &t.nodes[x]
	if root == nobody || n.rank > t.nodes[root].rank {
		n.left, n.right = t.split(root, n)
		t.pull(x)
		return x
	}
	m := &t.nodes[root]
	m.least = least(m.least, n.need)
	if n.before(m) {
		m.left = t.insertAt(m.left, x)
	} else {
		m.right = t.insertAt(m.right, x)
	}
	return root
}

func (t *lineup) split(root int32, n *lineNode) (int32, int32) {
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

// remove takes group x out of the tree and returns the new root.
func (t *lineup) remove(root, x int32) int32 {
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

func (t *lineup) merge(a, b int32) int32 {
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

func (t *lineup) pull(x int32) {
	n := &t.nodes[x]
	n.least = n.need
	if n.left != nobody {
		n.least = least(n.least, t.nodes[n.left].least)
	}
	if n.right != nobody {
		n.least = least(n.least, t.nodes[n.right].least)
	}
}

func least(a, b policies.Amount) policies.Amount {
	return policies.Amount{min(a[policies.CPU], b[policies.CPU]), min(a[policies.Memory], b[policies.Memory])}
}

// first returns the first group of a tree that room has room for, nobody if there
// is none.
func (t *lineup) first(x int32, room policies.Amount) int32 {
	for x != nobody {
		n := &t.nodes[x]
		if !n.least.Fits(room) {
			return nobody
		}
		if found := t.first(n.left, room); found != nobody {
			return found
		}
		if n.need.Fits(room) {
			return x
		}
		x = n.right
	}
	return nobody
}
