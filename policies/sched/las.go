package sched

import (
	"slices"

	"bourse/events"
	"bourse/policies"
)

// LAS is least attained service in classes (Gu et al., Tiresias, NSDI 2019): the class of a
// job is the number of limits that its service so far, processor-seconds or seconds, has
// reached. The least class is served first, inside a class by submission, preemptively and
// strictly in order. No run times are needed: the policy asks to be woken when the next
// running job reaches a limit.
//
// A job of a later class that has waited without a break promote times as long as it ran
// since it was put into class 0 returns there, its service counted again.
type LAS struct {
	policies.AsFCFS
	prefix
	limits  []float64 // rising
	area    bool      // service is processor-seconds
	promote float64   // 0: never
	jobs    []service // by Ref
	due     policies.Queue
}

// service is the attained service of a job since it arrived, or was put back into class 0.
type service struct {
	class   int
	ran     events.Time // up to since
	since   events.Time // of the last start or stop
	running bool
}

// NewLAS returns the policy; limits rise.
func NewLAS(limits []float64, area bool, promote float64) *LAS {
	return &LAS{limits: limits, area: area, promote: promote}
}

// Traits say that several resources will do.
func (*LAS) Traits() policies.Traits { return policies.Traits{Packs: true} }

// Plan moves jobs between classes and lets the first of them run.
func (p *LAS) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		p.ended(ref)
		p.due.Remove(ref)
	}
	for p.due.Len() > 0 && p.due.HeadKey() <= float64(r.Now) {
		p.move(r, p.due.Pop())
	}
	for _, ref := range r.Arrived {
		for int(ref) >= len(p.jobs) {
			p.jobs = append(p.jobs, service{})
		}
		p.jobs[ref] = service{}
		p.add(r.Job(ref), ref, 0)
	}
	p.settle(r)
	for _, ref := range r.Preempted {
		p.record(r, ref, false)
	}
	for _, ref := range r.Started {
		p.record(r, ref, true)
	}
	if p.due.Len() > 0 {
		r.Wake(events.Time(p.due.HeadKey()))
	}
}

// move puts a job into the class that it has come to.
func (p *LAS) move(r *policies.Round, ref policies.Ref) {
	s := &p.jobs[ref]
	if s.running {
		s.account(r.Now)
		s.class++
	} else {
		*s = service{}
	}
	p.rank(r.Job(ref), ref, float64(s.class))
	p.scheduleMove(r, ref)
}

// record takes note of a start or a stop.
func (p *LAS) record(r *policies.Round, ref policies.Ref, running bool) {
	s := &p.jobs[ref]
	if s.running {
		s.account(r.Now)
	}
	s.running, s.since = running, r.Now
	p.due.Remove(ref)
	p.scheduleMove(r, ref)
}

// account adds the time since a running job was looked at last.
func (s *service) account(now events.Time) { s.ran, s.since = s.ran+now-s.since, now }

// scheduleMove says when a job changes its class if it continues as it does: at the next limit, or
// by promotion.
func (p *LAS) scheduleMove(r *policies.Round, ref policies.Ref) {
	s, j := &p.jobs[ref], r.Job(ref)
	at := events.Never // from now
	switch {
	case s.running && s.class < len(p.limits):
		at = p.timeToReach(j, p.limits[s.class]) - s.ran
	case !s.running && s.class > 0 && p.promote > 0:
		at, _ = events.FromSeconds(float64(p.promote * s.ran.Seconds()))
	}
	if at < events.Never/4 {
		p.due.Push(float64(r.Now+max(at, 0)), j.Seq, ref)
	}
}

// timeToReach is how long a job has to run to reach a limit.
func (p *LAS) timeToReach(j *policies.Job, limit float64) events.Time {
	if p.area {
		limit /= j.Size
	}
	t, ok := events.FromSeconds(limit)
	if !ok {
		return events.Never
	}
	return t
}

// Clone returns an independent copy.
func (p *LAS) Clone() policies.Policy {
	c := *p
	c.prefix, c.jobs, c.due = p.clone(), slices.Clone(p.jobs), p.due.Clone()
	return &c
}
