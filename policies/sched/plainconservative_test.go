package sched_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
	"bourse/traces"
	"bourse/traces/tracetest"
)

// plainConservative is conservative backfilling said in the plainest way: what is
// free at a time is counted job by job, and every possible start is tried.
type plainConservative struct {
	policies.Policy // nil: never copied
	waiting         []policies.Ref
	running         map[policies.Ref]span
	promise         map[policies.Ref]events.Time
}

type span struct{ start, end events.Time }

func (p *plainConservative) Needs() policies.Needs { return policies.Needs{Estimates: true} }

func (p *plainConservative) free(r *policies.Round, t events.Time) int {
	n := r.Procs
	for ref, s := range p.running {
		if t < s.end {
			n -= int(r.Job(ref).Procs)
		}
	}
	for ref, start := range p.promise {
		if start <= t && t < start+max(r.Job(ref).Estimate, 1) {
			n -= int(r.Job(ref).Procs)
		}
	}
	return n
}

// times lists now and every later time at which what is free may change.
func (p *plainConservative) times(r *policies.Round) []events.Time {
	all := []events.Time{r.Now}
	for _, s := range p.running {
		all = append(all, s.end)
	}
	for ref, start := range p.promise {
		all = append(all, start, start+max(r.Job(ref).Estimate, 1))
	}
	slices.Sort(all)
	return slices.DeleteFunc(all, func(t events.Time) bool { return t < r.Now })
}

func (p *plainConservative) place(r *policies.Round, ref policies.Ref) events.Time {
	j := r.Job(ref)
	all := p.times(r)
	for _, t := range all {
		fits := true
		for _, u := range all {
			if t <= u && u < t+max(j.Estimate, 1) && p.free(r, u) < int(j.Procs) {
				fits = false
			}
		}
		if fits {
			return t
		}
	}
	panic("a job fits when all others are done")
}

func (p *plainConservative) Plan(r *policies.Round) {
	early, twice := false, false
	for _, ref := range r.Ended {
		early = early || p.running[ref].end > r.Now
		delete(p.running, ref)
	}
	for ref, s := range p.running {
		if s.end <= r.Now {
			p.running[ref] = span{s.start, r.Now + max(r.Now-s.start, events.Second)}
		}
	}
	for _, t := range p.times(r) {
		twice = twice || p.free(r, t) < 0
	}
	if twice {
		clear(p.promise)
		for _, ref := range p.waiting {
			p.promise[ref] = p.place(r, ref)
		}
	} else if early {
		for _, ref := range p.waiting {
			before := p.promise[ref]
			delete(p.promise, ref)
			p.promise[ref] = min(before, p.place(r, ref))
		}
	}
	for _, ref := range r.Arrived {
		p.promise[ref] = p.place(r, ref)
		p.waiting = append(p.waiting, ref)
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(ref policies.Ref) bool {
		if p.promise[ref] > r.Now {
			r.Wake(p.promise[ref])
			return false
		}
		r.Start(ref)
		p.running[ref] = span{r.Now, r.Now + max(r.Job(ref).Estimate, 1)}
		delete(p.promise, ref)
		return true
	})
}

func TestConservativeAgainstPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 20).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, rapid.Bool().Draw(rt, "estimates hold"))
		plain := &plainConservative{running: map[policies.Ref]span{}, promise: map[policies.Ref]events.Time{}}
		p := sched.NewConservative()
		sameStarts(rt, p, replay(t, jobs, procs, p), replay(t, jobs, procs, plain))
	})
}

// TestLongConservativeManyKinds replays thousands of small workloads of few kinds of jobs, as
// users submit them, on machines of all sizes: jobs as wide as others share what
// a search has found, and some of those that are not have the same place in its table.
func TestLongConservativeManyKinds(t *testing.T) {
	tracetest.Long(t)
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(11, seed))
		procs := 1 << r.IntN(14)
		kinds := make([]traces.Job, 1+r.IntN(6))
		for i := range kinds {
			kinds[i] = traces.Job{Procs: 1 + r.Int32N(int32(procs)), Estimate: events.Time(1+r.IntN(40)) * events.Second,
				Pieces: 1}
		}
		jobs := make([]traces.Job, 1+r.IntN(24))
		at, overrun := events.Time(0), r.IntN(2)*r.IntN(10)
		for i := range jobs {
			at += events.Time(max(0, r.IntN(8)-4)) * events.Second
			jobs[i] = kinds[r.IntN(len(kinds))]
			jobs[i].ID, jobs[i].Submit = int64(i+1), at
			jobs[i].Run = events.Time(r.IntN(int(jobs[i].Estimate/events.Second)+overrun)) * events.Second
		}
		plain := &plainConservative{running: map[policies.Ref]span{}, promise: map[policies.Ref]events.Time{}}
		want := replay(t, jobs, procs, plain)
		for i, o := range replay(t, jobs, procs, sched.NewConservative()) {
			if o.Start != want[i].Start {
				t.Fatalf("seed %d: job %d of %d on %d processors starts at %v, want %v", seed, i+1, len(jobs), procs, o.Start,
					want[i].Start)
			}
		}
	}
}
