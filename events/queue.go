package events

// Queue is a priority queue of pending events, earliest first. The zero Queue is
// empty and ready for use.
//
// Nothing is searched or cancelled in a Queue. An event that has become stale
// is recognised by its owner when it comes up; Retain sweeps stale events out
// when there are many.
type Queue struct{ heap Heap[Time, subject] }

// subject is what an event holds beside its place in the order.
type subject struct {
	slot int32
	arg  uint32
}

// Len returns the number of events in the queue, stale ones included.
func (q *Queue) Len() int { return q.heap.Len() }

// Head returns the earliest event. The queue must not be empty.
func (q *Queue) Head() Event {
	e := &q.heap.entries[0]
	return Event{e.key, uint64(e.seq), e.item.slot, e.item.arg}
}

// Push adds e.
func (q *Queue) Push(e Event) { q.heap.Push(e.At, int64(e.rank), subject{e.Slot, e.Arg}) }

// Pop removes the earliest event and returns it. The queue must not be empty.
func (q *Queue) Pop() Event {
	e := q.Head()
	q.heap.Pop()
	return e
}

// Retain keeps only the events for which keep is true, in linear time.
func (q *Queue) Retain(keep func(Event) bool) {
	q.heap.Retain(func(at Time, seq int64, s *subject) bool { return keep(Event{at, uint64(seq), s.slot, s.arg}) })
}

// Clone returns an independent copy of the queue.
func (q *Queue) Clone() Queue { return Queue{q.heap.Clone()} }
