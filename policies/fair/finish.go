package fair

import (
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/share"
)

// Finish is finish-time fairness among users of a machine of processors (share.FinishTimes):
// what is made equal is how much later users finish than they would with an equal part of
// the machine to themselves. That time alone is kept by a shadow of each user's work, served
// at min(need, processors / active users) as they are at any time; when the shadow has run
// out, it is the time at which that was. (Gavel's code has the same elapsed time above and
// below; its later text a separate clock, as here.)
//
// While all started together and none has left, no quotient exceeds 1. Then it is equal
// shares, until somebody has been ahead of their shadow: from then on those who came late
// are first, which is its memory, and its difference from drf.
//
// The shares change with time: it asks to be woken. A round costs some 60 looks at each user.
// By estimates a job past its own makes its user look closer to the end than it is.
type Finish struct {
	loop
	every    events.Time
	estimate bool // work is planned by estimates
	plans    []finisher
	now      events.Time
	next     events.Time // tick
	worked   []progress  // by Ref
	agents   []share.Finishing
	shares   []float64
}

// finisher is the account of a user with unfinished jobs. Work is in processor-seconds.
type finisher struct {
	jobs   int
	since  events.Time // of the first of them
	left   float64     // work
	shadow float64     // work left alone
	alone  float64     // seconds from since to when the shadow ran out, once it has
	rate   float64     // of the shadow, processors
	held   float64     // in fact, processors
}

// progress is the work done by a job.
type progress struct {
	seconds, rate float64 // up to at
	at            events.Time
}

// NewFinish returns the policy: shares are worked out at arrivals, ends and every so often.
func NewFinish(every events.Time, estimate bool) *Finish {
	return &Finish{loop: newLoop(), every: every, estimate: estimate}
}

// Needs are the times by which work is planned.
func (p *Finish) Needs() policies.Needs {
	return policies.Needs{RunTimes: !p.estimate, Estimates: p.estimate}
}

// Plan gives every user its share.
func (p *Finish) Plan(r *policies.Round) {
	p.elapse(r.Now)
	p.begin(r)
	for _, ref := range r.Ended {
		p.ended(r, ref)
	}
	for _, ref := range r.Arrived {
		p.arrived(r, ref)
	}
	if r.Now >= p.next { // one clock: a wish at every round would be one more clock each
		p.next = r.Now + p.every
	}
	if p.divide(r) {
		r.Wake(p.next)
	}
	for _, a := range r.Shared {
		w := &p.worked[a.Ref]
		w.account(r.Now)
		w.rate = a.Rate
	}
	p.end(r)
}

// elapse books the time since the last round.
func (p *Finish) elapse(now events.Time) {
	dt := (now - p.now).Seconds()
	for _, u := range p.users.active {
		f := &p.plans[u]
		f.left -= float64(f.held * dt)
		if done := float64(f.rate * dt); f.shadow > done {
			f.shadow -= done
		} else if f.shadow > 0 {
			f.alone = (p.now - f.since).Seconds() + f.shadow/f.rate
			f.shadow = 0
		}
	}
	p.now = now
}

func (w *progress) account(now events.Time) {
	w.seconds += float64(w.rate * (now - w.at).Seconds())
	w.at = now
}

// planned is how long a job is thought to run.
func (p *Finish) planned(j *policies.Job) float64 {
	if p.estimate {
		return j.Estimate.Seconds()
	}
	return j.Run.Seconds()
}

func (p *Finish) arrived(r *policies.Round, ref policies.Ref) {
	for n := len(p.plans); n < len(p.users.list); n++ {
		p.plans = append(p.plans, finisher{})
	}
	for int(ref) >= len(p.worked) {
		p.worked = append(p.worked, progress{})
	}
	p.worked[ref] = progress{at: r.Now}
	f, j := &p.plans[p.users.jobs[ref].user], r.Job(ref)
	if f.jobs == 0 {
		*f = finisher{since: r.Now}
	}
	f.jobs++
	work := float64(p.planned(j) * float64(j.Procs))
	f.left += work
	f.shadow += work
}

// ended takes what a job was thought to have left off its user's work, and what it did
// beyond that off no demand.
func (p *Finish) ended(r *policies.Round, ref policies.Ref) {
	f, j, w := &p.plans[p.users.jobs[ref].user], r.Job(ref), &p.worked[ref]
	w.account(r.Now)
	f.jobs--
	unspent := float64((p.planned(j) - w.seconds) * float64(j.Procs))
	f.left -= unspent
	if p.estimate && f.shadow > 0 {
		f.shadow = max(f.shadow-unspent, 1e-6*f.rate)
	}
}

// divide works shares out and reports whether anybody gets less than they need.
func (p *Finish) divide(r *policies.Round) bool {
	p.agents = p.agents[:0]
	equal := r.Total.CPU / float64(len(p.users.active))
	for _, u := range p.users.active {
		f, need := &p.plans[u], p.users.list[u].need.CPU
		f.rate = min(need, equal)
		elapsed, alone := (r.Now - f.since).Seconds(), f.alone
		if f.shadow > 0 {
			alone = elapsed + f.shadow/f.rate
		}
		p.agents = append(p.agents, share.Finishing{Elapsed: elapsed, Left: max(f.left, 1e-6*need), Alone: max(alone, 1e-6),
			Need: need})
	}
	p.shares = resized(p.shares, len(p.agents))
	rho := share.FinishTimes(r.Total.CPU, p.agents, p.shares)
	for i, u := range p.users.active {
		p.users.hold(r, u, policies.Amount{CPU: p.shares[i]})
		p.plans[u].held = p.users.using(r, u).CPU
	}
	return rho > 0
}

// Clone returns an independent copy.
func (p *Finish) Clone() policies.Policy {
	c := *p
	c.loop, c.plans, c.worked, c.agents, c.shares = p.loop.clone(), slices.Clone(p.plans), slices.Clone(p.worked), nil, nil
	return &c
}
