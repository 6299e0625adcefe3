package priceanticipating

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"bourse/policies/market"
	"bourse/reports/papers"
	"bourse/reports/papers/claimtest"
	"bourse/reports/table"
	"bourse/traces/tracetest"
)

func small(t *testing.T, users ...int) *study {
	t.Helper()
	report, err := papers.NewStudy(table.Output{W: io.Discard}, "")
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
				t.Errorf("alpha %v, delta %v: margins differ by %v and %v, another bid gains %v", alpha, deltas[i], first, second,
					e.gain)
			}
		}
		if len(all) == 3 && (math.Abs(all[0].Bids(0)[0]-all[2].Bids(1)[1]) > 1e-9 ||
			math.Abs(all[0].Efficiency-all[2].Efficiency) > 1e-9) {
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
		{[]float64{1, 1}, 1}, {[]float64{.5, 1, 1}, 2}, {[]float64{.5, .501, .7, .9, .905, 1}, 4},
		{[]float64{0, .3, .6, 1}, 3},
	} {
		if got := stabilised(c.welfare, .01); got != c.want {
			t.Errorf("%v is stable from sweep %v, want %v", c.welfare, got, c.want)
		}
	}
}

// TestLongStudy runs the whole study with few repetitions, twice with other numbers of workers.
func TestLongStudy(t *testing.T) {
	tracetest.Long(t)
	defer set(&games, 200)()
	defer set(&alphas, 50)()
	defer set(&reserves, []float64{1e-3, 1e-2})() // the study's own and another
	defer set(&reserveUsers, []int{5, 20})()
	defer set(&ratioUsers, []int{5, 20})()
	defer set(&greedyUsers, []int{20, 80})()
	var report [2]string
	for k, workers := range []int{1, 3} {
		dir := t.TempDir()
		var out bytes.Buffer
		o := Options{Repetitions: 2, Seed: 1, Reserve: Reserve, Workers: workers}
		if err := claimtest.Make(&out, dir, func(page *papers.Study) error {
			s := newStudy(context.Background(), page, o)
			s.users = []int{5, 20, 80}
			return s.all()
		}); err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(filepath.Join(dir, "report.txt")) // without what is of the clock
		if err != nil {
			t.Fatal(err)
		}
		report[k] = string(kept)
		for _, name := range []string{"figure3.csv", "figure4.png", "figure5.svg", "figure6.csv", "figure7.png",
			"opposite-weights.svg", "claims.csv"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Error(err)
			}
		}
	}
	if report[0] != report[1] {
		t.Error("the report depends on the number of workers")
	}
	for _, want := range []string{"57 claims: ", "two more equilibria above alpha = .854", "points", "30 settings tried"} {
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
		{1, 0, [4]float64{.90, .72, .985, .793}}, {1, 1, [4]float64{.87, .65, .976, .752}},
		{1, 2, [4]float64{.86, .64, .97, .731}},
	} {
		p := s.found[c.model][c.point]
		for k, q := range []quantity{efficiency, uniformity, envyFreeness, proportional} {
			if got := p.estimate(q).Mean; math.Abs(got-c.want[k]) > []float64{.02, .06, .012, .03}[k] {
				t.Errorf("%s, %d users: quantity %d is %.4f, independently %.4f", models[c.model], p.users, q, got, c.want[k])
			}
		}
	}
}

// column is a mistake in which one quantity is taken for another.
func column(of ...quantity) func(*study) {
	return func(s *study) {
		s.each(func(_ int, _ *point, x *sample) {
			y := *x
			for k := 0; k < len(of); k += 2 {
				x[of[k]] = y[of[k+1]]
			}
		})
	}
}

// each changes all samples.
func (s *study) each(f func(model int, p *point, x *sample)) {
	for model := range models {
		for _, p := range s.found[model] {
			for k := range p.samples {
				f(model, p, &p.samples[k])
			}
		}
	}
}

// scaled makes something else of a quantity.
func scaled(of quantity, by func(x *sample, users int) float64) func(*study) {
	return func(s *study) { s.each(func(_ int, p *point, x *sample) { x[of] = by(x, p.users) }) }
}

// TestLongClaims breaks the games, the sweeps or the results that are judged, one at a time: the
// claims that rest on them must hold before and not after.
func TestLongClaims(t *testing.T) {
	tracetest.Long(t)
	type claim = claimtest.Claim
	defer set(&games, 200)()
	defer set(&alphas, 50)()
	defer set(&greedySteps, []float64{.02})()
	defer set(&greedyUsers, []int{50, 60, 80})()
	users := []int{5, 10, 20, 30, 40, 60, 80, 100, 150}
	whole := small(t, users...)
	run := func(s *study, parts ...func() error) *papers.Study {
		for _, part := range parts {
			if err := part(); err != nil {
				t.Fatal(err)
			}
		}
		return s.Study
	}
	run(whole, whole.equalWeights, whole.oppositeWeights, whole.twoPlayers, whole.noEquilibrium, whole.manyPlayers,
		whole.simulate, whole.greedyGrid, whole.figure3, whole.figure4, whole.figure5, whole.figure6, whole.figure7,
		whole.rangeClaim, whole.leastOf)

	var mutations []claimtest.Mutation
	// add notes what every broken study has to show; where "*" stands for both models.
	add := func(what string, sound, broken func() *papers.Study, pairs ...string) {
		m := claimtest.Mutation{What: what, Sound: sound, Broken: sync.OnceValue(broken)}
		for k := 0; k < len(pairs); k += 2 {
			for _, name := range models {
				if c := (claim{Where: strings.Replace(pairs[k], "*", name, 1), Says: pairs[k+1]}); !slices.Contains(m.Notice, c) {
					m.Notice = append(m.Notice, c)
				}
			}
		}
		mutations = append(mutations, m)
	}
	// judged are the verdicts on the whole study's results after changes.
	judged := func(changes ...func(*study)) func() *papers.Study {
		return func() *papers.Study {
			s := small(t, users...)
			for model := range models {
				for _, p := range whole.found[model] {
					s.found[model] = append(s.found[model], &point{p.users, slices.Clone(p.samples)})
				}
			}
			for _, change := range changes {
				change(s)
			}
			s.timeClaims()
			s.metricClaims()
			s.finiteClaims()
			return run(s, s.figure5, s.rangeClaim, s.leastOf)
		}
	}
	// played plays parts anew with something broken.
	played := func(wreck func(*study), parts func(*study) []func() error, users ...int) func() *papers.Study {
		return func() *papers.Study {
			s := small(t, users...)
			wreck(s)
			return run(s, parts(s)...)
		}
	}
	idle := market.Rule{Update: market.Greedy, Step: 1e-12}
	theory := func(s *study) []func() error {
		return []func() error{s.equalWeights, s.oppositeWeights, s.twoPlayers, s.manyPlayers}
	}
	reserve := func(r float64) func(*study) { return func(s *study) { s.theory = r } }
	infinite := func(s *study) []func() error {
		s.bounds = nil
		return []func() error{s.simulate, func() error { s.timeClaims(); s.metricClaims(); return s.leastOf() }}
	}
	finite := func(s *study) []func() error {
		s.bounded = true
		return []func() error{s.simulate, func() error { s.finiteClaims(); return s.figure5() }}
	}

	add("games of two with a reserve of .1", nil, played(reserve(.1), theory),
		"Section 3.1", "equal weights: unique bids (alpha, 1-alpha), utility 1/2, all metrics 1", "Section 3.1",
		"the equilibria are the roots of the cubic",
		"Section 3.1", "symmetric efficiency 2 alpha + 1/alpha - 2, least .828 at alpha = sqrt(2)/2", "Section 3.1",
		"the worst efficiency tends to .75, the uniformity to 1/2",
		"Theorem 1", "an equilibrium exists wherever two users want each machine", "Theorem 3.3",
		"two players: efficiency >= 3/4, uniformity >= 1/2, no envy")
	add("the printed c = 4", nil, func() *papers.Study {
		defer set(&threshold, (1+math.Sqrt(.6))/2)()
		return played(func(*study) {}, theory)()
	}, "Section 3.1", "two more equilibria above alpha = .854")
	add("a reserve of the size of all bids", nil, played(reserve(100), theory),
		"Section 3.2", "n^2 + n players: total utility < 2 against n, efficiency of the order of 1/sqrt(m)", "Theorem 3.4",
		"the bounds 1/m and 2 sqrt(2) - 2 are tight in the worst case")
	add("bids that never change", nil, func() *papers.Study {
		defer set(&toRest.Rule, idle)()
		return played(func(*study) {}, func(s *study) []func() error { return []func() error{s.noEquilibrium} })()
	}, "Section 2", "U1 = r1, U2 = r1 + r2 has no equilibrium")

	add("bids that never change", nil, played(func(s *study) { s.best = idle }, infinite, 10, 100, 150), "Figure 3, *",
		"efficiency about .9")
	add("five machines for best response", nil,
		played(func(s *study) { s.best = market.Rule{Update: market.LocalSearch, Most: 5} }, infinite, 10, 30, 100),
		"Figure 3, *", "best response converges in 5 iterations or less")
	add("unequal budgets", nil, played(func(s *study) {
		s.budgets = func(users int) []float64 {
			out := make([]float64, users)
			for i := range out {
				out[i] = 1 + float64(i%2)
			}
			return out
		}
	}, infinite, 5, 60, 150), "Figure 3, uniform", "uniformity > 0.7", "Figure 3, correlated", "uniformity > 0.6",
		"Section 3.2", "each of m users has at least 1/m", "Abstract, *", "envy-freeness >= .97")
	add("a reserve of 1e-9", nil, played(func(s *study) { s.reserve = 1e-9 }, finite, 5, 10, 150), "Figure 7",
		"at most 20 machines: no such drop")
	add("a reserve of .1", nil, played(func(s *study) { s.reserve = .1 }, finite, 8, 20, 80), "Figure 5",
		"at most 5 machines: no convergence with 20 to 40 users, quickly elsewhere")
	add("no bound on machines", nil, played(func(s *study) { s.searched = bestResponse }, finite, 5, 10, 20, 80),
		"Figure 5", "at most 5 machines: no convergence with 20 to 40 users, quickly elsewhere", "Figure 5",
		"at most 20 machines: no convergence with 5 to 10 users, quickly elsewhere", "Figure 7",
		"at most 5 machines: fairness drops with 20 to 40 users")
	add("best response for greedy", nil, played(func(s *study) { s.adjusted = bestResponse },
		func(s *study) []func() error { return []func() error{s.greedyGrid} }),
		"Figure 3, *", "greedy: not within 500 below 60 users, but above")
	following := func(s *study) []func() error { return []func() error{s.figure4, s.figure6} }
	add("greedy that never changes a bid", nil, played(func(s *study) { s.adjusted = idle }, following), "Figure 4",
		"both methods reach the same welfare")
	add("best responses that change no bid", nil, played(func(s *study) { s.best = idle }, following), "Figure 4",
		"best response is faster")
	add("a reserve of ten budgets", nil, played(func(s *study) { s.reserve = 10 }, following), "Figure 6",
		"efficiency is high (>= .7) after a few sweeps, converged or not")

	correlatedFor := func(s *study) { s.found[0] = s.found[1] }
	uniformFor := func(s *study) { s.found[1] = s.found[0] }
	add("best response's time for greedy's", judged(scaled(greedyStable, func(*sample, int) float64 { return 60 })),
		judged(column(greedyStable, stable)), "Introduction, *", "greedy takes 25 to 90 iterations to stabilize")
	add("greedy's time to converge for that to stabilise", nil, judged(column(greedyStable, greedySweeps)), "Figure 3, *",
		"greedy stabilizes within 100 iterations")
	add("proportional bids for equilibria", nil, judged(column(efficiency, proportional)), "Figure 3, uniform",
		"... independent of the number of users")
	add("correlated preferences for uniform ones", judged(uniformFor), judged(correlatedFor), "Figure 3, correlated",
		"... independent of the number of users", "Figure 3, uniform", "the equilibrium is completely envy-free")
	add("proportional bids for equilibria",
		judged(scaled(efficiency, func(x *sample, _ int) float64 { return x[efficiency] + .05 })),
		judged(column(efficiency, proportional)), "Abstract, *", "efficiency >= .90")
	for model, times := range []float64{1.5, 1.3} {
		add("what proportional bids are",
			judged(scaled(proportional, func(x *sample, _ int) float64 { return x[efficiency] / times })), judged(),
			"Figure 3, "+models[model], fmt.Sprintf("efficiency about %d %% above weight-proportional", []int{50, 30}[model]))
	}
	falling := func(by func(users float64) float64) func(*study) {
		return scaled(uniformity, func(_ *sample, users int) float64 { return by(float64(users)) })
	}
	add("a fall that goes on", judged(falling(func(n float64) float64 { return .7 + 1/n })),
		judged(falling(func(n float64) float64 { return 1 - .002*n })), "Figure 3, *",
		"uniformity falls with users and flattens out")
	add("the optimum for the equilibrium", judged(falling(func(n float64) float64 { return .7 + 1/n })),
		judged(column(uniformity, optimumUni)), "Abstract, *", "utility uniformity >= .65")
	add("equilibrium and proportional bids exchanged", nil,
		judged(column(uniformity, proportionalUni, proportionalUni, uniformity)), "Figure 3, *",
		"weight-proportional is the fairest: uniformity")
	add("the optimum for proportional bids", judged(scaled(proportionalEnv, func(*sample, int) float64 { return 1 })),
		judged(column(proportionalEnv, optimumEnv)), "Figure 3, *", "weight-proportional is the fairest: envy-freeness")
	add("the optimum for the equilibrium", nil, judged(column(uniformity, optimumUni, envyFreeness, optimumEnv)),
		"Figure 3, *", "the equilibrium's uniformity is close to it", "Figure 3, *",
		"the equilibrium's envy-freeness is close to it",
		"Abstract, *", "envy-freeness >= .97", "Theorem 3.4", "envy-freeness >= 2 sqrt(2) - 2 = .828")
	add("the equilibrium for the optimum", nil, judged(column(optimumUni, uniformity, optimumEnv, envyFreeness)),
		"Figure 3, *", "the social optimum leaves some with nothing where users are many")
	exchanged := func(s *study) { s.found[0], s.found[1] = s.found[1], s.found[0] }
	add("the models exchanged", nil, judged(exchanged), "Figure 3", "uniformity is better under uniform preferences")
	served := func(s *study) {
		s.each(func(model int, _ *point, x *sample) { x[optimumUni] = []float64{.6, .05}[model] })
	}
	add("the models exchanged", judged(served), judged(served, exchanged), "Figure 3",
		"few users can all be satisfied by the social optimum unless preferences are aligned")
	add("utilities not times the users", nil,
		judged(scaled(leastUtility, func(x *sample, users int) float64 { return x[leastUtility] / float64(users) })),
		"Section 3.2", "each of m users has at least 1/m")
	add("all said to converge", nil, judged(column(block(0, finiteConverged), rested, block(1, finiteConverged), rested)),
		"Section 5.2", "sweeps do not converge where m Delta / n is in [1, 2]")
	add("answers of more rounds counted", nil,
		judged(scaled(block(0, finiteBrief), func(x *sample, _ int) float64 { return 1 - x[block(0, finiteBrief)] })),
		"Section 5.2", "the local search usually takes two iterations")
	add("proportional bids for bounded equilibria", nil, judged(column(block(0, finiteEfficiency), proportional)),
		"Section 4.2", "efficiency of .7 and more")
	add("uniformity for envy-freeness", nil, judged(column(block(0, finiteEnvy), block(0, finiteUniformity))), "Figure 7",
		"many users: efficiency and envy-freeness similar to those without a bound")
	shifted := func(by float64) func(*study) {
		return scaled(block(0, finiteUniformity), func(x *sample, _ int) float64 { return x[uniformity] + by })
	}
	add("uniformity that rises", judged(shifted(-.1)), judged(shifted(.1)), "Figure 7",
		"many users: a lower level of uniformity")
	add("what correlated preferences are", judged(uniformFor), judged(), "Section 5.2",
		"no significant difference between the preferences")
	claimtest.Run(t, whole.Study, nil, mutations)
}

// set replaces what is at a place and returns how it is put back.
func set[T any](at *T, to T) (restore func()) {
	old := *at
	*at = to
	return func() { *at = old }
}
