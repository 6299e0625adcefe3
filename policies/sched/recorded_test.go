package sched_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/traces"
)

// recordedStarts replays jobs and returns when each began, in seconds, by its place in the trace.
func recordedStarts(t interface{ Fatal(...any) }, procs int, p policies.Policy, jobs []traces.Job) []int64 {
	var got outcomesBySeq
	cfg := engine.Config{Machine: engine.Processors(procs), Policy: p, Pricer: payment.NewPosted(0), Bidder: nothing{},
		Check: true}
	if _, err := engine.Run(context.Background(), cfg, traces.MemoryOf(jobs...).Source(), &got); err != nil {
		t.Fatal(err)
	}
	at := make([]int64, len(got))
	for _, o := range got {
		at[o.Seq] = int64(o.Start / events.Second)
	}
	return at
}

type outcomesBySeq []engine.Outcome

func (s *outcomesBySeq) Record(o *engine.Outcome) error {
	*s = append(*s, *o)
	return nil
}

func loggedJob(id, submit, wait, run int64, procs int32) traces.Job {
	j := traces.Job{ID: id, Submit: events.Time(submit) * events.Second, Run: events.Time(run) * events.Second,
		Wait: events.Unknown, Procs: procs, Pieces: 1, Estimate: events.Unknown}
	if wait >= 0 {
		j.Wait = events.Time(wait) * events.Second
	}
	return j
}

// TestRecorded starts jobs as the log has it; one that does not fit holds up those behind it,
// and unknown waits are none.
func TestRecorded(t *testing.T) {
	p := &sched.Recorded{}
	got := recordedStarts(t, 2, p, []traces.Job{
		loggedJob(1, 0, 5, 10, 1),  // 5 to 15
		loggedJob(2, 1, 6, 10, 2),  // 7: the machine is too small until 15
		loggedJob(3, 2, 6, 10, 1),  // 8: behind job 2, until 25
		loggedJob(4, 3, -1, 2, 1),  // unknown: 3 to 5
		loggedJob(5, 4, 100, 1, 1), // 104
	})
	if want := []int64{5, 15, 25, 3, 104}; !slices.Equal(got, want) {
		t.Errorf("started at %v, want %v", got, want)
	}
	notes := fmt.Sprint(p.Notes())
	if want := "[{jobs started when submitted, for the log does not say when 1} {jobs started later than recorded, for " +
		"want of room, by 12.5s on average and 17s at most 2}]"; notes != want {
		t.Errorf("notes %s, want %s", notes, want)
	}
}

// TestRecordedPlain holds it against a plain twin, second by second.
func TestRecordedPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		procs := rapid.IntRange(1, 6).Draw(t, "procs")
		var jobs []traces.Job
		submit := int64(0)
		for i := range rapid.IntRange(1, 25).Draw(t, "jobs") {
			submit += rapid.Int64Range(0, 4).Draw(t, "gap")
			jobs = append(jobs, loggedJob(int64(i+1), submit, rapid.Int64Range(-1, 12).Draw(t, "wait"),
				rapid.Int64Range(1, 9).Draw(t, "run"), int32(rapid.IntRange(1, procs).Draw(t, "width"))))
		}
		want := plainRecorded(procs, jobs)
		if got := recordedStarts(t, procs, &sched.Recorded{}, jobs); !slices.Equal(got, want) {
			t.Fatalf("started at %v, want %v", got, want)
		}
	})
}

// plainRecorded simulates time: at each second the jobs that are due, in order of recorded
// start, up to the first that does not fit.
func plainRecorded(procs int, jobs []traces.Job) []int64 {
	due := func(i int) int64 { return int64((jobs[i].Submit + max(jobs[i].Wait, 0)) / events.Second) }
	order := make([]int, len(jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(due(a) - due(b)) })
	at := make([]int64, len(jobs))
	free := make([]int, 2000)
	for i := range free {
		free[i] = procs
	}
	for now := int64(0); len(order) > 0; now++ {
		for len(order) > 0 && due(order[0]) <= now && int(jobs[order[0]].Procs) <= free[now] {
			i := order[0]
			at[i], order = now, order[1:]
			for s := now; s < now+int64(jobs[i].Run/events.Second); s++ {
				free[s] -= int(jobs[i].Procs)
			}
		}
	}
	return at
}
