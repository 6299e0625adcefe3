package traces

import (
	"fmt"
	"slices"
	"strings"

	"bourse/events"
)

// MachineEvent is what happens to one machine of a cluster: it is added with a
// capacity, its capacity changes, or it is removed.
type MachineEvent struct {
	At      events.Time
	Machine int64 // the trace's number
	Name    string
	Gone    bool
	// Back is when a machine that is gone will be there again, if that is known in advance.
	Back events.Time
	// CPU and Memory are its capacity from At on, in the trace's units, GPU the number of
	// its GPU devices, which are of one Model.
	CPU, Memory, GPU float64
	Model            string
	// Partitions are those whose jobs it takes, joined by |. If any machine has some, a job of a partition
	// runs on its machines only.
	Partitions string
	// Whole says that it stands for many, of CPU processors, and that a job has all of its processors there.
	Whole bool
}

// Whole reports whether jobs have all of their processors on one of the machines.
func Whole(list []MachineEvent) bool {
	return slices.ContainsFunc(list, func(e MachineEvent) bool { return e.Whole })
}

// Partitioned reports whether machines are of partitions.
func Partitioned(list []MachineEvent) bool {
	return slices.ContainsFunc(list, func(e MachineEvent) bool { return e.Partitions != "" })
}

// Capacity is what a trace's machines have together.
type Capacity struct {
	CPU, Memory float64
	GPU, Disk   float64 `json:",omitempty"` // as written into files of jobs
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
			c.GPU += e.GPU
			c.Machines++
		}
	}
	return c
}

// Allows reports whether a job that asks for models, one or several joined by |, may run
// on GPUs of this one. A job that asks for none may run on any.
func (n Names) Allows(models Label, one string) bool {
	text, asks := n.Models.Text(models)
	return !asks || listed(text, one)
}

// Within reports whether a job of a partition may run on a machine of these, joined by |. A job of none may run
// on any.
func (n Names) Within(partition Label, machines string) bool {
	text, has := n.Partitions.Text(partition)
	return !has || listed(machines, text)
}

// listed reports whether a name is one of a list joined by |.
func listed(list, name string) bool {
	for one := range strings.SplitSeq(list, "|") {
		if one == name {
			return true
		}
	}
	return false
}

// MachineEvents is implemented by sources that know the machines' comings and
// goings, in order of time.
type MachineEvents interface{ MachineEvents() []MachineEvent }

// String spells a capacity out.
func (c Capacity) String() string {
	has := fmt.Sprintf("%.6g CPU and %.6g memory", c.CPU, c.Memory)
	if c.GPU > 0 {
		has = fmt.Sprintf("%.6g CPU, %.6g memory and %.6g GPUs", c.CPU, c.Memory, c.GPU)
	}
	if c.Machines == 1 {
		return "1 machine with " + has
	}
	return fmt.Sprintf("%d machines with %s", c.Machines, has)
}

// Holds reports whether a job, or a piece of it, fits on all of it.
func (c Capacity) Holds(j *Job, pieces bool) bool {
	n := float64(j.Procs)
	if pieces {
		n = 1
	}
	cpu, memory, gpu, disk := j.Ask(n)
	return cpu <= c.CPU && memory <= c.Memory && float64(gpu*rounded) <= c.GPU && float64(disk*rounded) <= c.Disk
}

// rounded allows for what dividing GPUs and disk among a job's processors has rounded.
const rounded = 1 - 1e-12
