package predict

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/ask/fork"
	"bourse/traces"
	"bourse/traces/rng"
)

func loaded(t *testing.T, trace, policy string) *scenario.Loaded {
	t.Helper()
	s := scenario.Default()
	s.Trace, s.Policy = trace, policy
	src, err := s.Open(scenario.Env{})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// waits is the sink of a whole replay.
type waits map[int64]events.Time

func (w waits) Record(o *engine.Outcome) error {
	w[o.Job.ID] = o.Start - o.Job.Submit
	return nil
}

// whole replays jobs and one more, the slow, obvious way to ask, and returns what that waits.
func whole(t *testing.T, jobs *scenario.Loaded, put traces.Job) events.Time {
	t.Helper()
	var all []traces.Job
	for i := range jobs.Memory.Len() {
		j := jobs.Memory.Job(i)
		if len(all) == i && j.Submit >= put.Submit {
			all = append(all, put)
		}
		all = append(all, j)
	}
	p, err := jobs.Replay(jobs.Scenario.Market)
	if err != nil {
		t.Fatal(err)
	}
	found := waits{}
	if _, err := engine.Run(context.Background(), p.Config, traces.MemoryOf(all...).Source(), found); err != nil {
		t.Fatal(err)
	}
	return found[put.ID]
}

// TestAsReplayedWhole wants the waits of a prediction to be those of whole replays of the log with one more job,
// whatever the number of workers.
func TestAsReplayedWhole(t *testing.T) {
	for _, policy := range []string{"easy", "conservative", "fcfs", "easy(order=fairshare)", "nphb(fit=skip)", "las"} {
		jobs := loaded(t, "synth:lublin?jobs=300&procs=32&seed=5&load=1.1&estimates=3", policy)
		job := traces.Job{Procs: 20, Estimate: 2 * 3600 * events.Second, Pieces: 1, User: traces.NoLabel, CPU: -1, Memory: -1,
			GPU: -1, Disk: -1, Prev: -1}
		one, err := Run(context.Background(), Config{Jobs: jobs, Job: job, Most: 12, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		two, err := Run(context.Background(), Config{Jobs: jobs, Job: job, Most: 12, Workers: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(one.Times) != 12 || len(one.Variants) != 5 {
			t.Fatalf("%s: %d instants, %d variants", policy, len(one.Times), len(one.Variants))
		}
		for k, v := range one.Variants {
			if !slices.Equal(v.Waits, two.Variants[k].Waits) {
				t.Errorf("%s: %s waits %v with one worker, %v with three", policy, v, v.Waits, two.Variants[k].Waits)
			}
			for i, at := range one.Times {
				put := one.Job
				put.Submit, put.Procs, put.Estimate, put.Run = at, v.Procs, v.Request, v.Request
				if want := whole(t, jobs, put); v.Waits[i] != want {
					t.Errorf("%s: %s at %v waits %v, in a whole replay %v", policy, v, at, v.Waits[i], want)
				}
			}
		}
	}
}

// TestPutBack takes jobs of a real log out and puts them in where they came: they wait as they do in the replay.
func TestPutBack(t *testing.T) {
	shared := os.Getenv("BOURSE_SHARED")
	if shared == "" {
		shared = "../../../../shared"
	}
	log := filepath.Join(shared, "data/swf/KTH-SP2-1996-2.1-cln.swf.gz")
	if _, err := os.Stat(log); err != nil {
		t.Skip("the log of KTH-SP2 is not here")
	}
	jobs := loaded(t, log, "easy")
	p, err := jobs.Replay(jobs.Scenario.Market)
	if err != nil {
		t.Fatal(err)
	}
	replayed := waits{}
	if _, err := p.Run(context.Background(), replayed); err != nil {
		t.Fatal(err)
	}
	var picked []traces.Job
	for i := 1; i+1 < jobs.Memory.Len(); i++ { // no other comes in the same second, and it waits
		j := jobs.Memory.Job(i)
		if i%311 == 0 && replayed[j.ID] > 0 && jobs.Memory.Job(i-1).Submit < j.Submit && j.Submit < jobs.Memory.Job(i+1).Submit {
			picked = append(picked, j)
		}
	}
	if len(picked) < 10 {
		t.Fatalf("%d jobs that wait", len(picked))
	}
	_, err = fork.Each(context.Background(), fork.Config{Jobs: jobs, At: fork.Submissions(picked), Workers: 2},
		func(i int, b *fork.Branch) error {
			j := picked[i]
			r := &Result{Config: Config{Jobs: jobs, Job: j}}
			r.Job.ID = 1 << 40
			v := &Variant{Procs: j.Procs, Request: j.Estimate}
			start, err := r.start(context.Background(), b, j.Submit, v, fork.Absent(j.ID))
			if got := start - j.Submit; err == nil && got != replayed[j.ID] {
				t.Errorf("job %d put back waits %v, in the replay %v", j.ID, got, replayed[j.ID])
			}
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMedianInterval wants the interval to hold the median in about 95 % of logs whose weeks are independent and far
// from alike.
func TestMedianInterval(t *testing.T) {
	const logs, weeks, each = 400, 40, 5
	draw, held := rng.New(1, "weeks"), 0
	for k := range logs {
		var at, waits []events.Time
		for w := range weeks {
			busy := draw.Norm()
			for i := range each {
				at = append(at, events.Time(7*24*w+i)*3600*events.Second)
				waits = append(waits, events.Time(math.Exp(busy+draw.Norm())*1e9))
			}
		}
		low, high, ok := medianInterval(at, waits, uint64(k))
		if !ok {
			t.Fatal("no interval of 40 weeks")
		}
		if low <= 1000 && 1000 <= high { // seconds: exp(0)
			held++
		}
	}
	if share := float64(held) / logs; share < .93 || share > .98 {
		t.Errorf("the interval holds the median in %.3f of the logs", share)
	}
}
