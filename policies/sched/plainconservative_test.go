package sched_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
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

func (p *plainConservative) Traits() policies.Traits {
	return policies.Traits{NeedsEstimates: true}
}

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
