package engine

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
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
	// GPU models: their bits by name, and the bits of what jobs ask for by label.
	bits   map[string]uint64
	names  traces.Names
	labels map[traces.Label]uint64
}

// onMachine is a running job's machine and its neighbours there: the next one that
// came later, and earlier; negative if there is none.
type onMachine struct {
	machine      int32
	later, older policies.Ref
	devices      uint64
}

// noModel is the bit of models that no machine has.
const noModel = uint64(1) << 63

// maxDevices is how many devices a machine may have, and models a cluster but for noModel.
const maxDevices = 64

func newCluster(list Cluster, g *grains) (*cluster, error) {
	c := &cluster{grains: g, events: list, index: map[int64]int32{}, bits: map[string]uint64{}, labels: map[traces.Label]uint64{}}
	for _, ev := range list {
		if !(ev.GPU >= 0 && ev.GPU <= maxDevices) || ev.GPU != float64(int(ev.GPU)) {
			return nil, &CapacityError{fmt.Sprintf("machine %d with %g GPUs (want a whole number up to %d)", ev.Machine, ev.GPU, maxDevices)}
		}
		if _, known := c.bits[ev.Model]; ev.GPU > 0 && !known {
			c.bits[ev.Model] = 1 << len(c.bits)
		}
	}
	if len(c.bits) >= maxDevices {
		return nil, &CapacityError{fmt.Sprintf("GPUs of %d models (want fewer than %d)", len(c.bits), maxDevices)}
	}
	return c, nil
}

// models implements placement.
func (c *cluster) models(label traces.Label) uint64 {
	if label == traces.NoLabel {
		return 0
	}
	set, known := c.labels[label]
	if !known {
		set = noModel
		for name, bit := range c.bits { // a set, whatever the order
			if c.names.Allows(label, name) {
				set |= bit
			}
		}
		c.labels[label] = set
	}
	return set
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
	x.Up, x.Capacity = !ev.Gone, c.of(policies.Amount{CPU: ev.CPU, Memory: ev.Memory, GPU: ev.GPU})
	if ev.Gone {
		x.Capacity = policies.Amount{}
	}
	if x.Capacity.GPU != was.GPU || c.bits[ev.Model] != x.Models {
		if err := c.empty(e, m); err != nil { // who knows which devices have gone
			return err
		}
		x.Devices, x.Models = make([]int32, int(x.Capacity.GPU)/policies.WholeDevice), c.bits[ev.Model]
		for d := range x.Devices {
			x.Devices[d] = policies.WholeDevice
		}
	}
	x.Free = x.Free.Plus(x.Capacity).Minus(was)
	e.machine.total = e.machine.total.Plus(x.Capacity).Minus(was)
	r.Total = e.machine.total
	r.Changed = append(r.Changed, m)
	for c.first[m] >= 0 && (!x.Up || !(policies.Amount{}).Fits(x.Free)) {
		if err := c.evict(e, c.first[m]); err != nil {
			return err
		}
	}
	return nil
}

// empty evicts all jobs of a machine.
func (c *cluster) empty(e *Replay, m int32) error {
	for c.first[m] >= 0 {
		if err := c.evict(e, c.first[m]); err != nil {
			return err
		}
	}
	return nil
}

func (c *cluster) evict(e *Replay, ref policies.Ref) error {
	if err := e.preempt(ref, -1); err != nil {
		return err
	}
	e.sum.Evictions++
	e.round.Evicted = append(e.round.Evicted, ref)
	return nil
}

// take puts a job that starts on its machine.
func (c *cluster) take(r *policies.Round, i int) {
	ref, m := r.Started[i], r.Placed[i]
	for int(ref) >= len(c.lists) {
		c.lists = append(c.lists, onMachine{})
	}
	head := c.first[m]
	c.lists[ref] = onMachine{machine: m, later: -1, older: head, devices: r.OnDevices[i]}
	if head >= 0 {
		c.lists[head].later = ref
	}
	c.first[m] = ref
	x := &r.Machines[m]
	need := r.Job(ref).Need
	x.Free = x.Free.Minus(need)
	hold(x, r.OnDevices[i], need.GPU)
}

// hold takes GPUs, in thousandths, evenly from devices of a machine; negative gives back.
func hold(x *policies.Machine, devices uint64, gpu float64) {
	each := int32(gpu) / int32(max(1, bits.OnesCount64(devices)))
	for ; devices != 0; devices &= devices - 1 {
		x.Devices[bits.TrailingZeros64(devices)] -= each
	}
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
	x := &r.Machines[l.machine]
	x.Free = x.Free.Plus(need)
	hold(x, l.devices, -need.GPU)
}

// check says why a job cannot start where the policy wants it, or "".
func (c *cluster) check(e *Replay, i int) string {
	r := &e.round
	if i >= len(r.Placed) || i >= len(r.OnDevices) || r.Placed[i] < 0 || int(r.Placed[i]) >= len(r.Machines) {
		return "it names no machine for it"
	}
	x := &r.Machines[r.Placed[i]]
	job := e.jobs.At(r.Started[i])
	switch need := job.Need; {
	case !x.Up:
		return fmt.Sprintf("machine %d is not there", x.ID)
	case !need.Fits(x.Free):
		return fmt.Sprintf("it needs %s, machine %d has %s free", c.text(need), x.ID, c.text(x.Free))
	case need.GPU > 0 && job.Models != 0 && job.Models&x.Models == 0:
		return fmt.Sprintf("machine %d has GPUs of another model", x.ID)
	}
	return misplaced(x, r.OnDevices[i], job.Need.GPU)
}

// misplaced says why GPUs, in thousandths, cannot be had of devices of a machine, or "": whole
// ones are devices of which all is free, a share is of one device.
func misplaced(x *policies.Machine, devices uint64, gpu float64) string {
	n := bits.OnesCount64(devices)
	if want := max(math.Ceil(gpu/policies.WholeDevice), 0); float64(n) != want || n > 1 && gpu != want*policies.WholeDevice || bits.Len64(devices) > len(x.Devices) {
		return fmt.Sprintf("it needs %g GPUs and was given %d devices of machine %d", gpu/policies.WholeDevice, n, x.ID)
	}
	for set := devices; set != 0; set &= set - 1 {
		if d := bits.TrailingZeros64(set); float64(x.Devices[d]) < gpu/float64(n) {
			return fmt.Sprintf("it needs %g of device %d of machine %d, %g is free", gpu/float64(n)/policies.WholeDevice, d, x.ID, float64(x.Devices[d])/policies.WholeDevice)
		}
	}
	return ""
}

func (c *cluster) clone() placement {
	copied := *c
	copied.index, copied.labels, copied.first, copied.lists = maps.Clone(c.index), maps.Clone(c.labels), slices.Clone(c.first), slices.Clone(c.lists)
	return &copied
}
