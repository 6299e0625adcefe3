package multiresource

import (
	"bytes"
	"context"
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
	if err := s.Verdicts(); err != nil || !strings.Contains(out.String(), "6 claims: ") {
		t.Errorf("%v\n%s", err, out.String())
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
