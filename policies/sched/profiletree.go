package sched

import "bourse/events"

// The treap under a profile: steps by time, which are all distinct.

// step is a change of height at a time, the node's key.
type step struct {
	height         int64       // never 0
	first          events.Time // of the subtree
	sum, low, high int64       // of the subtree: sum, least and greatest partial sum
}

// insert makes a step of height n at at.
func (p *profile) insert(at events.Time, n int64) {
	x := int32(len(p.Nodes))
	if last := len(p.spare) - 1; last >= 0 {
		x = p.spare[last]
		p.spare = p.spare[:last]
	}
	p.Put(x, int64(at), 0).height = n
	var above, below []int32
	p.root, above, below = p.Link(p.root, x)
	p.pull(below)
	p.pull(above)
}

// cut takes step x out.
func (p *profile) cut(x int32) {
	var above, below []int32
	p.root, above, below = p.Unlink(p.root, x)
	p.pull(below)
	p.pull(above)
	p.spare = append(p.spare, x)
}

// pull sums the subtrees of a path up, the deepest first: the partial sums of a subtree
// are those of its left half, the one that ends with its own step, and those of its
// right half after both.
func (p *profile) pull(path []int32) {
	for i := len(path) - 1; i >= 0; i-- {
		n := &p.Nodes[path[i]]
		s := &n.Of
		s.sum, s.first = s.height, events.Time(n.Key)
		if n.Left == nilNode {
			s.low, s.high = s.sum, s.sum
		} else {
			l := &p.Nodes[n.Left].Of
			s.sum += l.sum
			s.first = l.first
			s.low, s.high = min(s.sum, l.low), max(s.sum, l.high)
		}
		if n.Right != nilNode {
			r := &p.Nodes[n.Right].Of
			s.low, s.high = min(s.low, s.sum+r.low), max(s.high, s.sum+r.high)
			s.sum += r.sum
		}
	}
}
