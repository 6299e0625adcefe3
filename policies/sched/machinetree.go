package sched

import (
	"math"
	"slices"

	"bourse/policies"
)

// best is the most there is below a node of a tree of machines: of each resource
// by itself, and of both together. On a full cluster some machines are out of CPU
// and others of memory, so that a subtree has much of each and room for nothing;
// even[k], the most of min(CPU, w_k memory), tells that: a machine that holds (a, b)
// has min(CPU, w memory) >= min(a, w b) for every w.
type best struct {
	most policies.Amount
	even [len(slopes)]float64
}

// slopes are the w_k. The nearest to a need's own a/b tells most.
var slopes = [...]float64{1. / 4, 1. / 2, 1, 2, 4}

func bestOf(a policies.Amount) (b best) {
	b.most = a
	for k, w := range slopes {
		b.even[k] = min(a.CPU, w*a.Memory)
	}
	return b
}

// add makes b the best of b and of a machine that has a.
func (b *best) add(a policies.Amount) {
	b.most = b.most.Max(a)
	for k, w := range slopes {
		b.even[k] = max(b.even[k], min(a.CPU, w*a.Memory))
	}
}

// of makes b the best of c and d.
func (b *best) of(c, d *best) {
	b.most = c.most.Max(d.most)
	for k := range b.even {
		b.even[k] = max(c.even[k], d.even[k])
	}
}

// tops reports whether b is above c in everything: without c it would be the same.
func (b *best) tops(c *best) bool {
	if b.most.CPU <= c.most.CPU || b.most.Memory <= c.most.Memory {
		return false
	}
	for k := range b.even {
		if b.even[k] <= c.even[k] {
			return false
		}
	}
	return true
}

// want is a need and what its slope asks for.
type want struct {
	need  policies.Amount
	slope int
	even  float64
}

func wanting(need policies.Amount) want {
	w := want{need: need}
	for w.slope < len(slopes)-1 && need.CPU > need.Memory*slopes[w.slope]*math.Sqrt2 {
		w.slope++
	}
	w.even = min(need.CPU, slopes[w.slope]*need.Memory)
	return w
}

// may reports whether a machine below could hold what is wanted.
func (b *best) may(w *want) bool { return b.even[w.slope] >= w.even && w.need.Fits(b.most) }

// machineTree finds the first machine with enough of everything: a binary tree
// over the machines in their order, each node with the best below it. A leaf stands for
// a block of machines, which are looked at one by one: a node is several times as large
// as what a machine has, and there is a tree for each class. A change costs O(log
// machines), at the next search: many changes are never asked about, or undone before.
type machineTree struct {
	leaves int
	most   []best            // most[1] is the root, most[leaves+i] block i
	has    []policies.Amount // by machine
	late   pending           // blocks whose leaf is out of date
}

// block is the number of machines in a leaf.
const block = 8

// pending are machines, or blocks of them, that have changed since the last search, each
// once.
type pending struct {
	list []int32
	in   []bool // by machine or block
}

func (p *pending) add(i int) {
	for i >= len(p.in) {
		p.in = append(p.in, false)
	}
	if !p.in[i] {
		p.in[i] = true
		p.list = append(p.list, int32(i))
	}
}

// take calls do for each of them and forgets them.
func (p *pending) take(do func(i int32)) {
	for _, i := range p.list {
		p.in[i] = false
		do(i)
	}
	p.list = p.list[:0]
}

func (p *pending) clone() pending { return pending{slices.Clone(p.list), slices.Clone(p.in)} }

// nothing is what a machine has that is not there.
var nothing = policies.Amount{CPU: -1, Memory: -1}

// grow makes room for n machines.
func (t *machineTree) grow(n int) {
	for len(t.has) < n {
		t.has = append(t.has, nothing)
	}
	blocks := (n + block - 1) / block
	if blocks <= t.leaves {
		return
	}
	for t.leaves = max(1, t.leaves); t.leaves < blocks; {
		t.leaves *= 2
	}
	t.most = make([]best, 2*t.leaves)
	for i := range t.leaves {
		t.most[t.leaves+i] = t.blockBest(i)
	}
	for i := t.leaves - 1; i >= 1; i-- {
		t.most[i].of(&t.most[2*i], &t.most[2*i+1])
	}
}

// blockBest is the best of a block's machines.
func (t *machineTree) blockBest(i int) best {
	b := bestOf(nothing)
	for m := i * block; m < min((i+1)*block, len(t.has)); m++ {
		b.add(t.has[m])
	}
	return b
}

// at is what machine i has.
func (t *machineTree) at(i int) policies.Amount { return t.has[i] }

// set changes what machine i has; negative amounts hide it from every search.
func (t *machineTree) set(i int, a policies.Amount) {
	t.has[i] = a
	t.late.add(i / block)
}

// renew brings block i and what stands above it up to date.
func (t *machineTree) renew(i int32) {
	for x, b := t.leaves+int(i), t.blockBest(int(i)); b != t.most[x]; b.of(&t.most[2*x], &t.most[2*x+1]) {
		t.most[x] = b
		if x /= 2; x == 0 {
			return
		}
	}
}

// first returns the first machine that holds need, or -1.
func (t *machineTree) first(need policies.Amount) int {
	if t.leaves == 0 {
		return -1
	}
	t.late.take(t.renew)
	w := wanting(need)
	return t.search(1, &w)
}

func (t *machineTree) search(x int, w *want) int {
	if !t.most[x].may(w) {
		return -1
	}
	if x >= t.leaves {
		return t.within(x-t.leaves, w.need)
	}
	if i := t.search(2*x, w); i >= 0 {
		return i
	}
	return t.search(2*x+1, w)
}

// within returns the first machine of a block that holds need, or -1.
func (t *machineTree) within(i int, need policies.Amount) int {
	for m := i * block; m < min((i+1)*block, len(t.has)); m++ {
		if need.Fits(t.has[m]) {
			return m
		}
	}
	return -1
}

func (t *machineTree) clone() machineTree {
	return machineTree{leaves: t.leaves, most: slices.Clone(t.most), has: slices.Clone(t.has), late: t.late.clone()}
}
