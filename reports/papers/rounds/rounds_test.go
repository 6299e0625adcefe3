package rounds

import (
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/reports/papers"
	"bourse/reports/table"
	"bourse/traces/tracetest"
)

func newTest(jobs ...job) *run {
	s := speeds{kind{"LM", 80, 1}.String(): 1, kind{"LM", 80, 2}.String(): 3, kind{"ResNet-18", 128, 1}.String(): 100,
		kind{"ResNet-18", 256, 1}.String(): 60, kind{"LM", 40, 1}.String(): 7}
	r, err := newRun(jobs, s)
	if err != nil {
		panic(err)
	}
	return r
}

// TestRounds follows two jobs worked out by hand. The first does 120 steps, waits, and in its next round loses 20 of 120 s;
// a short round costs it nothing.
func TestRounds(t *testing.T) {
	r := newTest(job{model: "LM", batch: 80, steps: 320, devices: 1, mode: "static", duration: 1000},
		job{model: "LM", batch: 80, steps: 700, devices: 2, mode: "gns", duration: 1000, submit: 100})
	for _, in := range [][]int{{0}, {1}, {0, 1}, {0}} {
		r.round(in)
	}
	a, b := r.jobs[0], r.jobs[1]
	// Its 360 steps of the first round are 300; then 360 more of 400 left, and 40 in a third. The first job does 120, 100 of
	// 120, and 100.
	if a.run != 320 || a.end != 460 || a.held != 320 {
		t.Errorf("the first has done %d steps in %g s and ends at %g", a.run, a.held, a.end)
	}
	if b.run != 660 || !math.IsNaN(b.end) || b.held != 220 {
		t.Errorf("the second has done %d steps in %g s and ends at %g", b.run, b.held, b.end)
	}
	r.round([]int{1})
	if b.end != 460+40./3 {
		t.Errorf("the second ends at %g, want %g", b.end, 460+40./3)
	}
	got, sum, err := replay(context.Background(), r, []float64{0, 120, 240, 360, 460}, [][]int{{0}, {1}, {0, 1}, {0}, {1}})
	if err != nil || math.Abs(got[0]-a.end) > 1e-5 || math.Abs(got[1]-b.end) > 1e-5 || sum.Preemptions != 2 {
		t.Errorf("the engine has %v, %d preemptions, %v", got, sum.Preemptions, err)
	}
}

// TestBatch: Accordion takes the largest batch size when the first ten epochs are over, at the end of the round after that
// in which they are, and a job that runs for 1.5 times its planned time is ended.
func TestBatch(t *testing.T) {
	r := newTest(job{model: "ResNet-18", batch: 128, steps: 20_000, devices: 1, mode: "accordion", duration: 140})
	x := r.jobs[0]
	r.round([]int{0})
	if x.run != 12_000 || !x.grows || x.batch != 128 { // 391 steps an epoch: the 31st
		t.Fatalf("%d steps, batch size %d, to grow %v", x.run, x.batch, x.grows)
	}
	r.round([]int{0})
	if math.IsNaN(x.end) {
		t.Errorf("it has held a device for %g s of at most 210 and goes on", x.held)
	}
	if y := newTest(job{model: "LM", batch: 40, steps: 1000, devices: 1, mode: "gns"}).jobs[0]; y.gns(10) != 40 || y.gns(11) != 80 {
		t.Errorf("batch sizes %d and %d under GNS", y.gns(10), y.gns(11))
	}
	// Steps of epochs begun count as done: 300 are one epoch of 391, 392 are two, of 196 each from then on.
	z := &training{job: &job{model: "ResNet-18", batch: 128, devices: 1, mode: "accordion"}, batch: 128, run: 300, total: 392,
		grows: true}
	z.rescale(r.speeds)
	if z.batch != 256 || z.run != 196 || z.total != 392 {
		t.Errorf("batch size %d, %d of %d steps; want 256, 196 of 392", z.batch, z.run, z.total)
	}
}

// TestWithoutWork: a job with no step to do in five rounds in a row is ended.
func TestWithoutWork(t *testing.T) {
	r := newTest(job{model: "LM", batch: 80, steps: 10, devices: 1, mode: "static", duration: 1000},
		job{model: "LM", batch: 80, steps: 1e6, devices: 1, mode: "static", duration: 1e6})
	r.jobs[0].run = 11
	for range 5 {
		r.round([]int{0, 1})
	}
	if r.jobs[0].end != 480 {
		t.Errorf("it ends at %g", r.jobs[0].end)
	}
}

const line = "LM (batch size 80)\tc\td\t-n\t1\t320\t1\tstatic\t1\t-1\t1000\t0"

// files are inputs of our own: one job of 320 steps in three rounds.
func files(t *testing.T, jobs, runs string) Options {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return Options{Runs: write("runs.json", runs), Jobs: write("jobs.trace", jobs),
		Speeds: write("speeds.json", `{"v100": {"('LM (batch size 80)', 1)": {"null": 1, "other": [1, 2]}}}`)}
}

const published1 = `{"a__fifo_simulation": {"makespan": 320, "jct_list": [320], "finish_time_fairness_themis_list": [1],
"cluster_util": 0.03125, "time_per_iteration": 120, "per_round_schedule": [{"0": [4]}, {"0": [4]}, {"0": [4]}]}}`

func study1(o Options) (*papers.Study, string, error) {
	var out strings.Builder
	report, err := papers.NewStudy(table.Output{W: &out}, "")
	if err != nil {
		return nil, "", err
	}
	err = Run(context.Background(), report, o)
	return report, out.String(), err
}

// TestStudy: a run of our own is reproduced, and faults of the inputs are named.
func TestStudy(t *testing.T) {
	report, text, err := study1(files(t, line+"\n", published1))
	if err != nil || !strings.Contains(text, "1 of 1 completion times are the published ones to a microsecond") {
		t.Fatalf("%v\n%s", err, text)
	}
	if n := report.Counted(); n[papers.Holds] != 2 || n[papers.OfTheCode] != 1 {
		t.Errorf("verdicts %v\n%s", n, text)
	}
	for name, c := range map[string]struct{ jobs, runs, want string }{
		"no such model": {"X (batch size 80)" + line[18:] + "\n", published1, `line 1: the kind "X (batch size 80)"`},
		"no steps":      {strings.Replace(line, "320", "0", 1) + "\n", published1, `field 6 is "0"`},
		"fields":        {"LM\n" + line + "\n", published1, "line 1: 1 fields; want 12"},
		"more jobs":     {line + "\n" + line + "\n", published1, "2 jobs; the runs have 1"},
		"no speed":      {strings.Replace(line, "size 80", "size 40", 1) + "\n", published1, "there is no speed of job 0"},
		"rounds":        {line + "\n", strings.Replace(published1, "120", "360", 1), "no schedule of rounds of 120 s"},
		"not complete":  {strings.Replace(line, "320", "500", 1) + "\n", published1, "job 0 is not complete after its last round"},
		"complete":      {strings.Replace(line, "320", "20", 1) + "\n", published1, "in round 1 job 0 is on 1 devices"},
		"devices":       {line + "\n", strings.Replace(published1, "[4]", "[4, 5]", 1), "in round 0 job 0 is on 2 devices"},
		"no job":        {line + "\n", strings.Replace(published1, `"0": [4]`, `"7": [4]`, 1), `has a job "7"; want 0 to 0`},
	} {
		if _, _, err := study1(files(t, c.jobs, c.runs)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
}

// TestPublished replays the nine published runs. Where the file of the jobs is whole, all completion times are equal; where
// it has a part, those are of jobs that were alone with others of it.
func TestPublished(t *testing.T) {
	dir := tracetest.Shared(t, "data/world/rounds")
	found, _ := filepath.Glob(filepath.Join(dir, "scheduler/traces/reproduce/120_*.trace"))
	if len(found) != 1 {
		t.Skip("the jobs of the published runs are not there")
	}
	o := Options{Runs: filepath.Join(dir, "results.json.gz"), Speeds: filepath.Join(dir, "tacc_throughputs.json.gz"),
		Jobs: found[0]}
	jobs, _, err := trace(o.Jobs)
	if err != nil {
		t.Fatal(err)
	}
	report, err := papers.NewStudy(table.Output{W: io.Discard}, "")
	if err != nil {
		t.Fatal(err)
	}
	s := &study{Study: report, Options: o, ctx: context.Background()}
	if err := s.read(); err != nil {
		t.Fatal(err)
	}
	equal := 0
	for _, name := range s.names {
		got, err := s.follow(name)
		if err != nil {
			t.Fatal(err)
		}
		equal += got.equal
		if got.audited > 1e-3 {
			t.Errorf("%s: the engine's replay differs by %g s", name, got.audited)
		}
	}
	want := map[int]int{120: 9 * 120, 62: 114}[len(jobs)]
	if equal != want {
		t.Errorf("%d completion times of %d jobs in 9 runs are the published ones, want %d", equal, len(jobs), want)
	}
}
