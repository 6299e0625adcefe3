package events_test

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
)

// TestHeapAgainstSorting changes a heap at random and compares with a sorted slice.
func TestHeapAgainstSorting(t *testing.T) {
	type item struct {
		key float64
		seq int64
	}
	rapid.Check(t, func(t *rapid.T) {
		var h events.Heap[float64, item]
		var want []item
		seq := int64(0)
		draw := func() item {
			seq++
			return item{float64(rapid.IntRange(-3, 3).Draw(t, "key")), seq}
		}
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			switch step := rapid.IntRange(0, 19).Draw(t, "step"); {
			case step < 11 || len(want) == 0:
				it := draw()
				h.Push(it.key, it.seq, it)
				want = append(want, it)
			case step < 16:
				if got := h.Pop(); got != want[0] {
					t.Fatalf("popped %v, want %v", got, want[0])
				}
				want = want[1:]
			case step < 19:
				it := draw()
				h.Add(it.seq, it)
				want = append(want, it)
				h.Rank(func(it *item) float64 { it.key = -it.key; return it.key })
				for i := range want {
					want[i].key = -want[i].key
				}
			default:
				h.Clear()
				want = nil
			}
			slices.SortFunc(want, func(a, b item) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.seq, b.seq)) })
			if h.Len() != len(want) || h.Len() > 0 && (*h.Head() != want[0] || h.HeadKey() != want[0].key) {
				t.Fatalf("%d items, want %d", h.Len(), len(want))
			}
		}
		c := h.Clone()
		for _, it := range want {
			if got := c.Pop(); got != it {
				t.Fatalf("the copy popped %v, want %v", got, it)
			}
		}
		if h.Len() != len(want) {
			t.Fatal("emptying the copy changed the heap")
		}
	})
}

// job is an item as large as a job of a trace.
type job struct {
	at  events.Time
	seq int64
	_   [18]int64
}

// byTime is the same heap by the standard library.
type byTime []job

func (h byTime) Len() int { return len(h) }
func (h byTime) Less(a, b int) bool {
	return h[a].at < h[b].at || h[a].at == h[b].at && h[a].seq < h[b].seq
}
func (h byTime) Swap(a, b int) { h[a], h[b] = h[b], h[a] }
func (h *byTime) Push(x any)   { *h = append(*h, x.(job)) }
func (h *byTime) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// BenchmarkHeap holds a heap of jobs at a depth, popping and pushing.
func BenchmarkHeap(b *testing.B) {
	for _, depth := range []int{100, 10_000} {
		state := uint64(1)
		delay := func() events.Time {
			state = state*6364136223846793005 + 1442695040888963407
			return events.Time(state >> 34)
		}
		b.Run(fmt.Sprintf("generic/depth=%d", depth), func(b *testing.B) {
			var h events.Heap[events.Time, job]
			for i := range depth {
				h.Push(delay(), int64(i), job{})
			}
			for i := 0; b.Loop(); i++ {
				at := h.HeadKey() + delay()
				h.Push(at, int64(i), h.Pop())
			}
		})
		b.Run(fmt.Sprintf("container/depth=%d", depth), func(b *testing.B) {
			var h byTime
			for i := range depth {
				heap.Push(&h, job{at: delay(), seq: int64(i)})
			}
			for i := 0; b.Loop(); i++ {
				j := heap.Pop(&h).(job)
				j.at, j.seq = j.at+delay(), int64(i)
				heap.Push(&h, j)
			}
		})
	}
}
