package payment

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies"
)

// TestCappedIndexAgainstDefinition charges running jobs at random and wants each to have
// collected what its definition says: the time at which its cap was at most K, and the
// integral of K over the rest.
func TestCappedIndexAgainstDefinition(t *testing.T) {
	type job struct {
		cap         float64
		own         events.Time
		keys, gross float64 // gross without signs: what rounding goes by
	}
	rapid.Check(t, func(t *rapid.T) {
		index, root := &cappedIndex{}, int32(policies.NilNode)
		running := make([]*job, rapid.IntRange(1, 30).Draw(t, "jobs")) // by Ref
		key := func(name string) float64 { return float64(rapid.IntRange(-2, 8).Draw(t, name)) / 4 }
		settle := func(index *cappedIndex, ref policies.Ref) int32 {
			want := running[ref]
			root, own, keys := index.remove(root, ref)
			if own != want.own || math.Abs(keys-want.keys) > 1e-12*want.gross {
				t.Fatalf("a job of cap %g has collected %v and %g, want %v and %g", want.cap, own, keys, want.own, want.keys)
			}
			return root
		}
		for range rapid.IntRange(0, 150).Draw(t, "steps") {
			ref := policies.Ref(rapid.IntRange(0, len(running)-1).Draw(t, "ref"))
			switch {
			case rapid.Bool().Draw(t, "time passes"):
				k, dt := key("k"), events.Time(rapid.IntRange(0, 5_000_000).Draw(t, "dt"))
				index.charge(root, k, dt)
				for _, j := range running {
					switch {
					case j == nil:
					case j.cap <= k:
						j.own += dt
					default:
						j.keys += k * dt.Seconds()
						j.gross += math.Abs(k * dt.Seconds())
					}
				}
			case running[ref] == nil:
				running[ref] = &job{cap: key("cap")}
				root = index.insert(root, ref, running[ref].cap)
			default:
				root = settle(index, ref)
				running[ref] = nil
			}
		}
		for ref, j := range running { // each of what is left from a copy of its own
			if j != nil {
				settle(index.clone(), policies.Ref(ref))
			}
		}
	})
}
