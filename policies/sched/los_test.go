package sched_test

import (
	"cmp"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
)

// plainLOS tries every set of the jobs behind the first.
type plainLOS struct {
	policies.AsFCFS
	lookahead int
	waiting   []policies.Ref
	ends      map[policies.Ref]events.Time
}

func (*plainLOS) Needs() policies.Needs  { return policies.Needs{Estimates: true} }
func (*plainLOS) Clone() policies.Policy { panic("not copied") }

func (p *plainLOS) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		delete(p.ends, ref)
	}
	p.waiting = append(p.waiting, r.Arrived...)
	free := r.Free
	start := func(ref policies.Ref) {
		r.Start(ref)
		free -= int(r.Job(ref).Procs)
		p.ends[ref] = r.Now + r.Job(ref).Estimate
		p.waiting = slices.DeleteFunc(p.waiting, func(x policies.Ref) bool { return x == ref })
	}
	for len(p.waiting) > 0 && int(r.Job(p.waiting[0]).Procs) <= free {
		start(p.waiting[0])
	}
	if len(p.waiting) == 0 {
		return
	}
	times := []events.Time{r.Now}
	for _, end := range p.ends {
		times = append(times, max(end, r.Now))
	}
	slices.Sort(times)
	for _, shadow := range times {
		then := free
		for ref, end := range p.ends {
			if end <= shadow {
				then += int(r.Job(ref).Procs)
			}
		}
		extra := then - int(r.Job(p.waiting[0]).Procs)
		if extra < 0 {
			continue
		}
		behind := p.waiting[1:min(len(p.waiting), 1+p.lookahead)]
		best, most, least := 0, 0, 0
		for set := range 1 << len(behind) { // a later job counts more: the first set is of the earliest jobs
			used, beyond := 0, 0
			for x := set; x != 0; x &= x - 1 {
				j := r.Job(behind[bits.TrailingZeros(uint(x))])
				if used += int(j.Procs); r.Now+j.Estimate > shadow {
					beyond += int(j.Procs)
				}
			}
			if used <= free && beyond <= extra && cmp.Or(cmp.Compare(used, most), cmp.Compare(least, beyond)) > 0 {
				best, most, least = set, used, beyond
			}
		}
		for i, ref := range slices.Clone(behind) {
			if best>>i&1 == 1 {
				start(ref)
			}
		}
		return
	}
}

// TestLOSAgainstPlain wants both to start every job at the same time.
func TestLOSAgainstPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 20).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, rapid.Bool().Draw(rt, "estimates hold"))
		lookahead := rapid.IntRange(1, 8).Draw(rt, "lookahead")
		p, plain := sched.NewLOS(lookahead), &plainLOS{lookahead: lookahead, ends: map[policies.Ref]events.Time{}}
		sameStarts(rt, p, replay(t, jobs, procs, p), replay(t, jobs, procs, plain))
	})
}
