package policies

// Queue keeps Refs in order of (key, seq), least first, and lets any of them
// be removed. It is the waiting queue of most policies and price schemes: push
// with key -bid to have the highest bid at the head, and with the job's Seq to
// break ties by submission and trace order.
//
// It is a 4-ary heap that knows every Ref's place: all operations are
// O(log n), and none allocates once the Queue has grown. It stays apart from
// events.Heap, which does not know where an item is. The zero Queue is empty.
type Queue struct {
	heap  []entry
	place []int32 // place[ref] is ref's index in heap plus one, 0 if absent
}

type entry struct {
	key float64
	seq int64
	ref Ref
}

func (a *entry) before(b *entry) bool {
	return a.key < b.key || a.key == b.key && a.seq < b.seq
}

// Len returns the number of Refs.
func (q *Queue) Len() int { return len(q.heap) }

// Has reports whether ref is in the queue.
func (q *Queue) Has(ref Ref) bool { return int(ref) < len(q.place) && q.place[ref] != 0 }

// Head returns the first Ref. The queue must not be empty.
func (q *Queue) Head() Ref { return q.heap[0].ref }

// HeadKey returns the first Ref's key. The queue must not be empty.
func (q *Queue) HeadKey() float64 { return q.heap[0].key }

// Push adds ref, which must not be in the queue.
func (q *Queue) Push(key float64, seq int64, ref Ref) {
	for int(ref) >= len(q.place) {
		q.place = append(q.place, 0)
	}
	q.heap = append(q.heap, entry{key, seq, ref})
	q.siftUp(len(q.heap) - 1)
}

// Pop removes the first Ref and returns it. The queue must not be empty.
func (q *Queue) Pop() Ref {
	ref := q.heap[0].ref
	q.removeAt(0)
	return ref
}

// Remove takes ref out and reports whether it was there.
func (q *Queue) Remove(ref Ref) bool {
	if !q.Has(ref) {
		return false
	}
	q.removeAt(int(q.place[ref]) - 1)
	return true
}

// Clone returns an independent copy.
func (q *Queue) Clone() Queue {
	return Queue{heap: append([]entry(nil), q.heap...), place: append([]int32(nil), q.place...)}
}

func (q *Queue) removeAt(i int) {
	q.place[q.heap[i].ref] = 0
	last := len(q.heap) - 1
	moved := q.heap[last]
	q.heap = q.heap[:last]
	if i == last {
		return
	}
	q.heap[i] = moved
	if i > 0 && moved.before(&q.heap[(i-1)/4]) {
		q.siftUp(i)
	} else {
		q.siftDown(i)
	}
}

func (q *Queue) siftUp(i int) {
	h, e := q.heap, q.heap[i]
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		q.place[h[i].ref] = int32(i) + 1
		i = parent
	}
	h[i] = e
	q.place[e.ref] = int32(i) + 1
}

func (q *Queue) siftDown(i int) {
	h, e := q.heap, q.heap[i]
	for {
		first := 4*i + 1
		if first >= len(h) {
			break
		}
		least := first
		for c := first + 1; c < first+4 && c < len(h); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&e) {
			break
		}
		h[i] = h[least]
		q.place[h[i].ref] = int32(i) + 1
		i = least
	}
	h[i] = e
	q.place[e.ref] = int32(i) + 1
}
