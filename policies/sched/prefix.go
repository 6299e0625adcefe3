package sched

import "bourse/policies"

// prefix keeps an order strictly, with preemption: at every instant the first jobs run, as
// many as the machine holds. What ranks jobs, least key first and then by Seq, is up to the
// policy that it is part of.
//
// Invariant after each settle: every running job ranks before every waiting one, and the
// first waiting job does not fit. Keeping it costs O(log n) per job that starts or stops.
type prefix struct {
	waiting policies.Queue // best first: (key, seq)
	running policies.Queue // worst first: (-key, -seq)
	stopped []eviction     // of this round; some are taken back
}

// eviction is a running job that has to make room for another.
type eviction struct{ victim, by policies.Ref }

// settle evicts from the worst end while a better job waits and does not fit, and takes
// jobs from the best end while they fit. Evictions that the same round takes back never
// reach the engine.
func (p *prefix) settle(r *policies.Round) {
	p.stopped = p.stopped[:0]
	free := r.Spare
	for p.waiting.Len() > 0 {
		best, key := p.waiting.Head(), p.waiting.HeadKey()
		j := r.Job(best)
		if j.Need.Fits(free) {
			p.waiting.Pop()
			p.running.Push(-key, -j.Seq, best)
			free = free.Minus(j.Need)
			if j.State == policies.Waiting {
				r.Start(best)
			}
			continue
		}
		if p.running.Len() == 0 {
			break
		}
		worst, last := p.running.Head(), -p.running.HeadKey()
		w := r.Job(worst)
		if !(last > key || last == key && w.Seq > j.Seq) {
			break
		}
		p.running.Pop()
		p.waiting.Push(last, w.Seq, worst)
		free = free.Plus(w.Need)
		p.stopped = append(p.stopped, eviction{worst, best})
	}
	for _, e := range p.stopped {
		if p.waiting.Has(e.victim) {
			r.PreemptFor(e.victim, e.by)
		}
	}
}

// fill takes jobs of at most this key from the best end while they fit.
func (p *prefix) fill(r *policies.Round, most float64) {
	free := r.Spare
	for p.waiting.Len() > 0 && p.waiting.HeadKey() <= most {
		best := p.waiting.Head()
		j := r.Job(best)
		if !j.Need.Fits(free) {
			return
		}
		p.running.Push(-p.waiting.HeadKey(), -j.Seq, best)
		p.waiting.Pop()
		free = free.Minus(j.Need)
		r.Start(best)
	}
}

// add takes in a job that waits.
func (p *prefix) add(j *policies.Job, ref policies.Ref, key float64) { p.waiting.Push(key, j.Seq, ref) }

// rank gives a job another key.
func (p *prefix) rank(j *policies.Job, ref policies.Ref, key float64) {
	if p.running.Remove(ref) {
		p.running.Push(-key, -j.Seq, ref)
	} else if p.waiting.Remove(ref) {
		p.waiting.Push(key, j.Seq, ref)
	}
}

// ended forgets a job that ran.
func (p *prefix) ended(ref policies.Ref) { p.running.Remove(ref) }

func (p *prefix) clone() prefix {
	return prefix{waiting: p.waiting.Clone(), running: p.running.Clone()}
}
