package placed

import (
	"cmp"
	"maps"
	"slices"

	"bourse/policies"
)

const nilNode = policies.NilNode

// waitIndex holds the waiting jobs. Those of equal need and rank are one group, for where one
// does not fit no other does. A group is ready until it has been found to fit nowhere, and
// blocked from then on: in a tree for each rank and kind of need, in the order of their first
// jobs, which finds the first group that a room holds by descent.
type waitIndex struct {
	jobs    policies.Tree[struct{}] // by Ref, a tree for each group
	keys    []float64               // by Ref
	of      []int32                 // by Ref, the job's group
	groups  []group
	byNeed  map[groupKey]int32
	ready   policies.Queue     // groups, by their first jobs
	blocked policies.LeastTree // groups
	ranks   []rank
	kinds   []kind
	gangs   bool // some group has jobs of several pieces
}

// group is the waiting jobs of one need and rank.
type group struct {
	groupKey
	place   int // of its rank
	kind    int
	root    int32
	head    int32 // its first job
	blocked bool  // it fits nowhere but, perhaps, on the machines freed in this round
}

type groupKey struct {
	piece  policies.Amount // what each piece of a job needs
	models uint64          // kinds of machines, a bit each; none is any
	pieces int32
	rank   int64
}

// need is the need of a job of the group, all its pieces together.
func (k *groupKey) need() policies.Amount {
	if k.pieces == 1 {
		return k.piece
	}
	return k.piece.Times(float64(k.pieces))
}

// accepts reports whether a machine with GPUs of a model will do.
func (k *groupKey) accepts(model uint64) bool { return k.models == 0 || k.models&model != 0 }

// rank is jobs that may preempt those of greater keys. Without preemption there is one.
type rank struct {
	key   int64
	roots []int32 // of its blocked groups, by kind
}

// waits reports whether any of its groups is blocked.
func (r *rank) waits() bool {
	return slices.ContainsFunc(r.roots, func(root int32) bool { return root != nilNode })
}

// kind is a need of GPUs, and whether they are placed in several pieces: a gang.
// A search in a tree looks at CPU and memory alone.
type kind struct {
	gpu    float64
	models uint64
	gang   bool
}

func newWaitIndex() waitIndex { return waitIndex{byNeed: map[groupKey]int32{}} }

// findRank returns the place of a rank among those known, or where it belongs.
func (w *waitIndex) findRank(key int64) (place int, known bool) {
	return slices.BinarySearchFunc(w.ranks, key, func(r rank, key int64) int { return cmp.Compare(r.key, key) })
}

// insertRank makes a rank known.
func (w *waitIndex) insertRank(place int, key int64) {
	w.ranks = slices.Insert(w.ranks, place, rank{key: key})
	for g := range w.groups {
		if w.groups[g].place >= place {
			w.groups[g].place++
		}
	}
}

// insert adds a job that waits, of a known rank.
func (w *waitIndex) insert(ref policies.Ref, j *policies.Job, key float64, rank int64) {
	g := w.join(ref, j, rank)
	w.keys[ref] = key
	x := &w.groups[g]
	w.jobs.Put(int32(ref), policies.FloatKey(key), j.Seq)
	x.root, _, _ = w.jobs.Link(x.root, int32(ref))
	if x.head == nilNode || w.jobs.Nodes[ref].Before(&w.jobs.Nodes[x.head].Place) {
		x.head = int32(ref)
		w.renew(g)
	}
}

// join says of which group a job is, running or waiting.
func (w *waitIndex) join(ref policies.Ref, j *policies.Job, rank int64) int32 {
	for int(ref) >= len(w.of) {
		w.of, w.keys = append(w.of, nilNode), append(w.keys, 0)
	}
	w.of[ref] = w.groupOf(j, rank)
	return w.of[ref]
}

// groupOf returns a job's group, which it makes known.
func (w *waitIndex) groupOf(j *policies.Job, rank int64) int32 {
	k := groupKey{piece: j.Piece(), pieces: max(j.Pieces, 1), rank: rank, models: j.Models}
	g, known := w.byNeed[k]
	if !known {
		g = int32(len(w.groups))
		place, _ := w.findRank(rank)
		w.groups = append(w.groups, group{groupKey: k, place: place, kind: w.kindOf(&k), root: nilNode, head: nilNode})
		w.byNeed[k] = g
	}
	return g
}

// kindOf returns the place of a need's kind, which it makes known.
func (w *waitIndex) kindOf(key *groupKey) int {
	k := kind{key.need().GPU, key.models, key.pieces > 1}
	w.gangs = w.gangs || k.gang
	i := slices.Index(w.kinds, k)
	if i < 0 {
		i = len(w.kinds)
		w.kinds = append(w.kinds, k)
	}
	return i
}

// remove takes a job out.
func (w *waitIndex) remove(ref policies.Ref) {
	g := w.of[ref]
	x := &w.groups[g]
	x.root, _, _ = w.jobs.Unlink(x.root, int32(ref))
	x.head = w.jobs.First(x.root)
	w.renew(g)
}

// renew puts a group whose first job is new where that belongs, blocked if it was so.
func (w *waitIndex) renew(g int32) {
	x := &w.groups[g]
	if x.blocked {
		w.unlink(g)
		if x.head != nilNode {
			w.block(g)
		}
		return
	}
	w.ready.Remove(policies.Ref(g))
	if x.head != nilNode {
		w.ready.Push(w.keys[x.head], w.jobs.Nodes[x.head].Seq, policies.Ref(g))
	}
}

// block puts a group that is in no queue among the blocked ones.
func (w *waitIndex) block(g int32) {
	x := &w.groups[g]
	x.blocked = true
	root, first := w.root(x), &w.jobs.Nodes[x.head]
	*root = w.blocked.Insert(*root, g, first.Key, first.Seq, extentOf(x.need()))
}

// unlink takes a blocked group out of its tree.
func (w *waitIndex) unlink(g int32) {
	x := &w.groups[g]
	root := w.root(x)
	*root = w.blocked.Remove(*root, g)
	x.blocked = false
}

// extentOf is CPU and memory, which are whole grains.
func extentOf(a policies.Amount) policies.Extent {
	return policies.Extent{Wide: int64(a.CPU), Long: int64(a.Memory)}
}

// root returns the root of the blocked groups of a group's rank and kind.
func (w *waitIndex) root(x *group) *int32 {
	r := &w.ranks[x.place]
	for len(r.roots) <= x.kind {
		r.roots = append(r.roots, nilNode)
	}
	return &r.roots[x.kind]
}

// anyModel represents a machine with GPUs of all models.
const anyModel = ^uint64(0)

// firstBlocked returns the first blocked group of a rank that so much room holds, on GPUs
// of one of these models, or nilNode: of gangs, or of the others.
func (w *waitIndex) firstBlocked(place int, room policies.Amount, models uint64, gangs bool) int32 {
	first, most := int32(nilNode), extentOf(room)
	for k, root := range w.ranks[place].roots {
		if root == nilNode {
			continue
		}
		if want := &w.kinds[k]; want.gang != gangs || want.gpu > room.GPU || want.models != 0 && want.models&models == 0 {
			continue
		}
		if g := w.blocked.Search(root, most); g != nilNode && (first == nilNode || w.before(g, first)) {
			first = g
		}
	}
	return first
}

// unblock makes the blocked groups of a rank ready that so much room holds.
func (w *waitIndex) unblock(place int, room policies.Amount, gangs bool) {
	for g := w.firstBlocked(place, room, anyModel, gangs); g != nilNode; g = w.firstBlocked(place, room, anyModel, gangs) {
		w.unlink(g)
		w.renew(g)
	}
}

// anyBlocked reports whether some blocked group would fit into a room.
func (w *waitIndex) anyBlocked(room policies.Amount) bool {
	for place := range w.ranks {
		if w.firstBlocked(place, room, anyModel, false) != nilNode || w.gangs &&
			w.firstBlocked(place, room, anyModel, true) != nilNode {
			return true
		}
	}
	return false
}

// before reports whether the first job of group a ranks before that of b.
func (w *waitIndex) before(a, b int32) bool {
	return w.jobs.Nodes[w.groups[a].head].Before(&w.jobs.Nodes[w.groups[b].head].Place)
}

func (w *waitIndex) clone() waitIndex {
	c := *w
	c.jobs, c.blocked, c.ready = w.jobs.Clone(), w.blocked.Clone(), w.ready.Clone()
	c.keys, c.of, c.groups, c.byNeed = slices.Clone(w.keys), slices.Clone(w.of), slices.Clone(w.groups),
		maps.Clone(w.byNeed)
	c.ranks, c.kinds = slices.Clone(w.ranks), slices.Clone(w.kinds)
	for i := range c.ranks {
		c.ranks[i].roots = slices.Clone(w.ranks[i].roots)
	}
	return c
}
