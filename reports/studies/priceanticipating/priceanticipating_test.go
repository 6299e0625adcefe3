package priceanticipating

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/policies/market"
	"bourse/reports/studies"
	"bourse/traces/rng"
)

func small(t *testing.T, users ...int) *study {
	t.Helper()
	report, err := studies.NewStudy(io.Discard, "")
	if err != nil {
		t.Fatal(err)
	}
	s := newStudy(context.Background(), report, Options{Repetitions: 3, Seed: 1, Reserve: Reserve})
	s.users = users
	return s
}

// TestCubic wants every root to solve the cubic, one below the threshold and three above, and
// the same equilibria from the margins, the asymmetric ones being mirror images.
func TestCubic(t *testing.T) {
	s := small(t)
	for _, alpha := range []float64{.5, .55, .7, .8, .85, .853, .854, .86, .9, .95, .99, .999} {
		roots := cubic(alpha)
		if want := map[bool]int{false: 1, true: 3}[alpha > threshold]; len(roots) != want {
			t.Errorf("alpha %v: %d roots, want %d", alpha, len(roots), want)
		}
		c := 1/(2*alpha*(1-alpha)) - 1
		for _, d := range roots {
			if f := d*d*d - c*d*d + c*d - 1; math.Abs(f) > 1e-9*(1+c*d*d) {
				t.Errorf("alpha %v: the cubic is %v at %v", alpha, f, d)
			}
		}
		all, deltas, err := s.opposite(alpha)
		if err != nil || len(all) != len(roots) {
			t.Fatalf("alpha %v: %d equilibria, %v", alpha, len(all), err)
		}
		for i, e := range all {
			x, y := e.Bids(0)[0], e.Bids(1)[0]
			sum := x + y
			first := alpha*y/(sum*sum) - (1-alpha)*(1-y)/((2-sum)*(2-sum))
			second := (1-alpha)*x/(sum*sum) - alpha*(1-x)/((2-sum)*(2-sum))
			if math.Abs(first) > 1e-9 || math.Abs(second) > 1e-9 || e.gain > 1e-9 || math.Abs(deltas[i]/roots[i]-1) > 1e-9 {
				t.Errorf("alpha %v, delta %v: margins differ by %v and %v, another bid gains %v", alpha, deltas[i], first, second, e.gain)
			}
		}
		if len(all) == 3 && (math.Abs(all[0].Bids(0)[0]-all[2].Bids(1)[1]) > 1e-9 || math.Abs(all[0].Efficiency-all[2].Efficiency) > 1e-9) {
			t.Errorf("alpha %v: %v and %v are no mirror images", alpha, all[0].Metrics, all[2].Metrics)
		}
	}
}

// TestStabilised is about the sweep in which welfare is stable.
func TestStabilised(t *testing.T) {
	for _, c := range []struct {
		welfare []float64
		want    float64
	}{
		{[]float64{1, 1}, 1}, {[]float64{.5, 1, 1}, 2}, {[]float64{.5, .501, .7, .9, .905, 1}, 4}, {[]float64{0, .3, .6, 1}, 3},
	} {
		if got := stabilised(c.welfare, .01); got != c.want {
			t.Errorf("%v is stable from sweep %v, want %v", c.welfare, got, c.want)
		}
	}
}

// TestStudy runs the whole study with few repetitions, twice with other numbers of workers.
func TestStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var report [2]string
	for k, workers := range []int{1, 3} {
		dir := t.TempDir()
		var out bytes.Buffer
		page, err := studies.NewStudy(&out, dir)
		if err != nil {
			t.Fatal(err)
		}
		s := newStudy(context.Background(), page, Options{Repetitions: 2, Seed: 1, Reserve: Reserve, Workers: workers})
		s.users, reserves, greedyUsers = []int{5, 20, 150}, []float64{1e-3}, []int{20, 80}
		if err := s.all(); err != nil {
			t.Fatal(err)
		}
		report[k] = out.String()
		for _, name := range []string{"figure3.csv", "figure4.png", "figure5.svg", "figure6.csv", "figure7.png", "opposite-weights.svg", "claims.csv"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Error(err)
			}
		}
	}
	if report[0] != report[1] {
		t.Error("the report depends on the number of workers")
	}
	for _, want := range []string{"claims: ", "two more equilibria above alpha = .854", "points", "30 settings tried"} {
		if !strings.Contains(report[0], want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

// TestAgainstIndependent compares points with an independent computation of the
// same model, from other draws: efficiency, uniformity, envy-freeness, and
// efficiency of weight-proportional bids.
func TestAgainstIndependent(t *testing.T) {
	s := small(t, 20, 60, 150)
	s.Seed, s.Repetitions, s.bounds = 2, 4, nil
	if err := s.simulate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		model, point int
		want         [4]float64
	}{
		{0, 0, [4]float64{.91, .82, 1, .685}}, {0, 1, [4]float64{.91, .77, 1, .649}}, {0, 2, [4]float64{.90, .75, 1, .630}},
		{1, 0, [4]float64{.90, .72, .985, .793}}, {1, 1, [4]float64{.87, .65, .976, .752}}, {1, 2, [4]float64{.86, .64, .97, .731}},
	} {
		p := s.found[c.model][c.point]
		for k, q := range []quantity{efficiency, uniformity, envyFreeness, proportional} {
			if got := p.of(q).Mean; math.Abs(got-c.want[k]) > []float64{.02, .06, .012, .03}[k] {
				t.Errorf("%s, %d users: quantity %d is %.4f, independently %.4f", models[c.model], p.users, q, got, c.want[k])
			}
		}
	}
}

// TestBroken breaks the mechanism on purpose: each time the verdict of the claim that should
// notice is another one.
func TestBroken(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	free := func(s *study) error { s.bounds = nil; return s.simulate() }
	infinite := func(s *study) error {
		if err := free(s); err != nil {
			return err
		}
		s.timeClaims()
		s.metricClaims()
		return s.leastOf()
	}
	finite := func(s *study) error {
		if s.bounded = true; s.simulate() != nil {
			return s.simulate()
		}
		s.finiteClaims()
		return s.figure5()
	}
	theory := func(s *study) error {
		for _, part := range []func() error{s.oppositeWeights, s.twoPlayers, s.noEquilibrium, s.manyPlayers} {
			if err := part(); err != nil {
				return err
			}
		}
		return nil
	}
	idle := market.Rule{Update: market.Greedy, Step: 1e-12}
	correlated := func(r *rng.Rand, _, users, machines int) [][]float64 { return market.Correlated(r, users, machines, 3) }
	// One machine is each user's own.
	sparse := func(r *rng.Rand, _, users, machines int) [][]float64 {
		out := market.Uniform(r, users, machines)
		for i := range out {
			out[i][i] = 1
		}
		market.Normalise(out)
		return out
	}
	many := func(s *study) error { s.Repetitions = 12; return infinite(s) }
	for _, c := range []struct {
		name  string
		parts func(*study) error
		users []int
		clean map[string]string // where and what the paper says
		wreck func(*study)
	}{
		{"games of two with a reserve of .001", theory, nil, map[string]string{"Theorem 3.3": "two players: efficiency >= 3/4, uniformity >= 1/2, no envy", "Section 3.1": "the equilibria are the roots of the cubic"},
			func(s *study) { s.theory = 1e-3 }},
		{"unequal budgets", infinite, []int{5, 60, 150}, map[string]string{"Figure 3, uniform": "uniformity > 0.7", "Section 3.2": "each of m users has at least 1/m", "Abstract, correlated": "envy-freeness >= .97"},
			func(s *study) {
				s.budgets = func(users int) []float64 {
					out := make([]float64, users)
					for i := range out {
						out[i] = 1 + float64(i%2)
					}
					return out
				}
			}},
		{"bids that never change", infinite, []int{10, 100, 150}, map[string]string{"Figure 3, uniform": "efficiency about .9", "Figure 3, correlated": "efficiency about .9"},
			func(s *study) { s.best = idle }},
		{"five machines for best response", infinite, []int{10, 30, 100}, map[string]string{"Figure 3, uniform": "best response converges in 5 iterations or less"},
			func(s *study) { s.best = market.Rule{Update: market.LocalSearch, Most: 5} }},
		{"best response for greedy", infinite, []int{10, 100, 150}, map[string]string{"Introduction, uniform": "greedy takes 25 to 90 iterations to stabilize"},
			func(s *study) { s.adjusted = bestResponse }},
		{"correlated for uniform preferences", infinite, []int{5, 30, 100, 150}, map[string]string{"Figure 3, uniform": "the equilibrium is completely envy-free"},
			func(s *study) { s.weights = correlated }},
		{"a machine of each user's own", many, []int{5, 30}, map[string]string{"Figure 3": "few users can all be satisfied by the social optimum unless preferences are aligned", "Figure 3, correlated": "the social optimum leaves some with nothing where users are many"},
			func(s *study) { s.weights = sparse }},
		{"the models exchanged", many, []int{5, 30}, map[string]string{"Figure 3": "uniformity is better under uniform preferences"},
			func(s *study) {
				of := s.weights
				s.weights = func(r *rng.Rand, model, users, machines int) [][]float64 { return of(r, 1-model, users, machines) }
			}},
		{"a reserve of 1e-9", finite, []int{5, 10, 150}, map[string]string{"Figure 7": "at most 20 machines: no such drop"},
			func(s *study) { s.reserve = 1e-9 }},
		{"a reserve of .1", finite, []int{8, 20, 80}, map[string]string{"Figure 5": "at most 5 machines: no convergence with 20 to 40 users, quickly elsewhere"},
			func(s *study) { s.reserve = .1 }},
		{"no bound on machines", finite, []int{10, 20, 80}, map[string]string{"Figure 5": "at most 5 machines: no convergence with 20 to 40 users, quickly elsewhere", "Figure 7": "at most 5 machines: fairness drops with 20 to 40 users"},
			func(s *study) { s.searched = bestResponse }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sound, broken := small(t, c.users...), small(t, c.users...)
			c.wreck(broken)
			for _, s := range []*study{sound, broken} {
				if err := c.parts(s); err != nil {
					t.Fatal(err)
				}
			}
			for where, says := range c.clean {
				if a, b := sound.VerdictOf(where, says), broken.VerdictOf(where, says); a != studies.Holds || b != studies.Differs {
					t.Errorf("%s, %s: %q when sound and %q when broken", where, says, a, b)
				}
			}
		})
	}
}
