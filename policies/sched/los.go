package sched

import (
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// LOS is the lookahead optimizing scheduler (Shmueli and Feitelson, JPDC 65(9), 2005): jobs start by submission while
// they fit, the first that does not gets EASY's reservation, and of the next ones those start that together fill most
// of what is free without delaying it. Among sets that fill as much it takes one that uses least of what the
// reservation leaves, and of these the one of the earliest jobs: a later one is in it only if it has to be.
//
// With l[f] the least number of processors that a set filling f holds beyond the reservation's time, a job of n
// processors makes l[f] = min(l[f], l[f-n] + (n if it outlasts that time, else 0)); sets with more than is left are
// none. So a decision costs O(lookahead x free processors), and the running jobs are sorted by their ends.
type LOS struct {
	policies.AsFCFS
	lookahead int
	queue     []policies.Ref // waiting, by submission
	running   []running
	plan      steps
	least     [][]int32 // by jobs looked at, by processors filled
}

// NewLOS returns the policy, which looks at so many jobs behind the first.
func NewLOS(lookahead int) *LOS { return &LOS{lookahead: lookahead} }

// Needs are estimates.
func (*LOS) Needs() policies.Needs { return policies.Needs{Estimates: true} }

// Plan starts jobs in order while they fit, then the best set behind the first that does not.
func (p *LOS) Plan(r *policies.Round) {
	p.absorb(r)
	free := r.Free
	for len(p.queue) > 0 && int(r.Job(p.queue[0]).Procs) <= free {
		free -= p.start(r, p.queue[0])
		p.queue = p.queue[1:]
	}
	if len(p.queue) < 2 || free == 0 {
		return
	}
	shadow, extra := p.reserve(r, free)
	behind := p.queue[1:min(len(p.queue), 1+p.lookahead)]
	taken := p.choose(r, behind, free, shadow, min(extra, free))
	if len(taken) == 0 {
		return
	}
	for _, i := range taken {
		p.start(r, behind[i])
	}
	// What was looked at and waits on moves up to the rest of the queue.
	to := len(behind)
	for i := len(behind) - 1; i >= 0; i-- {
		if !slices.Contains(taken, i) {
			to--
			behind[to] = behind[i]
		}
	}
	p.queue[to] = p.queue[0]
	p.queue = p.queue[to:]
}

// reserve returns when the first job has its processors by the estimates, and how many are left then.
func (p *LOS) reserve(r *policies.Round, free int) (shadow events.Time, extra int) {
	slices.SortFunc(p.running, func(a, b running) int { return int(min(1, max(-1, a.end-b.end))) })
	p.plan.from(r.Now, free, p.running, nil)
	need := int(r.Job(p.queue[0]).Procs)
	for i, n := range p.plan.free {
		if n >= need {
			return p.plan.at[i], n - need
		}
	}
	return events.Never, free // more than the machine has now
}

// choose returns which jobs fill most of the free processors, the last first.
func (p *LOS) choose(r *policies.Round, jobs []policies.Ref, free int, shadow events.Time, extra int) (taken []int) {
	const none = math.MaxInt32
	late := func(j *policies.Job) int32 {
		if r.Now+j.Estimate > shadow {
			return j.Procs
		}
		return 0
	}
	for len(p.least) <= len(jobs) {
		p.least = append(p.least, nil)
	}
	for i := range len(jobs) + 1 {
		now := slices.Grow(p.least[i][:0], free+1)[:free+1]
		p.least[i] = now
		if i == 0 {
			for f := range now {
				now[f] = none
			}
			now[0] = 0
			continue
		}
		was, j := p.least[i-1], r.Job(jobs[i-1])
		copy(now, was)
		n, beyond := int(j.Procs), late(j)
		for f := n; f <= free; f++ {
			if l := was[f-n]; l != none && l+beyond < now[f] && l+beyond <= int32(extra) {
				now[f] = l + beyond
			}
		}
	}
	f := free
	for p.least[len(jobs)][f] == none {
		f--
	}
	for i := len(jobs); f > 0; i-- {
		if p.least[i][f] != p.least[i-1][f] {
			taken, f = append(taken, i-1), f-int(r.Job(jobs[i-1]).Procs)
		}
	}
	return taken
}

func (p *LOS) absorb(r *policies.Round) {
	for _, ref := range r.Ended {
		p.running = slices.DeleteFunc(p.running, func(x running) bool { return x.ref == ref })
	}
	for _, ref := range r.Arrived {
		i := len(p.queue)
		for i > 0 && r.Job(p.queue[i-1]).Seq > r.Job(ref).Seq { // one that comes again
			i--
		}
		p.queue = slices.Insert(p.queue, i, ref)
	}
}

// start starts a waiting job and returns its processors.
func (p *LOS) start(r *policies.Round, ref policies.Ref) int {
	j := r.Job(ref)
	r.Start(ref)
	p.running = append(p.running, running{end: r.Now + j.Estimate, procs: int(j.Procs), ref: ref})
	return int(j.Procs)
}

// Clone returns an independent copy.
func (p *LOS) Clone() policies.Policy {
	return &LOS{lookahead: p.lookahead, queue: slices.Clone(p.queue), running: slices.Clone(p.running)}
}
