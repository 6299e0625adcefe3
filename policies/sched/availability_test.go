package sched_test

import (
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies/sched"
)

// TestProfile compares a profile with a list of the free processors at each instant of a short time.
func TestProfile(t *testing.T) {
	const end = 40 // beyond, nothing changes
	rapid.Check(t, func(t *rapid.T) {
		now := events.Time(rapid.IntRange(0, 5).Draw(t, "now"))
		free := make([]int64, end)
		base := int64(rapid.IntRange(0, 6).Draw(t, "free"))
		p := sched.NewProfile(now, base)
		for i := range free {
			free[i] = base
		}
		add := func(from events.Time, n int64) {
			for i := max(from, 0); i < end; i++ {
				free[i] += n
			}
		}
		instant := func(name string) events.Time { return events.Time(rapid.IntRange(0, end-1).Draw(t, name)) }
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			n, from := int64(rapid.IntRange(1, 6).Draw(t, "procs")), max(instant("from"), now)
			length := events.Time(rapid.IntRange(1, 12).Draw(t, "length"))
			fits := func(at events.Time) bool {
				for i := at; i < min(at+length, end); i++ {
					if free[i] < n {
						return false
					}
				}
				return at+length <= end || free[end-1] >= n
			}
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				p.Add(from, n)
				add(from, n)
			case 1:
				length = min(length, end-1-from)
				if got, want := p.Reserve(from, from+length, n), fits(from); got != want {
					t.Fatalf("%d processors reserved at %d for %d: %v, want %v", n, from, length, got, want)
				} else if got {
					add(from, -n)
					add(from+length, n)
				}
			case 2:
				want := events.Never
				for at := from; at < end && want == events.Never; at++ {
					if fits(at) {
						want = at
					}
				}
				if got := p.Earliest(n, length, from); got != want {
					t.Fatalf("%d processors for %d after %d: at %d, want %d in %v", n, length, from, got, want, free)
				}
			default:
				if got := p.Free(from); got != free[from] {
					t.Fatalf("%d free at %d, want %d", got, from, free[from])
				}
			}
		}
	})
}
