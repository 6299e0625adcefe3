package sched_test

import (
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
	"bourse/policies/sched"
	"bourse/traces"
)

// TestConservativeKeepsPromises wants later arrivals to make no difference to
// those who came before, when estimates are exact: the start promised on arrival
// is then the start.
func TestConservativeKeepsPromises(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 20).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, true)
		for i := range jobs {
			jobs[i].Run = max(jobs[i].Run, 1)
			jobs[i].Estimate = jobs[i].Run
		}
		all := replay(t, jobs, procs, sched.NewConservative())
		first := rapid.IntRange(1, len(jobs)).Draw(rt, "first")
		sameStarts(rt, nil, replay(t, jobs[:first], procs, sched.NewConservative()), all[:first])
	})
}

// TestConservativeNeverLate wants nobody to start later than conservative
// backfilling promised on arrival, whatever ends early. The promise is what the
// plain version gives.
func TestConservativeNeverLate(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 20).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, true)
		for i := range jobs {
			jobs[i].Estimate = max(jobs[i].Estimate, 1)
		}
		p := &promised{plainConservative{running: map[policies.Ref]span{}, promise: map[policies.Ref]events.Time{}},
			map[int64]events.Time{}}
		replay(t, jobs, procs, p)
		for i, o := range replay(t, jobs, procs, sched.NewConservative()) {
			if promise, made := p.first[int64(i)]; made && o.Start > promise {
				rt.Fatalf("job %d starts at %v, promised was %v", o.Job.ID, o.Start, promise)
			}
		}
	})
}

// promised writes down the first promise that the plain version makes to a job;
// those that start on arrival have none.
type promised struct {
	plainConservative
	first map[int64]events.Time // by Seq
}

func (p *promised) Plan(r *policies.Round) {
	p.plainConservative.Plan(r)
	for ref, start := range p.promise {
		if _, made := p.first[r.Job(ref).Seq]; !made {
			p.first[r.Job(ref).Seq] = start
		}
	}
}

// TestEasyKeepsTheReservation wants the head of the queue to start no later than
// the shadow time of any decision at which it was the head, if estimates hold.
func TestEasyKeepsTheReservation(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		procs := rapid.IntRange(1, 20).Draw(rt, "procs")
		jobs := drawJobs(rt, procs, true)
		rules := sched.Rules{Reservations: 1,
			Backfill: order.Ranking{Order: rapid.SampledFrom([]*order.Order{order.ByShortest, order.ByLongest, order.BySmallest,
				order.ByLargest}).Draw(rt, "backfill")}}
		w := &reservations{Policy: sched.NewEasy(rules), ends: map[policies.Ref]events.Time{},
			shadows: map[int64]events.Time{}}
		for i, o := range replay(t, jobs, procs, w) {
			if shadow, reserved := w.shadows[int64(i)]; reserved && o.Start > shadow {
				rt.Fatalf("job %d starts at %v, it had a reservation for %v", o.Job.ID, o.Start, shadow)
			}
		}
	})
}

// reservations works out the head's reservation after each decision.
type reservations struct {
	policies.Policy
	waiting []policies.Ref
	ends    map[policies.Ref]events.Time // of the running
	shadows map[int64]events.Time        // least, by Seq
}

func (w *reservations) Unwrap() policies.Policy { return w.Policy }

func (w *reservations) Plan(r *policies.Round) {
	w.Policy.Plan(r)
	for _, ref := range r.Ended {
		delete(w.ends, ref)
	}
	w.waiting = append(w.waiting, r.Arrived...)
	for _, ref := range r.Started {
		w.ends[ref] = r.Now + r.Job(ref).Estimate
		for i, waits := range w.waiting {
			if waits == ref {
				w.waiting = append(w.waiting[:i], w.waiting[i+1:]...)
				break
			}
		}
	}
	if len(w.waiting) == 0 {
		return
	}
	head := r.Job(w.waiting[0])
	shadow := events.Never
	for _, at := range w.ends {
		n := r.Procs
		for ref, end := range w.ends {
			if end > at {
				n -= int(r.Job(ref).Procs)
			}
		}
		if n >= int(head.Procs) {
			shadow = min(shadow, at)
		}
	}
	if before, reserved := w.shadows[head.Seq]; !reserved || shadow < before {
		w.shadows[head.Seq] = max(shadow, r.Now)
	}
}

// TestAbsurdEstimates wants conservative backfilling to continue when estimates add up to
// more time than there is.
func TestAbsurdEstimates(t *testing.T) {
	var jobs []traces.Job
	for i := range 20 {
		jobs = append(jobs, traces.Job{ID: int64(i + 1), Submit: events.Time(i), Run: 10 * events.Second,
			Estimate: events.Never / 5, Procs: 2, Pieces: 1})
	}
	for i, o := range replay(t, jobs, 2, sched.NewConservative()) {
		if want := events.Time(10*i) * events.Second; o.Start != want {
			t.Errorf("job %d starts at %v, want %v", i+1, o.Start, want)
		}
	}
}
