package policies_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/policies"
)

// counted is a summary of a subtree: its nodes, and the sum of their numbers.
type counted struct{ nodes, sum int }

type counter struct{ policies.Tree[counted] }

func (c *counter) pull(path []int32) {
	for _, x := range slices.Backward(path) {
		n := &c.Nodes[x]
		n.Of = counted{1, int(x)}
		for _, half := range []int32{n.Left, n.Right} {
			if half != policies.NilNode {
				n.Of.nodes += c.Nodes[half].Of.nodes
				n.Of.sum += c.Nodes[half].Of.sum
			}
		}
	}
}

// inOrder lists a subtree and checks every summary.
func (c *counter) inOrder(t *rapid.T, x int32) (refs []int32) {
	if x == policies.NilNode {
		return nil
	}
	n := &c.Nodes[x]
	refs = append(append(c.inOrder(t, n.Left), x), c.inOrder(t, n.Right)...)
	want := counted{nodes: len(refs)}
	for _, ref := range refs {
		want.sum += int(ref)
	}
	if n.Of != want {
		t.Fatalf("the summary of node %d is %v, want %v", x, n.Of, want)
	}
	return refs
}

// TestTreeAgainstSorting links and unlinks nodes of two trees in one table at random,
// and compares with sorted slices.
func TestTreeAgainstSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c counter
		roots := []int32{policies.NilNode, policies.NilNode}
		want := make([][]int32, 2)
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			k, x := rapid.IntRange(0, 1).Draw(t, "tree"), int32(rapid.IntRange(0, 40).Draw(t, "node"))
			var above, below []int32
			switch i := slices.Index(want[k], x); {
			case i >= 0:
				roots[k], above, below = c.Unlink(roots[k], x)
				want[k] = slices.Delete(want[k], i, i+1)
			case !slices.Contains(want[1-k], x):
				c.Put(x, int64(rapid.IntRange(-3, 3).Draw(t, "key")), int64(x))
				roots[k], above, below = c.Link(roots[k], x)
				want[k] = append(want[k], x)
				if below[0] != x || slices.Contains(above, x) {
					t.Fatalf("node %d is linked below %v and above %v", x, above, below)
				}
			}
			c.pull(below)
			c.pull(above)
			slices.SortFunc(want[k], func(a, b int32) int {
				return cmp.Or(cmp.Compare(c.Nodes[a].Key, c.Nodes[b].Key), cmp.Compare(a, b))
			})
			for k, root := range roots {
				if got := c.inOrder(t, root); !slices.Equal(got, want[k]) {
					t.Fatalf("tree %d is %v, want %v", k, got, want[k])
				}
				if len(want[k]) > 0 && (c.First(root) != want[k][0] || c.Last(root) != want[k][len(want[k])-1]) {
					t.Fatalf("tree %d begins with %d and ends with %d, want %v", k, c.First(root), c.Last(root), want[k])
				}
			}
		}
	})
}

// TestTreeIsBalanced links nodes in ascending order, and wants a copy to be independent.
func TestTreeIsBalanced(t *testing.T) {
	var c policies.Tree[struct{}]
	root := int32(policies.NilNode)
	const n = 1 << 14
	deepest := 0
	for x := range int32(n) {
		c.Put(x, int64(x), 0)
		var above []int32
		root, above, _ = c.Link(root, x)
		deepest = max(deepest, len(above))
	}
	if deepest > 60 {
		t.Errorf("a node of %d is linked below %d others", n, deepest)
	}
	d := c.Clone()
	if rest, _, _ := d.Unlink(root, 0); d.First(rest) != 1 || c.First(root) != 0 {
		t.Error("a change of the copy changes the tree")
	}
}

// TestFloatKeyKeepsOrder wants whole-number keys to compare as the numbers do.
func TestFloatKeyKeepsOrder(t *testing.T) {
	key := policies.FloatKey
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64().Draw(t, "a"), rapid.Float64().Draw(t, "b")
		if (a < b) != (key(a) < key(b)) || (a == b) != (key(a) == key(b)) {
			t.Fatalf("%g and %g become %d and %d", a, b, key(a), key(b))
		}
	})
	if key(math.Copysign(0, -1)) != key(0) || key(math.Inf(-1)) >= key(-math.MaxFloat64) ||
		key(math.Inf(1)) <= key(math.MaxFloat64) {
		t.Error("zeros and infinities")
	}
}
