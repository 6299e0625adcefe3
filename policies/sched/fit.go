package sched

import (
	"math"
	"slices"

	"bourse/policies"
)

// Fit is a rule for choosing among the machines that have room for a job.
type Fit uint8

// The rules. Free is what a machine has left, added up over the resources in the
// trace's unit, the largest machine of a cluster.
const (
	// FirstFit takes the first machine, in order of appearance.
	FirstFit Fit = iota
	// BestFit takes the one with the least free, WorstFit the one with the most.
	BestFit
	WorstFit
	// DotProduct takes the one where need . free is largest (Panigrahy, Talwar,
	// Uyeda and Wieder 2011): the machine that is free of what the job wants.
	DotProduct
)

// fitter finds a machine by a rule. Machines stand in a search tree by what they
// have free, each subtree with the best below it, so that the first machine in order that
// holds a job is found by descent; under FirstFit the order never changes. Ties go
// to the machine that appeared first. A machine that changes moves to its new place
// when somebody looks next.
type fitter struct {
	rule  Fit
	plain machineTree // FirstFit
	nodes []fitNode
	root  int32
	late  pending
}

type fitNode struct {
	free        policies.Amount // as of its place in the tree
	now         policies.Amount
	up          bool
	own, below  best // of free; of the subtree
	key         float64
	left, right int32
	rank        uint32
	in          bool
}

func newFitter(rule Fit) fitter { return fitter{rule: rule, root: nobody} }

func (f *fitter) clone() fitter {
	c := *f
	c.plain, c.nodes, c.late = f.plain.clone(), slices.Clone(f.nodes), f.late.clone()
	return c
}

// set says what machine i has free; one that is not up is out of every search.
func (f *fitter) set(i int, free policies.Amount, up bool) {
	if f.rule == FirstFit {
		f.plain.grow(i + 1)
		if !up {
			free = nothing
		}
		f.plain.set(i, free)
		return
	}
	for i >= len(f.nodes) {
		f.nodes = append(f.nodes, fitNode{left: nobody, right: nobody, rank: scatter(int64(len(f.nodes)))})
	}
	f.nodes[i].now, f.nodes[i].up = free, up
	f.late.add(i)
}

// renew moves machine i to where it belongs now.
func (f *fitter) renew(i int32) {
	n := &f.nodes[i]
	if n.in == n.up && n.free == n.now {
		return
	}
	if n.in {
		f.root = f.remove(f.root, i)
	}
	if n.in = n.up; !n.in {
		return
	}
	n.free, n.own, n.key = n.now, bestOf(n.now), sum(n.now)
	f.root = f.insert(f.root, i)
}

// find returns the machine for a need, or -1.
func (f *fitter) find(need policies.Amount) int {
	if f.rule == FirstFit {
		return f.plain.first(need)
	}
	f.late.take(f.renew)
	w := wanting(need)
	if f.rule != DotProduct {
		return int(f.first(f.root, &w, f.rule == WorstFit))
	}
	top, at := math.Inf(-1), int32(nobody)
	f.along(f.root, &w, math.Inf(1), &top, &at)
	return int(at)
}

// prefers reports whether machine m with so much free is better for a need than
// machine l; both have room for it.
func (f *fitter) prefers(need policies.Amount, m int, free policies.Amount, l int, other policies.Amount) bool {
	mine, its := 0.0, 0.0 // the least wins
	switch f.rule {
	case BestFit:
		mine, its = sum(free), sum(other)
	case WorstFit:
		mine, its = -sum(free), -sum(other)
	case DotProduct:
		mine, its = -dot(need, free), -dot(need, other)
	}
	return mine < its || mine == its && m < l
}

func sum(a policies.Amount) float64 { return a.CPU + a.Memory }

// first returns the first node that holds what is wanted, in ascending order of key
// or, backwards, in descending order.
func (f *fitter) first(x int32, w *want, backwards bool) int32 {
	if x == nobody || !f.nodes[x].below.may(w) {
		return nobody
	}
	n := &f.nodes[x]
	near, far := n.left, n.right
	if backwards {
		near, far = far, near
	}
	if found := f.first(near, w, backwards); found != nobody {
		return found
	}
	if w.need.Fits(n.free) {
		return x
	}
	return f.first(far, w, backwards)
}

// along looks for the largest product in a subtree where no machine has more than
// sum free altogether. It leaves out subtrees that cannot give a larger one.
func (f *fitter) along(x int32, w *want, sum float64, top *float64, at *int32) {
	if x == nobody {
		return
	}
	n := &f.nodes[x]
	if !n.below.may(w) || highest(w.need, n.below.most, sum) < *top {
		return
	}
	f.along(n.right, w, sum, top, at)
	if v := dot(w.need, n.free); w.need.Fits(n.free) && (v > *top || v == *top && x < *at) {
		*top, *at = v, x
	}
	f.along(n.left, w, n.key, top, at) // in order of what is free altogether
}

// highest bounds need . free where free is at most `most` in each resource and sum
// in all: as much as possible of what the need weighs more.
func highest(need, most policies.Amount, sum float64) float64 {
	major, minor, first, second := need.CPU, need.Memory, most.CPU, most.Memory
	if minor > major {
		major, minor, first, second = minor, major, second, first
	}
	x := min(first, sum)
	y := min(second, sum-x)
	return (float64(major*x) + float64(minor*y)) * (1 + 1e-12) // never below by rounding
}

func dot(a, b policies.Amount) float64 {
	return float64(a.CPU*b.CPU) + float64(a.Memory*b.Memory)
}

// before orders machines by key, and equal ones so that the first to appear is
// found first: ascending under BestFit, descending otherwise.
func (f *fitter) before(a, b int32) bool {
	x, y := &f.nodes[a], &f.nodes[b]
	if x.key != y.key {
		return x.key < y.key
	}
	if f.rule == BestFit {
		return a < b
	}
	return a > b
}

func (f *fitter) insert(root, x int32) int32 {
	n := &f.nodes[x]
	if root == nobody || n.rank > f.nodes[root].rank {
		n.left, n.right = f.split(root, x)
		f.pull(x)
		return x
	}
	m := &f.nodes[root]
	m.below.with(&n.own)
	if f.before(x, root) {
		m.left = f.insert(m.left, x)
	} else {
		m.right = f.insert(m.right, x)
	}
	return root
}

func (f *fitter) split(root, x int32) (int32, int32) {
	if root == nobody {
		return nobody, nobody
	}
	m := &f.nodes[root]
	if f.before(root, x) {
		a, b := f.split(m.right, x)
		m.right = a
		f.pull(root)
		return root, b
	}
	a, b := f.split(m.left, x)
	m.left = b
	f.pull(root)
	return a, root
}

func (f *fitter) remove(root, x int32) int32 {
	if root == x {
		return f.merge(f.nodes[x].left, f.nodes[x].right)
	}
	m := &f.nodes[root]
	if f.before(x, root) {
		m.left = f.remove(m.left, x)
	} else {
		m.right = f.remove(m.right, x)
	}
	if !m.below.tops(&f.nodes[x].own) {
		f.pull(root)
	}
	return root
}

func (f *fitter) merge(a, b int32) int32 {
	switch {
	case a == nobody:
		return b
	case b == nobody:
		return a
	case f.nodes[a].rank > f.nodes[b].rank:
		f.nodes[a].right = f.merge(f.nodes[a].right, b)
		f.pull(a)
		return a
	}
	f.nodes[b].left = f.merge(a, f.nodes[b].left)
	f.pull(b)
	return b
}

func (f *fitter) pull(x int32) {
	n := &f.nodes[x]
	n.below = n.own
	if n.left != nobody {
		n.below.with(&f.nodes[n.left].below)
	}
	if n.right != nobody {
		n.below.with(&f.nodes[n.right].below)
	}
}
