package inspect

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/reports/table"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
)

// profiled profiles a trace by its specification.
func profiled(t *testing.T, spec string) *Profile {
	t.Helper()
	src, err := formats.Open(spec, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close(src)
	p, err := Profiled(src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// compared returns the words of each line of a comparison.
func compared(t *testing.T, a, b *Profile) map[string][]string {
	t.Helper()
	var out strings.Builder
	if err := table.Print(&out, a.Compare(b)); err != nil {
		t.Fatal(err)
	}
	lines, name := map[string][]string{}, ""
	for line := range strings.Lines(out.String()) {
		if f := strings.Fields(line); len(f) > 1 {
			if line[0] != ' ' {
				name = f[0]
			}
			lines[name+" "+f[0]+" "+f[1]] = f
		}
	}
	return lines
}

// TestLawDistance compares with distribution functions counted out, of small values,
// each of which has a bucket of its own.
func TestLawDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SliceOfN(rapid.Int64Range(0, 12), 1, 40)
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		var h, g histogram
		for _, v := range a {
			h.add(v)
		}
		for _, v := range b {
			g.add(v)
		}
		below := func(list []int64, v int64) float64 {
			n := 0
			for _, x := range list {
				if x <= v {
					n++
				}
			}
			return float64(n) / float64(len(list))
		}
		want := 0.0
		for _, v := range slices.Concat(a, b) {
			want = max(want, math.Abs(below(a, v)-below(b, v)))
		}
		if got := h.distance(&g); math.Abs(got-want) > 1e-12 || math.Abs(got-g.distance(&h)) > 1e-12 {
			t.Fatalf("distance %v, want %v", got, want)
		}
	})
}

// TestCompareSelf: a trace is like itself in everything, and has all of its rows.
func TestCompareSelf(t *testing.T) {
	dir := tracetest.GoogleTrace(t, "0,7,0,x,0.5,0.25\n", tracetest.GoogleEvents("700 1 0 0", "700 1 1 0", "710 1 0 1",
		"711 1 1 1", "720 2 0 0", "725 1 0 2", "725 1 0 0", "730 1 0 1", "800 1 0 4", "900 1 1 5", "950 2 0 5"))
	p := profiled(t, dir)
	lines := compared(t, p, profiled(t, dir))
	for name, want := range map[string]string{
		"tasks tasks a":        "tasks a job A 2 1 1 1 2 2 1.5",
		"run run time":         "run time A 2 1m10s 1m10s 1m10s 3m09s 3m09s 2m09s",
		"attempts attempts A":  "attempts A 2 1 1 1 2 2 1.5",
		"attempts B/A 1":       "B/A 1 1 1 1 1 1 1 0.000",
		"all all 3.667":        "all 3.667 3.667 1",
		"evict evict 0.3333":   "evict 0.3333 0.3333 1",
		"status status failed": "",
		"users, users, the":    "users, the 100 with most 100.0 % 100.0 % +0.0",
	} {
		if got := strings.Join(lines[name], " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestCompareLogs: a log against itself at half the pace and twice the run times.
func TestCompareLogs(t *testing.T) {
	const head = "; MaxProcs: 8\n"
	var a, b strings.Builder
	for i := range 100 {
		line := func(out *strings.Builder, submit, run, procs, user int) {
			fmt.Fprintf(out, "%d %d 5 %d %d -1 -1 %d -1 -1 1 %d -1 -1 -1 -1 -1 -1\n", i+1, submit, run, procs, procs, user)
		}
		line(&a, 10*i, 100+i%10, 4, i%4)
		line(&b, 20*i, 200+2*(i%10), 2, i%2)
	}
	log := func(name, text string) *Profile {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return profiled(t, path)
	}
	lines := compared(t, log("a.swf", head+a.String()), log("b.swf", head+b.String()))
	for name, want := range map[string]string{
		"between B/A 1":           "B/A 1 2 2 2 2 2 2 1.000",
		"run B/A 1":               "B/A 1 2 2 2 2 2 2 1.000",
		"processors B/A 1":        "B/A 1 0.5 0.5 0.5 0.5 0.5 0.5 1.000",
		"recorded B/A 1":          "B/A 1 1 1 1 1 1 1 0.000",
		"requested A 100":         "",
		"status status completed": "status completed 100.0 % 100.0 % +0.0",
	} {
		if got := strings.Join(lines[name], " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestLongProfileReal: the parts of the real trace hold what is known of them.
func TestLongProfileReal(t *testing.T) {
	tracetest.Long(t)
	p := profiled(t, tracetest.Shared(t, "data/google2011"))
	if len(p.tasks) != 15_218 || p.distributions[distGap].count != 15_217 || p.priorities[2] < 280_000 ||
		total(p.Rows.Rows[:]) != 2_609_335 {
		t.Errorf("%d jobs, %d gaps, %d of priority 2, %d rows", len(p.tasks), p.distributions[distGap].count, p.priorities[2],
			total(p.Rows.Rows[:]))
	}
}
