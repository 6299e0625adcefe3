package multiresource

import (
	"context"
	"fmt"
	"path/filepath"

	"bourse/policies/share"
	"bourse/traces/google"
)

// Pools are the ways to take demand vectors from the trace: what counts as one.
var Pools = []string{"jobs", "tasks", "submits", "distinct"}

// demandData is what was read of the trace.
type demandData struct {
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
func readGoogle(ctx context.Context, dir string) (*demandData, error) {
	g := &demandData{}
	_, err := google.EachPart(ctx, dir, google.MachineTable,
		func(path string) error { return google.EachMachineEvent(path, g.machine) })
	if err != nil {
		return nil, err
	}
	if !(g.totals[0] > 0 && g.totals[1] > 0) {
		return nil, fmt.Errorf("%s: no machines are added at time 0, so demands cannot be divided by totals",
			filepath.Join(dir, google.MachineTable))
	}
	seen := vectors{jobs: map[int64]bool{}, tasks: map[[2]int64]bool{}, distinct: map[[2]float64]bool{}}
	g.parts, err = google.EachPart(ctx, dir, google.TaskTable, func(path string) error {
		return google.EachTaskEvent(path, func(e *google.TaskEvent, _ []byte) error { return g.task(e, &seen) })
	})
	if err == nil && g.submits == 0 {
		err = fmt.Errorf("%s: no task was submitted with demands for CPU and memory", dir)
	}
	return g, err
}

// vectors remembers of what a vector was taken already.
type vectors struct {
	jobs     map[int64]bool
	tasks    map[[2]int64]bool
	distinct map[[2]float64]bool
}

// task adds the vector of a task event to the pools: the first of a job, the
// first of a task, each, and each new one.
func (g *demandData) task(e *google.TaskEvent, seen *vectors) error {
	if e.Kind != google.Submit {
		return nil
	}
	v, err := amounts(e.CPU, e.Memory)
	if err != nil {
		return err
	}
	if v[0] == 0 || v[1] == 0 {
		g.without++
		return nil
	}
	g.submits++
	task := [2]int64{e.Job, int64(e.Task)}
	for k, first := range []bool{!seen.jobs[e.Job], !seen.tasks[task], true, !seen.distinct[v]} {
		if first {
			g.pools[k] = append(g.pools[k], v)
		}
	}
	seen.jobs[e.Job], seen.tasks[task], seen.distinct[v] = true, true, true
	return nil
}

// machine adds a machine that is there at time 0.
func (g *demandData) machine(e *google.MachineEvent) error {
	if e.At != 0 || e.Kind != google.Added {
		return nil
	}
	v, err := amounts(e.CPU, e.Memory)
	g.totals[0] += v[0]
	g.totals[1] += v[1]
	return err
}

// amounts returns CPU and memory; missing ones are 0.
func amounts(cpu, memory float64) ([2]float64, error) {
	if cpu > 1e6 || memory > 1e6 {
		return [2]float64{}, fmt.Errorf("CPU %g and memory %g; want fractions of the largest machine", cpu, memory)
	}
	return [2]float64{max(cpu, 0), max(memory, 0)}, nil
}

// cpuShare is the share of a pool's vectors whose dominant resource is CPU, ties
// counting half, with demands divided by totals.
func cpuShare(pool [][2]float64, totals [2]float64) float64 {
	sum := 0.0
	for _, v := range pool {
		switch a, b := v[0]/totals[0], v[1]/totals[1]; {
		case a > b:
			sum++
		case a == b:
			sum += .5
		}
	}
	return sum / float64(len(pool))
}

// demands normalises a pool.
func demands(pool [][2]float64, totals [2]float64) (share.Demands, error) {
	raw := make([][]float64, len(pool))
	for i, v := range pool {
		raw[i] = []float64{v[0] / totals[0], v[1] / totals[1]}
	}
	return share.Normalise(raw)
}
