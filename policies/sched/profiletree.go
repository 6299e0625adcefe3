package sched

import "bourse/events"

// The treap under a profile: steps by time, which are all distinct.

// raise changes the height of the step at at, which must be there.
func (p *profile) raise(x int32, at events.Time, n int64) {
	s := &p.nodes[x]
	switch {
	case at < s.at:
		p.raise(s.left, at, n)
	case at > s.at:
		p.raise(s.right, at, n)
	default:
		s.height += n
	}
	p.pull(x)
}

func (p *profile) insert(root, x int32) int32 {
	n := &p.nodes[x]
	if root == nobody || n.rank > p.nodes[root].rank {
		n.left, n.right = p.split(root, n.at)
		p.pull(x)
		return x
	}
	s := &p.nodes[root]
	if n.at < s.at {
		s.left = p.insert(s.left, x)
	} else {
		s.right = p.insert(s.right, x)
	}
	p.pull(root)
	return root
}

// split divides a tree into the steps before at and the others.
func (p *profile) split(root int32, at events.Time) (int32, int32) {
	if root == nobody {
		return nobody, nobody
	}
	s := &p.nodes[root]
	if s.at < at {
		a, b := p.split(s.right, at)
		s.right = a
		p.pull(root)
		return root, b
	}
	a, b := p.split(s.left, at)
	s.left = b
	p.pull(root)
	return a, root
}

// cut takes the step at at, which must be there, out of a tree.
func (p *profile) cut(root int32, at events.Time) int32 {
	s := &p.nodes[root]
	switch {
	case at < s.at:
		s.left = p.cut(s.left, at)
	case at > s.at:
		s.right = p.cut(s.right, at)
	default:
		return p.merge(s.left, s.right)
	}
	p.pull(root)
	return root
}

func (p *profile) merge(a, b int32) int32 {
	switch {
	case a == nobody:
		return b
	case b == nobody:
		return a
	case p.nodes[a].rank > p.nodes[b].rank:
		p.nodes[a].right = p.merge(p.nodes[a].right, b)
		p.pull(a)
		return a
	}
	p.nodes[b].left = p.merge(a, p.nodes[b].left)
	p.pull(b)
	return b
}

// pull sums a subtree up: its partial sums are those of its left half, the one
// that ends with its own step, and those of its right half after both.
func (p *profile) pull(x int32) {
	s := &p.nodes[x]
	s.sum, s.first = s.height, s.at
	if s.left != nobody {
		s.sum += p.nodes[s.left].sum
		s.first = p.nodes[s.left].first
	}
	s.low, s.high = s.sum, s.sum
	if s.left != nobody {
		l := &p.nodes[s.left]
		s.low, s.high = min(s.low, l.low), max(s.high, l.high)
	}
	if s.right != nobody {
		r := &p.nodes[s.right]
		s.low, s.high = min(s.low, s.sum+r.low), max(s.high, s.sum+r.high)
		s.sum += r.sum
	}
}
