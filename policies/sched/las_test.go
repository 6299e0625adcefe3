package sched_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies/sched"
	"bourse/traces"
)

func lasJob(id int64, submit, run events.Time, procs int32) traces.Job {
	return traces.Job{ID: id, Submit: submit * events.Second, Run: run * events.Second, Procs: procs, Pieces: 1,
		Estimate: events.Unknown}
}

func TestLASExamples(t *testing.T) {
	for _, c := range []struct {
		procs int
		jobs  []traces.Job
		ends  []events.Time
	}{
		{1, []traces.Job{lasJob(1, 0, 10, 1), lasJob(2, 3, 2, 1), lasJob(3, 4, 6, 1)}, []events.Time{16, 6, 18}},
		{2, []traces.Job{lasJob(1, 0, 6, 2), lasJob(2, 1, 3, 1), lasJob(3, 2, 4, 2)}, []events.Time{11, 5, 13}},
	} {
		for i, o := range replay(t, c.jobs, c.procs, sched.NewLAS([]float64{4}, true, 0)) {
			if o.End != c.ends[i]*events.Second {
				t.Errorf("%d processors, job %d ends at %v, want %v s", c.procs, o.Job.ID, o.End, int64(c.ends[i]))
			}
		}
	}
}

// TestLASTwin steps through whole seconds, in which all that happens lies.
func TestLASTwin(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(4, 9).Draw(rt, "procs")
		jobs := drawJobs(rt, 4, true)
		for i := range jobs {
			jobs[i].Run += events.Second
			jobs[i].Run *= events.Time(rapid.IntRange(1, 3).Draw(rt, "longer"))
		}
		limits := [][]float64{{12}, {12, 36}, {24, 36, 48}}[rapid.IntRange(0, 2).Draw(rt, "limits")]
		area, promote := rapid.Bool().Draw(rt, "area"), float64(rapid.IntRange(0, 3).Draw(rt, "promote"))
		want := plainLAS(jobs, procs, limits, area, promote)
		for i, o := range replay(t, jobs, procs, sched.NewLAS(limits, area, promote)) {
			if o.End != want[i] {
				rt.Fatalf("job %d ends at %v, the twin's at %v", o.Job.ID, o.End, want[i])
			}
		}
	})
}

func plainLAS(jobs []traces.Job, procs int, limits []float64, area bool, promote float64) []events.Time {
	type job struct{ left, ran, waited, class int }
	all, ends := make([]job, len(jobs)), make([]events.Time, len(jobs))
	for i := range jobs {
		all[i].left = int(jobs[i].Run.Seconds())
	}
	running := map[int]bool{}
	for now, left := 0, len(jobs); left > 0; now++ {
		var order []int
		for i := range all {
			x := &all[i]
			if x.left == 0 || jobs[i].Submit > events.Time(now)*events.Second {
				continue
			}
			weight := 1
			if area {
				weight = int(jobs[i].Procs)
			}
			switch {
			case running[i] && x.class < len(limits) && float64(x.ran*weight) >= limits[x.class]:
				x.class++
			case !running[i] && x.class > 0 && promote > 0 && float64(x.waited) >= promote*float64(x.ran):
				*x = job{left: x.left}
			}
			order = append(order, i)
		}
		slices.SortStableFunc(order, func(a, b int) int { return all[a].class - all[b].class })
		clear(running)
		free, open := procs, true
		for _, i := range order {
			if open = open && int(jobs[i].Procs) <= free; !open {
				all[i].waited++
				continue
			}
			all[i].waited = 0
			free -= int(jobs[i].Procs)
			running[i] = true
			all[i].ran++
			if all[i].left--; all[i].left == 0 {
				ends[i], left = events.Time(now+1)*events.Second, left-1
			}
		}
	}
	return ends
}
