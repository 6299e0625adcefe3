package learn

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/stats"
	"bourse/traces"
	"bourse/traces/rng"
)

// TestHedgeExample is one step of three actions.
func TestHedgeExample(t *testing.T) {
	l := newLearner(Hedge, 3, 1)
	l.rate = 1
	l.learnAll([]float64{1, 0, .5})
	for k, want := range []float64{.5065, .1863, .3072} {
		if got := l.weights()[k]; math.Abs(got-want) > 5e-5 {
			t.Errorf("weight %d: %.4f, want %.4f", k, got, want)
		}
	}
}

// payoffs draws a sequence: noise about means, or against the learner, whose best action
// pays nothing.
func payoffs(r *rng.Rand, kind int, means, w []float64) []float64 {
	g := make([]float64, len(means))
	for k := range g {
		switch kind {
		case 0:
			g[k] = r.Float64()
		case 1:
			if r.Float64() < means[k] {
				g[k] = 1
			}
		default:
			if g[k] = 1; w[k] == slices.Max(w) {
				g[k] = 0
			}
		}
	}
	return g
}

// TestHedgeBound wants the regret of every sequence below the bound.
func TestHedgeBound(t *testing.T) {
	most := 0.0
	for n := range 600 {
		r := rng.Stream(uint64(n), "test", 0)
		actions, epochs := 2+r.IntN(8), 1+r.IntN(200)
		l, means := newLearner(Hedge, actions, float64(epochs)), make([]float64, actions)
		for k := range means {
			means[k] = r.Float64()
		}
		paid, got := make([]float64, actions), 0.0
		for range epochs {
			w := l.weights()
			g := payoffs(r, n%3, means, w)
			for k := range g {
				paid[k] += g[k]
			}
			got += dot(w, g)
			l.learnAll(g)
		}
		most = max(most, (slices.Max(paid)-got)/math.Sqrt(float64(epochs)*math.Log(float64(actions))/2))
	}
	if most > 1+1e-12 || most < .3 {
		t.Errorf("regret is at most %.3f of the bound", most)
	}
}

// TestEXP3Bound wants the mean regret over draws below the bound, and the best action
// preferred where it is clearly best.
func TestEXP3Bound(t *testing.T) {
	const epochs, draws = 400, 60
	k := float64(len(Actions))
	bound := 2 * math.Sqrt(math.E-1) * math.Sqrt(epochs*k*math.Log(k))
	for kind := range 2 {
		total, preferred := 0.0, 0.0
		for n := range draws {
			r := rng.Stream(uint64(n), "test", uint64(kind))
			l, means := newLearner(EXP3, len(Actions), epochs), slices.Repeat([]float64{.1}, len(Actions))
			means[3] = .9
			paid, got := make([]float64, len(Actions)), 0.0
			for range epochs {
				w := l.weights()
				g, q := payoffs(r, kind, means, w), l.played(w)
				if all := stats.Total(q); math.Abs(all-1) > 1e-12 || slices.Min(q) < l.gamma/k-1e-12 {
					t.Fatalf("probabilities %v", q)
				}
				a := pick(q, r.Float64())
				l.learnOne(a, g[a], q[a])
				got += g[a]
				for i := range g {
					paid[i] += g[i]
				}
			}
			total += slices.Max(paid) - got
			preferred += l.weights()[3]
		}
		if total/draws > bound {
			t.Errorf("mean regret %.1f, bound %.1f", total/draws, bound)
		}
		if kind == 1 && preferred/draws < .8 {
			t.Errorf("the best action has weight %.2f", preferred/draws)
		}
	}
}

// TestPick wants each action as often as it is likely.
func TestPick(t *testing.T) {
	q, n := []float64{.5, 0, .3, .2}, make([]int, 4)
	for i := range 1000 {
		n[pick(q, float64(i)/1000)]++
	}
	if n[1] != 0 || max(n[0]-500, 500-n[0]) > 1 || max(n[3]-200, 200-n[3]) > 1 || pick(q, 1) != 3 {
		t.Error(n)
	}
	if h := entropy([]float64{.25, .25, .25, .25}); math.Abs(h-1) > 1e-12 || entropy([]float64{1, 0}) != 0 {
		t.Error(h)
	}
}

// log is one of so many users, who submit so many jobs of 100 s a week each, all at the
// same few instants if they are to compete for the processor.
func log(t *testing.T, users, weeks, jobs int, compete bool) Config {
	t.Helper()
	var b strings.Builder
	b.WriteString("; Version: 2.2\n; MaxProcs: 1\n")
	id := 0
	for week := range weeks {
		for j := range jobs {
			for u := range users {
				at := week*7*86400 + j*5000
				if !compete {
					at += 500 * u
				}
				id++
				fmt.Fprintf(&b, "%d %d -1 100 1 -1 -1 -1 200 -1 1 %d 1 -1 1 1 -1 -1\n", id, at, u)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	s := scenario.Default()
	s.Trace, s.Policy, s.Resample = path, "hb", "users"
	src, err := s.Open(scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := traces.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	return Config{Scenario: s, Jobs: all, Payments: []string{"first", "none"}, Rule: Hedge, Weeks: true, Epochs: 3,
		Least: 20, Ask: 8, Workers: 2}
}

func learnt(t *testing.T, c Config) *Result {
	t.Helper()
	r, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLonely lets owners learn who never wait: with the first price the least bid pays best,
// and where nobody pays all bids are alike.
func TestLonely(t *testing.T) {
	r := learnt(t, log(t, 2, 40, 5, false))
	rows := r.Rows()
	first, none := rows[0], rows[1]
	if first.Below.Mean < .99 || first.Factor.Mean > .3 || first.Regret.Mean > .15 || first.Path[0] != mean(Actions) {
		t.Errorf("first: %+v", first)
	}
	if math.Abs(none.Entropy.Mean-1) > 1e-9 || math.Abs(none.Regret.Mean) > 1e-9 || none.Payoff != 1 ||
		none.Revenue.Mean != 0 || math.Abs(none.Efficiency.Mean-1) > 1e-9 {
		t.Errorf("none: %+v", none)
	}
	if p := r.Payments[0].Plays[0]; math.Abs(p.Payoffs[0]-1/1.1) > 1e-12 || p.Payoffs[honest] != .5 || p.Honest != .5 {
		t.Errorf("bidding f w for no wait pays 1 / (1 + f): %v", p.Payoffs)
	}
	if c := r.Payments[0].Common; math.Abs(c[0]-1/1.1) > 1e-12 || rows[0].Common != .1 {
		t.Errorf("%v", c)
	}
	if all := Answers(rows); !strings.Contains(strings.Join(all, "\n"), "with first owners learn to bid") ||
		!strings.Contains(all[0], "underbidding") {
		t.Errorf("%q", all)
	}
}

// TestRivals lets owners learn who always wait for each other: where nobody pays they outbid
// each other, and less so if they pay what they bid.
func TestRivals(t *testing.T) {
	rows := learnt(t, log(t, 5, 60, 8, true)).Rows()
	first, none := rows[0], rows[1]
	if none.Above.Mean < .8 || none.Honest.Mean > .3 {
		t.Errorf("none: %+v", none)
	}
	if first.Factor.Mean > none.Factor.Mean-.5 {
		t.Errorf("first %v, none %v", first.Factor, none.Factor)
	}
}

// TestPayoffs compares the payoffs of forks with those of whole replays.
func TestPayoffs(t *testing.T) {
	c := log(t, 4, 6, 8, true)
	c.Weeks, c.Epochs, c.Ask, c.Payments = false, 2, 3, []string{"kth"}
	c.Scenario.Shake = scenario.Duration(1000 * events.Second)
	r := learnt(t, c)
	plays := r.Payments[0].Plays
	asked := 0
	for _, p := range plays {
		if p.Payoffs == nil {
			continue
		}
		asked++
		jobs, err := c.load(p.Epoch)
		if err != nil {
			t.Fatal(err)
		}
		agents := []traces.Label{0, 1, 2, 3}
		f, err := c.divide(jobs, agents, p.Epoch)
		if err != nil {
			t.Fatal(err)
		}
		for k := range Actions {
			played := make([]int8, len(f.cells))
			which := 0
			for i, x := range f.cells {
				for _, q := range plays {
					if q.Agent == x.agent && q.Epoch == p.Epoch {
						played[i] = int8(q.Action)
					}
				}
				if x.agent == p.Agent {
					played[i], which = int8(k), i
				}
			}
			whole, err := c.measure(context.Background(), f, &player{played: played}, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := whole.cells[0][which].payoff(); math.Abs(got-p.Payoffs[k]) > 1e-12 || k == p.Action &&
				math.Abs(got-p.Payoff) > 1e-12 {
				t.Errorf("epoch %d, agent %d, %g w: fork %v, replay %v, played %v", p.Epoch, p.Agent, Actions[k], p.Payoffs[k], got,
					p.Payoff)
			}
		}
	}
	if asked != 6 || len(plays) != 8 {
		t.Errorf("%d plays, %d asked", len(plays), asked)
	}
}

// written is rows as JSON.
func written(t *testing.T, r *Result) string {
	t.Helper()
	text, err := json.Marshal(r.Rows())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestWorkers wants the same results for any number of workers, by both rules and in both
// kinds of epochs.
func TestWorkers(t *testing.T) {
	for _, rule := range Rules {
		for _, weeks := range []bool{true, false} {
			c := log(t, 3, 8, 7, true)
			c.Rule, c.Weeks, c.Epochs, c.Workers = rule, weeks, 3, 1
			one := learnt(t, c)
			c.Workers = 7
			seven := learnt(t, c)
			if text := written(t, one); text != written(t, seven) ||
				!reflect.DeepEqual(fmt.Sprint(one.Columns()), fmt.Sprint(seven.Columns())) || strings.Contains(text, "Inf") {
				t.Errorf("%s, weeks %v: seven workers find something else than one", rule, weeks)
			}
		}
	}
}

// TestStops ends replays when there is nothing to learn.
func TestStops(t *testing.T) {
	c := log(t, 2, 12, 3, false)
	c.Weeks, c.Epochs, c.Stop, c.Payments = false, 20, .01, []string{"none"}
	c.Scenario.Shake = scenario.Duration(60 * events.Second)
	r := learnt(t, c)
	if l := r.Payments[0]; l.Settled != settledFor || len(l.Epochs) != settledFor {
		t.Errorf("settled after %d of %d epochs", l.Settled, len(l.Epochs))
	}
}

// TestDirection wants words for what bids moved to, not for where most of them begin.
func TestDirection(t *testing.T) {
	for _, c := range []struct {
		below, honest, above, half float64
		want                       string
	}{
		{.7, .1, .2, .1, "underbidding"},
		{.52, .12, .36, .05, "does not stand out"},
		{.4, .13, .47, .02, "overbidding"},
		{.45, .3, .25, .05, "honest bids gain"},
		{.1, .8, .1, math.NaN(), "honesty survives"},
	} {
		e := func(x float64) stats.Estimate { return stats.Estimate{Mean: x, Half: c.half} }
		r := Row{Below: e(c.below), Honest: e(c.honest), Above: e(c.above)}
		if got := r.answers()[0]; !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
