package sched

import (
	"fmt"
	"slices"

	"bourse/policies"
)

// Placed places jobs on the machines of a cluster: waiting jobs are tried in the
// order of a ranking, each on the machine that a rule of fit chooses, and a job
// that fits nowhere is passed over. With preemption, a job that fits nowhere may
// take the place of jobs of lower rank: on the first machine where that makes
// enough room the lowest class goes first, of equals the one started last. Who is
// stopped waits until the next round.
//
// Jobs of equal need (and class) stand in one group, for where one does not fit no
// other does. A group that fits nowhere is blocked until a machine with room for it
// gains some. A round costs O(log) for each job that starts or stops, and a look at
// each blocked group for each machine that gains: traces know few distinct
// requests, and only those of waiting jobs count.
type Placed struct {
	rank     ranker
	preempts bool
	fit      fitter
	jobs     treap // the waiting, a tree for each group
	groups   []group
	byNeed   map[groupKey]int32
	ready    policies.Queue // groups that are not blocked, by their first job
	blocked  []int32
	classes  []class
	machines [][]policies.Ref // running, in order of start
	free     []policies.Amount
	up       []bool
	where    []int32 // by Ref
	gained   []int32 // machines
	stopped  []policies.Ref
}

type groupKey struct {
	need  policies.Amount
	class int64
}

type group struct {
	key     groupKey
	root    int32
	blocked bool
}

// class is a rank that may preempt lower ones: on each machine it sees what is
// free or held by them.
type class struct {
	key  int64
	room machineTree
}

// OnMachines turns a list scheduler or preemptive priority into one that places
// jobs on machines.
func OnMachines(p policies.Policy, fit Fit) (policies.Policy, error) {
	switch p := p.(type) {
	case *List:
		if !p.rank.changes {
			return newPlaced(p.rank, false, fit), nil
		}
	case *Preemptive:
		if !p.srpt {
			return newPlaced(p.rank, true, fit), nil
		}
	}
	return nil, fmt.Errorf("policy %T does not place jobs on machines; use fcfs, nphb, wspt, sjf, priority or another order that is fixed when jobs arrive, or --machines pool", p)
}

func newPlaced(r ranker, preempts bool, fit Fit) *Placed {
	return &Placed{rank: r.clone(), preempts: preempts, fit: newFitter(fit), byNeed: map[groupKey]int32{}}
}

// Places is true.
func (*Placed) Places() bool { return true }

// Clairvoyant and NeedsEstimates are as the ranking has it.
func (p *Placed) Clairvoyant() bool { return p.rank.clairvoyant() }

// NeedsEstimates is true where the order looks at estimates.
func (p *Placed) NeedsEstimates() bool { return p.rank.estimate }

// Preempts is false: jobs do not preempt each other by bid.
func (*Placed) Preempts() bool { return false }

// Scale is that of the list scheduler of the ranking.
func (p *Placed) Scale(j *policies.Job) float64 { return (&List{rank: p.rank}).Scale(j) }

// Plan starts waiting jobs in order of rank, where they fit.
func (p *Placed) Plan(r *policies.Round) {
	p.absorb(r)
	for p.ready.Len() > 0 {
		g := int32(p.ready.Head())
		ref := policies.Ref(p.jobs.head(p.groups[g].root))
		need := p.groups[g].key.need
		m := p.fit.find(need)
		evicts := m < 0 && p.preempts
		if evicts {
			m = p.evict(r, ref, &p.groups[g].key)
		}
		if m < 0 {
			p.ready.Pop()
			p.groups[g].blocked = true
			p.blocked = append(p.blocked, g)
			continue
		}
		p.groups[g].root = p.jobs.remove(p.groups[g].root, int32(ref))
		p.line(r, g)
		p.start(r, ref, m)
		if evicts {
			p.unblock(r, m) // what was stopped may leave more than was needed
		}
	}
}

// absorb takes the round's news in. Of machines only what the engine says counts.
func (p *Placed) absorb(r *policies.Round) {
	p.gained = p.gained[:0]
	for _, ref := range r.Ended {
		p.leave(r, ref)
	}
	for _, ref := range r.Evicted {
		p.leave(r, ref)
	}
	for _, m := range r.Changed {
		p.change(r, m)
	}
	for _, m := range p.gained {
		p.unblock(r, int(m))
	}
	for _, list := range [][]policies.Ref{r.Evicted, p.stopped, r.Arrived} {
		for _, ref := range list {
			p.wait(r, ref)
		}
	}
	p.stopped = p.stopped[:0]
	if p.rank.bid {
		for _, ref := range r.Rebid {
			p.rebid(r, ref)
		}
	}
}

// wait puts a job into its group.
func (p *Placed) wait(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	key := ordered(p.rank.key(r.Now, j))
	k := groupKey{need: j.Need}
	if p.preempts {
		k.class = key
		p.class(r, key)
	}
	g, ok := p.byNeed[k]
	if !ok {
		g = int32(len(p.groups))
		p.groups = append(p.groups, group{key: k, root: nobody})
		p.byNeed[k] = g
	}
	p.groups[g].root = p.jobs.insert(p.groups[g].root, ref, key, j)
	p.line(r, g)
}

// line puts a group where its first job belongs, unless it is blocked or empty.
func (p *Placed) line(r *policies.Round, g int32) {
	x := &p.groups[g]
	p.ready.Remove(policies.Ref(g))
	if head := p.jobs.head(x.root); head != nobody && !x.blocked {
		n := &p.jobs.nodes[head]
		p.ready.Push(p.rank.key(r.Now, r.Job(policies.Ref(head))), n.seq, policies.Ref(g))
	}
}

// rebid moves a waiting job to where its new bid belongs.
func (p *Placed) rebid(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	if j.State != policies.Waiting || slices.Contains(r.Arrived, ref) {
		return
	}
	g := p.byNeed[groupKey{need: j.Need}]
	p.groups[g].root = p.jobs.remove(p.groups[g].root, int32(ref))
	p.groups[g].root = p.jobs.insert(p.groups[g].root, ref, ordered(p.rank.key(r.Now, j)), j)
	p.line(r, g)
}

// unblock looks for groups that a machine has room for now.
func (p *Placed) unblock(r *policies.Round, m int) {
	p.blocked = slices.DeleteFunc(p.blocked, func(g int32) bool {
		x := &p.groups[g]
		if !p.up[m] || !x.key.need.Fits(p.free[m]) && !(p.preempts && x.key.need.Fits(p.classes[p.find(x.key.class)].room.at(m))) {
			return false
		}
		x.blocked = false
		p.line(r, g)
		return true
	})
}

// start runs a job on machine m.
func (p *Placed) start(r *policies.Round, ref policies.Ref, m int) {
	need := r.Job(ref).Need
	for int(ref) >= len(p.where) {
		p.where = append(p.where, -1)
	}
	p.where[ref] = int32(m)
	p.machines[m] = append(p.machines[m], ref)
	p.free[m] = p.free[m].Minus(need)
	p.fit.set(m, p.free[m], true)
	p.hold(r, ref, m, -1)
	r.StartOn(ref, int32(m))
}

// off takes a job off its machine's list and returns the machine.
func (p *Placed) off(ref policies.Ref) int {
	m := int(p.where[ref])
	i := slices.Index(p.machines[m], ref)
	p.machines[m] = slices.Delete(p.machines[m], i, i+1)
	p.where[ref] = -1
	return m
}

// leave forgets a job that ended or was evicted; its machine gains.
func (p *Placed) leave(r *policies.Round, ref policies.Ref) {
	m := p.off(ref)
	p.free[m] = p.free[m].Plus(r.Job(ref).Need)
	p.fit.set(m, p.free[m], p.up[m])
	p.hold(r, ref, m, 1)
	p.gained = append(p.gained, int32(m))
}

// change takes over a machine that came, went or changed.
func (p *Placed) change(r *policies.Round, m int32) {
	for int(m) >= len(p.free) {
		p.free, p.up, p.machines = append(p.free, policies.Amount{}), append(p.up, false), append(p.machines, nil)
	}
	p.gained = append(p.gained, m)
	x := &r.Machines[m]
	p.free[m], p.up[m] = x.Free, x.Up
	p.fit.set(int(m), x.Free, x.Up)
	for c := range p.classes {
		p.seen(r, c, int(m))
	}
}
