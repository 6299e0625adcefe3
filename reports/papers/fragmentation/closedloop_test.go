package fragmentation

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/gpus"
	"bourse/traces"
	"bourse/traces/tracetest"
)

// leaving is a folder of three machines and pods of all sizes that leave, a service, one that
// never ran and one that no machine holds.
func leaving(t *testing.T) string {
	dir := small(t)
	for name, text := range map[string]string{
		nodeFile: "sn,cpu_milli,memory_mib,gpu,model\nb,8000,1000,2,T4\na,16000,1000,4,V100\nc,16000,1000,4,V100\n",
		"openb_pod_list_default.csv": "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,creation_time,deletion_time,scheduled_time\n" +
			"p1,1000,10,1,500,,BE,0,4000,400\np2,1000,10,1,1000,,LS,0,3600,0\np3,1000,10,4,1000,,LS,0,3600,0\np4,100,10,0,0,,LS,0,600,0\n" +
			"p5,1000,10,1,1000,V100,LS,0,86400,0\np6,1000,10,1,1000,T4,LS,0,900,\np7,1000,10,4,1000,T4,LS,0,900,0\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func loaded(t *testing.T, dir string) *data {
	t.Helper()
	d, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestFlowing wants pods that leave, services and pods that fit nowhere told apart.
func TestFlowing(t *testing.T) {
	d := loaded(t, leaving(t))
	f := d.workloads[0].flowing(d.nodes)
	if len(f.leave) != 4 || len(f.stay) != 1 || f.tooLarge != 1 {
		t.Fatalf("%d pods leave, %d stay, %d are too large: want 4, 1, 1", len(f.leave), len(f.stay), f.tooLarge)
	}
	// 1800, 3600, 14400 and no GPU-seconds, and the service's 86400.
	if f.each != 19800./4 || math.Abs(f.part-19800./106200) > 1e-12 {
		t.Errorf("%g GPU-seconds each, %g of all: want 4950 and .1864", f.each, f.part)
	}
	if p := f.leave[0]; p.Run != 3600*events.Second || p.GPU != .5 || p.Priority != 0 || f.leave[1].Priority != 1 ||
		f.stay[0].Model == traces.NoLabel {
		t.Errorf("pods %+v %+v", f.leave, f.stay)
	}
}

// TestOffering wants as much GPU time asked for as is to be, services first, and the same
// pods of the same seed at any load.
func TestOffering(t *testing.T) {
	d := loaded(t, leaving(t))
	f := d.workloads[0].flowing(d.nodes)
	jobs := func(gpu, stay float64, seed uint64) []traces.Job {
		return tracetest.Collect(t, f.offering(gpu, stay, seed))
	}
	list := jobs(50, 0, 1)
	sum, last := 0.0, events.Time(0)
	for _, j := range list {
		sum += j.GPU * j.Run.Seconds()
		if j.Submit < last || j.Submit >= end {
			t.Fatalf("a pod at %v after one at %v", j.Submit, last)
		}
		last = j.Submit
	}
	// The deviation of the sum is that of a compound Poisson process, here 2.7 %.
	if asked := sum / end.Seconds(); math.Abs(asked-50) > 4 {
		t.Errorf("%g GPUs are asked for, want 50", asked)
	}
	for _, other := range [][]traces.Job{jobs(100, 0, 1), jobs(50, 0, 2)} {
		same := 0
		for i := range 100 {
			if other[i].Run == list[i].Run && other[i].GPU == list[i].GPU {
				same++
			}
		}
		if twice := len(other) > len(list)*3/2; twice != (same == 100) {
			t.Errorf("%d of 100 pods are the same, of %d and %d", same, len(other), len(list))
		}
	}
	list = jobs(50, 2.5, 1)
	if list[2].Submit != 0 || list[2].Run < end || list[3].Submit == 0 || list[3].Run >= longest {
		t.Errorf("three services are to come first: %+v", list[:4])
	}
}

// TestWatch wants what comes before the warm-up, and samples after the end, left out.
func TestWatch(t *testing.T) {
	w := &watch{gpu: 10}
	add := func(at events.Time, gpu float64, wait, run events.Time) {
		j := traces.UnknownJob
		j.Submit, j.GPU, j.Run = at, gpu, run
		if err := w.Record(&engine.Outcome{Job: j, End: at + wait + run, Value: 1, Size: 2, Payment: 30}); err != nil {
			t.Fatal(err)
		}
	}
	add(warm-1, 8, hour, hour)
	add(warm, 8, hour, hour)
	add(warm, 1, 0, hour)
	add(warm, .5, 90*events.Second, 10*events.Second)
	add(warm, 0, 0, hour)
	for _, s := range []engine.Sample{{Time: 0, Use: policies.Amount{GPU: 9}, Fragments: 9},
		{Time: warm + hour, Use: policies.Amount{GPU: 5}, Fragments: 2}, {Time: end + hour}} {
		if err := w.Sample(&s); err != nil {
			t.Fatal(err)
		}
	}
	hours := (end - warm).Seconds() / 3600
	m := w.figures(7)
	want := measured{meanWait: 3690. / 4, slowdown: (2. + 1 + 10 + 1) / 4, waitShare: 90, waitSeveral: 1,
		inUse: 10 * (9 + 5*(hours-1)) / hours,
		ofAll: 10 * (9 + 2*(hours-1)) / hours, ofFree: 100 * (9 + 2*(hours-1)) / (1 + 5*(hours-1)),
		partSeveral: 360000. / 3690, preempted: 7,
		paid: 100 * 120. / (2 * (7200 + 3600 + 100 + 3600))}
	for i, want := range want {
		if math.Abs(m[i]-want) > 1e-9 {
			t.Errorf("%s is %g, want %g", noted[i].column, m[i], want)
		}
	}
}

func TestRankCorrelation(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 9}, []float64{3, 4, 5}, 1}, {[]float64{1, 2, 9}, []float64{5, 4, 3}, -1},
		{[]float64{1, 2, 3}, []float64{7, 7, 7}, 0},
		{[]float64{1, 2, 3, 4}, []float64{1, 3, 2, 4}, .8}, {[]float64{1, 1, 2}, []float64{1, 2, 3}, math.Sqrt(3) / 2},
	} {
		if got := rankCorrelation(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("of %v and %v: %g, want %g", c.a, c.b, got, c.want)
		}
	}
}

// TestClosedLoop wants the same files for any number of workers, with services, priorities
// and bids, and an error where nobody leaves.
func TestClosedLoop(t *testing.T) {
	dir := leaving(t)
	if err := made(io.Discard, "", Options{Data: small(t), Seeds: 2,
		ClosedLoop: true}); err == nil ||
		!strings.Contains(err.Error(), "no pods that ran") {
		t.Errorf("pods without run times: %v", err)
	}
	var kept [2][3][]byte
	for i, workers := range []int{1, 4} {
		out := t.TempDir()
		if err := made(io.Discard, out, Options{Data: dir, Seeds: 2, ClosedLoop: true, Workers: workers}); err != nil {
			t.Fatal(err)
		}
		for k, name := range []string{"report.txt", "closed-loop.csv", "claims.csv"} {
			text, err := os.ReadFile(filepath.Join(out, name))
			if err != nil {
				t.Fatal(err)
			}
			kept[i][k] = text
		}
	}
	for k := range kept[0] {
		if !bytes.Equal(kept[0][k], kept[1][k]) {
			t.Errorf("with one worker and with four:\n%s\n%s", kept[0][k], kept[1][k])
		}
	}
	if rows := bytes.Count(kept[0][1], []byte("\n")); rows != 1+9*len(rules)*2 {
		t.Errorf("%d rows, want one a run, of nine cells, and a heading", rows)
	}
	if report := string(kept[0][0]); !strings.Contains(report, "fcfs at load 0.9, services") ||
		!strings.Contains(report, "Left out of default: 1 pod") || !strings.Contains(report, "paid (% of cost)") {
		t.Errorf("report:\n%s", report)
	}
}

// TestRulesDiffer wants what the study finds on the data: pods of several GPUs wait longer
// where jobs are spread, and gradient descent leaves fewer fragments than best fit.
func TestRulesDiffer(t *testing.T) {
	d := loaded(t, tracetest.Shared(t, "data/gpu/openb"))
	c, err := newClosed(&study{data: d, Options: Options{Every: 16}})
	if err != nil {
		t.Fatal(err)
	}
	of := func(rule gpus.Rule) measured {
		m, err := c.run(context.Background(), c.cellOf(fcfs, .9), rule, 1)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	worst, best, fgd := of(gpus.Worst), of(gpus.Best), of(gpus.Gradient)
	if worst[waitSeveral] < 2*best[waitSeveral] || fgd[ofAll] > best[ofAll]-1 || worst[ofAll] < best[ofAll]+1 {
		t.Errorf("worst %v\nbest %v\nfgd %v", worst, best, fgd)
	}
	// Services take half of what is asked for, and add nothing.
	services, err := c.run(context.Background(), c.cells[len(c.cells)-1], gpus.Best, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []measured{best, services} {
		if math.Abs(m[inUse]-90) > 6 {
			t.Errorf("%g %% of the GPUs are in use, 90 %% are asked for", m[inUse])
		}
	}
}
