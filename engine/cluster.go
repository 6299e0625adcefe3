package engine

import (
	"fmt"
	"maps"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// cluster is the machines that jobs are placed on: each job on one, which holds
// what it needs. Machines are added, changed and removed; jobs that no longer fit are evicted.
type cluster struct {
	*grains
	events Cluster
	next   int
	index  map[int64]int32 // by the trace's number
	first  []policies.Ref  // by machine, the job placed last, the head of a list
	lists  []onMachine     // by Ref
}

// onMachine is a running job's machine and its neighbours there: the next one that
// came later, and earlier; negative if there is none.
type onMachine struct {
	machine      int32
	later, older policies.Ref
}

func newCluster(list Cluster, g *grains) *cluster {
	return &cluster{grains: g, events: list, index: map[int64]int32{}}
}

// change applies all machine events up to now.
func (c *cluster) change(e *Replay) error {
	for e.machine.changesAt <= e.now {
		ev := &c.events[c.next]
		c.next++
		e.machine.changesAt = events.Never
		if c.next < len(c.events) {
			e.machine.changesAt = c.events[c.next].At
		}
		e.sum.MachineEvents++
		if err := c.apply(e, ev); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) apply(e *Replay, ev *traces.MachineEvent) error {
	r := &e.round
	m, known := c.index[ev.Machine]
	if !known {
		if ev.Gone {
			return nil
		}
		m = int32(len(r.Machines))
		c.index[ev.Machine] = m
		r.Machines = append(r.Machines, policies.Machine{ID: ev.Machine})
		c.first = append(c.first, -1)
	}
	x := &r.Machines[m]
	was := x.Capacity
	x.Up, x.Capacity = !ev.Gone, c.of(policies.Amount{CPU: ev.CPU, Memory: ev.Memory})
	if ev.Gone {
		x.Capacity = policies.Amount{}
	}
	x.Free = x.Free.Plus(x.Capacity).Minus(was)
	e.machine.total = e.machine.total.Plus(x.Capacity).Minus(was)
	r.Total = e.machine.total
	r.Changed = append(r.Changed, m)
	for c.first[m] >= 0 && (!x.Up || !(policies.Amount{}).Fits(x.Free)) {
		ref := c.first[m]
		if err := e.preempt(ref, -1); err != nil {
			return err
		}
		e.sum.Evictions++
		r.Evicted = append(r.Evicted, ref)
	}
	return nil
}

// take puts a job that starts on its machine.
func (c *cluster) take(r *policies.Round, i int) {
	ref, m := r.Started[i], r.Placed[i]
	for int(ref) >= len(c.lists) {
		c.lists = append(c.lists, onMachine{})
	}
	head := c.first[m]
	c.lists[ref] = onMachine{machine: m, later: -1, older: head}
	if head >= 0 {
		c.lists[head].later = ref
	}
	c.first[m] = ref
	r.Machines[m].Free = r.Machines[m].Free.Minus(r.Job(ref).Need)
}

// give takes a job off its machine.
func (c *cluster) give(r *policies.Round, ref policies.Ref, need policies.Amount) {
	l := c.lists[ref]
	if l.older >= 0 {
		c.lists[l.older].later = l.later
	}
	if l.later >= 0 {
		c.lists[l.later].older = l.older
	} else {
		c.first[l.machine] = l.older
	}
	r.Machines[l.machine].Free = r.Machines[l.machine].Free.Plus(need)
}

// check says why a job cannot start where the policy wants it, or "".
func (c *cluster) check(e *Replay, i int) string {
	r := &e.round
	if i >= len(r.Placed) || r.Placed[i] < 0 || int(r.Placed[i]) >= len(r.Machines) {
		return "it names no machine for it"
	}
	x := &r.Machines[r.Placed[i]]
	switch need := e.jobs.At(r.Started[i]).Need; {
	case !x.Up:
		return fmt.Sprintf("machine %d is not there", x.ID)
	case !need.Fits(x.Free):
		return fmt.Sprintf("it needs %s, machine %d has %s free", c.text(need), x.ID, c.text(x.Free))
	}
	return ""
}

func (c *cluster) clone() placement {
	return &cluster{grains: c.grains, events: c.events, next: c.next, index: maps.Clone(c.index), first: slices.Clone(c.first), lists: slices.Clone(c.lists)}
}
