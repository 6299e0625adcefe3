package sched

import (
	"math"
	"slices"

	"bourse/policies"
)

// DLGM is the decentralized local greedy mechanism (Heydenreich, Mueller and Uetz, Operations
// Research 58, 2010) for serial jobs: each processor has its own queue, served by bid /
// run time without preemption. A job that arrives learns for each queue when it would end and
// what it would pay, the sum of b_k x its run time over the jobs k that it overtakes; it joins
// for good the queue where that costs it least, of equal ones the first, and compensates those
// whom it overtakes by what it pays. Truth is a best reply at arrival; payments add up to
// nothing. Starts are not held back, so that the paper's bound on welfare is not claimed.
//
// All queues are asked on each arrival, in logarithmic time each, and each overtaken job is
// credited. What a job owes when it starts, less what it was given, is spread over its run.
type DLGM struct {
	policies.AsFCFS
	compensate bool
	jobs       heldTree // by queue and -bid/run time; CPU is the run time, Memory the bid
	queues     []queue
	at         []placed // by Ref
}

// queue is the jobs that wait for one processor.
type queue struct {
	root int32
	busy bool
	free float64 // seconds, when the running job ends
}

// placed is the queue of a job and its account there.
type placed struct {
	queue int32
	owes  float64
	run   float64
	rate  float64 // of what it owes, since its start
}

// NewDLGM returns the mechanism; without compensation the operator keeps what is paid.
func NewDLGM(compensate bool) *DLGM { return &DLGM{compensate: compensate} }

// Traits declare that jobs are serial.
func (*DLGM) Traits() policies.Traits { return policies.Traits{Serial: true} }

// Needs are run times, which owners announce.
func (*DLGM) Needs() policies.Needs { return policies.Needs{RunTimes: true} }

// Asked is 0: each job owes its own.
func (*DLGM) Asked() float64 { return 0 }

// Agreed is the money that a job owes for each second that it runs.
func (p *DLGM) Agreed(ref policies.Ref) float64 { return p.at[ref].rate }

// Plan lets jobs join queues, and starts the first of those whose processor is free.
func (p *DLGM) Plan(r *policies.Round) {
	for len(p.queues) < r.Procs {
		p.queues = append(p.queues, queue{root: nilNode})
	}
	for _, ref := range r.Ended {
		p.queues[p.at[ref].queue].busy = false
	}
	for _, ref := range r.Arrived {
		p.join(r, ref)
	}
	for h := range p.queues {
		if q := &p.queues[h]; !q.busy && q.root != nilNode {
			p.start(r, q)
		}
	}
}

// join chooses a queue and pays those who wait longer for it.
func (p *DLGM) join(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	now, run := r.Now.Seconds(), j.Run.Seconds()
	key := policies.FloatKey(-j.Bid / max(run, 1e-6))
	chosen, best, owes := 0, math.Inf(-1), 0.0
	for h := range p.queues {
		q := &p.queues[h]
		ahead := p.jobs.sumUpTo(q.root, key)
		end, pays := now, float64(run*(p.jobs.sum(q.root).Memory-ahead.Memory))
		if q.busy {
			end = max(now, q.free)
		}
		end += ahead.CPU + run
		if u := -float64(j.Bid*(end-now)) - pays; u > best {
			chosen, best, owes = h, u, pays
		}
	}
	q := &p.queues[chosen]
	if p.compensate {
		p.credit(q.root, key, run)
	}
	for int(ref) >= len(p.at) {
		p.at = append(p.at, placed{})
	}
	p.at[ref] = placed{queue: int32(chosen), owes: owes, run: run}
	q.root = p.jobs.insert(q.root, int32(ref), key, j.Seq, policies.Amount{CPU: run, Memory: j.Bid})
}

// credit gives those behind a key what another of that run time costs them.
func (p *DLGM) credit(x int32, key int64, run float64) {
	if x == nilNode {
		return
	}
	n := &p.jobs.Nodes[x]
	p.credit(n.Right, key, run)
	if n.Key > key {
		p.at[x].owes -= float64(run * n.Of.own.Memory)
		p.credit(n.Left, key, run)
	}
}

// start runs the first of a queue.
func (p *DLGM) start(r *policies.Round, q *queue) {
	x := p.jobs.First(q.root)
	q.root = p.jobs.remove(q.root, x)
	s := &p.at[x]
	if s.run > 0 {
		s.rate = s.owes / s.run
	}
	q.busy, q.free = true, r.Now.Seconds()+s.run
	r.Start(policies.Ref(x))
}

// Clone returns an independent copy.
func (p *DLGM) Clone() policies.Policy {
	c := *p
	c.jobs, c.queues, c.at = p.jobs.clone(), slices.Clone(p.queues), slices.Clone(p.at)
	return &c
}
