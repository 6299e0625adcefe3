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
	"bourse/reports/stats"
	"bourse/reports/studies"
	"bourse/traces/rng"
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
		e, err := (&study{ctx: context.Background(), Options: Options{Workers: workers, Seed: 7}}).trials(23, "test", 1<<32, func(r *rng.Rand) ([]float64, error) {
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
	report, err := studies.NewStudy(&out, dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &study{Study: report, Options: Options{Instances: 3, Seed: 1}, ctx: context.Background()}
	if err := s.figure5(); err != nil {
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
	if err := s.Verdicts(); err != nil || !strings.Contains(out.String(), "8 claims: ") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// newStudy is a study of few instances without files.
func newStudy(t *testing.T) *study {
	t.Helper()
	report, err := studies.NewStudy(io.Discard, "")
	if err != nil {
		t.Fatal(err)
	}
	return &study{Study: report, Options: Options{Instances: 30, Seed: 1}, ctx: context.Background()}
}

// TestMutations breaks a mechanism or a formula at a time; the claim that rests on it must
// hold before and not after.
func TestMutations(t *testing.T) {
	even := func(d share.Demands) ([]float64, error) {
		x := make([]float64, len(d))
		for i := range x {
			x[i] = 1 / float64(len(d))
		}
		return x, nil
	}
	double := func(d share.Demands) ([]float64, error) {
		x, err := share.DRF(d)
		for i := range x {
			x[i] *= 2
		}
		return x, err
	}
	set := func(at *share.Mechanism, to share.Mechanism) func() func() {
		return func() func() { old := *at; *at = to; return func() { *at = old } }
	}
	done := map[string]*study{} // by where the claims stand, with nothing broken
	for _, c := range []struct {
		what        string
		part        func(*study) error
		mutate      func() (restore func())
		where, says string
	}{
		{"BAL for BAL*", (*study).checkProperties, set(&properties[3].share, share.BAL), "Properties", "all but bal are strategy-proof"},
		{"BAL* for BAL", (*study).checkProperties, set(&properties[2].share, share.BALStar), "Properties", "bal is not"},
		{"equal shares", (*study).checkProperties, set(&properties[0].share, even), "Properties", "all mechanisms have SI, EF and PO"},
		{"DRF for UNB", (*study).table1, set(&worstCases[1].share, share.DRF), "Table 1", "no instance exceeds the ratios"},
		{"UNB for DRF", (*study).table1, set(&worstCases[0].share, share.UNB), "Table 1", "the instances attain the fair ratios as n grows"},
		{"twice as much", (*study).tableMany, set(&strategic[4].share, double), "Table 2", "m = 4: price m"},
		{"twice as much", (*study).tableMany, set(&strategic[4].share, double), "Table 2", "m = 3: price 2 or more"},
		{"DRF for UNB", (*study).synthetic, set(&compared[isUNB].share, share.DRF), "Figure 3", "unb and bal* cross near alpha = .25"},
		{"DRF for BAL*", (*study).synthetic, set(&compared[isStar].share, share.DRF), "Figure 3", "bal* is very close to the optimum"},
		{"BAL* for DRF", (*study).synthetic, set(&compared[isDRF].share, share.BALStar), "Figure 3", "unb is better than drf but for alpha in [.45, .5]"},
		{"equal shares for BAL*", (*study).synthetic, set(&compared[isStar].share, even), "Figure 3", "bal* is better than drf for every alpha"},
		{"UNB for DRF", (*study).figure2, func() func() { old := ratios[0]; ratios[0] = ratios[1]; return func() { ratios[0] = old } }, "Figure 2", "the new mechanisms have better ratios than drf for alpha in (0, 1/2)"},
	} {
		for _, sound := range []bool{true, false} {
			s, restore := done[c.where], func() {}
			if !sound {
				s, restore = nil, c.mutate()
			}
			if s == nil {
				s = newStudy(t)
				err := c.part(s)
				if restore(); err != nil {
					t.Fatal(err)
				}
			}
			if sound {
				done[c.where] = s
			}
			if v := s.VerdictOf(c.where, c.says); (v == studies.Holds) != sound || v == "" {
				t.Errorf("%s, sound %v: %q is %q", c.what, sound, c.says, v)
			}
		}
	}
}

// TestJudgements gives the functions that judge what they judge, right and wrong.
func TestJudgements(t *testing.T) {
	const share67, tenPerCent, near = "about 67 % of the demand vectors are CPU-dominant", "on the Google pool unb and bal* beat drf by more than 10 %", "there unb and bal* are very close"
	for _, c := range []struct {
		g    gainsOver
		cpu  float64
		want [3]studies.Verdict
	}{
		{gainsOver{least: .12, later: .12, apart: .02, allowed: true}, .68, [3]studies.Verdict{studies.Unclear, studies.Holds, studies.Holds}},
		{gainsOver{least: .09, later: .12, apart: .04}, .66, [3]studies.Verdict{studies.Unclear, studies.Unclear, studies.Differs}},
		{gainsOver{least: -.1, later: -.1, apart: .02}, .46, [3]studies.Verdict{studies.Differs, studies.Differs, studies.Differs}},
	} {
		s := newStudy(t)
		s.googleClaims(c.g, c.cpu, "jobs")
		if got := [3]studies.Verdict{s.VerdictOf("Figure 3", share67), s.VerdictOf("Figure 3", tenPerCent), s.VerdictOf("Figure 3", near)}; got != c.want {
			t.Errorf("%+v, CPU %v: %v, want %v", c.g, c.cpu, got, c.want)
		}
	}
	// Orders in utilisation: those of welfare but at `turned` alphas, where drf and unb change
	// places.
	for turned, want := range map[int]studies.Verdict{0: studies.Holds, 3: studies.Holds, 4: studies.Differs} {
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
		s := newStudy(t)
		s.syntheticClaims(r)
		if v := s.VerdictOf("Figure 3", "the comparison in utilisation is almost the same"); v != want {
			t.Errorf("%d turned: %s, want %s", turned, v, want)
		}
	}
	for gain, want := range map[float64]studies.Verdict{0: studies.Differs, 60: studies.Holds, 110: studies.Differs} { // 0: DRF for UNB
		g := gains{low: map[int]stats.Estimate{}, high: map[int]stats.Estimate{}}
		for _, m := range []int{3, 4, 5} {
			g.see(0, m, .1, .1, stats.Estimate{Mean: gain})
		}
		s := newStudy(t)
		g.report(s)
		if v := s.VerdictOf("Figure 5", "welfare gains 40 to 100 % for alpha, beta <= .3, m = 3"); v != want {
			t.Errorf("a gain of %v %%: %s, want %s", gain, v, want)
		}
	}
	if x := limit([]float64{4 - 1./2 + 1./4, 4 - 1./4 + 1./16, 4 - 1./8 + 1./64}); math.Abs(x-4) > 1e-12 {
		t.Errorf("the limit is %v, want 4", x)
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
		if _, err := (&study{ctx: b.Context(), Options: Options{Seed: 1}}).trials(1000, "benchmark", 0, func(r *rng.Rand) ([]float64, error) {
			return optimumOver(synthetic(r, 100, 25), compared)
		}); err != nil {
			b.Fatal(err)
		}
	}
}
