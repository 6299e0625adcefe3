package sched_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/policies/payment"
	"bourse/traces"
	"bourse/traces/tracetest"
)

// schedule is one computed by an independent simulator: jobs and their starts.
type schedule struct {
	jobs   []traces.Job
	starts []events.Time
}

// readSchedule reads job_id,submit,start,finish,procs,run,est in whole seconds.
func readSchedule(t testing.TB, name string) *schedule {
	t.Helper()
	f, err := os.Open(tracetest.Shared(t, "oracle/"+name+".csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	s := &schedule{}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		var v [7]int64
		for i, text := range strings.SplitN(lines.Text(), ",", 7) {
			if v[i], err = strconv.ParseInt(text, 10, 64); err != nil {
				break // the heading
			}
		}
		if err != nil {
			err = nil
			continue
		}
		s.jobs = append(s.jobs, traces.Job{
			ID: v[0], Submit: events.Time(v[1]) * events.Second, Procs: int32(v[4]), Pieces: 1,
			Run: events.Time(v[5]) * events.Second, Estimate: events.Time(v[6]) * events.Second,
		})
		s.starts = append(s.starts, events.Time(v[2])*events.Second)
	}
	if lines.Err() != nil || len(s.jobs) != 28_467 {
		t.Fatalf("%s: %d jobs, %v", name, len(s.jobs), lines.Err())
	}
	return s
}

func (s *schedule) wait() float64 {
	sum := 0.0
	for i, start := range s.starts {
		sum += (start - s.jobs[i].Submit).Seconds()
	}
	return sum / float64(len(s.starts))
}

// nothing is what everybody bids.
type nothing struct{}

func (nothing) Bid(*traces.Job) (policies.Offer, error) { return policies.Offer{}, nil }

// starts keeps each job's outcome by its place in the trace.
type starts []engine.Outcome

func (s starts) Record(o *engine.Outcome) error {
	s[o.Seq] = *o
	return nil
}

func replay(t testing.TB, jobs []traces.Job, procs int, p policies.Policy) starts {
	t.Helper()
	got := make(starts, len(jobs))
	_, err := engine.Run(context.Background(),
		engine.Config{Machine: engine.Processors(procs), Policy: p, Pricer: payment.NewPosted(0), Bidder: nothing{}},
		traces.MemoryOf(jobs...).Source(), got)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func policy(t testing.TB, text string) policies.Policy {
	t.Helper()
	p, err := catalog.Policies.Make(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestStartsOfIndependentSimulators wants every one of KTH-SP2's jobs to start
// when independent simulators start it, under the rules that are theirs.
func TestStartsOfIndependentSimulators(t *testing.T) {
	for _, c := range []struct{ policy, schedule string }{
		{"fcfs", "pyss_fcfs_kth"},
		{"easy", "ref_easy_batch_kth"},
		{"easy(order=expr(0*wait))", "ref_easy_batch_kth"}, // EasyScan
		{"easy(tie=pyss)", "pyss_easy_kth"},
		{"easy(backfill=sjf,tie=pyss)", "pyss_easysjbf_kth"},
	} {
		t.Run(c.policy, func(t *testing.T) {
			want := readSchedule(t, c.schedule)
			wrong := 0
			for i, o := range replay(t, want.jobs, 100, policy(t, c.policy)) {
				if o.Start != want.starts[i] {
					if wrong++; wrong <= 3 {
						t.Errorf("job %d starts at %v, in %s at %v", o.Job.ID, o.Start, c.schedule, want.starts[i])
					}
				}
			}
			if wrong > 0 {
				t.Errorf("%d of %d starts differ", wrong, len(want.jobs))
			}
		})
	}
}

// TestMeanWaitsOfIndependentSimulators compares means where the rules of the
// other simulator leave choices that are not published.
func TestMeanWaitsOfIndependentSimulators(t *testing.T) {
	for _, c := range []struct{ policy, schedule string }{
		{"easy(backfill=sjf)", "pyss_easysjbf_kth"},
		{"conservative", "pyss_conservative_kth"},
	} {
		t.Run(c.policy, func(t *testing.T) {
			want := readSchedule(t, c.schedule)
			sum, same := 0.0, 0
			for i, o := range replay(t, want.jobs, 100, policy(t, c.policy)) {
				sum += o.Wait().Seconds()
				if o.Start == want.starts[i] {
					same++
				}
			}
			got := sum / float64(len(want.jobs))
			t.Logf("mean wait %.2f s, in %s %.2f s; %d of %d starts are equal", got, c.schedule, want.wait(), same,
				len(want.jobs))
			if math.Abs(got/want.wait()-1) > 0.01 {
				t.Errorf("mean wait %.2f s differs from %.2f s by more than 1 %%", got, want.wait())
			}
		})
	}
}
