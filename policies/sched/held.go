package sched

import "bourse/policies"

const nilNode = policies.NilNode

// heldTree holds jobs in order, indexed by Ref, and knows what the jobs of every subtree
// have together.
type heldTree struct{ policies.Tree[held] }

// held is the need of a job, and the sum over it and the jobs below it.
type held struct{ own, sum policies.Amount }

// insert adds job x, which must not be in any tree, and returns the new root.
func (t *heldTree) insert(root, x int32, key, seq int64, own policies.Amount) int32 {
	*t.Put(x, key, seq) = held{own, own}
	root, above, below := t.Link(root, x)
	for _, y := range above {
		of := &t.Nodes[y].Of
		of.sum = of.sum.Plus(own)
	}
	if len(below) > 1 { // a leaf is its own sum
		t.pull(below)
	}
	return root
}

// remove takes x out of the tree and returns the new root.
func (t *heldTree) remove(root, x int32) int32 {
	root, above, below := t.Unlink(root, x)
	t.pull(below)
	t.pull(above)
	return root
}

// pull sums the subtrees of a path up from their halves, the deepest first.
func (t *heldTree) pull(path []int32) {
	for i := len(path) - 1; i >= 0; i-- {
		n := &t.Nodes[path[i]]
		n.Of.sum = n.Of.own.Plus(t.sum(n.Left)).Plus(t.sum(n.Right))
	}
}

// sum returns the sum of a subtree's needs.
func (t *heldTree) sum(x int32) policies.Amount {
	if x == nilNode {
		return policies.Amount{}
	}
	return t.Nodes[x].Of.sum
}

// sumUpTo returns the sum over all jobs with a key of at most key.
func (t *heldTree) sumUpTo(root int32, key int64) (sum policies.Amount) {
	for x := root; x != nilNode; {
		n := &t.Nodes[x]
		if n.Key <= key {
			sum = sum.Plus(t.sum(n.Left)).Plus(n.Of.own)
			x = n.Right
		} else {
			x = n.Left
		}
	}
	return sum
}

func (t *heldTree) clone() heldTree { return heldTree{t.Clone()} }
