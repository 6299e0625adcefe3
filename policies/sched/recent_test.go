package sched_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// plainRecent is EASY++ word by word: each round it predicts every job anew from the run times of its user's jobs.
type plainRecent struct {
	policies.AsFCFS
	waiting []policies.Ref
	running []guessed
	history map[traces.Label][]events.Time
}

type guessed struct {
	ref         policies.Ref
	start       events.Time
	predicted   events.Time // length
	corrections int
}

func (*plainRecent) Needs() policies.Needs  { return policies.Needs{Estimates: true} }
func (*plainRecent) Clone() policies.Policy { panic("not copied") }

func (p *plainRecent) predict(j *policies.Job) events.Time {
	ran := p.history[j.User]
	switch n := len(ran); {
	case n == 0:
		return j.Estimate
	case n == 1:
		return min(ran[0], j.Estimate)
	default:
		return min((ran[n-1]+ran[n-2])/2, j.Estimate)
	}
}

func (p *plainRecent) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		i := slices.IndexFunc(p.running, func(x guessed) bool { return x.ref == ref })
		user := r.Job(ref).User
		p.history[user] = append(p.history[user], r.Now-p.running[i].start)
		p.running = slices.Delete(p.running, i, i+1)
	}
	p.waiting = append(p.waiting, r.Arrived...)
	free := r.Free
	start := func(ref policies.Ref) {
		j := r.Job(ref)
		free -= int(j.Procs)
		p.running = append(p.running, guessed{ref: ref, start: r.Now, predicted: p.predict(j)})
		p.waiting = slices.DeleteFunc(p.waiting, func(x policies.Ref) bool { return x == ref })
		r.Start(ref)
	}
	for len(p.waiting) > 0 && int(r.Job(p.waiting[0]).Procs) <= free {
		start(p.waiting[0])
	}
	if len(p.waiting) == 0 {
		return
	}
	steps := []events.Time{60, 300, 900, 1800, 3600, 7200, 18000, 36000, 72000, 180000, 360000}
	var ends []events.Time
	for i := range p.running {
		x := &p.running[i]
		limit := r.Job(x.ref).Estimate
		for x.start+x.predicted <= r.Now && x.predicted < limit && x.corrections < len(steps) {
			x.predicted = min(x.predicted+steps[x.corrections]*events.Second, limit)
			x.corrections++
		}
		ends = append(ends, max(x.start+x.predicted, r.Now))
	}
	head := int(r.Job(p.waiting[0]).Procs)
	for _, shadow := range slices.Sorted(slices.Values(append(slices.Clone(ends), r.Now))) {
		then := free
		for i, end := range ends {
			if end <= shadow {
				then += int(r.Job(p.running[i].ref).Procs)
			}
		}
		if then < head {
			continue
		}
		extra := then - head
		others := slices.Clone(p.waiting[1:])
		slices.SortStableFunc(others, func(a, b policies.Ref) int {
			return cmp.Compare(max(p.predict(r.Job(a)), events.Second), max(p.predict(r.Job(b)), events.Second))
		})
		for _, ref := range others {
			j := r.Job(ref)
			outlasts := r.Now+p.predict(j) > shadow
			if n := int(j.Procs); n <= free && (!outlasts || n <= extra) {
				if start(ref); outlasts {
					extra -= n
				}
			}
		}
		return
	}
}

// TestRecentAgainstPlain wants EASY with predictions to start every job when EASY++ word by word does.
func TestRecentAgainstPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 20).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, rapid.Bool().Draw(rt, "estimates hold"))
		scale := rapid.SampledFrom([]events.Time{1, 100}).Draw(rt, "scale") // some outlive several corrections
		for i := range jobs {
			jobs[i].User = traces.Label(rapid.IntRange(1, 3).Draw(rt, "user"))
			jobs[i].Run, jobs[i].Estimate = scale*jobs[i].Run, scale*max(jobs[i].Estimate, 1)
		}
		p := policy(t, "easy(estimates=recent,backfill=sjf)")
		sameStarts(rt, p, replay(t, jobs, procs, p), replay(t, jobs, procs, &plainRecent{history: map[traces.Label][]events.Time{}}))
	})
}
