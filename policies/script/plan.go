package script

import (
	"cmp"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
	"bourse/policies/sched"
)

// Plan is a script that decides everything: plan(round) is called at every instant at which
// something happened. Functions arrived, started, preempted and ended, each of (job, now),
// are called as well if the script has them.
//
// The script is given all waiting and running jobs, so that keeping the lists costs time
// in the queue whenever a job leaves it, as going through them does.
type Plan struct {
	policies.AsFCFS
	m                               *module
	plan                            *starlark.Function
	arrived, started, stopped, over *starlark.Function
	traits                          policies.Traits
	needs                           policies.Needs
	jobs                            []*job         // by Ref
	waiting                         []policies.Ref // by submission
	running                         []policies.Ref // by start
	clock                           events.Time
	changes                         []policies.Change // of the machine's size, to come
	alone                           uint64            // steps since something happened to a job
	agreed, fees                    []float64         // by Ref: what the plan charges
	repriced                        []policies.Ref    // of the running jobs, in the last round
}

// mostAlone is how many steps a plan may take since something happened to a job, so that one that
// wakes itself over and over ends.
const mostAlone = 40 * mostSteps

// New makes the policy that the script is: its plan, or a list in the order of its rank.
func New(f *File) (policies.Policy, error) {
	m, err := f.start()
	if err != nil {
		return nil, err
	}
	if m.function("plan") == nil && m.function("rank") != nil {
		k, err := NewRank(f)
		if err != nil {
			return nil, err
		}
		return sched.NewRanked(order.Ranking{Keys: k}), nil
	}
	p := &Plan{m: m}
	if p.plan, err = m.requireFunc("plan", "a policy"); err != nil {
		return nil, err
	}
	p.bind()
	if err := m.checkParams(p.plan, "round"); err != nil {
		return nil, err
	}
	for _, hook := range []*starlark.Function{p.arrived, p.started, p.stopped, p.over} {
		if err := m.checkParams(hook, "job", "now"); err != nil {
			return nil, err
		}
	}
	p.traits = policies.Traits{Packs: f.attrs["fits"] && !f.attrs["profile"], Places: f.attrs["place"],
		Leaves: f.attrs["leave"]}
	p.needs = policies.Needs{RunTimes: m.flag("clairvoyant"), Estimates: f.attrs["estimate"] || f.attrs["profile"]}
	if f.attrs["fee"] {
		return feePlan{pricedPlan{p}}, nil
	}
	if f.attrs["charge"] {
		return pricedPlan{p}, nil
	}
	return p, nil
}

func (p *Plan) bind() {
	p.plan = p.m.function("plan")
	p.arrived, p.started, p.stopped, p.over = p.m.function("arrived"), p.m.function("started"), p.m.function("preempted"),
		p.m.function("ended")
}

// ExpectChanges implements policies.Planner: profiles have them.
func (p *Plan) ExpectChanges() {}

// Traits follow from the functions that the script calls.
func (p *Plan) Traits() policies.Traits { return p.traits }

// Needs are those that the script declares, and estimates if it looks at them.
func (p *Plan) Needs() policies.Needs { return p.needs }

// Err implements policies.Failer.
func (p *Plan) Err() error { return p.m.err }

// Failers implements policies.Fallible.
func (p *Plan) Failers() []policies.Failer { return []policies.Failer{p} }

// Plan lets the script decide.
func (p *Plan) Plan(r *policies.Round) {
	p.clock = r.Now
	p.changes = append(slices.DeleteFunc(p.changes, func(c policies.Change) bool { return c.At <= r.Now }), r.Coming...)
	p.news(r)
	p.repriced = p.repriced[:0]
	s := newRound(p, r)
	p.m.call(func() string { return fmt.Sprintf("planning at %v", r.Now) }, p.plan,
		&record[*round]{"round", roundAttributes, s})
	s.over = true
	if len(r.Arrived)+len(r.Ended)+len(r.Evicted) > 0 {
		p.alone = 0
	}
	if p.alone += p.m.thread.Steps; p.alone > mostAlone && p.m.err == nil {
		p.m.err = fmt.Errorf("%v: the plan has taken %d million steps since a job came or went: does it wake itself for "+
			"ever? (planning at %v)", p.plan.Position(), mostAlone/1_000_000, r.Now)
	}
	if p.m.err != nil {
		return
	}
	p.settle(r)
}

// news brings the jobs up to date.
func (p *Plan) news(r *policies.Round) {
	for _, ref := range r.Ended {
		if p.refresh(r, ref); p.jobs[ref].State == policies.Gone {
			p.call(p.over, p.jobs[ref])
		} else { // a rule of the site holds it back: it comes again
			p.call(p.stopped, p.jobs[ref])
		}
	}
	if len(r.Ended)+len(r.Evicted) > 0 {
		p.running = slices.DeleteFunc(p.running, func(ref policies.Ref) bool { return r.Job(ref).State != policies.Running })
	}
	for _, ref := range r.Evicted {
		p.refresh(r, ref)
		p.call(p.stopped, p.jobs[ref])
		p.queue(ref)
	}
	for _, ref := range r.Rebid {
		p.refresh(r, ref)
	}
	for _, ref := range r.Arrived {
		for int(ref) >= len(p.jobs) {
			p.jobs = append(p.jobs, nil)
		}
		if old := p.jobs[ref]; old != nil && old.Seq == r.Job(ref).Seq {
			p.refresh(r, ref)
			p.queue(ref)
			continue
		}
		p.jobs[ref] = &job{Job: *r.Job(ref), clock: &p.clock, ref: ref, site: p.m.site}
		if int(ref) < len(p.agreed) {
			p.agreed[ref], p.fees[ref] = 0, 0 // of the job that had this place before
		}
		p.queue(ref)
		p.call(p.arrived, p.jobs[ref])
	}
}

// refresh takes over what the engine changed of a job.
func (p *Plan) refresh(r *policies.Round, ref policies.Ref) { p.jobs[ref].Job = *r.Job(ref) }

// queue puts a job among the waiting: behind all, unless it was there before.
func (p *Plan) queue(ref policies.Ref) {
	at, _ := slices.BinarySearchFunc(p.waiting, p.jobs[ref].Seq,
		func(other policies.Ref, seq int64) int { return cmp.Compare(p.jobs[other].Seq, seq) })
	p.waiting = slices.Insert(p.waiting, at, ref)
}

func (p *Plan) call(f *starlark.Function, j *job) {
	if f != nil {
		p.m.call(func() string { return fmt.Sprintf("job %d at %v", j.ID, p.clock) }, f, j, starlark.Float(p.clock.Seconds()))
	}
}

// settle keeps the lists after the script's decisions.
func (p *Plan) settle(r *policies.Round) {
	for _, ref := range r.Preempted {
		p.jobs[ref].State = policies.Waiting
		p.queue(ref)
		p.call(p.stopped, p.jobs[ref])
	}
	start := func(ref policies.Ref) {
		j := p.jobs[ref]
		j.State, j.Since, j.Rate = policies.Running, r.Now, 1
		p.running = append(p.running, ref)
		p.call(p.started, j)
	}
	for _, ref := range r.Started {
		start(ref)
	}
	for _, s := range r.Shared {
		switch j := p.jobs[s.Ref]; {
		case s.Rate > 0 && j.State == policies.Waiting:
			start(s.Ref)
			j.Rate = s.Rate
		case s.Rate == 0 && j.State == policies.Running:
			j.State = policies.Waiting
			p.queue(s.Ref)
			p.call(p.stopped, j)
		default:
			j.Rate = s.Rate
		}
	}
	for _, d := range r.Left {
		if int(d.Ref) < len(p.jobs) && p.jobs[d.Ref] != nil && p.jobs[d.Ref].Seq == r.Job(d.Ref).Seq {
			p.jobs[d.Ref].State = policies.Gone
		}
	}
	if len(r.Started)+len(r.Shared)+len(r.Left) > 0 {
		p.waiting = slices.DeleteFunc(p.waiting, func(ref policies.Ref) bool { return p.jobs[ref].State != policies.Waiting })
	}
	if len(r.Preempted)+len(r.Shared) > 0 {
		p.running = slices.DeleteFunc(p.running, func(ref policies.Ref) bool { return p.jobs[ref].State != policies.Running })
	}
}

// Clone returns an independent copy, with copies of the script's own variables.
func (p *Plan) Clone() policies.Policy {
	c := *p
	c.waiting, c.running, c.changes = slices.Clone(p.waiting), slices.Clone(p.running), slices.Clone(p.changes)
	c.agreed, c.fees, c.repriced = slices.Clone(p.agreed), slices.Clone(p.fees), slices.Clone(p.repriced)
	c.jobs = make([]*job, len(p.jobs))
	made := map[starlark.Value]starlark.Value{}
	for i, j := range p.jobs {
		if j != nil {
			copied := *j
			copied.clock = &c.clock
			c.jobs[i], made[j] = &copied, &copied
		}
	}
	c.m = p.m.clone(made)
	c.bind()
	return &c
}
