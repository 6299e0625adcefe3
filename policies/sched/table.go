package sched

import (
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// table is the plain form of a waiting queue: a slice that is ranked afresh when
// somebody asks for an order. It serves the orders whose keys change while jobs
// wait, which no heap or tree can keep. Ranking makes a heap, O(n) in the waiting
// jobs, and each job taken off it costs O(log n): few are, before one does not fit.
// Policies ask for it only when the narrowest waiting job fits.
type table struct {
	items     []item // the first left of them are a heap, behind it are those taken off
	left      int
	narrowest int32 // no waiting job has fewer processors
}

type item struct {
	key   float64
	seq   int64
	ref   policies.Ref
	procs int32
	taken bool // started in this round; sweep removes it
}

func newTable() table { return table{narrowest: math.MaxInt32} }

func (t *table) add(ref policies.Ref, j *policies.Job) {
	t.items = append(t.items, item{ref: ref, seq: j.Seq, procs: j.Procs})
	t.narrowest = min(t.narrowest, j.Procs)
}

// begin puts all items before the first ranking.
func (t *table) begin() { t.left = len(t.items) }

// rank makes a heap of the items left, by the order of k at now.
func (t *table) rank(r *policies.Round, k *ranker) {
	for i := range t.items[:t.left] {
		t.items[i].key = k.key(r.Now, r.Job(t.items[i].ref))
	}
	for i := t.left/2 - 1; i >= 0; i-- {
		t.sink(i)
	}
}

// head is the first item left. There must be one.
func (t *table) head() *item { return &t.items[0] }

// take takes the first item off the heap.
func (t *table) take() *item {
	t.left--
	t.items[0], t.items[t.left] = t.items[t.left], t.items[0]
	t.sink(0)
	return &t.items[t.left]
}

// sink restores the heap below i.
func (t *table) sink(i int) {
	items := t.items[:t.left]
	for {
		c := 2*i + 1
		if c >= len(items) {
			return
		}
		if c+1 < len(items) && items[c+1].before(&items[c]) {
			c++
		}
		if !items[c].before(&items[i]) {
			return
		}
		items[i], items[c] = items[c], items[i]
		i = c
	}
}

func (a *item) before(b *item) bool { return a.key < b.key || a.key == b.key && a.seq < b.seq }

// sweep removes the items that were taken.
func (t *table) sweep() {
	t.items = slices.DeleteFunc(t.items, func(it item) bool { return it.taken })
	t.narrowest = math.MaxInt32
	for i := range t.items {
		t.narrowest = min(t.narrowest, t.items[i].procs)
	}
}

func (t *table) clone() table { return table{slices.Clone(t.items), t.left, t.narrowest} }

// steps is the plain form of an availability profile: free[i] processors from
// at[i] to at[i+1], the last to the end of time.
type steps struct {
	at   []events.Time
	free []int
}

// split returns the index of the step that begins at t, making one if needed. t
// must not lie before the first step.
func (s *steps) split(t events.Time) int {
	i, found := slices.BinarySearch(s.at, t)
	if !found {
		s.at = slices.Insert(s.at, i, t)
		s.free = slices.Insert(s.free, i, s.free[i-1])
	}
	return i
}

// add adds n to the free processors from a to b, b excluded.
func (s *steps) add(a, b events.Time, n int) {
	if a >= b {
		return
	}
	i := s.split(a)
	for k := s.split(b); i < k; i++ {
		s.free[i] += n
	}
}

// earliest returns the first time from the first step on at which n processors
// are free for the time length. They must be free in the end.
func (s *steps) earliest(n int, length events.Time) events.Time {
	start := s.at[0]
	for i := range s.at {
		switch {
		case s.free[i] < n && i+1 < len(s.at):
			start = s.at[i+1]
		case i+1 == len(s.at) || s.at[i+1]-start >= length:
			return start
		}
	}
	return start
}

// fits reports whether n processors are free from the first step on for the time
// length.
func (s *steps) fits(n int, length events.Time) bool {
	for i := range s.at {
		if s.at[i]-s.at[0] >= length {
			return true
		}
		if s.free[i] < n {
			return false
		}
	}
	return true
}
