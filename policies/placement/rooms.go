package placement

import (
	"slices"

	"bourse/policies"
)

// Rooms finds the first machine with enough of everything: a binary tree
// over the machines in their order, each node with the best below it. A leaf represents
// a block of machines, which are looked at one by one: a node is several times as large
// as what a machine has, and there is a tree for each class. A change costs O(log
// machines), at the next search: many changes are never asked about, or undone before.
type Rooms struct {
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

// Grow makes room for n machines.
func (t *Rooms) Grow(n int) {
	for len(t.has) < n {
		t.has = append(t.has, Nothing)
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
		t.most[i].setMax(&t.most[2*i], &t.most[2*i+1])
	}
}

// blockBest is the best of a block's machines.
func (t *Rooms) blockBest(i int) best {
	b := bestOf(Nothing)
	for m := i * block; m < min((i+1)*block, len(t.has)); m++ {
		b.add(t.has[m])
	}
	return b
}

// At is the room of machine i.
func (t *Rooms) At(i int) policies.Amount { return t.has[i] }

// Set changes what machine i has; negative amounts hide it from every search.
func (t *Rooms) Set(i int, a policies.Amount) {
	t.has[i] = a
	t.late.add(i / block)
}

// renew brings block i and the nodes above it up to date.
func (t *Rooms) renew(i int32) {
	for x, b := t.leaves+int(i), t.blockBest(int(i)); b != t.most[x]; b.setMax(&t.most[2*x], &t.most[2*x+1]) {
		t.most[x] = b
		if x /= 2; x == 0 {
			return
		}
	}
}

// First returns the first machine that holds need, or -1.
func (t *Rooms) First(need policies.Amount) int {
	if t.leaves == 0 {
		return -1
	}
	t.late.take(t.renew)
	w := wanting(need)
	return t.search(1, &w)
}

func (t *Rooms) search(x int, w *want) int {
	if !t.most[x].mayHold(w) {
		return -1
	}
	if x >= t.leaves {
		return t.firstInBlock(x-t.leaves, w.need)
	}
	if i := t.search(2*x, w); i >= 0 {
		return i
	}
	return t.search(2*x+1, w)
}

// firstInBlock returns the first machine of a block that holds need, or -1.
func (t *Rooms) firstInBlock(i int, need policies.Amount) int {
	for m := i * block; m < min((i+1)*block, len(t.has)); m++ {
		if need.Fits(t.has[m]) {
			return m
		}
	}
	return -1
}

// Clone returns an independent copy.
func (t *Rooms) Clone() Rooms {
	return Rooms{leaves: t.leaves, most: slices.Clone(t.most), has: slices.Clone(t.has), late: t.late.clone()}
}
