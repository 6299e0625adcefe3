package sched_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
	"bourse/traces"
)

// plainEasy is EASY said in the plainest way, for orders that do not change:
// every decision walks over all jobs.
type plainEasy struct {
	policies.Policy // nil: never copied
	order, backfill func(*policies.Job) float64
	waiting         []policies.Ref // in order of arrival
	running         map[policies.Ref]events.Time
}

func (p *plainEasy) Traits() policies.Traits {
	return policies.Traits{NeedsEstimates: true, Clairvoyant: true}
}

func (p *plainEasy) sorted(r *policies.Round, key func(*policies.Job) float64) []policies.Ref {
	refs := slices.Clone(p.waiting)
	slices.SortStableFunc(refs, func(a, b policies.Ref) int {
		switch x, y := key(r.Job(a)), key(r.Job(b)); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return refs
}

func (p *plainEasy) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		delete(p.running, ref)
	}
	p.waiting = append(p.waiting, r.Arrived...)
	free := r.Free
	start := func(ref policies.Ref) {
		r.Start(ref)
		free -= int(r.Job(ref).Procs)
		p.running[ref] = r.Now + r.Job(ref).Estimate
		p.waiting = slices.DeleteFunc(p.waiting, func(x policies.Ref) bool { return x == ref })
	}
	queue := p.sorted(r, p.order)
	for len(queue) > 0 && int(r.Job(queue[0]).Procs) <= free {
		start(queue[0])
		queue = queue[1:]
	}
	if len(queue) == 0 {
		return
	}
	need := int(r.Job(queue[0]).Procs)
	freeAt := func(t events.Time) int {
		n := free
		for ref, end := range p.running {
			if end <= t {
				n += int(r.Job(ref).Procs)
			}
		}
		return n
	}
	shadow := events.Never
	if freeAt(r.Now) >= need {
		shadow = r.Now
	}
	for _, end := range p.running {
		if end > r.Now && end < shadow && freeAt(end) >= need {
			shadow = end
		}
	}
	extra := freeAt(shadow) - need
	for _, ref := range p.sorted(r, p.backfill) {
		j := r.Job(ref)
		n := int(j.Procs)
		if ref == queue[0] || n > free {
			continue
		}
		if r.Now+j.Estimate <= shadow {
			start(ref)
		} else if n <= extra {
			extra -= n
			start(ref)
		}
	}
}

// DrawJobs makes a workload in which much coincides; estimates may be zero or
// below the run time unless they are to hold.
func drawJobs(t *rapid.T, procs int, estimatesHold bool) []traces.Job {
	jobs := make([]traces.Job, rapid.IntRange(1, 60).Draw(t, "jobs"))
	at := events.Time(0)
	for i := range jobs {
		at += events.Time(max(0, rapid.IntRange(-4, 3).Draw(t, "gap"))) * events.Second
		run := events.Time(rapid.IntRange(0, 12).Draw(t, "run")) * events.Second
		estimate := events.Time(rapid.IntRange(0, 15).Draw(t, "estimate")) * events.Second
		if estimatesHold {
			estimate += run
		}
		jobs[i] = traces.Job{ID: int64(i + 1), Submit: at, Run: run, Estimate: estimate, Pieces: 1,
			Procs: int32(rapid.IntRange(1, procs).Draw(t, "width")), User: traces.Label(rapid.IntRange(0, 3).Draw(t, "user"))}
	}
	return jobs
}

var (
	byNothing = func(*policies.Job) float64 { return 0 }
	byEst     = func(j *policies.Job) float64 { return float64(max(j.Estimate, events.Second)) }
	byArea    = func(j *policies.Job) float64 { return float64(j.Procs) * float64(max(j.Estimate, events.Second)) }
)

// TestEasyAgainstPlain wants three ways to EASY to agree on every start: the
// index, the scan of a profile, and the plainest.
func TestEasyAgainstPlain(t *testing.T) {
	for _, c := range []struct {
		name            string
		rules           sched.Rules
		order, backfill func(*policies.Job) float64
	}{
		{"fcfs", sched.Rules{}, byNothing, byNothing},
		{"fcfs-sjf", sched.Rules{Backfill: sched.Ranking{Order: sched.ByShortest}}, byNothing, byEst},
		{"saf-fcfs", sched.Rules{Order: sched.Ranking{Order: sched.BySmallest}}, byArea, byNothing},
		{"saf-sjf", sched.Rules{Order: sched.Ranking{Order: sched.BySmallest}, Backfill: sched.Ranking{Order: sched.ByShortest}}, byArea, byEst},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.rules.Reservations = 1
			rapid.Check(t, func(rt *rapid.T) {
				procs := rapid.IntRange(1, 40).Draw(rt, "procs")
				jobs := drawJobs(rt, procs, rapid.Bool().Draw(rt, "estimates hold"))
				want := replay(t, jobs, procs, &plainEasy{order: c.order, backfill: c.backfill, running: map[policies.Ref]events.Time{}})
				for _, p := range []policies.Policy{sched.NewEasy(c.rules), sched.NewEasyScan(c.rules)} {
					sameStarts(rt, p, replay(t, jobs, procs, p), want)
				}
			})
		})
	}
}

func sameStarts(t *rapid.T, p policies.Policy, got, want []engine.Outcome) {
	for i := range got {
		if got[i].Start != want[i].Start {
			t.Fatalf("%T starts job %d (%d processors, estimate %v, submitted %v) at %v, the plain version at %v",
				p, got[i].Job.ID, got[i].Job.Procs, got[i].Job.Estimate, got[i].Job.Submit, got[i].Start, want[i].Start)
		}
	}
}

// TestOrdersByHeapAndByTable wants an order to give one schedule whether its keys
// are known to be fixed, and kept in heaps and trees, or are worked out anew at
// each decision.
func TestOrdersByHeapAndByTable(t *testing.T) {
	for order, anew := range map[string]string{
		"fcfs": "expr(0*wait)", "sjf": "expr(max(estimate,1)+0*wait)", "laf": "expr(-max(estimate,1)*procs+0*wait)",
		"expr(user*10-procs)": "expr(user*10-procs+0*wait)",
	} {
		for _, shape := range []string{"%", "easy(order=%)", "easy(backfill=%)", "easy(order=%,backfill=%,reservations=0)"} {
			rapid.Check(t, func(rt *rapid.T) {
				procs := rapid.IntRange(1, 20).Draw(rt, "procs")
				jobs := drawJobs(rt, procs, rapid.Bool().Draw(rt, "estimates hold"))
				fixed, changing := policy(t, strings.ReplaceAll(shape, "%", order)), policy(t, strings.ReplaceAll(shape, "%", anew))
				sameStarts(rt, changing, replay(t, jobs, procs, changing), replay(t, jobs, procs, fixed))
			})
		}
	}
}

// TestManyReservations wants any number of reservations at least as large as the
// queue to make no difference, and the index and the scan to agree on none.
func TestManyReservations(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 12).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, true)
		sameStarts(rt, nil, replay(t, jobs, procs, sched.NewEasyScan(sched.Rules{Reservations: 60})), replay(t, jobs, procs, sched.NewEasyScan(sched.Rules{Reservations: 1000})))
		none := sched.Rules{Backfill: sched.Ranking{Order: sched.BySmallest}}
		sameStarts(rt, nil, replay(t, jobs, procs, sched.NewEasy(none)), replay(t, jobs, procs, sched.NewEasyScan(none)))
	})
}
