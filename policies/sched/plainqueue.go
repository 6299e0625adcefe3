package sched

import (
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
)

// plainQueue is the plain form of a waiting queue: it is ranked afresh whenever an order
// is needed. It serves the orders whose keys change while jobs wait, which no heap or
// tree can keep. Ranking makes a heap, O(n) in the waiting jobs, and each job taken off
// it costs O(log n): few are, before one does not fit. Policies ask for it only when the
// narrowest waiting job fits.
type plainQueue struct {
	left      events.Heap[float64, item] // those not looked at in this round
	passed    []item                     // those that were, and wait on
	narrowest int32                      // no waiting job has fewer processors
}

type item struct {
	seq   int64
	ref   policies.Ref
	procs int32
}

func newPlainQueue() plainQueue { return plainQueue{narrowest: math.MaxInt32} }

func (t *plainQueue) add(ref policies.Ref, j *policies.Job) {
	t.left.Add(j.Seq, item{j.Seq, ref, j.Procs})
	t.narrowest = min(t.narrowest, j.Procs)
}

// rank puts the items left in the order of k at now.
func (t *plainQueue) rank(r *policies.Round, k *order.Ranker) {
	t.left.Rank(func(it *item) float64 { return k.Key(r.Now, r.Job(it.ref)) })
}

// pass notes that an item taken off does not start in this round.
func (t *plainQueue) pass(it item) { t.passed = append(t.passed, it) }

// end ends a round in which jobs may have started.
func (t *plainQueue) end() {
	for _, it := range t.passed {
		t.left.Add(it.seq, it)
	}
	t.passed, t.narrowest = t.passed[:0], math.MaxInt32
	for it := range t.left.All() {
		t.narrowest = min(t.narrowest, it.procs)
	}
}

// clone copies the table between rounds, when nothing is passed.
func (t *plainQueue) clone() plainQueue {
	return plainQueue{left: t.left.Clone(), narrowest: t.narrowest}
}

// steps is the plain form of an availability profile: free[i] processors from
// at[i] to at[i+1], the last to the end of time.
type steps struct {
	at   []events.Time
	free []int
}

// from makes it what is free now and what running jobs, in order of their ends, and changes of the machine's size to
// come make of it.
func (s *steps) from(now events.Time, free int, jobs []running, changes []policies.Change) {
	s.at, s.free = append(s.at[:0], now), append(s.free[:0], free)
	for _, job := range jobs {
		last := len(s.at) - 1
		if job.end > s.at[last] {
			s.at, s.free = append(s.at, job.end), append(s.free, s.free[last])
			last++
		}
		s.free[last] += job.procs
	}
	for _, c := range changes {
		for i := s.split(c.At); i < len(s.free); i++ {
			s.free[i] += c.Procs
		}
	}
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
