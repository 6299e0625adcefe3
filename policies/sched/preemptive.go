package sched

import (
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
)

// Preemptive lets a waiting job take the processors of running ones that it
// outranks. Waiting jobs are taken in order while the next one fits, or can be
// made to fit by stopping running jobs of strictly lower rank, the lowest first
// and of those the one started last; no job is stopped unless that makes enough
// room, and none passes one that does not fit. Equal rank never preempts. What
// a round stops and has room for in the end is not stopped at all.
//
// Two ranks are made of it: SRPT and NewPriority. A start or a stop costs O(log n).
type Preemptive struct {
	policies.AsFCFS
	order.Base // of NewPriority
	srpt       bool
	area       bool // of srpt: by the processor-seconds left
	waiting    policies.Queue
	running    heldTree // by (rank, order of start), the first victim last
	root       int32
	starts     int64
	changed    []policies.Ref // started or stopped by the last round: their Left is to be looked up (srpt)
	stopped    []eviction     // of this round; some are taken back
	spares     bool           // see Sparing
	most       int32          // preemptions a job
	refs       []policies.Ref // scratch
	times      []int32        // how often each was stopped, by Ref; nil unless spares
}

// NewSRPT returns shortest remaining processing time: jobs rank by the work they
// have left, clairvoyant (Schrage 1968: optimal for the mean flow time on one
// processor). Jobs of several processors rank by time, or by area, the
// processor-seconds that they have left.
//
// By area the order of running jobs changes as they run, wide ones gaining on narrow ones:
// where the first waiting job finds no room all that run are ranked again.
func NewSRPT(area bool) *Preemptive { return &Preemptive{srpt: true, area: area, root: nilNode} }

// NewPriority returns preemptive priority: the ranking's key is a job's class,
// least first, and jobs of one class are served in order of submission.
func NewPriority(r order.Ranking) *Preemptive {
	return &Preemptive{Base: order.Base{Rank: order.NewRanker(r)}, root: nilNode}
}

// Traits say that several resources will do.
func (*Preemptive) Traits() policies.Traits { return policies.Traits{Packs: true} }

// Needs are those of the ranking; SRPT knows run times.
func (p *Preemptive) Needs() policies.Needs {
	if p.srpt {
		return policies.Needs{RunTimes: true}
	}
	return p.Rank.Needs()
}

// Ranker implements order.Ranked: of priority, where it does not spare jobs.
func (p *Preemptive) Ranker() (rank *order.Ranker, preempts, ok bool) {
	return &p.Rank, true, !p.srpt && !p.spares
}

// Plan starts waiting jobs in order, on free processors or those of lower ranks.
func (p *Preemptive) Plan(r *policies.Round) {
	p.absorb(r)
	p.stopped = p.stopped[:0]
	free, ranked := r.Spare, false
	for p.waiting.Len() > 0 {
		best := p.waiting.Head()
		j := r.Job(best)
		if !j.Need.Fits(free) {
			if p.area && !ranked {
				p.rerank(r)
				ranked = true
			}
			outranked := p.running.sum(p.root).Minus(p.running.sumUpTo(p.root, p.limit(r, j)))
			if !j.Need.Fits(free.Plus(outranked)) {
				break
			}
			free = p.evict(r, best, free)
		}
		p.waiting.Pop()
		free = free.Minus(j.Need)
		if j.State == policies.Waiting {
			r.Start(best)
			p.changed = append(p.changed, best)
		}
		p.run(r, best)
	}
	for _, e := range p.stopped {
		if p.waiting.Has(e.victim) {
			r.PreemptFor(e.victim, e.by)
			if p.spares {
				p.times[e.victim]++
			}
			p.changed = append(p.changed, e.victim)
		}
	}
}

// evict makes room for best and returns what is free then.
func (p *Preemptive) evict(r *policies.Round, best policies.Ref, free policies.Amount) policies.Amount {
	for need := r.Job(best).Need; !need.Fits(free); {
		x := p.running.Last(p.root)
		p.root = p.running.remove(p.root, x)
		victim := policies.Ref(x)
		p.wait(r, victim)
		free = free.Plus(r.Job(victim).Need)
		p.stopped = append(p.stopped, eviction{victim, best})
	}
	return free
}

// limit is the running key that j does not outrank.
func (p *Preemptive) limit(r *policies.Round, j *policies.Job) int64 {
	if p.area {
		return policies.FloatKey(areaLeft(r, j))
	}
	if p.srpt {
		return int64(r.Now + left(r, j))
	}
	return policies.FloatKey(p.Rank.Key(r.Now, j))
}

func (p *Preemptive) wait(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	key := 0.0
	if p.area {
		key = areaLeft(r, j)
	} else if p.srpt {
		key = float64(left(r, j))
	} else {
		key = p.Rank.Key(r.Now, j)
	}
	p.waiting.Push(key, j.Seq, ref)
}

// run puts a job among the running. Under SRPT its key is the time at which it
// will end: that orders running jobs by what they have left at any time. One that
// was taken back has not started again.
func (p *Preemptive) run(r *policies.Round, ref policies.Ref) {
	if p.spared(ref) {
		return
	}
	j := r.Job(ref)
	p.starts++
	seq := p.starts
	if j.State == policies.Running {
		seq = p.running.Nodes[ref].Seq
	}
	p.root = p.running.insert(p.root, int32(ref), p.limit(r, j), seq, j.Need)
}

// rerank ranks running jobs by the area that they have left now.
func (p *Preemptive) rerank(r *policies.Round) {
	refs := p.refs[:0]
	for x := p.root; x != nilNode; x = p.root {
		p.root = p.running.remove(p.root, x)
		refs = append(refs, policies.Ref(x))
	}
	p.refs = refs
	for _, ref := range refs {
		p.root = p.running.insert(p.root, int32(ref), p.limit(r, r.Job(ref)), p.running.Nodes[ref].Seq, r.Job(ref).Need)
	}
}

// areaLeft is the processor-seconds that j has left now.
func areaLeft(r *policies.Round, j *policies.Job) float64 {
	return float64(left(r, j).Seconds() * j.Size)
}

// left is the work j has left now.
func left(r *policies.Round, j *policies.Job) events.Time {
	if j.State == policies.Running {
		return j.Left - (r.Now - j.Since)
	}
	return j.Left
}

func (p *Preemptive) absorb(r *policies.Round) {
	for _, ref := range r.Ended {
		if !p.spared(ref) {
			p.root = p.running.remove(p.root, int32(ref))
		}
	}
	if p.srpt {
		p.lookUp(r)
	} else if p.Rank.Bid {
		for _, ref := range r.Rebid {
			p.rebid(r, ref)
		}
	}
	p.changed = p.changed[:0]
	for _, ref := range r.Arrived {
		p.countFrom(ref)
		p.wait(r, ref)
	}
}

// lookUp ranks the jobs that the last round started or stopped by what they have
// really left: resuming may cost work, and stopping may lose it.
func (p *Preemptive) lookUp(r *policies.Round) {
	for _, ref := range p.changed {
		switch j := r.Job(ref); j.State {
		case policies.Waiting:
			if p.waiting.Remove(ref) {
				p.wait(r, ref)
			}
		case policies.Running:
			if p.spared(ref) {
				continue
			}
			n := p.running.Nodes[ref]
			if !p.area && n.Key != int64(j.Since+j.Left) {
				p.root = p.running.remove(p.root, int32(ref))
				p.root = p.running.insert(p.root, int32(ref), int64(j.Since+j.Left), n.Seq, j.Need)
			}
		}
	}
}

// rebid puts a job whose bid has changed where its class now is. A running one
// keeps its place among those that have started.
func (p *Preemptive) rebid(r *policies.Round, ref policies.Ref) {
	if p.waiting.Remove(ref) {
		p.wait(r, ref)
	} else if j := r.Job(ref); j.State == policies.Running && !p.spared(ref) {
		seq := p.running.Nodes[ref].Seq
		p.root = p.running.remove(p.root, int32(ref))
		p.root = p.running.insert(p.root, int32(ref), policies.FloatKey(p.Rank.Key(r.Now, j)), seq, j.Need)
	}
}

// Clone returns an independent copy.
func (p *Preemptive) Clone() policies.Policy {
	c := *p
	c.Rank, c.waiting, c.running = p.Rank.Clone(), p.waiting.Clone(), p.running.clone()
	c.changed, c.stopped, c.refs, c.times = slices.Clone(p.changed), nil, nil, slices.Clone(p.times)
	return &c
}

// Sparing is a preemptive policy that stops a job at most so many times: from then
// on the job keeps its processors regardless of arrivals, and is not counted on as room. A
// job that is stopped for good reason again and again would otherwise never end.
// One that is killed and submitted again may be stopped as often again.
type Sparing struct{ *Preemptive }

// NewSparing limits p, which it takes over, to most preemptions a job.
func NewSparing(p *Preemptive, most int) *Sparing {
	p.spares, p.most = true, int32(most)
	return &Sparing{p}
}

// Clone returns an independent copy.
func (p *Sparing) Clone() policies.Policy {
	return &Sparing{p.Preemptive.Clone().(*Preemptive)}
}

// spared reports whether a job has been stopped as often as it may be. Those that
// have are never among the running in p.running.
func (p *Preemptive) spared(ref policies.Ref) bool { return p.spares && p.times[ref] >= p.most }

// countFrom begins to count how often a job is stopped.
func (p *Preemptive) countFrom(ref policies.Ref) {
	if !p.spares {
		return
	}
	if n := int(ref) + 1 - len(p.times); n > 0 {
		p.times = append(p.times, slices.Repeat([]int32{0}, n)...)
	}
	p.times[ref] = 0
}
