package dynamicsharing

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/events"
	"bourse/traces/rng"
	"bourse/traces/tracetest"
)

// trace writes task events in the layout of the real trace.
func trace(t *testing.T, tasks string) string {
	t.Helper()
	dir := t.TempDir()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(tasks)); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if err := os.MkdirAll(filepath.Join(dir, "task_events"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "task_events", "part-00000-of-00001.csv.gz"), b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// event is one line, its time in seconds after the trace's beginning.
func event(seconds int, job, task int, kind int, user, cpu string) string {
	at := (seconds + 600) * 1_000_000
	if seconds < 0 {
		at = 0
	}
	return fmt.Sprintf("%d,,%d,%d,5,%d,%s,3,9,%s,0.1,0,0\n", at, job, task, kind, user, cpu)
}

// life is a task of user u that is there before the trace begins, waits until 50
// s, asks for less from 100 s on and is evicted at 150; one of v; one without CPU;
// and one that was never submitted in the parts.
func life() string {
	return event(-1, 1, 0, 0, "u", "0.5") + event(-1, 3, 0, 0, "w", "") +
		event(50, 1, 0, 1, "u", "0.5") + event(50, 2, 0, 0, "v", "0.25") + event(75, 2, 0, 1, "v", "") +
		event(100, 1, 0, 8, "u", "0.3") + event(120, 9, 1, 1, "v", "1") +
		event(150, 1, 0, 2, "u", "0.3") + event(160, 1, 0, 4, "u", "") + event(250, 2, 0, 6, "v", "")
}

func TestReadGoogle(t *testing.T) {
	for _, c := range []struct {
		running bool
		want    [][2]float64 // by round of 100 s: u, v
	}{
		{false, [][2]float64{{.5, .125}, {.15, 1.05}}},
		{true, [][2]float64{{.25, .0625}, {.15, 1.05}}},
	} {
		all, g, err := readGoogle(context.Background(), trace(t, life()), []events.Time{100 * events.Second}, c.running)
		if err != nil {
			t.Fatal(err)
		}
		x := all[0]
		if g.submits != 3 || g.without != 1 || g.unseen != 1 || x.agents != 2 || len(x.rounds) != 2 {
			t.Errorf("%+v: %d agents, %d rounds", g, x.agents, len(x.rounds))
		}
		for r, row := range x.rounds {
			var got [2]float64
			for _, d := range row {
				got[d.agent] = d.demand
			}
			for i := range got {
				if math.Abs(got[i]-c.want[r][i]) > 1e-12 {
					t.Errorf("running %v, round %d: %v, want %v", c.running, r+1, got, c.want[r])
				}
			}
		}
	}
}

func TestBadGoogle(t *testing.T) {
	for _, c := range []struct{ tasks, want string }{
		{"1,2,3\n", "csv.gz:1: 3 columns, task_events has 13"},
		{"x,,1,1,5,0,u,3,9,1,1,0,0\n", `csv.gz:1: a field that should be a whole number is not: "x,`},
		{event(1, 1, 1, 0, "u", "1") + event(0, 1, 1, 1, "u", "1"), "csv.gz:2: time 600000000 follows 601000000"},
		{"1,,j,1,5,0,u,3,9,1,1,0,0\n", `should be a whole number is not: "1,,j,`},
		{"1,,1,j,5,0,u,3,9,1,1,0,0\n", `should be a whole number is not: "1,,1,j,`},
		{event(1, 1, 1, 9, "u", "1"), "event type 9; want 0 to 8"},
		{event(1, 1, 1, 10, "u", "1"), "event type 10; want 0 to 8"},
		{event(1, 1, 1, 0, "u", "-1"), "csv.gz:1: a request that is not a number"},
		{event(1, 1, 1, 0, "u", "1e7"), "csv.gz:1: CPU is 1e+07; want a fraction"},
		{event(1, 1, 1, 0, "u", "1"), "0 users in 0 rounds of 100s; want at least 2 users"},
	} {
		if _, _, err := readGoogle(context.Background(), trace(t, c.tasks), []events.Time{100 * events.Second}, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.tasks, err, c.want)
		}
	}
}

func TestRules(t *testing.T) {
	x := &instance{agents: 3, rounds: [][]entry{{{0, 4}, {2, 1}}, {{0, 2}}}}
	x.trim("demands", events.Second) // nobody is agent 1
	for k, want := range [][]float64{{3, .5}, {1.75, 1.75}, {3, 1}} {
		if got := rules[k].endow(x); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", rules[k].name, got, want)
		}
	}
}

// TestRandomInstances wants the drawn demands to have the endowments as means.
func TestRandomInstances(t *testing.T) {
	stream := rng.New(1, "test")
	ratio, n := 0.0, 0.0
	for k := range 20 {
		stream.Key(uint64(k))
		x := random(stream)
		if x.agents < 2 || x.agents > 100 || len(x.rounds) < 10 || len(x.rounds) > 1000 {
			t.Errorf("%d agents, %d rounds", x.agents, len(x.rounds))
		}
		for i, m := range x.meanDemand() {
			ratio += m / x.endow[i] * float64(len(x.rounds))
			n += float64(len(x.rounds))
		}
	}
	if math.Abs(ratio/n-1) > .01 {
		t.Errorf("demands are %.3f of the endowments on average", ratio/n)
	}
}

// TestStudyOfWorkers wants the same report from any number of workers, without
// traces and with a small one.
func TestStudyOfWorkers(t *testing.T) {
	var tasks strings.Builder
	for i := range 40 {
		for _, kind := range []int{0, 1} {
			tasks.WriteString(event(i*600, i, 0, kind, []string{"u", "v", "w"}[i%3], fmt.Sprintf("0.%d", i%7+1)))
		}
		if i >= 3 {
			tasks.WriteString(event(i*600, i-3, 0, 4, []string{"u", "v", "w"}[i%3], ""))
		}
	}
	for _, google := range []string{"", trace(t, tasks.String())} {
		var reports [2]bytes.Buffer
		for k := range reports {
			if err := Run(context.Background(), &reports[k], Options{Instances: 3, Lies: 20, Seed: 1, Google: google, Workers: k + 1}); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(reports[0].Bytes(), reports[1].Bytes()) {
			t.Error("one worker and two report different things")
		}
		claims := "15 claims: "
		if google != "" {
			claims = "33 claims: "
		}
		if !strings.Contains(reports[0].String(), claims) {
			t.Errorf("the report should have %s\n%s", claims, &reports[0])
		}
	}
	if err := Run(context.Background(), io.Discard, Options{Instances: 1}); err == nil {
		t.Error("one instance gives no interval")
	}
	if err := Run(context.Background(), io.Discard, Options{Instances: 2, Logs: []string{"none.swf"}}); err == nil {
		t.Error("a missing log should be told")
	}
}

// TestRealGoogle keeps the measured comparison: on the first 14 parts, users'
// demands hardly change, so that there is less to lend than in the paper.
func TestRealGoogle(t *testing.T) {
	if testing.Short() {
		t.Skip("reads some 30 MB")
	}
	all, _, err := readGoogle(context.Background(), tracetest.Shared(t, "data/google2011"), lengths, false)
	if err != nil {
		t.Fatal(err)
	}
	if all[0].agents != 556 || len(all[0].rounds) != 233 {
		t.Errorf("%d agents, %d rounds", all[0].agents, len(all[0].rounds))
	}
	outs, err := runAll(context.Background(), 0, all[:1], rules[0])
	if err != nil {
		t.Fatal(err)
	}
	if x := outs[0].ofSMM(flexible); math.Abs(x-.995) > .0005 {
		t.Errorf("FL has %.4f of SMM's welfare", x)
	}
	if x := outs[0].indices(flexible); math.Abs(x.mean-3.816) > .0005 || math.Abs(x.least()-.998) > .0005 {
		t.Errorf("sharing index %.4f on average, %.4f at least", x.mean, x.least())
	}
}
