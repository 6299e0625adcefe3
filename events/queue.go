package events

// Queue is a priority queue of pending events, earliest first. It is a 4-ary
// heap of values: one level of it is one or two cache lines, so it is faster
// than a binary heap and does not allocate once grown. The zero Queue is empty
// and ready for use.
//
// Nothing is searched or cancelled in a Queue. An event that has become stale
// is recognised by its owner when it comes up; Retain sweeps stale events out
// when there are many.
type Queue struct{ heap []Event }

// Len returns the number of events in the queue, stale ones included.
func (q *Queue) Len() int { return len(q.heap) }

// Head returns the earliest event. The queue must not be empty.
func (q *Queue) Head() Event { return q.heap[0] }

// Push adds e.
func (q *Queue) Push(e Event) {
	q.heap = append(q.heap, e)
	q.up(len(q.heap) - 1)
}

// Pop removes the earliest event and returns it. The queue must not be empty.
func (q *Queue) Pop() Event {
	head := q.heap[0]
	last := len(q.heap) - 1
	moved := q.heap[last]
	q.heap = q.heap[:last]
	if last > 0 {
		q.heap[0] = moved
		q.down(0)
	}
	return head
}

// Retain keeps only the events for which keep is true, in linear time.
func (q *Queue) Retain(keep func(Event) bool) {
	kept := q.heap[:0]
	for _, e := range q.heap {
		if keep(e) {
			kept = append(kept, e)
		}
	}
	q.heap = kept
	for i := (len(kept) - 2) / 4; i >= 0 && len(kept) > 1; i-- {
		q.down(i)
	}
}

// Clone returns an independent copy of the queue.
func (q *Queue) Clone() Queue { return Queue{heap: append([]Event(nil), q.heap...)} }

func (q *Queue) up(i int) {
	h, e := q.heap, q.heap[i]
	for i > 0 {
		parent := (i - 1) / 4
		if !e.Before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

func (q *Queue) down(i int) {
	h, e := q.heap, q.heap[i]
	for {
		first := 4*i + 1
		if first >= len(h) {
			break
		}
		least := first
		for c := first + 1; c < first+4 && c < len(h); c++ {
			if h[c].Before(h[least]) {
				least = c
			}
		}
		if !h[least].Before(e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
}
