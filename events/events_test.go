package events_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
)

func TestOrderInsideAnInstant(t *testing.T) {
	later := events.New(2, events.Machine, 0, 0, 0)
	ordered := []events.Event{
		events.New(1, events.Machine, 9, 0, 0),
		events.New(1, events.Completion, 3, 0, 0),
		events.New(1, events.Completion, 4, 0, 0),
		events.New(1, events.Timer, 0, 0, 0),
		events.New(1, events.Bid, 0, 0, 0),
		events.New(1, events.Arrival, 0, 0, 0),
		later,
	}
	for i := range ordered {
		for j := range ordered {
			if got := ordered[i].Before(ordered[j]); got != (i < j) {
				t.Errorf("event %d before event %d: %v", i, j, got)
			}
		}
	}
	if e := ordered[2]; e.Class() != events.Completion || e.Seq() != 4 {
		t.Errorf("class %v seq %d, want completion 4", e.Class(), e.Seq())
	}
}

// TestQueueAgainstSorting pushes, pops and sweeps at random and compares with a
// sorted slice.
func TestQueueAgainstSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q events.Queue
		var want []events.Event
		seq := int64(0)
		for i := rapid.IntRange(0, 200).Draw(t, "steps"); i > 0; i-- {
			switch step := rapid.IntRange(0, 9).Draw(t, "step"); {
			case step < 6 || len(want) == 0:
				seq++
				e := events.New(events.Time(rapid.IntRange(0, 20).Draw(t, "at")), events.Class(step%5), seq, int32(seq), 0)
				q.Push(e)
				want = append(want, e)
				slices.SortFunc(want, func(a, b events.Event) int {
					if a.Before(b) {
						return -1
					}
					return 1
				})
			case step < 9:
				if got := q.Pop(); got != want[0] {
					t.Fatalf("popped %v, want %v", got, want[0])
				}
				want = want[1:]
			default:
				keep := func(e events.Event) bool { return e.Slot%3 != 0 }
				q.Retain(keep)
				want = slices.DeleteFunc(want, func(e events.Event) bool { return !keep(e) })
			}
			if q.Len() != len(want) || q.Len() > 0 && q.Head() != want[0] {
				t.Fatalf("%d events, want %d", q.Len(), len(want))
			}
		}
		c := q.Clone()
		for _, e := range want {
			if got := c.Pop(); got != e {
				t.Fatalf("the copy popped %v, want %v", got, e)
			}
		}
		if q.Len() != len(want) {
			t.Fatal("emptying the copy changed the queue")
		}
	})
}

func TestFromSeconds(t *testing.T) {
	for _, c := range []struct {
		s    float64
		want events.Time
		ok   bool
	}{
		{0, 0, true}, {1.5, 1_500_000, true}, {0.0000004, 0, true}, {0.0000005, 1, true}, {-2, -2_000_000, true},
		{math.NaN(), 0, false}, {math.Inf(1), 0, false}, {1e300, 0, false}, {2 * events.MaxSeconds, 0, false},
	} {
		if got, ok := events.FromSeconds(c.s); got != c.want || ok != c.ok {
			t.Errorf("FromSeconds(%g) = %d, %v, want %d, %v", c.s, got, ok, c.want, c.ok)
		}
	}
}

func TestShort(t *testing.T) {
	for d, want := range map[events.Time]string{
		0: "0s", events.Second: "1s", 90 * events.Second: "1m30s", 59999999: "60s",
		7500 * events.Second: "2h05m", 273600 * events.Second: "3d04h", -events.Second: "-1s",
	} {
		if got := d.Short(); got != want {
			t.Errorf("Short(%d) = %q, want %q", d, got, want)
		}
	}
}

// BenchmarkQueue holds the queue at a depth, popping and pushing.
func BenchmarkQueue(b *testing.B) {
	for _, depth := range []int{1000, 100_000} {
		b.Run(map[int]string{1000: "pending=1e3", 100_000: "pending=1e5"}[depth], func(b *testing.B) {
			var q events.Queue
			state := uint64(1)
			delay := func() events.Time {
				state = state*6364136223846793005 + 1442695040888963407
				return events.Time(state >> 34)
			}
			for i := range depth {
				q.Push(events.New(delay(), events.Completion, int64(i), 0, 0))
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				e := q.Pop()
				q.Push(events.New(e.At+delay(), events.Completion, int64(i), 0, 0))
			}
		})
	}
}
