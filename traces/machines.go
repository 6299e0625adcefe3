package traces

import (
	"fmt"

	"bourse/events"
)

// MachineEvent is what happens to one machine of a cluster: it is added with a
// capacity, its capacity changes, or it is removed.
type MachineEvent struct {
	At      events.Time
	Machine int64 // the trace's number
	Gone    bool
	// CPU and Memory are its capacity from At on, in the trace's units.
	CPU, Memory float64
}

// Capacity is what a trace's machines have together.
type Capacity struct {
	CPU, Memory float64
	Machines    int
}

// CapacityAt sums up the machines that are there at a time, its events included.
func CapacityAt(list []MachineEvent, at events.Time) Capacity {
	last := map[int64]MachineEvent{}
	var order []int64
	for _, e := range list {
		if e.At > at {
			break
		}
		if _, ok := last[e.Machine]; !ok {
			order = append(order, e.Machine)
		}
		last[e.Machine] = e
	}
	var c Capacity
	for _, m := range order {
		if e := last[m]; !e.Gone {
			c.CPU += e.CPU
			c.Memory += e.Memory
			c.Machines++
		}
	}
	return c
}

// MachineEvents is implemented by sources that know the machines' comings and
// goings, in order of time.
type MachineEvents interface{ MachineEvents() []MachineEvent }

// String spells a capacity out.
func (c Capacity) String() string {
	if c.Machines == 1 {
		return fmt.Sprintf("1 machine with %.6g CPU and %.6g memory", c.CPU, c.Memory)
	}
	return fmt.Sprintf("%d machines with %.6g CPU and %.6g memory", c.Machines, c.CPU, c.Memory)
}

// Holds reports whether a job, or a piece of it, fits on all of it.
func (c Capacity) Holds(j *Job, pieces bool) bool {
	n, cpu := float64(j.Procs), 1.0
	if pieces {
		n = 1
	}
	if j.CPU >= 0 {
		cpu = j.CPU
	}
	return n*cpu <= c.CPU && n*j.Memory <= c.Memory
}
