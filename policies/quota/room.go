package quota

import "bourse/policies"

// victim is a job that stops for another.
type victim struct {
	ref  policies.Ref
	need policies.Amount
}

// makeRoom stops jobs of other queues until a job fits, and reports whether it does; if not,
// nothing has changed. Reclaim always finds room for a job within its nominal quota: once no
// node that the job is not in borrows, all others together take at most theirs.
func (p *Quota) makeRoom(r *policies.Round, ref policies.Ref, within bool) bool {
	x, need := p.jobs[ref].queue, r.Job(ref).Need
	p.victims, p.passed = p.victims[:0], p.passed[:0]
	for !p.tree.fits(x, need) {
		y := p.source(0, x)
		if y < 0 {
			break
		}
		z := p.queues[y].running.Head()
		switch {
		case within || p.leavesEnough(x, need, y, r.Job(z).Need):
			p.stop(r, y, z)
		case p.shareOf(x, need, y) > p.shareIs(x, y):
			p.queues[y].shut = true // nor may any other of its jobs
		default:
			p.queues[y].running.Pop()
			p.passed = append(p.passed, z)
		}
	}
	if !within {
		p.second(r, x, need)
	}
	fits := p.tree.fits(x, need)
	p.spare(r, ref, fits)
	for _, z := range p.passed {
		if p.jobs[z].runs && !p.queues[p.jobs[z].queue].running.Has(z) {
			p.rank(r, z)
		}
	}
	for i := range p.queues {
		p.queues[i].shut = false
	}
	return fits
}

// source is the queue of greatest share value that may have to give jobs of queue x room: it
// borrows, and so does every cohort around it that x is not in. From the machine one
// descends to the child of greatest share value. -1: there is none.
func (p *Quota) source(at, x int32) (best int32) {
	best, most := -1, -1.0
	for _, c := range p.tree.children[at] {
		y, n := c, &p.tree.nodes[c]
		switch {
		case p.tree.children[c] == nil && (c == x || p.queues[c].shut || p.queues[c].running.Len() == 0):
			continue
		case !n.borrows() && !p.tree.holds(c, x):
			continue
		case p.tree.children[c] != nil:
			y = p.source(c, x)
		}
		if s := n.share(n.used); y >= 0 && s > most {
			best, most = y, s
		}
	}
	return best
}

// shareOf is the share value that x comes to with a job, shareIs that of y as it is, both
// of the children of the lowest node that the two share.
func (p *Quota) shareOf(x int32, need policies.Amount, y int32) float64 {
	ofX, _ := p.tree.below(x, y)
	return p.tree.shareWith(x, need, ofX)
}

func (p *Quota) shareIs(x, y int32) float64 {
	_, ofY := p.tree.below(x, y)
	return p.tree.shareWith(y, policies.Amount{}, ofY)
}

// leavesEnough is the first comparison of fair preemption: y without a job of need less has
// at least the share value of x with one of need. Of several resources it may be that
// neither moves; then more is asked for.
func (p *Quota) leavesEnough(x int32, need policies.Amount, y int32, less policies.Amount) bool {
	ofX, ofY := p.tree.below(x, y)
	a, b := p.tree.shareWith(x, need, ofX), p.tree.shareWith(y, policies.Amount{}.Minus(less), ofY)
	return a < b || a == b && !p.several
}

// second is the second comparison of fair preemption, for jobs that the first has passed:
// x with the job stays below y as it is. A queue gives only one job in this way, and none
// if it has given others: then no victim can take its place back (of one resource).
func (p *Quota) second(r *policies.Round, x int32, need policies.Amount) {
	for _, v := range p.victims {
		p.queues[p.jobs[v.ref].queue].shut = true
	}
	for _, z := range p.passed {
		y := p.jobs[z].queue
		if p.tree.fits(x, need) {
			return
		}
		if !p.queues[y].shut && p.shareOf(x, need, y) < p.shareIs(x, y) && p.gives(x, y) {
			p.queues[y].shut = true
			p.stop(r, y, z)
		}
	}
}

// gives reports whether y and all cohorts around it that x is not in borrow.
func (p *Quota) gives(x, y int32) bool {
	for ; !p.tree.holds(y, x); y = p.tree.nodes[y].parent {
		if !p.tree.nodes[y].borrows() {
			return false
		}
	}
	return true
}

// stop takes a running job away for now.
func (p *Quota) stop(r *policies.Round, y int32, z policies.Ref) {
	need := r.Job(z).Need
	p.queues[y].running.Remove(z)
	p.tree.sub(y, need)
	p.victims = append(p.victims, victim{z, need})
}

// spare goes over the victims backwards: those next to whom the job fits continue, and all of
// them if it does not fit. The others wait, and what has failed in this round is open again.
func (p *Quota) spare(r *policies.Round, ref policies.Ref, fits bool) {
	x, need, stopped := p.jobs[ref].queue, r.Job(ref).Need, false
	for i := len(p.victims) - 1; i >= 0; i-- {
		v := p.victims[i]
		y := p.jobs[v.ref].queue
		p.tree.add(y, v.need)
		if !fits || p.tree.fits(x, need) {
			p.rank(r, v.ref)
			continue
		}
		p.tree.sub(y, v.need)
		s := &p.jobs[v.ref]
		s.runs, s.stopped, s.by, stopped = false, true, ref, true
		p.note(v.ref)
		p.wait(r, v.ref)
	}
	if stopped {
		for i := range p.queues {
			p.queues[i].failed, p.queues[i].blocked = p.queues[i].failed[:0], false
		}
		p.back(r)
	}
}
