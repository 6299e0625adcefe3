package share

import (
	"flag"
	"fmt"
	"math"
	"testing"

	"bourse/traces/rng"
	"bourse/traces/tracetest"
)

var instances = flag.Int("instances", 10_000, "random instances of the property tests")

// TestAllProperties wants SI, EF and PO of every mechanism on random instances,
// feasible ones above all.
func TestAllProperties(t *testing.T) {
	r := rng.New(1, "properties")
	for k := range *instances {
		r.Key(uint64(k))
		d := random(r, 1+r.IntN(12), 2+r.IntN(3), k%3 == 0)
		for _, m := range mechanisms {
			if m.two && len(d[0]) > 2 {
				continue
			}
			x := share(t, m.share, d)
			for _, e := range CheckAllocation(d, x) {
				if !e.Holds {
					t.Fatalf("instance %d: %s gives %v of %v: %v", k, m.name, x, d, e)
				}
			}
		}
	}
}

// TestMisreports searches for lies that pay: under BAL there are, and under UNB
// when reports choose among three special groups; under the others none may be
// found.
func TestMisreports(t *testing.T) { misreports(t, *instances/50) }

func TestLongMisreports(t *testing.T) {
	tracetest.Long(t)
	misreports(t, *instances/10)
}

func misreports(t *testing.T, instances int) {
	r := rng.New(1, "misreport instances")
	found := map[string]int{}
	for k := range instances {
		r.Key(uint64(k))
		d := random(r, 2+r.IntN(5), 2+r.IntN(2), false)
		for _, m := range mechanisms {
			if m.two && len(d[0]) > 2 {
				continue
			}
			lie, err := Probe{Tries: 24, Seed: uint64(k)}.Search(m.share, d)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case lie.Gain > Tolerance && (m.strategic || m.name == "unb" && len(d[0]) > 2):
				found[m.name]++
			case lie.Gain > Tolerance:
				t.Fatalf("instance %d, %s: agent %d of %v gains %g by reporting %v", k, m.name, lie.Agent+1, d, lie.Gain,
					lie.Report)
			}
		}
	}
	if found["bal"] == 0 || found["unb"] == 0 {
		t.Errorf("lies that pay were found %v times, want some under BAL, and under UNB with three resources", found)
	}
	lie, err := Probe{Seed: 1}.Search(BAL, Demands{{1, .5}, {.25, 1}})
	if err != nil || lie.Gain < 2./3-9./14 {
		t.Errorf("Example 2 of the paper gains %v, the search found %+v (%v)", 2./3-9./14, lie, err)
	}
}

// TestCheckersSeeViolations gives the checkers allocations that are wrong in a
// known way.
func TestCheckersSeeViolations(t *testing.T) {
	for _, d := range []Demands{{{1, .5}, {1, .5}, {.5, 1}}, {{1, .5, .1}, {1, .5, .1}, {.5, 1, .1}}} {
		for _, c := range []struct {
			x         []float64
			e         func(Demands, []float64) Evidence
			by        float64
			who, whom int
		}{
			{[]float64{.2, .4, .4}, SharingIncentive, 1./3 - .2, 0, -1},
			{[]float64{.3, .4, .4}, EnvyFree, .1, 0, 1},
			{[]float64{.4, .4, .9}, Feasible, .3, -1, -1},
			{[]float64{.4, .4, .3}, ParetoOptimal, .05, 0, -1},
		} {
			e := c.e(d, c.x)
			if e.Holds || math.Abs(e.By-c.by) > 1e-12 || e.Agent != c.who && c.who >= 0 || e.Other != c.whom {
				t.Errorf("%d resources, %v: %+v, want by %v, agents %d and %d", len(d[0]), c.x, e, c.by, c.who, c.whom)
			}
		}
	}
}

// TestEnvyOfTwo compares with looking at all pairs.
func TestEnvyOfTwo(t *testing.T) {
	r := rng.New(1, "envy")
	for k := range 2000 {
		r.Key(uint64(k))
		d := random(r, 2+r.IntN(8), 2, k%2 == 0)
		x := make([]float64, len(d))
		for i := range x {
			x[i] = float64(1+r.IntN(5)) / 10
		}
		want := math.Inf(-1)
		for i := range d {
			for j := range d {
				if i != j {
					want = max(want, d.worth(i, []float64{x[j] * d[j][0], x[j] * d[j][1]})-x[i])
				}
			}
		}
		if got := EnvyFree(d, x); math.Abs(got.By-want) > 1e-12 && max(got.By, want) > 0 {
			t.Fatalf("instance %d: envy by %v, want %v for %v and %v", k, got.By, want, d, x)
		}
	}
}

func BenchmarkMechanisms(b *testing.B) {
	r := rng.New(1, "benchmark")
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		r.Key(uint64(n))
		raw := make([][]float64, n)
		for i := range raw {
			raw[i] = []float64{r.Float64() + 1e-3, r.Float64() + 1e-3}
		}
		d, err := Normalise(raw)
		if err != nil {
			b.Fatal(err)
		}
		for _, m := range append(mechanisms[:4:4], mechanisms[8], struct {
			name           string
			share          Mechanism
			two, strategic bool
		}{"optimum", MaxWelfare, false, false}) {
			b.Run(fmt.Sprintf("%s/n=%d", m.name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := m.share(d); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkProgram(b *testing.B) {
	r := rng.New(1, "benchmark")
	for _, n := range []int{100, 300, 1000} {
		r.Key(uint64(n))
		raw := make([][]float64, n)
		for i := range raw {
			raw[i] = []float64{r.Float64() + 1e-3, r.Float64() + 1e-3, r.Float64() + 1e-3}
		}
		d, err := Normalise(raw)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("m=3/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := MaxWelfare(d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
