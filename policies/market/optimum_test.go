package market

import (
	"math"
	"testing"

	"bourse/traces/rng"
)

// TestMatchAgainstBruteForce tries every way to give machines away, 500 times,
// and looks at the proof: no edge comes short of its duals, and they sum to the
// weight.
func TestMatchAgainstBruteForce(t *testing.T) {
	bound := 0
	for c := range uint64(500) {
		r := rng.Stream(1, "matching", c)
		machines, users, most := 1+r.IntN(6), 1+r.IntN(4), 1+r.IntN(3)
		edges := make([][]Edge, machines)
		for j := range edges {
			for i := range users {
				switch r.IntN(4) {
				case 0:
				case 1:
					edges[j] = append(edges[j], Edge{i, float64(1 + r.IntN(3))}) // ties
				default:
					edges[j] = append(edges[j], Edge{i, r.Open()})
				}
			}
		}
		got := Match(edges, users, most)
		if want := bruteForce(edges, make([]int, users), most); !near(got.Weight, want, 1e-12) {
			t.Fatalf("case %d: %v, most %d: weight %v, want %v", c, edges, most, got.Weight, want)
		}
		bound += checkMatching(t, edges, users, most, got)
	}
	if bound < 100 {
		t.Errorf("the bound had a price in %d cases only", bound)
	}
}

// bruteForce returns the largest weight with the machines from the first on.
func bruteForce(edges [][]Edge, held []int, most int) float64 {
	if len(edges) == 0 {
		return 0
	}
	best := bruteForce(edges[1:], held, most)
	for _, e := range edges[0] {
		if held[e.User] < most {
			held[e.User]++
			best = max(best, e.Weight+bruteForce(edges[1:], held, most))
			held[e.User]--
		}
	}
	return best
}

// checkMatching wants a matching with its proof; it returns 1 if a bound has a price.
func checkMatching(t *testing.T, edges [][]Edge, users, most int, m Matching) (priced int) {
	t.Helper()
	held, proof := make([]int, users), 0.0
	for j, i := range m.Owner {
		if i >= 0 {
			held[i]++
		}
		proof += m.Machine[j]
		for _, e := range edges[j] {
			slack := m.Machine[j] + m.User[e.User] - e.Weight
			if slack < -1e-12 || i == e.User && slack > 1e-12 {
				t.Errorf("edge %d-%d of %v: duals %v and %v", j, e.User, e.Weight, m.Machine[j], m.User[e.User])
			}
		}
	}
	for i, v := range m.User {
		proof += v * float64(most)
		if held[i] > most || v < 0 || v > 1e-12 && held[i] < most {
			t.Errorf("user %d has %d machines of %d at a price of %v", i, held[i], most, v)
		}
		if v > 1e-12 {
			priced = 1
		}
	}
	if !near(proof, m.Weight, 1e-9) {
		t.Errorf("the duals sum to %v, the weight is %v", proof, m.Weight)
	}
	return priced
}

// TestMatchLarge looks at the proof where nothing can be tried out.
func TestMatchLarge(t *testing.T) {
	for _, c := range []struct{ users, most int }{{5, 5}, {20, 5}, {5, 20}, {150, 5}, {3, 20}} {
		weights := Uniform(rng.Stream(1, "large", uint64(c.users)), c.users, 100)
		edges := make([][]Edge, 100)
		for i, row := range weights {
			for j, w := range row {
				edges[j] = append(edges[j], Edge{i, w})
			}
		}
		checkMatching(t, edges, c.users, c.most, Match(edges, c.users, c.most))
		m := made(t, weights, nil)
		free, owner, _ := m.Optimum(0)
		tight, _, _ := m.Optimum(c.most)
		if got := m.Measure(m.Owned(owner), free, false); !near(got.Efficiency, 1, 1e-12) || tight > free+1e-12 {
			t.Errorf("%d users: %+v; bounded %v", c.users, got, tight)
		}
		if whole, _, _ := m.Optimum(100); !near(whole, free, 1e-12) {
			t.Errorf("%d users: optimum %v with a bound of all, %v without", c.users, whole, free)
		}
	}
}

// TestMeasure compares with the definitions on dense tables.
func TestMeasure(t *testing.T) {
	for c := range uint64(50) {
		r := rng.Stream(1, "measure", c)
		users, machines := 1+r.IntN(6), 1+r.IntN(6)
		weights := Correlated(r, users, machines, 3)
		m := made(t, weights, nil)
		for range r.IntN(3) {
			m.Sweep(best)
		}
		shares := make([][]float64, users)
		for i := range shares {
			shares[i] = make([]float64, machines)
			for k, j := range m.Wanted(i) {
				shares[i][j] = m.Share(i, k)
			}
		}
		worth := func(i, j int) (sum float64) {
			for k, w := range weights[i] {
				sum += w * shares[j][k]
			}
			return sum
		}
		welfare, low, high, envy := 0.0, math.Inf(1), 0.0, math.Inf(1)
		for i := range users {
			u := worth(i, i)
			welfare, low, high = welfare+u, min(low, u), max(high, u)
			for j := range users {
				envy = min(envy, u/worth(i, j))
			}
		}
		optimum, _, _ := m.Optimum(0)
		got := m.Measure(m.Allocation(), optimum, true)
		want := Metrics{welfare, welfare / optimum, low / high, envy}
		if now := m.Now(optimum); !near(now.Welfare, got.Welfare, 1e-12) || now.Uniformity != got.Uniformity ||
			now.Efficiency != got.Efficiency || !math.IsNaN(now.EnvyFreeness) {
			t.Errorf("case %d: %+v from the bids, %+v from the allocation", c, now, got)
		}
		if !near(got.Welfare, want.Welfare, 1e-12) || !near(got.Efficiency, want.Efficiency, 1e-12) ||
			!near(got.Uniformity, want.Uniformity, 1e-12) || !near(got.EnvyFreeness, want.EnvyFreeness, 1e-12) {
			t.Errorf("case %d: %+v, want %+v", c, got, want)
		}
	}
}
