package multiresource

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/policies/share"
	"bourse/reports/papers"
	"bourse/reports/papers/claimtest"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/traces/rng"
	"bourse/traces/tracetest"
)

// TestLowerBounds wants the proofs' instances to have the minority they are
// built for, to come nearer to the fair ratio with n, and never to exceed it.
func TestLowerBounds(t *testing.T) {
	for _, c := range worstCases {
		for _, alpha := range []float64{.1, .3, .5} {
			lastW, lastU := 0.0, 0.0
			for _, n := range []int{20, 200, 2000, 20000} {
				minority := int(math.Round(alpha * float64(n)))
				d := c.build(n, minority)
				if got := d.Alpha(); math.Abs(got-alpha) > 1e-12 || len(d) != n {
					t.Fatalf("%s: %d agents, alpha %v, want %d and %v", c.name, len(d), got, n, alpha)
				}
				w, u, err := c.attained(n, minority)
				if err != nil {
					t.Fatal(err)
				}
				if w <= lastW || u <= lastU {
					t.Errorf("%s, alpha %v, n %d: %v and %v are no larger than %v and %v before", c.name, alpha, n, w, u, lastW, lastU)
				}
				lastW, lastU = w, u
			}
			for _, v := range [][2]float64{{lastW, c.ratio.welfare(alpha)}, {lastU, c.ratio.utilisation(alpha)}} {
				if v[0] > v[1]+1e-9 || v[0] < v[1]*(1-1e-3) {
					t.Errorf("%s, alpha %v: %v attained, the ratio is %v", c.name, alpha, v[0], v[1])
				}
			}
		}
	}
}

// TestManyBounds wants the instances of Theorem 4.2 to have the alpha and beta
// they are built for.
func TestManyBounds(t *testing.T) {
	for _, m := range []int{3, 4, 5} {
		for _, build := range []func(n, outside, m int, beta float64) share.Demands{againstManyFirst, againstManySecond} {
			d := build(240, 120, m, .3)
			if err := d.Check(); err != nil {
				t.Fatal(err)
			}
			sum, outside := 0.0, 0
			for _, row := range d {
				if row[0] < 1 {
					sum += row[0]
					outside++
				}
			}
			if beta := sum / float64(outside); outside != 120 || math.Abs(beta-.3) > 1e-12 {
				t.Errorf("m = %d: %d agents outside group 1 with mean demand %v", m, outside, beta)
			}
		}
	}
}

// TestTraps wants the allocations of Lemmas 15 and 16 to be fair and to have a
// welfare near m, or 2 for m = 3, no matter which agent changed its report.
func TestTraps(t *testing.T) {
	for _, m := range []int{3, 4, 5} {
		const small = 8
		n := small * small * small
		for j := 1; j <= small; j++ {
			c := newTrap(m, n, small, j)
			if err := c.demands.Check(); err != nil {
				t.Fatal(err)
			}
			for _, e := range share.CheckAllocation(c.demands, c.fair) {
				if !e.Holds && (m == 3 || e.Property != "Pareto optimality") {
					t.Errorf("m = %d, j = %d: %v", m, j, e)
				}
			}
			want := float64(m)
			if m == 3 {
				want = 2
			}
			if w := share.Welfare(c.fair); w > want || w < .95*want {
				t.Errorf("m = %d, j = %d: welfare %v, want nearly %v", m, j, w, want)
			}
		}
	}
}

// TestTrialsDoNotDependOnWorkers runs one experiment on one worker and on five.
func TestTrialsDoNotDependOnWorkers(t *testing.T) {
	run := func(workers int) []stats.Estimate {
		e, err := (&study{ctx: context.Background(), Options: Options{Workers: workers, Seed: 7}}).trials(23, "test", 1<<32,
			func(r *rng.Rand) ([]float64, error) {
				return optimumOver(synthetic(r, 20, 5), compared)
			})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	one, five := run(1), run(5)
	for k := range one {
		if one[k] != five[k] {
			t.Errorf("quantity %d: %v on one worker, %v on five", k, one[k], five[k])
		}
		if one[k].Mean < 1 || !(one[k].Low() < one[k].Mean) {
			t.Errorf("quantity %d: %v; no mechanism beats the optimum", k, one[k])
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := (&study{ctx: ctx, Options: Options{Workers: 2}}).trials(5, "test", 0, nil); err != context.Canceled {
		t.Errorf("after cancelling: %v", err)
	}
}

// TestInstances wants random instances to be what the paper describes.
func TestInstances(t *testing.T) {
	r := rng.New(1, "instances")
	above, entries := 0, 0
	for range 200 {
		d := manyResources(r, 100, 40, 4, .3)
		outside := 0
		for _, row := range d {
			dominant := 0
			for k, v := range row {
				if v == 1 {
					dominant = k
				}
			}
			if row[0] < 1 {
				outside++
			}
			for k, v := range row {
				if k == dominant {
					continue
				}
				if entries++; v > .3 {
					above++
				}
				if math.Abs(100*v-math.Round(100*v)) > 1e-9 || v < .01 {
					t.Fatalf("%v is not on the grid", v)
				}
			}
		}
		if outside > 40 || outside < 35 { // some of the 40 draw a 1 for resource 1
			t.Fatalf("%d agents outside group 1", outside)
		}
	}
	if part := float64(above) / float64(entries); math.Abs(part-.3) > .01 {
		t.Errorf("%.3f of the entries are above beta = .3", part)
	}
	for _, n := range []int{2, 10} {
		if d := sample(r, share.Demands{{1, .5}, {1, .2}, {1, .1}, {.3, 1}}, n); d.Alpha() == 0 || len(d) != n {
			t.Errorf("a sample of %d has alpha 0", len(d))
		}
	}
}

// TestFigureFiveWritesFiles runs a small figure end to end.
func TestFigureFiveWritesFiles(t *testing.T) {
	var out bytes.Buffer
	dir := t.TempDir()
	if err := claimtest.Make(&out, dir, func(report *papers.Study) error {
		s := &study{Study: report, Options: Options{Instances: 3, Seed: 1}, ctx: context.Background()}
		return s.Run(s.ctx, s.figure5)
	}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "figure5.csv"))
	if err != nil || strings.Count(string(text), "\n") != 1+3*81 {
		t.Errorf("%d lines in figure5.csv (%v)", strings.Count(string(text), "\n"), err)
	}
	for _, name := range []string{"figure5.svg", "figure5.png"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if !strings.Contains(out.String(), "6 claims: ") {
		t.Error(out.String())
	}
}

// newStudy is a study of few instances without files.
func newStudy(t *testing.T) *study {
	t.Helper()
	report, err := papers.NewStudy(table.Output{W: io.Discard}, "")
	if err != nil {
		t.Fatal(err)
	}
	return &study{Study: report, Options: Options{Instances: 30, Seed: 1}, ctx: context.Background()}
}

// even gives everybody the same part of their demand.
func even(d share.Demands) ([]float64, error) {
	x := make([]float64, len(d))
	for i := range x {
		x[i] = 1 / float64(len(d))
	}
	return x, nil
}

// times is a mechanism that gives so many times as much as it should.
func times(factor float64, m share.Mechanism) share.Mechanism {
	return func(d share.Demands) ([]float64, error) {
		x, err := m(d)
		for i := range x {
			x[i] *= factor
		}
		return x, err
	}
}

// fed is a study that judges results made up.
func fed(t *testing.T, judge func(*study)) func() *papers.Study {
	return func() *papers.Study {
		s := newStudy(t)
		judge(s)
		return s.Study
	}
}

// synthesised are results of Figure 3's first row in which drf and unb change places in
// utilisation at some alphas.
func synthesised(turned int) func(*study) {
	r := &row{}
	for i := range 10 {
		value := []float64{1.3, 1.1, 1.05, 1.05, 1.3, 1.1, 1.05, 1.05}
		if i < turned {
			value[4], value[5] = value[5], value[4]
		}
		var line []stats.Estimate
		for _, v := range value {
			line = append(line, stats.Estimate{Mean: v})
		}
		r.x, r.found = append(r.x, float64(i+1)/20), append(r.found, line)
	}
	return func(s *study) { s.syntheticClaims(r) }
}

// gaining are results of Figure 5 with the same gain everywhere.
func gaining(per float64) func(*study) {
	g := gains{low: map[int]stats.Estimate{}, high: map[int]stats.Estimate{}}
	for _, m := range []int{3, 4, 5} {
		g.see(0, m, .1, .1, stats.Estimate{Mean: per})
	}
	return func(s *study) { g.report(s) }
}

// TestLongClaims breaks a mechanism, a formula or results at a time; the claims that rest on them
// must hold before and not after.
func TestLongClaims(t *testing.T) {
	tracetest.Long(t)
	type claim = claimtest.Claim
	const figure3, figure5 = "Figure 3", "Figure 5"
	pool := gainsOver{least: .12, later: .12, apart: .02, allowed: true}
	google := func(change func(*gainsOver), cpu float64) func() *papers.Study {
		g := pool
		change(&g)
		return fed(t, func(s *study) { s.googleClaims(g, cpu, "jobs") })
	}
	defer set(&sizes, sizes[:4])()()
	defer set(&smallGroups, []int{10, 20, 40})()()
	defer set(&manySizes, []int{60, 122_880})()()
	whole := newStudy(t)
	for _, part := range []func() error{whole.examples, whole.checkProperties, whole.table1, whole.table2, whole.tableMany,
		whole.figure2, whole.synthetic, whole.figure4, whole.manyBounds, whole.figure5} {
		if err := part(); err != nil {
			t.Fatal(err)
		}
	}
	whole.googleClaims(pool, .67, "jobs")
	var mutations []claimtest.Mutation
	// broken adds a part that is run with something replaced.
	broken := func(what string, part func(*study) error, replace func() (restore func()), where string, says ...string) {
		m := claimtest.Mutation{What: what, Broken: func() *papers.Study {
			s := newStudy(t)
			restore := replace()
			defer restore()
			if err := part(s); err != nil {
				t.Fatal(err)
			}
			return s.Study
		}}
		for _, x := range says {
			m.Notice = append(m.Notice, claim{Where: where, Says: x})
		}
		mutations = append(mutations, m)
	}
	judged := func(what string, sound, broken func() *papers.Study, where, says string) {
		mutations = append(mutations, claimtest.Mutation{What: what, Sound: sound, Broken: broken,
			Notice: []claim{{Where: where, Says: says}}})
	}
	unb1, unb2 := share.Family(share.Coordinate(1), nil), share.Family(share.Coordinate(2), nil)
	worked, formula := compared[isBAL].share, manyWelfare

	broken("BAL* for BAL", (*study).examples, set(&compared[isBAL].share, share.BALStar), "Example 1",
		"welfare 1.36, 1.47, 1.54, 1.53")
	broken("BAL that knows the truth", (*study).examples,
		set(&compared[isBAL].share, func(d share.Demands) ([]float64, error) {
			if d[1][0] == .5 {
				d = share.Demands{{1, .5}, {.25, 1}}
			}
			return worked(d)
		}), "Example 2", "bal gives 9/14, and 2/3 for a lie")
	broken("BAL for BAL*", (*study).checkProperties, set(&properties[3].share, share.BAL), "Properties",
		"all but bal are strategy-proof")
	broken("BAL* for BAL", (*study).checkProperties, set(&properties[2].share, share.BALStar), "Properties", "bal is not")
	broken("equal shares", (*study).checkProperties, set(&properties[0].share, even), "Properties",
		"all mechanisms have SI, EF and PO")
	broken("DRF for UNB", (*study).table1, set(&worstCases[1].share, share.DRF), "Table 1",
		"no instance exceeds the ratios")
	broken("UNB for DRF", (*study).table1, set(&worstCases[0].share, share.UNB), "Table 1",
		"the instances attain the fair ratios as n grows")
	hybrid := "m = 2: at most 3-sqrt(3)+1/(2n) -> 1.2679 and 3/(2-1/n) -> 1.5000"
	broken("the switch for utilisation in the hybrid for welfare", (*study).table2,
		set(&hybrids[0].share, share.HybridUtilisation), "Table 2", hybrid)
	broken("BAL* for the hybrid for utilisation", (*study).table2, set(&hybrids[1].share, share.BALStar), "Table 2",
		hybrid)
	broken("more than there is", (*study).tableMany, set(&strategic[4].share, times(2, share.DRF)), "Table 2",
		"m = 3: price 2 or more", "m = 4: price m", "m = 5: price m")
	few := func(s *study) error { // fairness needs no growth
		defer set(&smallGroups, []int{3, 6, 12})()()
		return s.tableMany()
	}
	broken("fair allocations off by one agent", few, set(&buildTrap, func(m, n, small, j int) trap {
		c := newTrap(m, n, small, j)
		c.fair = append(c.fair[1:], c.fair[0])
		return c
	}), "Table 2", "the proofs' allocations are fair")
	broken("UNB for DRF", (*study).figure2, set(&ratios[isDRF], ratios[isUNB]), "Figure 2",
		"the new mechanisms have better ratios than drf for alpha in (0, 1/2)")
	broken("DRF for BAL", (*study).figure2, set(&ratios[isBAL], ratios[isDRF]), "Figure 2",
		"unb is better near 0, bal and bal* near 1/2")
	broken("DRF for UNB", (*study).synthetic, set(&compared[isUNB].share, share.DRF), figure3,
		"unb and bal* cross near alpha = .25", "from .2 on, bal* and drf get better with alpha and unb worse")
	broken("DRF for BAL*", (*study).synthetic, set(&compared[isStar].share, share.DRF), figure3,
		"bal* is very close to the optimum")
	broken("BAL* for DRF", (*study).synthetic, set(&compared[isDRF].share, share.BALStar), figure3,
		"unb is better than drf but for alpha in [.45, .5]")
	broken("equal shares for BAL*", (*study).synthetic, set(&compared[isStar].share, even), figure3,
		"bal* is better than drf for every alpha")
	broken("the formulas of drf and unb exchanged", (*study).figure4,
		set(&manyWelfare, func(m int, alpha, beta float64) (float64, float64) {
			drf, unb := formula(m, alpha, beta)
			return unb, drf
		}), "Figure 4", "unb's fair ratio is nowhere worse than drf's",
		"three scenarios: equal in the first, unb below drf in the others")
	broken("alpha taken as group 1's share", (*study).figure4,
		set(&manyWelfare, func(m int, alpha, beta float64) (float64, float64) {
			return formula(m, 1-alpha, beta)
		}), "Figure 4", "the difference is larger in scenario 3 than in 2")
	broken("UNB for another resource", (*study).manyBounds, set(&forMany[1].share, unb2), "Theorem 4.2",
		"the proof's instances approach the fair ratios for m resources")
	broken("UNB for DRF", (*study).manyBounds, set(&forMany[0].share, unb1), "Theorem 4.2",
		"the proof's instances approach the fair ratios for m resources")
	broken("DRF for UNB", (*study).figure5, set(&forMany[1].share, share.DRF), figure5,
		"unb beats drf for a wide range of alpha and beta", "welfare gains 40 to 100 % for alpha, beta <= .3, m = 3",
		"utilisation gains more than 200 % at best")
	broken("UNB for another resource", (*study).figure5, set(&forMany[1].share, unb2), figure5,
		"drf is better where alpha is close to 1")
	broken("UNB that divides by the resources once more", (*study).figure5, set(&forMany[1].share, times(.2, unb1)),
		figure5, "welfare loses at most 20 %", "utilisation loses at most 70 %")
	const gains = "welfare gains 40 to 100 % for alpha, beta <= .3, m = 3"
	judged("no gain", fed(t, gaining(60)), fed(t, gaining(0)), figure5, gains)
	judged("twice the gain", fed(t, gaining(60)), fed(t, gaining(110)), figure5, gains)
	judged("another order at four of thirty", fed(t, synthesised(3)), fed(t, synthesised(4)), figure3,
		"the comparison in utilisation is almost the same")
	judged("a gain of 9 %", nil, google(func(g *gainsOver) { g.least, g.later, g.allowed = .09, .12, false }, .67),
		figure3, "on the Google pool unb and bal* beat drf by more than 10 %")
	judged("a loss", nil, google(func(g *gainsOver) { g.least, g.later, g.allowed = -.1, -.1, false }, .67), figure3,
		"on the Google pool unb and bal* beat drf by more than 10 %")
	judged("4 % apart", nil, google(func(g *gainsOver) { g.apart = .04 }, .67), figure3,
		"there unb and bal* are very close")
	judged("the pool of submissions", nil, google(func(*gainsOver) {}, .46), figure3, "there unb and bal* are very close")
	// unclear: chosen for it
	judged("the pool of submissions", nil, google(func(*gainsOver) {}, .46), figure3,
		"about 67 % of the demand vectors are CPU-dominant")
	claimtest.Run(t, whole.Study, nil, mutations)
	if x := limit([]float64{4 - 1./2 + 1./4, 4 - 1./4 + 1./16, 4 - 1./8 + 1./64}); math.Abs(x-4) > 1e-12 {
		t.Errorf("the limit is %v, want 4", x)
	}
}

// set replaces what is at a place, to be restored.
func set[T any](at *T, to T) func() func() {
	return func() func() {
		old := *at
		*at = to
		return func() { *at = old }
	}
}

// TestScenarios checks section 4.2's cases against the formulas' terms.
func TestScenarios(t *testing.T) {
	for _, m := range []int{3, 4} {
		for a := .05; a < 1; a += .05 {
			for b := .05; b < 1; b += .05 {
				drf, unb := manyWelfare(m, a, b)
				k := scenario(m, a, b)
				if unb > drf+1e-12 || (k == 1) != (drf == unb) {
					t.Errorf("m %d, alpha %.2f, beta %.2f: drf %v, unb %v, scenario %d", m, a, b, drf, unb, k)
				}
			}
		}
	}
	if w, u := hybridBounds(1_000_000); math.Abs(w-(3-math.Sqrt(3))) > 1e-6 || math.Abs(u-1.5) > 1e-6 {
		t.Errorf("bounds %v and %v", w, u)
	}
}

// BenchmarkFigure3Point is one point of Figure 3: 1000 instances of 100 agents
// under four mechanisms, and the optimum.
func BenchmarkFigure3Point(b *testing.B) {
	for b.Loop() {
		if _, err := (&study{ctx: b.Context(), Options: Options{Seed: 1}}).trials(1000, "benchmark", 0,
			func(r *rng.Rand) ([]float64, error) {
				return optimumOver(synthetic(r, 100, 25), compared)
			}); err != nil {
			b.Fatal(err)
		}
	}
}
