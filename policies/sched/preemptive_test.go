package sched_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/traces"
)

// TestSRPTIsOptimal compares the sum of flow times on one processor with the
// least that any preemptive schedule has, found by trying all of them.
func TestSRPTIsOptimal(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		jobs := make([]traces.Job, rapid.IntRange(1, 5).Draw(rt, "jobs"))
		at := events.Time(0)
		left := make([]int, len(jobs))
		for i := range jobs {
			at += events.Time(rapid.IntRange(0, 3).Draw(rt, "gap")) * events.Second
			left[i] = rapid.IntRange(1, 4).Draw(rt, "run")
			jobs[i] = traces.Job{ID: int64(i + 1), Submit: at, Run: events.Time(left[i]) * events.Second, Procs: 1, Pieces: 1,
				Estimate: events.Unknown}
		}
		got := events.Time(0)
		for _, o := range replay(t, jobs, 1, sched.NewSRPT(false)) {
			got += o.Flow()
		}
		if want := leastFlow(jobs, left, 0, map[string]int{}); got != events.Time(want)*events.Second {
			rt.Fatalf("flow times add up to %v, the least is %d s", got, want)
		}
	})
}

// leastFlow is the least sum of the remaining seconds in the system, at whole
// seconds, over all choices of whom to run.
func leastFlow(jobs []traces.Job, left []int, now int, seen map[string]int) int {
	key := fmt.Sprint(now, left)
	if best, ok := seen[key]; ok {
		return best
	}
	here, future, best := 0, false, -1
	for i := range jobs {
		if left[i] > 0 && int(jobs[i].Submit/events.Second) <= now {
			here++
		} else if left[i] > 0 {
			future = true
		}
	}
	if here == 0 && !future {
		return 0
	}
	for i := range jobs {
		if left[i] > 0 && int(jobs[i].Submit/events.Second) <= now {
			left[i]--
			if sum := here + leastFlow(jobs, left, now+1, seen); best < 0 || sum < best {
				best = sum
			}
			left[i]++
		}
	}
	if best < 0 {
		best = leastFlow(jobs, left, now+1, seen)
	}
	seen[key] = best
	return best
}

// outranking checks after each decision of a preemptive policy that the first
// waiting job could not run even if all running jobs of lower rank made room, and
// that victims were of lower rank than those they made room for, latest start
// first within the lowest class.
type outranking struct {
	policies.Policy
	t       *rapid.T
	rank    func(now events.Time, j *policies.Job) float64
	waiting map[policies.Ref]bool
	running map[policies.Ref]events.Time // last start
	stops   map[policies.Ref]int
	most    int // a job stopped so often is spared
}

func (w *outranking) spared(ref policies.Ref) bool { return w.stops[ref] >= w.most }

func (w *outranking) Needs() policies.Needs { return policies.Needs{RunTimes: true} }

func (w *outranking) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		delete(w.running, ref)
	}
	for _, ref := range r.Arrived {
		w.waiting[ref] = true
		w.stops[ref] = 0
	}
	w.Policy.Plan(r)
	for i, ref := range r.Preempted {
		if w.spared(ref) {
			w.t.Fatalf("at %v job %d is stopped once more than %d times", r.Now, r.Job(ref).ID, w.most)
		}
		if by := r.Preemptors[i]; w.rank(r.Now, r.Job(ref)) <= w.rank(r.Now, r.Job(by)) {
			w.t.Fatalf("at %v job %d is stopped for job %d, which does not outrank it", r.Now, r.Job(ref).ID, r.Job(by).ID)
		}
	}
	free := r.Free
	for _, ref := range r.Preempted {
		delete(w.running, ref)
		w.waiting[ref] = true
		free += int(r.Job(ref).Procs)
	}
	for _, ref := range r.Started {
		delete(w.waiting, ref)
		w.running[ref] = r.Now
		free -= int(r.Job(ref).Procs)
	}
	w.victims(r)
	for _, ref := range r.Preempted {
		w.stops[ref]++
	}
	w.head(r, free)
}

// victims wants no running job, there before this round, to be of lower rank than
// one stopped for room, or of the same and started later, unless it is too small
// to have been of help together with what was taken back.
func (w *outranking) victims(r *policies.Round) {
	for _, victim := range r.Preempted {
		for ref, start := range w.running {
			if start < r.Now && !w.spared(ref) && w.rank(r.Now, r.Job(ref)) > w.rank(r.Now, r.Job(victim)) &&
				r.Job(ref).Procs >= r.Job(victim).Procs {
				w.t.Fatalf("at %v job %d is stopped and job %d, of lower rank and no smaller, is not", r.Now, r.Job(victim).ID,
					r.Job(ref).ID)
			}
		}
	}
}

func (w *outranking) head(r *policies.Round, free int) {
	first := policies.Ref(-1)
	for ref := range w.waiting {
		a, b := w.rank(r.Now, r.Job(ref)), 0.0
		if first >= 0 {
			b = w.rank(r.Now, r.Job(first))
		}
		if first < 0 || a < b || a == b && r.Job(ref).Seq < r.Job(first).Seq {
			first = ref
		}
	}
	if first < 0 {
		return
	}
	room := free
	for ref := range w.running {
		if !w.spared(ref) && w.rank(r.Now, r.Job(ref)) > w.rank(r.Now, r.Job(first)) {
			room += int(r.Job(ref).Procs)
		}
	}
	if room >= int(r.Job(first).Procs) {
		w.t.Fatalf("at %v job %d waits, though lower ranks hold enough processors", r.Now, r.Job(first).ID)
	}
}

func TestPreemptiveRanks(t *testing.T) {
	byUser := func(_ events.Time, j *policies.Job) float64 { return float64(j.User) }
	byLeft := func(now events.Time, j *policies.Job) float64 {
		if j.State == policies.Running {
			return float64(j.Left - (now - j.Since))
		}
		return float64(j.Left)
	}
	byArea := func(now events.Time, j *policies.Job) float64 {
		return events.Time(byLeft(now, j)).Seconds() * j.Size
	}
	for _, c := range []struct {
		policy string
		rank   func(events.Time, *policies.Job) float64
		most   int
	}{{"priority(by=user)", byUser, math.MaxInt}, {"srpt", byLeft, math.MaxInt}, {"srpt(by=area)", byArea, math.MaxInt},
		{"srpt(by=area,preemptions=1)", byArea, 1}, {"priority(by=user,preemptions=1)", byUser, 1},
		{"srpt(preemptions=2)", byLeft, 2}, {"srpt(preemptions=0)", byLeft, 0}} {
		t.Run(c.policy, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				procs := rapid.IntRange(1, 8).Draw(rt, "procs")
				jobs := drawJobs(rt, procs, true)
				cfg := engine.Config{Machine: engine.Processors(procs), Pricer: payment.NewPosted(0), Bidder: nothing{},
					Check:         true,
					Restart:       rapid.Bool().Draw(rt, "restart"),
					MigrationCost: events.Time(rapid.IntRange(0, 2).Draw(rt, "migration")) * events.Second}
				cfg.Policy = &outranking{Policy: policy(t, c.policy), t: rt, rank: c.rank, waiting: map[policies.Ref]bool{},
					running: map[policies.Ref]events.Time{}, stops: map[policies.Ref]int{}, most: c.most}
				got := make(starts, len(jobs))
				if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), got); err != nil {
					rt.Fatal(err)
				}
			})
		})
	}
}

// TestSparingAll wants shortest remaining time without preemption to be shortest
// job first.
func TestSparingAll(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 8).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, true)
		for i := range jobs {
			jobs[i].Run = max(jobs[i].Run, events.Second)
		}
		p := policy(t, "srpt(preemptions=0)")
		sameStarts(rt, p, replay(t, jobs, procs, p), replay(t, jobs, procs, policy(t, "sjf(runtime=true)")))
	})
}
