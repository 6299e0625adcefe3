package sched

import "bourse/policies"

const nilNode = policies.NilNode

// heldTree holds jobs in order, indexed by Ref, and knows what the jobs of every subtree
// have together.
type heldTree struct{ policies.Tree[held] }

// held is what a job has, and what it and the jobs below it have.
type held struct{ own, sum policies.Amount }

// put adds job x, which must not be in any tree, and returns the new root.
func (t *heldTree) put(root, x int32, key, seq int64, own policies.Amount) int32 {
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

// sum returns what all jobs of a subtree have.
func (t *heldTree) sum(x int32) policies.Amount {
	if x == nilNode {
		return policies.Amount{}
	}
	return t.Nodes[x].Of.sum
}

// upTo returns what all jobs with a key of at most key have.
func (t *heldTree) upTo(root int32, key int64) (sum policies.Amount) {
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
