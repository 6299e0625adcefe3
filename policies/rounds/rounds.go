// Package rounds is a policy that decides every so often who holds whole processors or devices, as schedulers of GPU
// clusters do (Narayanan et al., Gavel, OSDI 2020, section 5), and not whenever a job arrives or ends.
package rounds

import (
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// The rules.
const (
	// LAS gives jobs what they ask for in order of the processor-seconds that they have had, the least first.
	LAS = "las"
	// MaxMin goes by the work that they have done in seconds: what they hold first is the least they can run on, and
	// then one processor at a time goes to the slowest that gains by it.
	MaxMin = "maxmin"
	// Sum goes by speed per processor, and then by what the next processor adds to the speed.
	Sum = "sum"
)

// Rules are their names.
var Rules = []string{LAS, MaxMin, Sum}

// Rounds decides every so many seconds from the first submission on. In a round jobs are taken in the rule's order, the
// earlier submission first where it is equal, and get the least that they can run on, those that do not fit being passed
// over. Those with a speed get more, a processor at a time, as long as any that is free makes one of them faster. What
// ends early leaves its processors idle until the next round.
type Rounds struct {
	policies.AsFCFS
	Rule  string
	Every events.Time

	begun   bool
	origin  events.Time // of the rounds: the first submission
	jobs    []state     // by Ref
	queue   policies.Queue
	holding []policies.Ref // in the order in which they were taken
	// Of a round under way: who gains by one more, who did not fit, and who held any before.
	raised       policies.Queue
	over, before []policies.Ref
}

// state is what a job has had.
type state struct {
	service float64 // in the rule's measure, up to since
	since   events.Time
	held    int // processors, from now on if it is being decided
	was     int // and before
}

// Traits say that the machine is of one size.
func (*Rounds) Traits() policies.Traits { return policies.Traits{Fixed: true} }

// Clone implements policies.Policy.
func (p *Rounds) Clone() policies.Policy {
	c := *p
	c.jobs, c.queue, c.holding = slices.Clone(p.jobs), p.queue.Clone(), slices.Clone(p.holding)
	c.raised, c.over, c.before = policies.Queue{}, nil, nil
	return &c
}

// Plan lets jobs in, and decides when it is time.
func (p *Rounds) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		if !p.queue.Remove(ref) {
			p.holding = slices.DeleteFunc(p.holding, func(o policies.Ref) bool { return o == ref })
		}
	}
	for _, ref := range r.Arrived {
		for int(ref) >= len(p.jobs) {
			p.jobs = append(p.jobs, state{})
		}
		p.jobs[ref] = state{since: r.Now}
		p.push(r, ref)
	}
	if !p.begun {
		p.begun, p.origin = true, r.Now
	}
	over := (r.Now - p.origin) % p.Every
	if over == 0 {
		p.decide(r)
	}
	if p.queue.Len()+len(p.holding) > 0 {
		r.Wake(r.Now - over + p.Every)
	}
}

// push puts a job into the order.
func (p *Rounds) push(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	key := p.jobs[ref].service
	if p.Rule == Sum {
		least, _ := j.Range()
		key = -j.On(least) / float64(least)
	}
	p.queue.Push(key, j.Seq, ref)
}

// decide makes a round.
func (p *Rounds) decide(r *policies.Round) {
	for _, ref := range p.holding {
		s, j := &p.jobs[ref], r.Job(ref)
		had := float64(s.held)
		if p.Rule == MaxMin {
			had = j.On(s.held)
		}
		s.service += float64(had * (r.Now - s.since).Seconds())
		s.was, s.held = s.held, 0
		p.push(r, ref)
	}
	p.before, p.holding = append(p.before[:0], p.holding...), p.holding[:0]
	p.raise(r, p.take(r))
	for _, ref := range p.before {
		if s := &p.jobs[ref]; s.held == 0 {
			r.Share(ref, 0)
			s.was = 0
		}
	}
	for _, ref := range p.holding {
		s, j := &p.jobs[ref], r.Job(ref)
		if s.since = r.Now; s.held != s.was {
			r.Share(ref, float64(s.held)/float64(j.Procs))
		}
	}
}

// take gives jobs what they begin with, and returns what is left.
func (p *Rounds) take(r *policies.Round) (free int) {
	for free = r.Procs; free > 0 && p.queue.Len() > 0; {
		ref := p.queue.Pop()
		j := r.Job(ref)
		n, _ := j.Range()
		if p.Rule == LAS {
			n = int(j.Procs)
		}
		if n > free {
			p.over = append(p.over, ref)
			continue
		}
		p.jobs[ref].held, free = n, free-n
		p.holding = append(p.holding, ref)
	}
	for _, ref := range p.over {
		p.push(r, ref)
	}
	p.over = p.over[:0]
	return free
}

// raise gives out what is left, a processor at a time.
func (p *Rounds) raise(r *policies.Round, free int) {
	if p.Rule == LAS {
		return
	}
	for _, ref := range p.holding {
		p.offer(r, ref)
	}
	for ; free > 0 && p.raised.Len() > 0; free-- {
		ref := p.raised.Pop()
		p.jobs[ref].held++
		p.offer(r, ref)
	}
	for p.raised.Len() > 0 {
		p.raised.Pop()
	}
}

// offer puts a job into the order of those that want one processor more, if it gains by it.
func (p *Rounds) offer(r *policies.Round, ref policies.Ref) {
	j, n := r.Job(ref), p.jobs[ref].held
	if _, most := j.Range(); n >= most {
		return
	}
	now, then := j.On(n), j.On(n+1)
	if !(then > now) || math.IsNaN(then) {
		return
	}
	key := now
	if p.Rule == Sum {
		key = now - then
	}
	p.raised.Push(key, j.Seq, ref)
}
