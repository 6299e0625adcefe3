package multiresource

import (
	"bytes"
	"compress/gzip"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/traces/tracetest"
)

// trace writes a small trace in the layout of the real one.
func trace(t *testing.T, machines, tasks string, cut int) string {
	t.Helper()
	dir := t.TempDir()
	for table, text := range map[string]string{"machine_events": machines, "task_events": tasks} {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		w.Close()
		packed := b.Bytes()
		if table == "task_events" {
			packed = packed[:len(packed)-cut]
		}
		if err := os.MkdirAll(filepath.Join(dir, table), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, table, "part-00000-of-00001.csv.gz"), packed, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	machines = "0,1,0,p,0.5,0.25\n0,2,0,p,1,1\n0,3,0,p,,\n7,4,0,p,1,1\n0,1,1,p,1,1\n"
	tasks    = "0,2,10,0,5,0,u,3,9,0.5,0.25,0,0\n" + // job 10: CPU as recorded
		"0,,10,1,5,0,u,3,9,0.1,0.9,0,0\n" + // its second task: memory
		"0,,10,1,5,1,u,3,9,0.1,0.9,0,0\n" + // scheduled: no vector
		"5,,10,1,5,0,u,3,9,0.1,0.9,0,0\n" + // submitted again
		"5,,11,0,5,0,u,3,9,,,,\n" + // no demands
		"5,,11,1,5,0,u,3,9,0.2,0,0,0\n" + // a zero
		"6,,11,2,5,0,u,3,9,0.25,0.2,0,1\n"
)

func TestReadGoogle(t *testing.T) {
	g, err := readGoogle(context.Background(), trace(t, machines, tasks, 0))
	if err != nil {
		t.Fatal(err)
	}
	if g.totals != [2]float64{1.5, 1.25} || g.submits != 4 || g.without != 2 || g.parts != 1 {
		t.Errorf("%+v", g)
	}
	for k, want := range []int{2, 3, 4, 3} {
		if len(g.pools[k]) != want {
			t.Errorf("pool %s has %v, want %d vectors", Pools[k], g.pools[k], want)
		}
	}
	// Divided by the totals, job 11 has .1667 of CPU and .16 of memory.
	if a, b := cpuShare(g.pools[1], [2]float64{1, 1}), cpuShare(g.pools[1], g.totals); a != 2./3 || b != 2./3 {
		t.Errorf("CPU-dominant: %v and %v", a, b)
	}
	d, err := demands(g.pools[0], g.totals)
	if err != nil || d[0][0] != 1 || math.Abs(d[0][1]-.6) > 1e-12 {
		t.Errorf("demands %v, %v", d, err)
	}
}

func TestBadGoogle(t *testing.T) {
	for _, c := range []struct {
		name, machines, tasks string
		cut                   int
		want                  string
	}{
		{"fields", machines, "1,2,3\n", 0, "part-00000-of-00001.csv.gz:1: 3 columns, task_events has 13"},
		{"CPU", machines, tasks + "0,2,10,0,5,0,u,3,9,x,0.25,0,0\n", 0,
			`csv.gz:8: a request that is not a number: "0,2,10,0,5,0,u,3,9,x`},
		{"negative", machines, tasks + "0,2,10,0,5,0,u,3,9,1,-1,0,0\n", 0,
			`csv.gz:8: a request that is not a number: "0,2,10,0,5,0,u,3,9,1,-1,`},
		{"large", machines, tasks + "0,2,10,0,5,0,u,3,9,1,1e7,0,0\n", 0, "csv.gz:8: CPU 1 and memory 1e+07; want fractions"},
		{"job", machines, "0,2,j,0,5,0,u,3,9,1,1,0,0\n", 0,
			`csv.gz:1: a field that should be a whole number is not: "0,2,j,`},
		{"truncated", machines, strings.Repeat(tasks, 1000), 12, "the gzip data end early"},
		{"no machines", "9,1,0,p,1,1\n", tasks, 0, "no machines are added at time 0"},
		{"no demands", machines, "5,,11,0,5,0,u,3,9,,,,\n", 0, "no task was submitted with demands"},
	} {
		if _, err := readGoogle(context.Background(), trace(t, c.machines, c.tasks, c.cut)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := readGoogle(context.Background(), t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "there is no machine_events") {
		t.Errorf("an empty directory: %v", err)
	}
}

// googleShares are the CPU-dominant shares that an independent program counted on the
// same parts, 0 to 13: as recorded, and divided by the totals.
var googleShares = [4][2]float64{{.71, .68}, {.53, .50}, {.54, .46}, {.66, .62}}

// TestLongRealGoogle counts CPU-dominant vectors in the first 14 parts of the real
// trace, against counts made by another program.
func TestLongRealGoogle(t *testing.T) {
	tracetest.Long(t)
	g, err := readGoogle(context.Background(), tracetest.Shared(t, "data/google2011"))
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(g.totals[0]-6603.25) > .005 || math.Abs(g.totals[1]-5862.75) > .005 {
		t.Errorf("totals %v", g.totals)
	}
	for k := range Pools {
		for i, totals := range [][2]float64{{1, 1}, g.totals} {
			if got := cpuShare(g.pools[k], totals); math.Abs(got-googleShares[k][i]) > .005 {
				t.Errorf("pool %s: %.4f CPU-dominant, counted before %.2f", Pools[k], got, googleShares[k][i])
			}
		}
	}
}
