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
// what it needs. Machines come, change and go; who no longer fits is evicted.
type cluster struct {
	events []traces.MachineEvent
	next   int
	index  map[int64]int32 // by the trace's number
	first  []policies.Ref  // by machine, the job placed last, the head of a list
	lists  []onMachine     // by Ref
}

// onMachine is a running job's machine and its neighbours there: whoever came
// later, and earlier; negative if there is none.
type onMachine struct {
	machine      int32
	later, older policies.Ref
}

func newCluster(list []traces.MachineEvent) *cluster {
	return &cluster{events: list, index: map[int64]int32{}}
}

// at returns when the next machine event happens, or never.
func (c *cluster) at() events.Time {
	if c == nil || c.next == len(c.events) {
		return events.Never
	}
	return c.events[c.next].At
}

// changeMachines applies all machine events up to now.
func (e *Replay) changeMachines() error {
	for e.cluster.at() <= e.now {
		ev := &e.cluster.events[e.cluster.next]
		e.cluster.next++
		e.sum.MachineEvents++
		if err := e.changeMachine(ev); err != nil {
			return err
		}
	}
	return nil
}

func (e *Replay) changeMachine(ev *traces.MachineEvent) error {
	c, r := e.cluster, &e.round
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
	x.Up, x.Capacity = !ev.Gone, e.machine.grains(ev.CPU, ev.Memory)
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

// place puts a job that starts on its machine.
func (c *cluster) place(r *policies.Round, ref policies.Ref, m int32) {
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

// leave takes a job off its machine.
func (c *cluster) leave(r *policies.Round, ref policies.Ref, need policies.Amount) {
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

// placement checks where a job is to start.
func (e *Replay) placement(i int, ref policies.Ref) (int32, error) {
	r := &e.round
	if i >= len(r.Placed) || r.Placed[i] < 0 || int(r.Placed[i]) >= len(r.Machines) {
		return 0, e.illegal("starts", ref, "it names no machine for it")
	}
	m := r.Placed[i]
	x := &r.Machines[m]
	switch need := e.jobs.At(ref).Need; {
	case !x.Up:
		return 0, e.illegal("starts", ref, fmt.Sprintf("machine %d is not there", x.ID))
	case !need.Fits(x.Free):
		return 0, e.illegal("starts", ref, fmt.Sprintf("it needs %s, machine %d has %s free", e.machine.amount(need), x.ID, e.machine.amount(x.Free)))
	}
	return m, nil
}

func (c *cluster) clone() *cluster {
	return &cluster{events: c.events, next: c.next, index: maps.Clone(c.index), first: slices.Clone(c.first), lists: slices.Clone(c.lists)}
}
