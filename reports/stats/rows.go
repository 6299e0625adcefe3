package stats

import (
	"cmp"
	"slices"

	"bourse/engine"
	"bourse/events"
)

// maxRows bounds the rows kept to find run-time groups. Terciles are
// exact up to this number of jobs.
const maxRows = 1 << 20

// row is one job, or several neighbours by run time of one band and class.
// Utility and wait need no place: they are -weighted - payment and flow - run.
type row struct {
	tau, seq  int64 // of the first job, its place in the order of run times
	n, severe int64
	of        [numMeasures]float64
	kind      uint8 // band and class, see kindOf
}

// The measures that are summed up, times in seconds.
const (
	run = iota
	flow
	bsd
	bounded
	paid
	weight
	shaped // valuation + w p phi: 0 unless the job has a shape
	numMeasures
)

// rowOf makes the row of one job.
func rowOf(o *engine.Outcome) row {
	r := row{
		tau: int64(o.Job.Run), seq: o.Row, n: 1, kind: kindOf(BandOf(o.Value), o.Aggressive),
		of: [numMeasures]float64{run: o.Job.Run.Seconds(), flow: o.Flow().Seconds(), bsd: o.BSD(),
			bounded: o.BoundedSlowdown(), paid: o.Payment, weight: o.WeightedFlow()},
	}
	if o.Shape != nil {
		r.of[shaped] = o.Valuation() + o.WeightedFlow()
	}
	if o.Severe() {
		r.severe = 1
	}
	return r
}

// absorb adds other's jobs to r.
func (r *row) absorb(other *row) {
	r.n += other.n
	r.severe += other.severe
	for m, x := range &other.of {
		r.of[m] += x
	}
}

// split takes the first n jobs out of r, in proportion.
func (r *row) split(n int64) row {
	first, share := *r, float64(n)/float64(r.n)
	// The conversion keeps the product from being fused with the sum.
	first.n, first.severe = n, int64(float64(share*float64(r.severe))+0.5)
	r.n -= first.n
	r.severe -= first.severe
	for m := range r.of {
		first.of[m] = float64(r.of[m] * share)
		r.of[m] -= first.of[m]
	}
	return first
}

// rowList is a list of rows that grows without moving them: rows are large,
// and copying them would cost more than all the rest of recording a job.
type rowList struct {
	chunks [][]row
	n      int
	folded int // so many come from a fold, in order
}

const chunkBits = 12

func (l *rowList) add(r *row) {
	if l.n>>chunkBits == len(l.chunks) {
		l.chunks = append(l.chunks, make([]row, 0, 1<<chunkBits))
	}
	last := &l.chunks[l.n>>chunkBits]
	*last = append(*last, *r)
	l.n++
}

func (l *rowList) get(i int32) *row { return &l.chunks[i>>chunkBits][i&(1<<chunkBits-1)] }

// key is a row's place in an order, small enough to be sorted in its stead.
type key struct {
	tau, seq int64
	at       int32
	kind     uint8
}

func (a key) compare(b key) int {
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	if a.tau != b.tau {
		return cmp.Compare(a.tau, b.tau)
	}
	return cmp.Compare(a.seq, b.seq)
}

// keys returns the rows' keys from the i-th on, sorted by run time, ties by the trace; if
// byKind, within each kind.
func (l *rowList) keys(i int, byKind bool) []key {
	keys := make([]key, 0, l.n-i)
	for ; i < l.n; i++ {
		r := l.get(int32(i))
		k := key{tau: r.tau, seq: r.seq, at: int32(i)}
		if byKind {
			k.kind = r.kind
		}
		keys = append(keys, k)
	}
	return sorted(keys)
}

// sorted sorts keys, many of them digit by digit, from that of least weight on, which takes a fifth of the time of
// comparing them. Digits in which all are equal are left out.
func sorted(keys []key) []key {
	if len(keys) < 1000 {
		slices.SortFunc(keys, key.compare)
		return keys
	}
	const bits = 8
	var seq, tau, kind uint64 // in which keys differ
	for i := range keys {
		seq |= uint64(keys[i].seq ^ keys[0].seq)
		tau |= uint64(keys[i].tau ^ keys[0].tau)
		kind |= uint64(keys[i].kind ^ keys[0].kind)
	}
	spare := make([]key, len(keys))
	pass := func(digit func(*key) uint8) {
		var begin [1 << bits]int
		for i := range keys {
			begin[digit(&keys[i])]++
		}
		at := 0
		for d, n := range begin {
			begin[d], at = at, at+n
		}
		for i := range keys {
			d := digit(&keys[i])
			spare[begin[d]] = keys[i]
			begin[d]++
		}
		keys, spare = spare, keys
	}
	const sign = 1 << 63 // negative numbers are before others
	for shift := 0; shift < 64; shift += bits {
		if uint8(seq>>shift) != 0 {
			pass(func(k *key) uint8 { return uint8((uint64(k.seq) ^ sign) >> shift) })
		}
	}
	for shift := 0; shift < 64; shift += bits {
		if uint8(tau>>shift) != 0 {
			pass(func(k *key) uint8 { return uint8((uint64(k.tau) ^ sign) >> shift) })
		}
	}
	if kind != 0 {
		pass(func(k *key) uint8 { return k.kind })
	}
	return keys
}

// inOrder returns the places of the rows by kind and run time. Those of the last fold are
// in order already.
func (l *rowList) inOrder() []int32 {
	at, news, old := make([]int32, 0, l.n), l.keys(l.folded, true), 0
	for _, k := range news {
		for ; old < l.folded; old++ {
			if r := l.get(int32(old)); k.compare(key{tau: r.tau, seq: r.seq, kind: r.kind}) < 0 {
				break
			}
			at = append(at, int32(old))
		}
		at = append(at, k.at)
	}
	for ; old < l.folded; old++ {
		at = append(at, int32(old))
	}
	return at
}

// fold merges neighbours by run time within each band and class, and so
// halves the rows. The last row of an odd count stays alone.
func (l *rowList) fold() {
	var kept rowList
	places := l.inOrder()
	for i := 0; i < len(places); i++ {
		r := *l.get(places[i])
		if i+1 < len(places) && l.get(places[i+1]).kind == r.kind {
			i++
			r.absorb(l.get(places[i]))
		}
		kept.add(&r)
	}
	kept.folded = kept.n
	*l = kept
}

// Groups holds the run-time group of each job, by its place in the order of
// submission: 0 is A, 1 is B and 2 is C, the longest. A caller that has all jobs at
// hand, as a sweep does, makes it once for all replays of them.
type Groups []uint8

// GroupsOf returns the terciles of the run times of jobs in order of submission,
// ties by that order.
func GroupsOf(runs []events.Time) Groups {
	groups, ends := make(Groups, len(runs)), groupEnds(int64(len(runs)))
	if len(runs) == 0 {
		return groups
	}
	sorted := slices.Clone(runs)
	slices.Sort(sorted)
	var last [numGroups]events.Time // the longest run time of each group
	var rank [numGroups]int64       // of the next job that runs as long
	for g := range last {
		last[g] = sorted[ends[g]-1]
		first, _ := slices.BinarySearch(sorted, last[g])
		rank[g] = int64(first)
	}
	for i, run := range runs {
		g := 0
		for run > last[g] || run == last[g] && rank[g] >= ends[g] {
			g++
		}
		for h := range last {
			if run == last[h] {
				rank[h]++
			}
		}
		groups[i] = uint8(g)
	}
	return groups
}

// groupEnds returns the ranks at which the groups end: A is the first third of n
// jobs, rounded up, A and B together the first two thirds.
func groupEnds(n int64) [numGroups]int64 {
	return [numGroups]int64{(n + 2) / 3, (2*n + 2) / 3, n}
}
