package sched

import (
	"cmp"
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// table is the plain form of a waiting queue: a slice that is sorted afresh when
// somebody asks for an order. It serves the orders whose keys change while jobs
// wait, which no heap or tree can keep. Sorting costs O(n log n) in the waiting
// jobs, O(n) where the order has hardly changed; policies ask for it only when
// the narrowest waiting job fits.
type table struct {
	items     []item
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

// sort puts the items from index from on into the order of k at now.
func (t *table) sort(r *policies.Round, k *ranker, from int) {
	items := t.items[from:]
	for i := range items {
		items[i].key = k.key(r.Now, r.Job(items[i].ref))
	}
	slices.SortFunc(items, func(a, b item) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return cmp.Compare(a.seq, b.seq)
	})
}

// sweep removes the items that were taken.
func (t *table) sweep() {
	t.items = slices.DeleteFunc(t.items, func(it item) bool { return it.taken })
	t.narrowest = math.MaxInt32
	for i := range t.items {
		t.narrowest = min(t.narrowest, t.items[i].procs)
	}
}

func (t *table) clone() table { return table{slices.Clone(t.items), t.narrowest} }

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
