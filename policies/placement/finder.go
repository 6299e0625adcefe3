// Package placement finds a machine for a need: by a rule of fit among what machines
// have free (Finder), or the first one with enough room (Rooms). It knows neither jobs
// nor time; what waits, and what may be stopped, is the matter of policies/placed.
package placement

import (
	"math"
	"slices"

	"bourse/policies"
)

// Finder finds a machine by a rule. Machines are in a search tree by what they
// have free, each subtree with the best below it, so that the first machine in order that
// holds a job is found by descent; under FirstFit the order never changes. Ties go
// to the machine that appeared first. A machine that changes moves to its new place
// at the next search.
type Finder struct {
	rule  Fit
	tree  policies.Tree[machine]
	plain Rooms // FirstFit
	root  int32
	now   []state // by machine
	late  pending
}

// machine is a machine's node in the tree.
type machine struct {
	below best            // of the subtree
	free  policies.Amount // as of its place in the tree
}

// state is the free capacity of a machine, and whether it is in the tree.
type state struct {
	free   policies.Amount
	up, in bool
}

// NewFinder makes a finder without machines.
func NewFinder(rule Fit) Finder { return Finder{rule: rule, root: policies.NilNode} }

// Clone returns an independent copy.
func (f *Finder) Clone() Finder {
	c := *f
	c.tree, c.plain, c.now, c.late = f.tree.Clone(), f.plain.Clone(), slices.Clone(f.now), f.late.clone()
	return c
}

// Set changes the free capacity of machine i; one that is not up is out of every search.
func (f *Finder) Set(i int, free policies.Amount, up bool) {
	if f.rule == FirstFit {
		f.plain.Grow(i + 1)
		if !up {
			free = Nothing
		}
		f.plain.Set(i, free)
		return
	}
	f.tree.Grow(i + 1)
	for i >= len(f.now) {
		f.now = append(f.now, state{})
	}
	x := &f.now[i]
	x.free, x.up = free, up
	f.late.add(i)
}

// renew moves machine i to where it belongs now.
func (f *Finder) renew(i int32) {
	x := &f.now[i]
	if x.in == x.up && x.free == f.tree.Nodes[i].Of.free {
		return
	}
	if x.in {
		f.remove(i)
	}
	if x.in = x.up; x.in {
		f.insert(i)
	}
}

// Find returns the machine for a need, or -1.
func (f *Finder) Find(need policies.Amount) int {
	if f.rule == FirstFit {
		return f.plain.First(need)
	}
	f.late.take(f.renew)
	w := wanting(need)
	if f.rule != DotProduct {
		return int(f.first(f.root, &w, f.rule == WorstFit))
	}
	top, at := math.Inf(-1), int32(policies.NilNode)
	f.searchProducts(f.root, &w, math.Inf(1), &top, &at)
	return int(at)
}

// Prefers reports whether machine m with so much free is better for a need than
// machine l; both have room for it.
func (f *Finder) Prefers(need policies.Amount, m int, free policies.Amount, l int, other policies.Amount) bool {
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
func (f *Finder) first(x int32, w *want, backwards bool) int32 {
	if x == policies.NilNode || !f.tree.Nodes[x].Of.below.mayHold(w) {
		return policies.NilNode
	}
	n := &f.tree.Nodes[x]
	near, far := n.Left, n.Right
	if backwards {
		near, far = far, near
	}
	if found := f.first(near, w, backwards); found != policies.NilNode {
		return found
	}
	if w.need.Fits(n.Of.free) {
		return x
	}
	return f.first(far, w, backwards)
}

// searchProducts looks for the largest product in a subtree where no machine has more than
// limit free altogether. It leaves out subtrees that cannot give a larger one.
func (f *Finder) searchProducts(x int32, w *want, limit float64, top *float64, at *int32) {
	if x == policies.NilNode {
		return
	}
	n := &f.tree.Nodes[x]
	if !n.Of.below.mayHold(w) || highest(w.need, n.Of.below.most, limit) < *top {
		return
	}
	f.searchProducts(n.Right, w, limit, top, at)
	if v := dot(w.need, n.Of.free); w.need.Fits(n.Of.free) && (v > *top || v == *top && x < *at) {
		*top, *at = v, x
	}
	f.searchProducts(n.Left, w, sum(n.Of.free), top, at) // in order of what is free altogether
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

// insert puts machine i where what it has free belongs. Equal ones are placed so that the
// first to appear is found first: ascending under BestFit, descending otherwise.
func (f *Finder) insert(i int32) {
	x := &f.tree.Nodes[i].Of
	x.free = f.now[i].free
	seq := int64(i)
	if f.rule != BestFit {
		seq = -seq
	}
	f.tree.Put(i, policies.FloatKey(sum(x.free)), seq)
	root, above, below := f.tree.Link(f.root, i)
	f.root = root
	for _, y := range above {
		f.tree.Nodes[y].Of.below.add(x.free)
	}
	for k := len(below) - 1; k >= 0; k-- {
		f.pull(below[k])
	}
}

// remove takes machine i out of the tree.
func (f *Finder) remove(i int32) {
	root, above, below := f.tree.Unlink(f.root, i)
	f.root = root
	for k := len(below) - 1; k >= 0; k-- {
		f.pull(below[k])
	}
	own := bestOf(f.tree.Nodes[i].Of.free)
	for k := len(above) - 1; k >= 0; k-- {
		if y := above[k]; !f.tree.Nodes[y].Of.below.tops(&own) {
			f.pull(y)
		}
	}
}

// pull sums a subtree up from its two halves.
func (f *Finder) pull(x int32) {
	n := &f.tree.Nodes[x]
	m := &n.Of
	switch {
	case n.Left != policies.NilNode && n.Right != policies.NilNode:
		m.below.setMax(&f.tree.Nodes[n.Left].Of.below, &f.tree.Nodes[n.Right].Of.below)
		m.below.add(m.free)
	case n.Left != policies.NilNode:
		m.below = f.tree.Nodes[n.Left].Of.below
		m.below.add(m.free)
	case n.Right != policies.NilNode:
		m.below = f.tree.Nodes[n.Right].Of.below
		m.below.add(m.free)
	default:
		m.below = bestOf(m.free)
	}
}
