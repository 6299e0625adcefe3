package sched

import (
	"math"
	"slices"

	"bourse/policies"
)

// Fit is a rule for choosing among the machines that have room for a job. Fits
// documents each.
type Fit uint8

// The rules.
const (
	FirstFit Fit = iota
	BestFit
	WorstFit
	DotProduct
)

// Fits says what the rules are. Free is what a machine has left, added up over the
// resources in the trace's unit, the largest machine of a cluster.
var Fits = [...]struct{ Name, Line string }{
	FirstFit:   {"first", "the first machine with room, in order of appearance"},
	BestFit:    {"best", "the one with the least free"},
	WorstFit:   {"worst", "the one with the most free"},
	DotProduct: {"dot", "the one where need . free is largest, which is free of what the job wants (Panigrahy, Talwar, Uyeda and Wieder 2011)"},
}

// String returns the rule's name.
func (f Fit) String() string { return Fits[f].Name }

// FitNames lists the names of the rules.
func FitNames() []string {
	names := make([]string, len(Fits))
	for i := range Fits {
		names[i] = Fits[i].Name
	}
	return names
}

// FitNamed returns the rule of a name.
func FitNamed(name string) (Fit, bool) {
	i := slices.Index(FitNames(), name)
	return Fit(max(i, 0)), i >= 0
}

// fitter finds a machine by a rule. Machines stand in a search tree by what they
// have free, each subtree with the best below it, so that the first machine in order that
// holds a job is found by descent; under FirstFit the order never changes. Ties go
// to the machine that appeared first. A machine that changes moves to its new place
// at the next search.
type fitter struct {
	policies.Tree[machine]
	rule  Fit
	plain machineTree // FirstFit
	root  int32
	late  pending
}

// machine is a machine's node in the tree.
type machine struct {
	below  best            // of the subtree
	free   policies.Amount // as of its place in the tree
	now    policies.Amount
	up, in bool
}

func newFitter(rule Fit) fitter { return fitter{rule: rule, root: nilNode} }

func (f *fitter) clone() fitter {
	c := *f
	c.Tree, c.plain, c.late = f.Clone(), f.plain.clone(), f.late.clone()
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
	f.Grow(i + 1)
	x := &f.Nodes[i].Of
	x.now, x.up = free, up
	f.late.add(i)
}

// renew moves machine i to where it belongs now.
func (f *fitter) renew(i int32) {
	x := &f.Nodes[i].Of
	if x.in == x.up && x.free == x.now {
		return
	}
	if x.in {
		f.remove(i)
	}
	if x.in = x.up; x.in {
		f.insert(i)
	}
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
	top, at := math.Inf(-1), int32(nilNode)
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
	if x == nilNode || !f.Nodes[x].Of.below.may(w) {
		return nilNode
	}
	n := &f.Nodes[x]
	near, far := n.Left, n.Right
	if backwards {
		near, far = far, near
	}
	if found := f.first(near, w, backwards); found != nilNode {
		return found
	}
	if w.need.Fits(n.Of.free) {
		return x
	}
	return f.first(far, w, backwards)
}

// along looks for the largest product in a subtree where no machine has more than
// limit free altogether. It leaves out subtrees that cannot give a larger one.
func (f *fitter) along(x int32, w *want, limit float64, top *float64, at *int32) {
	if x == nilNode {
		return
	}
	n := &f.Nodes[x]
	if !n.Of.below.may(w) || highest(w.need, n.Of.below.most, limit) < *top {
		return
	}
	f.along(n.Right, w, limit, top, at)
	if v := dot(w.need, n.Of.free); w.need.Fits(n.Of.free) && (v > *top || v == *top && x < *at) {
		*top, *at = v, x
	}
	f.along(n.Left, w, sum(n.Of.free), top, at) // in order of what is free altogether
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

// insert puts machine i where what it has free belongs. Equal ones stand so that the
// first to appear is found first: ascending under BestFit, descending otherwise.
func (f *fitter) insert(i int32) {
	x := &f.Nodes[i].Of
	x.free = x.now
	seq := int64(i)
	if f.rule != BestFit {
		seq = -seq
	}
	f.Put(i, policies.FloatKey(sum(x.free)), seq)
	root, above, below := f.Link(f.root, i)
	f.root = root
	for _, y := range above {
		f.Nodes[y].Of.below.add(x.free)
	}
	for k := len(below) - 1; k >= 0; k-- {
		f.pull(below[k])
	}
}

// remove takes machine i out of the tree.
func (f *fitter) remove(i int32) {
	root, above, below := f.Unlink(f.root, i)
	f.root = root
	for k := len(below) - 1; k >= 0; k-- {
		f.pull(below[k])
	}
	own := bestOf(f.Nodes[i].Of.free)
	for k := len(above) - 1; k >= 0; k-- {
		if y := above[k]; !f.Nodes[y].Of.below.tops(&own) {
			f.pull(y)
		}
	}
}

// pull sums a subtree up from its two halves.
func (f *fitter) pull(x int32) {
	n := &f.Nodes[x]
	m := &n.Of
	switch {
	case n.Left != nilNode && n.Right != nilNode:
		m.below.of(&f.Nodes[n.Left].Of.below, &f.Nodes[n.Right].Of.below)
		m.below.add(m.free)
	case n.Left != nilNode:
		m.below = f.Nodes[n.Left].Of.below
		m.below.add(m.free)
	case n.Right != nilNode:
		m.below = f.Nodes[n.Right].Of.below
		m.below.add(m.free)
	default:
		m.below = bestOf(m.free)
	}
}
