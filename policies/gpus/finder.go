package gpus

import (
	"maps"
	"slices"

	"bourse/traces/rng"
)

// Finder finds machines by a rule. For every ask it keeps the score of each machine in a
// tournament, and looks again only at the machines that have changed since it was last
// asked the same: a decision costs O(log machines) and a few scores.
type Finder struct {
	scorer
	seed   uint64
	draws  uint64 // of the rule random
	nodes  []Node
	up     []bool
	place  []int32 // by machine, its place in the order that breaks ties
	at     []int32 // by place, its machine
	leaves int
	asked  map[Ask]int
	boards []board
	recent recent
}

// board is the machines' scores for an ask: the leaves of tree by place, absent where the
// machine does not hold it, and above them the greater of two.
type board struct {
	Ask
	seen int64
	tree []int8
}

const absent = -1

// NewFinder makes a finder without machines. Seed is that of the rule random.
func NewFinder(rule Rule, seed uint64) *Finder {
	return &Finder{scorer: scorer{rule: rule}, seed: seed, asked: map[Ask]int{}, recent: recent{first: -1}}
}

// Set adds machine i, last in the order that breaks ties, or replaces it.
func (f *Finder) Set(i int, n Node, up bool) {
	for len(f.nodes) <= i {
		m := int32(len(f.nodes))
		f.nodes, f.up = append(f.nodes, Node{}), append(f.up, false)
		f.place, f.at = append(f.place, m), append(f.at, m)
		f.recent.grow()
		f.forget()
	}
	f.nodes[i], f.up[i] = n, up
	f.recent.change(int32(i))
}

// Measure sets the unit of CPU and GPUs.
func (f *Finder) Measure(of Scale) {
	of.CPU, of.GPU = max(of.CPU, 1), max(of.GPU, 1)
	if of != f.of {
		f.of = of
		f.forget()
	}
}

// Against says against which mix fragmentation is measured.
func (f *Finder) Against(m Mix) {
	if f.mix = m; f.rule == Gradient {
		f.forget()
	}
}

// Order sets the order that breaks ties: place[i] is that of machine i.
func (f *Finder) Order(place []int) {
	for i, p := range place {
		f.place[i], f.at[p] = int32(p), int32(i)
	}
	f.forget()
}

// forget drops all scores.
func (f *Finder) forget() {
	if len(f.boards) > 0 {
		clear(f.asked)
		f.boards = f.boards[:0]
	}
}

// Node returns machine i. It changes by Put, Take and Set only.
func (f *Finder) Node(i int) *Node { return &f.nodes[i] }

// Put puts a job on devices of machine i, Take takes it off.
func (f *Finder) Put(i int, a *Ask, devices uint64) {
	f.nodes[i].Put(a, devices)
	f.recent.change(int32(i))
}

// Take takes a job off devices of machine i.
func (f *Finder) Take(i int, a *Ask, devices uint64) {
	f.nodes[i].Take(a, devices)
	f.recent.change(int32(i))
}

// Find returns the machine for an ask and the devices there, machine -1 if none holds it.
func (f *Finder) Find(a *Ask) (machine int, devices uint64) {
	b := f.board(a)
	if len(b.tree) == 0 || b.tree[1] == absent {
		return -1, 0
	}
	var random *rng.Rand
	if f.rule == Random {
		random = f.draw()
		machine = f.drawMachine(b, random)
	} else {
		x := 1
		for x < f.leaves {
			if x *= 2; b.tree[x] != b.tree[1] {
				x++
			}
		}
		machine = int(f.at[x-f.leaves])
	}
	return machine, f.devices(&f.nodes[machine], a, random)
}

// On returns the devices that an ask gets on machine i, which holds it.
func (f *Finder) On(i int, a *Ask) uint64 {
	var random *rng.Rand
	if f.rule == Random {
		random = f.draw()
	}
	return f.devices(&f.nodes[i], a, random)
}

// draw begins the next draw of the rule random.
func (f *Finder) draw() *rng.Rand {
	f.draws++
	return rng.Stream(f.seed, "placement", f.draws)
}

// drawMachine draws a machine. It walks all of them: with so little to do for each that
// is about a microsecond for a thousand.
func (f *Finder) drawMachine(b *board, random *rng.Rand) int {
	fitting := 0
	for _, s := range b.tree[f.leaves:] {
		if s != absent {
			fitting++
		}
	}
	k := random.IntN(fitting)
	for p, s := range b.tree[f.leaves:] {
		if s == absent {
			continue
		}
		if k == 0 {
			return int(f.at[p])
		}
		k--
	}
	panic("gpus: fewer machines than counted")
}

// board returns the scores for an ask, up to date.
func (f *Finder) board(a *Ask) *board {
	k, known := f.asked[*a]
	if !known {
		return f.fresh(a)
	}
	b := &f.boards[k]
	for m := f.recent.first; m >= 0 && f.recent.when[m] > b.seen; m = f.recent.older[m] {
		x := f.leaves + int(f.place[m])
		for s := f.rate(int(m), a); b.tree[x] != s; s = max(b.tree[2*x], b.tree[2*x+1]) {
			b.tree[x] = s
			if x /= 2; x == 0 {
				break
			}
		}
	}
	b.seen = f.recent.clock
	return b
}

// fresh works the scores for a new ask out.
func (f *Finder) fresh(a *Ask) *board {
	for f.leaves = max(1, f.leaves); f.leaves < len(f.nodes); {
		f.leaves *= 2
	}
	b := board{Ask: *a, seen: f.recent.clock, tree: make([]int8, 2*f.leaves)}
	for x := range b.tree[f.leaves:] {
		b.tree[f.leaves+x] = absent
	}
	for m := range f.nodes {
		b.tree[f.leaves+int(f.place[m])] = f.rate(m, a)
	}
	for x := f.leaves - 1; x >= 1; x-- {
		b.tree[x] = max(b.tree[2*x], b.tree[2*x+1])
	}
	f.asked[*a] = len(f.boards)
	f.boards = append(f.boards, b)
	return &f.boards[len(f.boards)-1]
}

// rate returns the score of machine m for an ask.
func (f *Finder) rate(m int, a *Ask) int8 {
	if n := &f.nodes[m]; f.up[m] && n.Fits(a) {
		return f.score(n, a)
	}
	return absent
}

// Clone returns an independent copy.
func (f *Finder) Clone() *Finder {
	c := *f
	c.nodes = slices.Clone(f.nodes)
	for i := range c.nodes {
		c.nodes[i] = f.nodes[i].Clone()
	}
	c.up, c.place, c.at, c.asked, c.boards, c.recent = slices.Clone(f.up), slices.Clone(f.place), slices.Clone(f.at),
		maps.Clone(f.asked), slices.Clone(f.boards), f.recent.clone()
	for i := range c.boards {
		c.boards[i].tree = slices.Clone(f.boards[i].tree)
	}
	return &c
}

// recent are machines in order of their last change, the latest first: a list through
// all of them.
type recent struct {
	clock        int64
	first        int32
	when         []int64
	older, newer []int32
}

// grow adds a machine.
func (r *recent) grow() {
	m := int32(len(r.when))
	r.clock++
	r.when, r.older, r.newer = append(r.when, r.clock), append(r.older, r.first), append(r.newer, -1)
	if r.first >= 0 {
		r.newer[r.first] = m
	}
	r.first = m
}

// change moves machine m to the front.
func (r *recent) change(m int32) {
	r.clock++
	r.when[m] = r.clock
	if r.first == m {
		return
	}
	r.older[r.newer[m]] = r.older[m]
	if r.older[m] >= 0 {
		r.newer[r.older[m]] = r.newer[m]
	}
	r.older[m], r.newer[m] = r.first, -1
	r.newer[r.first] = m
	r.first = m
}

func (r *recent) clone() recent {
	return recent{clock: r.clock, first: r.first, when: slices.Clone(r.when), older: slices.Clone(r.older),
		newer: slices.Clone(r.newer)}
}
