package sched

import (
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// HVD serves the highest value density first, preemptively and strictly in order: the bid
// times the factor that the job's shape would have if it ran from now on, per second of what
// is left of it, or with static of all its run time, which does not change as it runs. What
// can no longer be worth anything is last, by age. Clairvoyant.
//
// Under the static density flow times fall with the bid, so that a critical payment makes
// truth best: the least winning bid. A running job's density grows as it runs, and that of
// running jobs is reckoned again at every round in which others wait, which takes time in those
// that run. The factor of a job falls when now + left passes a time of its shape:
// the policy asks to be woken then.
type HVD struct {
	policies.AsFCFS
	prefix
	static bool
	falls  policies.Queue // when a waiting job's factor falls next
	live   []policies.Ref // that run, of the last round
}

// NewHVD returns the policy.
func NewHVD(static bool) *HVD { return &HVD{static: static} }

// Traits say that several resources will do.
func (*HVD) Traits() policies.Traits { return policies.Traits{Packs: true} }

// Needs are run times.
func (*HVD) Needs() policies.Needs { return policies.Needs{RunTimes: true} }

// key is the density, less than nothing.
func (p *HVD) key(now events.Time, j *policies.Job) float64 {
	work := j.Left
	if j.State == policies.Running {
		work -= now - j.Since
	}
	factor := 1.0
	if j.Shape != nil {
		factor = j.Shape.At(now + work - j.Submit)
	}
	if factor == 0 {
		return math.Inf(1)
	}
	if p.static {
		work = j.Run
	}
	per := max(work, 1).Seconds()
	return -float64(float64(j.Bid*factor)*j.Run.Seconds()) / per
}

// Plan lets the densest run.
func (p *HVD) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		p.ended(ref)
		p.falls.Remove(ref)
		p.live = slices.DeleteFunc(p.live, func(x policies.Ref) bool { return x == ref })
	}
	for _, ref := range r.Rebid {
		p.rank(r.Job(ref), ref, p.key(r.Now, r.Job(ref)))
	}
	for p.falls.Len() > 0 && p.falls.HeadKey() <= float64(r.Now) {
		ref := p.falls.Pop()
		p.rank(r.Job(ref), ref, p.key(r.Now, r.Job(ref)))
		p.scheduleFall(r, ref)
	}
	for _, ref := range r.Arrived {
		p.add(r.Job(ref), ref, p.key(r.Now, r.Job(ref)))
		p.scheduleFall(r, ref)
	}
	if p.waiting.Len() > 0 {
		for _, ref := range p.live {
			p.rank(r.Job(ref), ref, p.key(r.Now, r.Job(ref)))
		}
	}
	p.settle(r)
	for _, ref := range r.Preempted {
		p.live = slices.DeleteFunc(p.live, func(x policies.Ref) bool { return x == ref })
		p.scheduleFall(r, ref)
	}
	for _, ref := range r.Started {
		p.falls.Remove(ref)
		p.live = append(p.live, ref)
	}
	if p.falls.Len() > 0 {
		r.Wake(events.Time(p.falls.HeadKey()))
	}
}

// scheduleFall says when the factor of a waiting job falls: a microsecond after the last start
// with which it still ends in time.
func (p *HVD) scheduleFall(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	if j.Shape == nil || p.falls.Has(ref) {
		return
	}
	work := j.Left
	if j.State == policies.Running { // it stops now
		work -= r.Now - j.Since
	}
	if next, ok := j.Shape.Next(r.Now + work - j.Submit); ok {
		p.falls.Push(float64(j.Submit+next-work+1), j.Seq, ref)
	}
}

// Clone returns an independent copy.
func (p *HVD) Clone() policies.Policy {
	c := *p
	c.prefix, c.falls, c.live = p.clone(), p.falls.Clone(), slices.Clone(p.live)
	return &c
}

// EDF serves the earliest deadline first, preemptively and strictly in order: of a job with a
// shape the time after which it is worth nothing. Jobs without one are last, by age.
type EDF struct {
	policies.AsFCFS
	prefix
}

// Traits say that several resources will do.
func (*EDF) Traits() policies.Traits { return policies.Traits{Packs: true} }

// Plan lets the most urgent run.
func (p *EDF) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		p.ended(ref)
	}
	for _, ref := range r.Arrived {
		key := math.Inf(1)
		if j := r.Job(ref); j.Shape != nil {
			key = float64(j.Submit + j.Shape.Deadline())
		}
		p.add(r.Job(ref), ref, key)
	}
	p.settle(r)
}

// Clone returns an independent copy.
func (p *EDF) Clone() policies.Policy { return &EDF{prefix: p.clone()} }
