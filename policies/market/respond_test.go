package market

import (
	"math"
	"slices"
	"testing"

	"bourse/traces/rng"
)

// faced is a random user's decision: its weights, the bids of the others, its budget.
type faced struct {
	weights, others []float64
	budget          float64
}

func face(r *rng.Rand, n int) faced {
	f := faced{budget: math.Exp(4 * (r.Float64() - .5))}
	for range n {
		w, y := r.Open(), r.Open()
		if r.IntN(4) == 0 {
			w = float64(1 + r.IntN(3)) // ties
		}
		switch r.IntN(6) {
		case 0:
			y = float64(1 + r.IntN(2))
		case 1:
			y = 1e-9
		case 2:
			y = 100 * r.Open()
		}
		f.weights, f.others = append(f.weights, w), append(f.others, y)
	}
	return f
}

func (f faced) utility(bids []float64) float64 {
	sum := 0.0
	for j, x := range bids {
		sum += f.weights[j] * x / (x + f.others[j])
	}
	return sum
}

// byBisection is the slow way to the best response: the last coin brings lambda
// everywhere, and lambda is sought so that the money is spent.
func (f faced) byBisection() []float64 {
	bids := make([]float64, len(f.weights))
	spend := func(lambda float64) float64 {
		sum := 0.0
		for j, w := range f.weights {
			bids[j] = max(0, math.Sqrt(w*f.others[j]/lambda)-f.others[j])
			sum += bids[j]
		}
		return sum
	}
	low, high := 1e-30, 1e30
	for range 400 {
		if mid := math.Sqrt(low * high); spend(mid) > f.budget {
			low = mid
		} else {
			high = mid
		}
	}
	spend(high)
	return bids
}

// against puts the user into a market beside one who makes the others' bids.
func (f faced) against(t testing.TB, rule Rule) []float64 {
	t.Helper()
	m, err := New(len(f.weights), 1e-12)
	if err != nil {
		t.Fatal(err)
	}
	mine, theirs, sum := []Want{}, []Want{}, 0.0
	for j, w := range f.weights {
		mine, theirs = append(mine, Want{j, w}), append(theirs, Want{j, 1})
		sum += f.others[j]
	}
	me, err := m.Join(f.budget, mine)
	if err != nil {
		t.Fatal(err)
	}
	they, err := m.Join(sum, theirs)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetBids(they, f.others); err != nil {
		t.Fatal(err)
	}
	m.recount()
	m.Answer(me, rule)
	return slices.Clone(m.Bids(me))
}

// TestBestResponse wants the optimum of the convex program: that of the slow way,
// and one that no move of money between two machines improves.
func TestBestResponse(t *testing.T) {
	for k := range uint64(500) {
		r := rng.Stream(1, "best response", k)
		f := face(r, 1+r.IntN(9))
		got, want := f.against(t, best), f.byBisection()
		spent := 0.0
		for _, x := range got {
			spent += x
		}
		if u, v := f.utility(got), f.utility(want); !near(spent, f.budget, 1e-12*f.budget) || !near(u, v, 1e-9*v) {
			t.Fatalf("case %d: %+v: bids %v worth %v, the slow way has %v worth %v", k, f, got, u, want, v)
		}
		for range 200 {
			a, b := r.IntN(len(got)), r.IntN(len(got))
			moved := slices.Clone(got)
			x := r.Float64() * got[a] * math.Pow(10, -float64(r.IntN(6)))
			moved[a] -= x
			moved[b] += x
			if u, v := f.utility(got), f.utility(moved); v > u*(1+1e-12) {
				t.Fatalf("case %d: %+v: bids %v are worth %v, and %v are worth %v", k, f, got, u, moved, v)
			}
		}
	}
}

// bestOn is the utility of the best response on the machines of a set.
func (f faced) bestOn(set []int) float64 {
	var g faced
	g.budget = f.budget
	for _, j := range set {
		g.weights, g.others = append(g.weights, f.weights[j]), append(g.others, f.others[j])
	}
	return g.utility(g.byBisection())
}

// TestLocalSearch wants sets that no swap improves, at most k machines, the value
// of swaps as if answered again, and, where the search says it is proved, the best
// of all sets.
func TestLocalSearch(t *testing.T) {
	proved, global := 0, 0
	const cases = 150
	for c := range uint64(cases) {
		r := rng.Stream(1, "local search", c)
		f := face(r, 3+r.IntN(5))
		k := 1 + r.IntN(len(f.weights)-1)
		bids := f.against(t, Rule{Update: LocalSearch, Most: k})
		used := 0
		for _, x := range bids {
			if x > 0 {
				used++
			}
		}
		var s localSearch
		items := f.ranked()
		s.begin(items, f.budget, k)
		for s.improve() {
		}
		got, _ := s.value()
		if used > k || !near(f.utility(bids), got, 1e-9*got) {
			t.Fatalf("case %d: %d machines of %d, worth %v, the search says %v", c, used, k, f.utility(bids), got)
		}
		most := 0.0
		each(len(items), k, func(set []int) {
			value := f.bestOn(machinesOf(items, set))
			most = max(most, value)
			if differ(set, s.chosen) == 1 && value > got*(1+1e-9) {
				t.Errorf("case %d: %+v, k = %d: %v is worth %v and the swap %v %v", c, f, k, s.chosen, got, set, value)
			}
		})
		for a := range s.chosen {
			for q := range items {
				if slices.Contains(s.chosen, q) {
					continue
				}
				set := slices.Clone(s.chosen)
				set[a] = q
				if u, v := s.swapped(a, q), f.bestOn(machinesOf(items, set)); !near(u, v, 1e-9*v) {
					t.Errorf("case %d: swap worth %v, answered anew %v", c, u, v)
				}
			}
		}
		if got > most*(1-1e-9) {
			global++
		} else if s.proved {
			t.Errorf("case %d: %v is said to be best, and %v is more", c, got, most)
		}
		if s.proved {
			proved++
		}
	}
	if proved < cases/2 || global < proved {
		t.Errorf("of %d searches %d are best and %d proved", cases, global, proved)
	}
	t.Logf("of %d searches %d are best and %d proved", cases, global, proved)
}

// ranked lists the machines as gather does.
func (f faced) ranked() []item {
	var items []item
	for j, w := range f.weights {
		y := f.others[j]
		items = append(items, item{j, w, y, math.Sqrt(w / y), math.Sqrt(w * y)})
	}
	slices.SortStableFunc(items, func(a, b item) int {
		if a.rank > b.rank {
			return -1
		}
		if a.rank < b.rank {
			return 1
		}
		return 0
	})
	return items
}

func machinesOf(items []item, set []int) []int {
	var out []int
	for _, p := range set {
		out = append(out, items[p].at)
	}
	return out
}

// each visits all sets of k of n.
func each(n, k int, visit func([]int)) {
	var choose func(from int, set []int)
	choose = func(from int, set []int) {
		if len(set) == k {
			visit(set)
			return
		}
		for p := from; p < n; p++ {
			choose(p+1, append(set, p))
		}
	}
	choose(0, make([]int, 0, k))
}

// differ counts the members of a that are not in b.
func differ(a, b []int) int {
	n := 0
	for _, p := range a {
		if !slices.Contains(b, p) {
			n++
		}
	}
	return n
}

// TestLocalSearchOfAll is best response when the bound does not bind.
func TestLocalSearchOfAll(t *testing.T) {
	f := face(rng.New(1, "all"), 6)
	if a, b := f.against(t, best), f.against(t, Rule{Update: LocalSearch, Most: 6}); !slices.Equal(a, b) {
		t.Errorf("%v and %v", a, b)
	}
}

// TestGreedy wants each adjustment to raise the utility while the step is small
// beside the bids, to keep the budget, and to end near the best response.
func TestGreedy(t *testing.T) {
	m := made(t, [][]float64{{.5, .3, .2}, {.2, .3, .5}, {.4, .4, .2}}, nil)
	rule := Rule{Update: Greedy, Step: 1e-4}
	for range 20_000 {
		m.Answer(0, rule)
	}
	now := m.Utility(0)
	sum := 0.0
	for _, x := range m.Bids(0) {
		sum += x
	}
	m.Answer(0, best)
	if top := m.Utility(0); now > top || now < top*(1-1e-6) || !near(sum, 1, 1e-9) {
		t.Errorf("greedy has %v of %v, its bids sum to %v", now, top, sum)
	}
}
