package multiresource

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
)

// Columns of the cluster data of 2011, version 2 (its schema.csv).
const (
	taskFields, taskJob, taskIndex, taskType, taskCPU, taskMemory           = 13, 2, 3, 5, 9, 10
	machineFields, machineTime, machineType, machineCPU, machineMemory      = 6, 0, 2, 4, 5
	submitted, added                                                   byte = '0', '0'
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
	machines, err := parts(dir, "machine_events")
	if err != nil {
		return nil, err
	}
	for _, path := range machines {
		if err := eachLine(path, machineFields, g.machine); err != nil {
			return nil, err
		}
	}
	if !(g.totals[0] > 0 && g.totals[1] > 0) {
		return nil, fmt.Errorf("%s: no machines are added at time 0, so demands cannot be divided by totals", filepath.Dir(machines[0]))
	}
	tasks, err := parts(dir, "task_events")
	if err != nil {
		return nil, err
	}
	seen := vectors{jobs: map[uint64]bool{}, tasks: map[[2]uint64]bool{}, distinct: map[[2]float64]bool{}}
	for _, path := range tasks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := eachLine(path, taskFields, func(f [][]byte) error { return g.task(f, &seen) }); err != nil {
			return nil, err
		}
	}
	if g.parts = len(tasks); g.submits == 0 {
		return nil, fmt.Errorf("%s: no task was submitted with demands for CPU and memory", dir)
	}
	return g, nil
}

// parts lists the files of a table in order.
func parts(dir, table string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, table, "part-*.csv.gz"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("%s: there is no %s/part-*.csv.gz; the directory should be laid out as clusterdata-2011-2 is", dir, table)
	}
	slices.Sort(paths)
	return paths, nil
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
	if len(f[taskType]) != 1 || f[taskType][0] != submitted {
		return nil
	}
	cpu, memory, err := pair(f[taskCPU], f[taskMemory])
	if err != nil {
		return err
	}
	if cpu == 0 || memory == 0 {
		g.without++
		return nil
	}
	job, err := strconv.ParseUint(string(f[taskJob]), 10, 64)
	if err != nil {
		return fmt.Errorf("job %q; a number was expected", f[taskJob])
	}
	index, err := strconv.ParseUint(string(f[taskIndex]), 10, 64)
	if err != nil {
		return fmt.Errorf("task index %q; a number was expected", f[taskIndex])
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
	if string(f[machineTime]) != "0" || len(f[machineType]) != 1 || f[machineType][0] != added {
		return nil
	}
	cpu, memory, err := pair(f[machineCPU], f[machineMemory])
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
