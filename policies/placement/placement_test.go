package placement_test

import (
	"testing"

	"pgregory.net/rapid"

	"bourse/policies"
	"bourse/policies/placement"
)

// slow looks at every machine: the definition of the rules.
func slow(rule placement.Fit, free []policies.Amount, up []bool, need policies.Amount) int {
	best, least := -1, 0.0
	for i, f := range free {
		cost := 0.0
		switch rule {
		case placement.BestFit:
			cost = f.CPU + f.Memory
		case placement.WorstFit:
			cost = -(f.CPU + f.Memory)
		case placement.DotProduct:
			cost = -(need.CPU*f.CPU + need.Memory*f.Memory)
		}
		if up[i] && need.Fits(f) && (best < 0 || cost < least) {
			best, least = i, cost
		}
	}
	return best
}

// TestFinder holds every rule against a look at all machines, while these change, are removed and
// come; copies in between must find the same.
func TestFinder(t *testing.T) {
	for _, rule := range []placement.Fit{placement.FirstFit, placement.BestFit, placement.WorstFit, placement.DotProduct} {
		rapid.Check(t, func(t *rapid.T) {
			amount := func() policies.Amount {
				n := rapid.IntRange(0, 16)
				return policies.Amount{CPU: float64(n.Draw(t, "cpu")), Memory: float64(n.Draw(t, "memory"))}
			}
			machines := rapid.IntRange(1, 40).Draw(t, "machines")
			free, up := make([]policies.Amount, machines), make([]bool, machines)
			f := placement.NewFinder(rule)
			for range rapid.IntRange(1, 200).Draw(t, "steps") {
				switch i := rapid.IntRange(0, machines-1).Draw(t, "machine"); rapid.IntRange(0, 5).Draw(t, "step") {
				case 0:
					f = f.Clone()
				case 1, 2, 3:
					free[i], up[i] = amount(), rapid.IntRange(0, 4).Draw(t, "up") > 0
					f.Set(i, free[i], up[i])
				default:
					need := amount()
					if got, want := f.Find(need), slow(rule, free, up, need); got != want {
						t.Fatalf("rule %d: machine %d for %v, want %d of %v", rule, got, need, want, free)
					}
				}
			}
		})
	}
}
