package scenario

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies/catalog"
	"bourse/traces"
)

// drawJobs draws jobs whose times are whole hours. Some take longer than they ask for if late.
func drawJobs(t *rapid.T, most int32, late bool) (jobs []traces.Job) {
	const hour = 3600 * events.Second
	at := events.Time(0)
	for i := range rapid.IntRange(1, 25).Draw(t, "jobs") {
		at += events.Time(rapid.IntRange(0, 5).Draw(t, "gap")) * hour
		run := events.Time(rapid.IntRange(1, 9).Draw(t, "run")) * hour
		asked := run + events.Time(rapid.IntRange(0, 3).Draw(t, "more"))*hour
		if late && rapid.Bool().Draw(t, "late") {
			asked = max(hour, run/2)
		}
		jobs = append(jobs, traces.Job{ID: int64(i), Submit: at, Run: run, Estimate: asked, Pieces: 1, Prev: -1,
			Procs: int32(rapid.IntRange(1, int(most)).Draw(t, "procs")), User: traces.Label(i % 3), CPU: -1, Memory: -1, GPU: -1, Disk: -1})
	}
	return jobs
}

// drawn keeps samples and segments.
type drawn struct {
	records
	samples  []engine.Sample
	segments []engine.Segment
}

func (d *drawn) Sample(s *engine.Sample) error { d.samples = append(d.samples, *s); return nil }
func (d *drawn) Segment(s *engine.Segment) error {
	kept, job := *s, *s.Job
	kept.Job = &job
	d.segments = append(d.segments, kept)
	return nil
}

func replayed(t rapid.TB, site Site, procs int, policy string, jobs []traces.Job) (*drawn, engine.Summary) {
	t.Helper()
	cfg := engine.Config{Machine: engine.Processors(procs), Check: true}
	var err error
	if cfg.Policy, err = catalog.Policies.Make(policy); err != nil {
		t.Fatal(err)
	}
	if err := site.rules(&cfg, Hardware{Machine: cfg.Machine}, &traces.Header{Start: 86400 * 4}); err != nil { // a Monday
		t.Fatal(err)
	}
	var d drawn
	cfg.Samples, cfg.Segments = &d, &d
	sum, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), &d)
	if err != nil {
		t.Fatal(err)
	}
	return &d, sum
}

// TestEnergy wants energy to be what the segments of running time add up to, whatever the policy.
func TestEnergy(t *testing.T) {
	policiesOf := []string{"easy", "srpt", "drf", "fcfs", "conservative"}
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawJobs(t, 8, true)
		site := Site{Power: "idle=60,busy=200", Drain: rapid.SampledFrom([]string{"", "wed 08:00-12:00"}).Draw(t, "drain")}
		d, sum := replayed(t, site, 8, rapid.SampledFrom(policiesOf).Draw(t, "policy"), jobs)
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
				t.Fatalf("%s is %g, want %g", what, got, want)
			}
		}
		of, busy := map[int64]float64{}, 0.0
		for _, s := range d.segments {
			use := float64(s.Job.Procs) * s.Share * (s.End - s.Start).Seconds()
			of[s.Job.ID] += 200 * use
			busy += use
		}
		for i := range d.records {
			near("the energy of a job", d.records[i].Energy, of[d.records[i].Job.ID])
		}
		there := 8 * ((sum.Last - sum.First).Seconds() - sum.Away)
		near("the jobs' energy", sum.JobEnergy, 200*busy)
		near("all energy", sum.Energy, 60*there+140*busy)
		most := 0.0
		for _, s := range d.samples {
			near("the power drawn", s.Power, 60*s.Capacity.CPU+140*s.Use.CPU)
			most = max(most, s.Power)
		}
		if most > sum.PeakPower*(1+1e-9) {
			t.Fatalf("%g W are drawn, the most is %g", most, sum.PeakPower)
		}
	})
}

// TestPowerCap wants a cap at all times to be a smaller machine, and one by day to be kept but for jobs that take
// longer than they asked for, which go on.
func TestPowerCap(t *testing.T) {
	of := []string{"easy", "conservative", "fcfs", "fcfs(fit=skip)", "easy(reservations=2)", "srpt", "los", "sjf"}
	rapid.Check(t, func(t *rapid.T) {
		jobs, policy := drawJobs(t, 5, true), rapid.SampledFrom(of).Draw(t, "policy")
		capped, _ := replayed(t, Site{Power: "idle=60,busy=200", PowerCap: "1180W"}, 8, policy, jobs) // 480 + 5 x 140
		smaller, _ := replayed(t, Site{}, 5, policy, jobs)
		for i := range capped.records {
			if a, b := &capped.records[i], &smaller.records[i]; a.Job.ID != b.Job.ID || a.Start != b.Start || a.End != b.End {
				t.Fatalf("%s: job %d runs from %v to %v, on a smaller machine %d from %v to %v", policy, a.Job.ID, a.Start, a.End,
					b.Job.ID, b.Start, b.End)
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		late := rapid.Bool().Draw(t, "late")
		jobs, policy := drawJobs(t, 5, late), rapid.SampledFrom(of).Draw(t, "policy")
		d, sum := replayed(t, Site{Power: "idle=60,busy=200", PowerCap: "mon-fri 08:00-20:00: 1.18kW; 1600W"}, 8, policy, jobs)
		by := func(at events.Time) float64 {
			if hour := at / (3600 * events.Second) % 24; hour >= 8 && hour < 20 && at/(86400*events.Second)%7 < 5 {
				return 1180
			}
			return 1600
		}
		over := slices.ContainsFunc(d.samples, func(s engine.Sample) bool { return s.Power > by(s.Time) })
		if over && !late || over != (sum.OverCap > 0) {
			t.Fatalf("%s: more is drawn than the cap: %v; the summary says for %v", policy, over, sum.OverCap)
		}
		for i := range d.records {
			if o := &d.records[i]; o.Preemptions > 0 && policy != "srpt" {
				t.Fatalf("%s: job %d was stopped", policy, o.Job.ID)
			}
		}
	})
}

// TestPowerOfDevices follows two jobs on machines of two models: each draws what its devices do, idle or not.
func TestPowerOfDevices(t *testing.T) {
	table := filepath.Join(t.TempDir(), "power.csv")
	if err := os.WriteFile(table, []byte("model,idle,busy\ncpu,1,3\nA,10,110\ngpu,20,70\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	machines := engine.Cluster{{Machine: 1, CPU: 4, GPU: 2, Model: "A"}, {Machine: 2, CPU: 4, GPU: 1, Model: "B"}}
	h := Hardware{Machine: machines, Fit: "first"}
	policy, err := catalog.Policies.Make("fcfs(fit=skip)")
	if err != nil {
		t.Fatal(err)
	}
	cfg := engine.Config{Machine: machines, Check: true}
	if cfg.Policy, err = h.place(policy, 1); err != nil {
		t.Fatal(err)
	}
	names := traces.Names{Models: &traces.Words{}}
	a, b := names.Models.Label([]byte("A")), names.Models.Label([]byte("B"))
	log := &traces.Header{Names: names}
	if err := (Site{Power: table}).rules(&cfg, h, log); err != nil {
		t.Fatal(err)
	}
	job := func(id int64, gpu float64, model traces.Label, hours events.Time) traces.Job {
		run := 3600 * hours * events.Second
		return traces.Job{ID: id, Run: run, Estimate: run, Procs: 1, Pieces: 1, CPU: 2, Memory: -1, GPU: gpu, Disk: -1, Model: model}
	}
	source := traces.MemoryOf(job(1, 2, a, 1), job(2, .5, b, 3)).Source()
	source.Header().Names = names
	var got records
	sum, err := engine.Run(context.Background(), cfg, source, &got)
	if err != nil {
		t.Fatal(err)
	}
	const wh = 3600
	for i, want := range []float64{2*3 + 2*110, 3 * (2*3 + .5*70)} {
		if got[i].Energy != want*wh {
			t.Errorf("job %d: %g Wh, want %g", got[i].Job.ID, got[i].Energy/wh, want)
		}
	}
	// Idle are 8 CPUs, two devices of A and one of B.
	idle := 3 * (8*1 + 2*10 + 1*20.)
	if want := (idle + 2*2 + 2*100 + 3*(2*2+.5*50)) * wh; math.Abs(sum.Energy-want) > 1e-6 {
		t.Errorf("%g Wh in all, want %g", sum.Energy/wh, want/wh)
	}
	if want := 8*1 + 2*10 + 20 + 2*2 + 2*100 + 2*2 + .5*50; sum.PeakPower != want {
		t.Errorf("at most %g W, want %g", sum.PeakPower, want)
	}
}

func TestPowerFaults(t *testing.T) {
	table := func(rows string) string {
		path := filepath.Join(t.TempDir(), "power.csv")
		if err := os.WriteFile(path, []byte("model,idle,busy\n"+rows), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	gpus := Hardware{Machine: engine.Cluster{{CPU: 4, GPU: 1, Model: "T4"}}}
	whole := Hardware{Machine: engine.Processors(10)}
	for _, c := range []struct {
		on   Hardware
		site Site
		want string
	}{
		{whole, Site{Power: "60"}, "want the watts of a processor, as in 'idle=60,busy=200'"},
		{whole, Site{Power: "idle=60"}, "want the watts of a processor"},
		{whole, Site{Power: "idle=60,busy=50"}, "draws less than an idle one"},
		{whole, Site{Power: "idle=-1,busy=50"}, "idle"},
		{whole, Site{Power: table("gpu,1,2\n")}, "has no row for cpu"},
		{whole, Site{Power: table("cpu,1,2\ncpu,1,2\n")}, "csv:3: a second row for cpu"},
		{whole, Site{Power: table("cpu,3,2\n")}, "csv:2: what draws less busy than idle"},
		{whole, Site{Power: table("cpu,3,\n")}, "csv:2: watts of"},
		{gpus, Site{Power: "idle=1,busy=2"}, "GPUs of model T4"},
		{gpus, Site{Power: table("cpu,1,2\nT4,10,70\n"), PowerCap: "1kW"}, "for machines without GPUs"},
		{whole, Site{PowerCap: "24kW"}, "needs what a processor draws"},
		{whole, Site{Power: "idle=60,busy=200", PowerCap: "500W"}, `"500W" is below the 600 W that the machine draws with no job`},
		{whole, Site{Power: "idle=60,busy=200", PowerCap: "700W"}, "never leaves power for a processor in use: idle the machine draws 600 W"},
		{whole, Site{Power: "idle=60,busy=200", PowerCap: "1kW; 2kW"}, "holds at all times already"},
		{whole, Site{Power: "idle=60,busy=200", PowerCap: "mon: "}, "want a power above 0"},
		{whole, Site{Power: "idle=60,busy=200", PowerCap: "frx: 1kW"}, `"frx" is no time of the week`},
	} {
		var cfg engine.Config
		if err := c.site.rules(&cfg, c.on, &traces.Header{Name: "log", Start: 1}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.site, err, c.want)
		}
	}
	undated := Site{Power: "idle=60,busy=200", PowerCap: "mon: 1kW"}
	if err := undated.rules(&engine.Config{}, whole, &traces.Header{Name: "log"}); err == nil || !strings.Contains(err.Error(), "needs dates") {
		t.Error(err)
	}
}
