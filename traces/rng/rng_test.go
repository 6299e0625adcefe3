package rng

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"regexp"
	"sort"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestPinned pins the first numbers of some streams: outputs of replays rest on
// them, so they may change only on purpose.
func TestPinned(t *testing.T) {
	r := New(1, "value")
	a, n, g := r.Uint64(), r.Norm(), r.Gamma(6.57, 0.823)
	const wantA, wantN, wantG = 0xa1f27d496fbec15, -2.3310127518198573, 7.834389761989684
	if a != wantA || n != wantN || g != wantG {
		t.Errorf("%#x, %v, %v; want %#x, %v, %v", a, n, g, uint64(wantA), wantN, wantG)
	}
}

// TestStreamsDiffer checks that seed, name and key each choose another stream,
// and that going back to a key repeats it.
func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(20) {
		for _, name := range []string{"", "a", "b", "ab", "ba", "value", "bid"} {
			r := New(seed, name)
			for key := range uint64(50) {
				r.Key(key)
				v := r.Uint64()
				r.Norm()
				if was, ok := seen[v]; ok {
					t.Fatalf("seed %d, %q, key %d repeats %s", seed, name, key, was)
				}
				seen[v] = name
				if Stream(seed, name, key).Uint64() != v {
					t.Fatal("Key and Stream disagree")
				}
			}
		}
	}
}

// TestKeysIndependent: the first draws over consecutive keys, as consecutive
// jobs make them, are uniform and uncorrelated.
func TestKeysIndependent(t *testing.T) {
	const n = 200_000
	r := New(7, "value")
	u := make([]float64, n)
	for k := range u {
		r.Key(uint64(k))
		u[k] = r.Float64()
	}
	var lag float64
	for k := 1; k < n; k++ {
		lag += (u[k] - 0.5) * (u[k-1] - 0.5)
	}
	if c := lag / n * 12; math.Abs(c) > 4/math.Sqrt(n) {
		t.Errorf("correlation %v between neighbours", c)
	}
	if d := ks(u, func(x float64) float64 { return x }); d > 1.95/math.Sqrt(n) {
		t.Errorf("Kolmogorov-Smirnov distance %v from uniform", d)
	}
}

// ks is the Kolmogorov-Smirnov distance of a sample from a distribution; beyond
// 1.95/sqrt(n) it has probability 0.001.
func ks(sample []float64, cdf func(float64) float64) (d float64) {
	sort.Float64s(sample)
	n := float64(len(sample))
	for i, x := range sample {
		p := cdf(x)
		d = max(d, p-float64(i)/n, float64(i+1)/n-p)
	}
	return d
}

func TestDistributions(t *testing.T) {
	const n = 100_000
	sample := make([]float64, n)
	check := func(name string, draw func() float64, cdf func(float64) float64) {
		for i := range sample {
			sample[i] = draw()
		}
		if d := ks(sample, cdf); d > 1.95/math.Sqrt(n) {
			t.Errorf("%s: Kolmogorov-Smirnov distance %v", name, d)
		}
	}
	check("normal", New(1, "n").Norm, distuv.UnitNormal.CDF)
	for _, p := range [][2]float64{{0.4, 2}, {1, 1}, {6.57, 0.823}, {639.1, 0.0156}, {312, 0.03}} {
		r := New(2, "g")
		check("gamma", func() float64 { return r.Gamma(p[0], p[1]) }, distuv.Gamma{Alpha: p[0], Beta: 1 / p[1]}.CDF)
	}
}

func TestLogExp(t *testing.T) {
	r := New(3, "x")
	for range 1_000_000 {
		x := 1400*r.Float64() - 700
		want := math.Exp(x)
		if got := Exp(x); math.Abs(got-want) > 4e-16*want {
			t.Fatalf("Exp(%v) = %v, want %v", x, got, want)
		}
		if got := Log(want); math.Abs(got-math.Log(want)) > 4e-16*math.Abs(got) {
			t.Fatalf("Log(%v) = %v, want %v", want, got, math.Log(want))
		}
	}
}

// TestNothingFused compiles the package for a machine with fused multiply-add
// and looks for one: that would round otherwise than a machine without.
func TestNothingFused(t *testing.T) {
	cmd := exec.Command("go", "build", "-gcflags=-S", "-o", os.DevNull, ".")
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	listing, err := cmd.CombinedOutput()
	if err != nil {
		t.Skipf("cannot compile for arm64: %v", err)
	}
	if !regexp.MustCompile(`\sFMULD\s`).Match(listing) {
		t.Fatal("no floating-point product in the listing: is this test looking at the right thing?")
	}
	if fused := regexp.MustCompile(`.*\sFN?M(ADD|SUB)D\s.*`).FindAll(listing, 3); fused != nil {
		t.Errorf("fused operations:\n%s", bytes.Join(fused, []byte("\n")))
	}
}

func TestKeyDoesNotAllocate(t *testing.T) {
	r := New(1, "value")
	if n := testing.AllocsPerRun(100, func() { r.Key(9); r.Norm() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
