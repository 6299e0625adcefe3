package multiresource

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"bourse/reports/studies/clusterdata"
)

// Pools are the ways to take demand vectors from the trace: what counts as one.
var Pools = []string{"jobs", "tasks", "submits", "distinct"}

// google is what was read of the trace.
type google struct {
	// pools holds the demand vectors, CPU and memory as the trace has them,
	// fractions of its largest machine, by pool.
	pools [4][][2]float64
	// totals are the machines' at time 0.
	totals [2]float64
	// parts is the number of files, submits that of the events with both
	// demands, without that of those that lack one or have a zero.
	parts, submits, without int
}

// readGoogle reads the parts of task_events and machine_events below dir.
func readGoogle(ctx context.Context, dir string) (*google, error) {
	g := &google{}
	machines, err := clusterdata.Parts(dir, "machine_events")
	if err != nil {
		return nil, err
	}
	for _, path := range machines {
		if err := clusterdata.EachLine(path, clusterdata.MachineFields, g.machine); err != nil {
			return nil, err
		}
	}
	if !(g.totals[0] > 0 && g.totals[1] > 0) {
		return nil, fmt.Errorf("%s: no machines are added at time 0, so demands cannot be divided by totals", filepath.Dir(machines[0]))
	}
	tasks, err := clusterdata.Parts(dir, "task_events")
	if err != nil {
		return nil, err
	}
	seen := vectors{jobs: map[uint64]bool{}, tasks: map[[2]uint64]bool{}, distinct: map[[2]float64]bool{}}
	for _, path := range tasks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := clusterdata.EachLine(path, clusterdata.TaskFields, func(f [][]byte) error { return g.task(f, &seen) }); err != nil {
			return nil, err
		}
	}
	if g.parts = len(tasks); g.submits == 0 {
		return nil, fmt.Errorf("%s: no task was submitted with demands for CPU and memory", dir)
	}
	return g, nil
}

// vectors remembers of what a vector was taken already.
type vectors struct {
	jobs     map[uint64]bool
	tasks    map[[2]uint64]bool
	distinct map[[2]float64]bool
}

// task adds the vector of a task event to the pools: the first of a job, the
// first of a task, each, and each new one.
func (g *google) task(f [][]byte, seen *vectors) error {
	if len(f[clusterdata.TaskType]) != 1 || f[clusterdata.TaskType][0] != clusterdata.Submit {
		return nil
	}
	cpu, memory, err := pair(f[clusterdata.TaskCPU], f[clusterdata.TaskMemory])
	if err != nil {
		return err
	}
	if cpu == 0 || memory == 0 {
		g.without++
		return nil
	}
	job, err := strconv.ParseUint(string(f[clusterdata.TaskJob]), 10, 64)
	if err != nil {
		return fmt.Errorf("job %q; a number was expected", f[clusterdata.TaskJob])
	}
	index, err := strconv.ParseUint(string(f[clusterdata.TaskIndex]), 10, 64)
	if err != nil {
		return fmt.Errorf("task index %q; a number was expected", f[clusterdata.TaskIndex])
	}
	v := [2]float64{cpu, memory}
	g.submits++
	for k, first := range []bool{!seen.jobs[job], !seen.tasks[[2]uint64{job, index}], true, !seen.distinct[v]} {
		if first {
			g.pools[k] = append(g.pools[k], v)
		}
	}
	seen.jobs[job], seen.tasks[[2]uint64{job, index}], seen.distinct[v] = true, true, true
	return nil
}

// machine adds a machine that is there at time 0.
func (g *google) machine(f [][]byte) error {
	if string(f[clusterdata.MachineTime]) != "0" || len(f[clusterdata.MachineType]) != 1 || f[clusterdata.MachineType][0] != clusterdata.Added {
		return nil
	}
	cpu, memory, err := pair(f[clusterdata.MachineCPU], f[clusterdata.MachineMemory])
	g.totals[0] += cpu
	g.totals[1] += memory
	return err
}

// pair reads two amounts; missing ones are 0.
func pair(cpu, memory []byte) (a, b float64, err error) {
	for _, field := range []struct {
		text []byte
		to   *float64
		name string
	}{{cpu, &a, "CPU"}, {memory, &b, "memory"}} {
		if len(field.text) == 0 {
			continue
		}
		v, err := strconv.ParseFloat(string(field.text), 64)
		if err != nil || !(v >= 0 && v <= 1e6) {
			return 0, 0, fmt.Errorf("%s is %q; a fraction of the largest machine was expected", field.name, field.text)
		}
		*field.to = v
	}
	return a, b, nil
}
