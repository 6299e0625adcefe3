package market

import (
	"math"
	"slices"
	"strings"
	"testing"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
)

// sound wants the books to be right: totals are the sums of the bids, bids sum to
// budgets, numbers out of use hold nothing.
func sound(t *testing.T, m *Market) {
	t.Helper()
	totals := make([]float64, m.Machines())
	for i := range m.Users() {
		if !m.Present(i) {
			continue
		}
		sum := 0.0
		for k, j := range m.Wanted(i) {
			totals[j] += m.Bids(i)[k]
			sum += m.Bids(i)[k]
			if m.Bids(i)[k] < 0 || k > 0 && m.Wanted(i)[k-1] >= j {
				t.Fatalf("user %d bids %v on machine %d", i, m.Bids(i)[k], j)
			}
		}
		if len(m.Wanted(i)) > 0 && !near(sum, m.Budget(i), 1e-9*(1+m.Budget(i))) {
			t.Fatalf("user %d bids %v of %v", i, sum, m.Budget(i))
		}
	}
	for j, y := range totals {
		if !near(m.Price(j), y, 1e-9) {
			t.Fatalf("machine %d: total %v, the bids sum to %v", j, m.Price(j), y)
		}
	}
}

// TestComingAndGoing lets users come and go at random, and wants the
// books right throughout and the same bids from a copy.
func TestComingAndGoing(t *testing.T) {
	r := rng.New(1, "coming and going")
	m, err := New(5, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	wants := func() (w []Want) {
		for j := range m.Machines() {
			if r.IntN(3) > 0 {
				w = append(w, Want{j, r.Open()})
			}
		}
		r.Shuffle(len(w), func(a, b int) { w[a], w[b] = w[b], w[a] })
		return w
	}
	pick := func() int { // a user who is there, or -1
		if m.Users() > 0 {
			if i := r.IntN(m.Users()); m.Present(i) {
				return i
			}
		}
		return -1
	}
	for step := range 3000 {
		i := pick()
		switch r.IntN(5) {
		case 0, 1:
			if _, err := m.Join(float64(r.IntN(4)), wants()); err != nil {
				t.Fatal(err)
			}
		case 2:
			if i >= 0 {
				m.Leave(i)
			}
		case 3:
			if i >= 0 && m.SetBudget(i, 3*r.Open()) != nil {
				t.Fatal("budget refused")
			}
		default:
			c := m.Clone()
			rule := Rule{Update: Update(r.IntN(3)), Most: 1 + r.IntN(4), Step: .1}
			m.Sweep(rule)
			c.Sweep(rule)
			for i := range m.Users() {
				if m.Present(i) && !slices.Equal(m.Bids(i), c.Bids(i)) {
					t.Fatalf("step %d: the copy goes another way", step)
				}
			}
		}
		sound(t, m)
	}
}

// TestWarmStart wants a market at rest to come to rest again in fewer sweeps than
// from the start, when one user comes, and at the same bids.
func TestWarmStart(t *testing.T) {
	weights := Uniform(rng.New(1, "warm"), 41, 100)
	tight := Search{Rule: best, Until: BidGap, Tolerance: 1e-6, Limit: 1000}
	warm := made(t, weights[:40], nil)
	run(t, warm, tight)
	var wants []Want
	for j, w := range weights[40] {
		wants = append(wants, Want{j, w})
	}
	warm.Join(1, wants)
	again := run(t, warm, tight)
	cold := made(t, weights, nil)
	first := run(t, cold, tight)
	if !again.Converged || again.Sweeps >= first.Sweeps {
		t.Errorf("%d sweeps warm, %d cold", again.Sweeps, first.Sweeps)
	}
	for i := range 41 {
		if !near(warm.Utility(i), cold.Utility(i), 1e-4) {
			t.Errorf("user %d has %v warm and %v cold", i, warm.Utility(i), cold.Utility(i))
		}
	}
}

// TestNoGarbage: once buffers have their size, sweeps of any rule allocate nothing.
func TestNoGarbage(t *testing.T) {
	m := made(t, Uniform(rng.New(1, "garbage"), 30, 50), nil)
	for u := range Update(len(Updates)) {
		rule := Rule{Update: u, Most: 5, Step: .01}
		for range 50 {
			m.Sweep(rule)
		}
		if n := testing.AllocsPerRun(20, func() { m.Sweep(rule) }); n > 0 {
			t.Errorf("a sweep of %v allocates %v times", u, n)
		}
	}
}

// TestCriteria wants each criterion to be what it says on a game at rest and one
// that is not, and the greedy one to stop.
func TestCriteria(t *testing.T) {
	weights := Uniform(rng.New(1, "criteria"), 80, 100)
	sweeps := map[Criterion]int{}
	for c := range Criterion(len(Criteria)) {
		m := made(t, weights, nil)
		optimum, _, _ := m.Optimum(0)
		found := run(t, m, Search{Rule: best, Until: c, Tolerance: 1e-4, Limit: 500, Optimum: optimum})
		if !found.Converged || found.Gap > 1e-4 || m.Regret(best) > .1 {
			t.Errorf("%v: %+v, regret %v", c, found, m.Regret(best))
		}
		sweeps[c] = found.Sweeps
		if again := run(t, m, Search{Rule: best, Until: c, Tolerance: 1, Limit: 5, Optimum: optimum}); again.Sweeps != 1 {
			t.Errorf("%v: at rest, and %d more sweeps", c, again.Sweeps)
		}
	}
	if sweeps[BidGap] <= sweeps[UtilityGap] {
		t.Errorf("bids rest after %d sweeps, utilities after %d", sweeps[BidGap], sweeps[UtilityGap])
	}
	m := made(t, weights, nil)
	greedy := Search{Rule: Rule{Update: Greedy, Step: .01}, Until: MarginGap, Tolerance: 1e-3, Limit: 5}
	if found := run(t, m, greedy); found.Converged || found.Sweeps != 5 {
		t.Errorf("greedy: %+v", found)
	}
}

// TestNoConvergence is a game of head-to-head competition, of whose sweeps the
// least metrics are kept.
func TestNoConvergence(t *testing.T) {
	m := made(t, Uniform(rng.New(1, "head to head"), 30, 100), nil)
	optimum, _, err := m.Optimum(5)
	if err != nil {
		t.Fatal(err)
	}
	m.Reset(5)
	seen, least := 0, Metrics{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)}
	found := run(t, m, Search{
		Rule: Rule{Update: LocalSearch, Most: 5}, Tolerance: 1e-3, Limit: 60, Watch: true, Envy: true, Optimum: optimum,
		Each: func(p Progress) error {
			seen, least = seen+1, least.Least(p.Metrics)
			return nil
		},
	})
	if found.Converged || found.Sweeps != 60 || seen != 60 || found.Least != least ||
		!(least.Uniformity < found.Last.Uniformity || least.Efficiency < found.Last.Efficiency) {
		t.Errorf("%+v after %d, least %+v", found, seen, least)
	}
	if s := m.Searches(); s.Made != 30*60 || s.Proved == 0 || s.Proved >= s.Made {
		t.Errorf("%+v", s)
	}
}

// TestFromTrace makes weights of processor-seconds.
func TestFromTrace(t *testing.T) {
	job := func(user, partition, queue traces.Label, procs int32, seconds int64) traces.Job {
		return traces.Job{User: user, Partition: partition, Queue: queue, Procs: procs, Run: events.Time(seconds) * 1_000_000}
	}
	jobs := []traces.Job{
		job(7, 2, 1, 8, 10), job(7, 1, 1, 5, 4), job(3, 1, 2, 1, 100), job(7, 2, 1, 2, 50), job(7, 2, 2, 1, 20),
		job(-1, 1, 1, 1, 1), job(3, 1, 1, 0, 1), job(3, 1, 1, 1, 0), job(3, 1, 1, 1, -1),
	}
	for _, c := range []struct {
		by       By
		machines string
		weights  [][]float64
	}{
		{BySizeInPartition, "1/1 1/8 2/1 2/2 2/8", [][]float64{{1, 0, 0, 0, 0}, {0, 20, 20, 100, 80}}},
		{ByPartition, "1 2", [][]float64{{1, 0}, {20, 200}}},
		{BySize, "1 2 8", [][]float64{{1, 0, 0}, {20, 100, 100}}},
		{ByQueue, "1 2", [][]float64{{0, 1}, {200, 20}}},
	} {
		p, out, err := FromTrace(traces.MemoryOf(jobs...).Source(), c.by)
		if err != nil || out != 4 || strings.Join(p.Machines, " ") != c.machines || strings.Join(p.Users, " ") != "3 7" {
			t.Fatalf("%v: %+v, %d left out, %v", c.by, p, out, err)
		}
		Normalise(c.weights)
		for i, row := range c.weights {
			for j, w := range row {
				if !near(p.Weights[i][j], w, 1e-12) {
					t.Errorf("%v: weights %v, want %v", Ways[c.by], p.Weights, c.weights)
				}
			}
		}
	}
	if _, _, err := FromTrace(traces.MemoryOf(jobs[5:6]...).Source(), BySize); err == nil ||
		!strings.Contains(err.Error(), "no job of known user") {
		t.Errorf("a trace without users: %v", err)
	}
	if _, _, err := FromTrace(traces.MemoryOf().Source(), 9); err == nil {
		t.Error("way 9 should be refused")
	}
}

// TestPreferences looks at sums and spreads: correlated weights are more alike.
func TestPreferences(t *testing.T) {
	spread := func(weights [][]float64) float64 {
		low, high := math.Inf(1), 0.0
		for _, row := range weights {
			sum := 0.0
			for _, w := range row {
				sum += w
				low, high = min(low, w), max(high, w)
			}
			if !near(sum, 1, 1e-12) {
				t.Errorf("weights sum to %v", sum)
			}
		}
		return high / low
	}
	if a, b := spread(Uniform(rng.New(1, "a"), 50, 100)), spread(Correlated(rng.New(1, "b"), 50, 100, 3)); a < 2*b {
		t.Errorf("largest over least weight %v uniform, %v correlated", a, b)
	}
	huge := [][]float64{{1e308, 1e308, 0}, {0, 0, 0}}
	if Normalise(huge); huge[0][0] != .5 || huge[1][0] != 0 {
		t.Errorf("%v", huge)
	}
}
