package market

import (
	"context"
	"math"
	"strings"
	"testing"

	"bourse/traces/rng"
)

// made builds a market of a table that is known to be good.
func made(t testing.TB, weights [][]float64, budgets []float64) *Market {
	t.Helper()
	m, err := Of(weights, budgets)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// run searches with an error being a failure.
func run(t testing.TB, m *Market, s Search) Found {
	t.Helper()
	found, err := m.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// best is the rule most tests use, and exact a search for it to the last digits.
var (
	best  = Rule{Update: BestResponse}
	exact = Search{Rule: best, Until: BidGap, Tolerance: 1e-13, Limit: 10_000}
)

// TestEqualWeights is the equal-weight game of section 3.1: each user bids
// (alpha, 1 - alpha) and has 1/2.
func TestEqualWeights(t *testing.T) {
	for _, alpha := range []float64{.5, .6, .75, .9, .99} {
		m := made(t, [][]float64{{alpha, 1 - alpha}, {alpha, 1 - alpha}}, nil)
		// Not from the weights, where the equilibrium is already.
		if err := m.SetBids(0, []float64{.5, .5}); err != nil {
			t.Fatal(err)
		}
		found := run(t, m, exact)
		for i := range 2 {
			if x := m.Bids(i); !found.Converged || !near(x[0], alpha, 1e-9) || !near(x[1], 1-alpha, 1e-9) ||
				!near(m.Utility(i), .5, 1e-9) {
				t.Errorf("alpha %v: user %d bids %v and has %v", alpha, i, x, m.Utility(i))
			}
		}
	}
}

// TestOppositeWeights is the opposite-weight game: at every root of the cubic the
// bids of its equilibrium answer each other, and where there is one root only,
// sweeps find it from anywhere.
func TestOppositeWeights(t *testing.T) {
	for _, alpha := range []float64{.5, .6, math.Sqrt2 / 2, .8, .85, .86, .9, .95, .99, .999} {
		c := 1/(2*alpha*(1-alpha)) - 1
		roots := []float64{1}
		if c > 3 {
			r := math.Sqrt((c-1)*(c-1) - 4)
			roots = append(roots, 2/(c-1+r), (c-1+r)/2)
		}
		for _, delta := range roots {
			// alpha y/s^2 = (1-alpha)(1-y)/(2-s)^2, delta = (2-s)/s, and likewise for x.
			x := 1 / (1 + delta*delta*(1-alpha)/alpha)
			y := 1 / (1 + delta*delta*alpha/(1-alpha))
			weights := [][]float64{{alpha, 1 - alpha}, {1 - alpha, alpha}}
			m := made(t, weights, nil)
			for i, bid := range []float64{x, y} {
				if err := m.SetBids(i, []float64{bid, 1 - bid}); err != nil {
					t.Fatal(err)
				}
			}
			for i, bid := range []float64{x, y} {
				before := m.Clone()
				before.Answer(i, best)
				if got := before.Bids(i)[0]; !near(got, bid, 1e-9) {
					t.Errorf("alpha %v, delta %v: user %d answers %v to the equilibrium bid %v", alpha, delta, i, got, bid)
				}
			}
			if delta == 1 {
				want := 2*alpha + 1/alpha - 2
				if got := m.Measure(m.Allocation(), 2*alpha, true); !near(got.Efficiency, want, 1e-9) || got.EnvyFreeness != 1 {
					t.Errorf("alpha %v: %+v, want efficiency %v", alpha, got, want)
				}
			}
			if len(roots) == 1 {
				m.SetBids(0, []float64{.01, .99})
				if found := run(t, m, exact); !found.Converged || !near(m.Bids(0)[0], alpha, 1e-9) ||
					!near(m.Bids(1)[1], alpha, 1e-9) {
					t.Errorf("alpha %v: sweeps end at %v and %v", alpha, m.Bids(0), m.Bids(1))
				}
			}
		}
	}
}

// TestManyPlayers is the example of section 3.2 with n = 5: 25 users of equal
// weights and 5 with one machine each have less than 2 together, of 5.
func TestManyPlayers(t *testing.T) {
	const n = 5
	weights := make([][]float64, n*n+n)
	for i := range weights {
		weights[i] = make([]float64, n)
		for j := range n {
			if i < n*n {
				weights[i][j] = 1. / n
			} else if j == i-n*n {
				weights[i][j] = 1
			}
		}
	}
	m := made(t, weights, nil)
	optimum, _, _ := m.Optimum(0)
	search := exact
	search.Optimum, search.Envy = optimum, true
	found := run(t, m, search)
	want := (float64(n)/(n+1) + float64(n)/(n+1)) / n
	if !found.Converged || found.Sweeps != 1 || !near(found.Last.Efficiency, want, 1e-9) || optimum != n {
		t.Errorf("%+v, want efficiency %v of %v at once", found, want, optimum)
	}
}

// TestReserve is about machines that nobody or one user wants.
func TestReserve(t *testing.T) {
	// Machine 2 is user 1's alone, machine 3 nobody's; user 0 cannot answer less.
	m := made(t, [][]float64{{1, 0, 0}, {.5, .5, 0}}, nil)
	found := run(t, m, exact)
	if !found.Converged {
		t.Fatalf("%+v", found)
	}
	x := m.Bids(1)[1]
	if x <= 0 || x > 1e-3 || m.Share(1, 1) < .999 || m.Share(1, 1) >= 1 {
		t.Errorf("the only user bids %v and gets %v", x, m.Share(1, 1))
	}
	if a := m.Allocation(); len(a[0]) != 1 || len(a[1]) != 2 || m.Price(2) != 0 {
		t.Errorf("allocation %v, price of the unwanted machine %v", a, m.Price(2))
	}
	// A user without competitors spreads its budget and holds almost everything.
	m = made(t, [][]float64{{.25, .75}}, []float64{7})
	if found := run(t, m, exact); !found.Converged || !near(m.Utility(0), 1, 1e-8) {
		t.Errorf("%+v, utility %v", found, m.Utility(0))
	}
	// Bids below the reserve share a machine only in part.
	m, _ = New(1, 1)
	for range 2 {
		m.Join(.5, []Want{{0, 1}})
	}
	if s := m.Share(0, 0); !near(s, 1./3, 1e-15) {
		t.Errorf("share %v of a machine with reserve 1 for .5 against .5, want 1/3", s)
	}
}

// TestBadInput wants clear errors.
func TestBadInput(t *testing.T) {
	m := made(t, [][]float64{{.5, .5}}, nil)
	nan := math.NaN()
	for _, c := range []struct {
		budget float64
		wants  []Want
		says   string
	}{
		{-1, nil, "a budget of -1"}, {nan, nil, "a budget of NaN"}, {math.Inf(1), nil, "a budget of +Inf"},
		{1, []Want{{0, 0}}, "a weight of 0 for machine 0"}, {1, []Want{{0, -2}}, "a weight of -2"},
		{1, []Want{{0, nan}}, "a weight of NaN"}, {1, []Want{{0, 1e200}}, "at most 1e+100"},
		{1, []Want{{2, 1}}, "machine 2, which does not exist"}, {1, []Want{{-1, 1}}, "which does not exist"},
		{1, []Want{{1, 1}, {0, 2}, {1, 1}}, "two weights of one user"},
	} {
		if _, err := m.Join(c.budget, c.wants); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("Join(%v, %v): %v, want %q", c.budget, c.wants, err, c.says)
		}
	}
	for _, r := range []Rule{{Update: LocalSearch}, {Update: LocalSearch, Most: -1}, {Update: Greedy},
		{Update: Greedy, Step: 2}, {Update: Greedy, Step: nan}, {Update: 7}} {
		if _, err := m.Run(context.Background(), Search{Rule: r, Tolerance: 1, Limit: 1}); err == nil {
			t.Errorf("rule %+v should be refused", r)
		}
	}
	for _, s := range []Search{{Limit: 1}, {Tolerance: nan, Limit: 1}, {Tolerance: 1},
		{Tolerance: 1, Limit: 1, Until: 9}} {
		if _, err := m.Run(context.Background(), s); err == nil {
			t.Errorf("search %+v should be refused", s)
		}
	}
	for _, r := range []float64{0, -1, nan, math.Inf(1)} {
		if _, err := New(1, r); err == nil {
			t.Errorf("reserve %v should be refused", r)
		}
	}
	if _, err := New(-1, 1); err == nil {
		t.Error("-1 machines should be refused")
	}
	if _, _, err := m.Optimum(-1); err == nil {
		t.Error("an optimum with at most -1 machines should be refused")
	}
	if _, err := Of([][]float64{{1}}, []float64{1, 2}); err == nil {
		t.Error("two budgets for a user should be refused")
	}
	for _, bids := range [][]float64{{1}, {2, -1}, {.5, .4}, {nan, 1}} {
		if m.SetBids(0, bids) == nil {
			t.Errorf("bids %v should be refused", bids)
		}
	}
}

// TestIdleUsers: without a budget, or without wants, nothing is bid, nothing got,
// and the fairness is that of the others.
func TestIdleUsers(t *testing.T) {
	m := made(t, [][]float64{{.5, .5}, {0, 0}, {.9, .1}, {.5, .5}}, []float64{1, 1, 0, 1})
	found := run(t, m, Search{Rule: best, Tolerance: 1e-9, Limit: 100, Optimum: 1, Envy: true})
	if !found.Converged || !near(found.Last.Uniformity, 1, 1e-6) || found.Last.EnvyFreeness < 1-1e-6 ||
		m.Utility(2) != 0 || m.Utility(1) != 0 {
		t.Errorf("%+v", found)
	}
	// With a budget it bids.
	if err := m.SetBudget(2, 1); err != nil {
		t.Fatal(err)
	}
	if run(t, m, exact); m.Utility(2) < 1./3 {
		t.Errorf("with a budget it has %v", m.Utility(2))
	}
}

// TestAtLeastAnEqualPart: whatever the weights, an equilibrium leaves each of m
// users at least 1/m (section 3.2).
func TestAtLeastAnEqualPart(t *testing.T) {
	for k := range uint64(50) {
		r := rng.Stream(1, "equal part", k)
		users := 2 + r.IntN(8)
		m := made(t, Uniform(r, users, 1+r.IntN(12)), nil)
		if found := run(t, m, exact); !found.Converged {
			continue // not seen, but not promised either
		}
		for i := range users {
			if u := m.Utility(i); u < 1/float64(users)-1e-9 {
				t.Errorf("case %d: user %d of %d has %v", k, i, users, u)
			}
		}
		if regret := m.Regret(best); regret > 1e-9 {
			t.Errorf("case %d: a user could gain %v of what it has", k, regret)
		}
	}
}
