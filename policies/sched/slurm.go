package sched

import (
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
)

// SlurmRules are the parameters of Slurm's sched/backfill plugin that decide which jobs start when (its documentation,
// slurm.conf, SchedulerParameters).
type SlurmRules struct {
	Order order.Ranking
	// Interval is bf_interval, Window bf_window, Resolution bf_resolution.
	Interval, Window, Resolution events.Time
	// MaxJobTest is bf_max_job_test, QueueDepth default_queue_depth.
	MaxJobTest, QueueDepth int
}

// Slurm decides as Slurm's two loops do. The main one, at each event, takes jobs in order of priority, at most
// QueueDepth, and stops at the first that does not fit. The backfill one, at most once an Interval, takes the next
// MaxJobTest jobs in order of priority and gives each the earliest place in a profile of free processors by requested
// times, in steps of Resolution: it starts what has its place now, and reserves for what has one within Window. Other
// jobs are as if they were not there. What a job has reserved is kept for no longer than the pass: as in Slurm, the
// next one plans anew. A job past its estimate is taken to end a Resolution from now.
//
// A backfill pass costs O(jobs tested x steps); the main loop what its order costs (plainQueue).
type Slurm struct {
	policies.AsFCFS
	order.Base
	rules   SlurmRules
	waiting plainQueue
	running []running
	passed  events.Time // the last backfill pass, Never before the first
	plan    steps
	changes []policies.Change // of the machine's size, to come
}

// NewSlurm returns the policy.
func NewSlurm(rules SlurmRules) *Slurm {
	return &Slurm{Base: order.Base{Rank: order.NewRanker(rules.Order)}, rules: rules, waiting: newPlainQueue(),
		passed: events.Never}
}

// Needs are estimates, and what the order looks at.
func (p *Slurm) Needs() policies.Needs {
	n := p.Rank.Needs()
	n.Estimates = true
	return n
}

// Traits are those of the order.
func (p *Slurm) Traits() policies.Traits { return policies.Traits{ByScale: p.rules.Order.ByPlainBid()} }

// ExpectChanges implements policies.Planner.
func (*Slurm) ExpectChanges() {}

// Plan runs the main loop, and the backfill loop if it is time.
func (p *Slurm) Plan(r *policies.Round) {
	p.absorb(r)
	free := r.Free
	w := &p.waiting
	if free == 0 || w.left.Len() == 0 {
		return
	}
	defer w.end()
	w.rank(r, &p.Rank)
	ahead := len(p.changes) > 0
	if ahead {
		p.profile(r.Now, free)
	}
	for n := 0; n < p.rules.QueueDepth && w.left.Len() > 0; n++ {
		it := w.left.Head()
		if int(it.procs) > free || ahead && !p.plan.fits(int(it.procs), p.length(r.Job(it.ref))) {
			break
		}
		if free -= p.start(r, w.left.Pop()); ahead {
			p.plan.add(r.Now, r.Now+p.length(r.Job(it.ref)), -int(it.procs))
		}
	}
	if w.left.Len() == 0 || free == 0 {
		return
	}
	if next := p.passed + p.rules.Interval; p.passed != events.Never && next > r.Now {
		r.Wake(next)
		return
	}
	p.passed = r.Now
	p.profile(r.Now, free)
	for n := 0; n < p.rules.MaxJobTest && w.left.Len() > 0; n++ {
		it := w.left.Pop()
		length := p.length(r.Job(it.ref))
		from := p.plan.earliest(int(it.procs), length)
		if from == r.Now {
			p.start(r, it)
		} else if w.pass(it); from > r.Now+p.rules.Window {
			continue
		}
		p.plan.add(from, from+length, -int(it.procs))
	}
}

// length is a job's requested time in whole steps, at least one.
func (p *Slurm) length(j *policies.Job) events.Time {
	s := p.rules.Resolution
	return max((j.Estimate+s-1)/s, 1) * s
}

// profile draws up what will be free, every running job ending at the next step after its estimate.
func (p *Slurm) profile(now events.Time, free int) {
	s := p.rules.Resolution
	for i := range p.running {
		x := &p.running[i]
		x.end = max((x.limit+s-1)/s*s, now+s)
	}
	slices.SortFunc(p.running, func(a, b running) int { return int(min(1, max(-1, a.end-b.end))) })
	p.plan.from(now, free, p.running, p.changes)
}

func (p *Slurm) absorb(r *policies.Round) {
	p.changes = append(p.changes, r.Coming...)
	if len(p.changes) > 0 {
		p.changes = slices.DeleteFunc(p.changes, func(c policies.Change) bool { return c.At <= r.Now })
	}
	for _, ref := range r.Ended {
		p.Rank.Ended(r.Now, r.Job(ref))
		p.running = slices.DeleteFunc(p.running, func(x running) bool { return x.ref == ref })
	}
	for _, ref := range r.Arrived {
		p.waiting.add(ref, r.Job(ref))
	}
}

// start starts a waiting job and returns its processors.
func (p *Slurm) start(r *policies.Round, it item) int {
	j := r.Job(it.ref)
	r.Start(it.ref)
	p.Rank.Started(r.Now, j)
	p.running = append(p.running, running{procs: int(j.Procs), ref: it.ref, limit: r.Now + j.Estimate})
	return int(j.Procs)
}

// Clone returns an independent copy.
func (p *Slurm) Clone() policies.Policy {
	return &Slurm{Base: order.Base{Rank: p.Rank.Clone()}, rules: p.rules, waiting: p.waiting.clone(),
		running: slices.Clone(p.running), passed: p.passed, changes: slices.Clone(p.changes)}
}
