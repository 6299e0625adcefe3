package policytest

import (
	"fmt"
	"slices"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/rng"
)

// workload is a random workload, the machine it runs on and what it pays. Run
// times are at least a second, so that floors of one second in the orders do not
// see the unit of time.
type workload struct {
	procs    int
	pool     bool
	gpus     float64               // of the pool
	machines []traces.MachineEvent // of a cluster
	own      bool                  // prices of the policy's own kind
	handover int                   // instants after which a copy takes over
	jobs     []traces.Job
	bids     []float64
}

// String describes the workload for a reader of its fault.
func (w *workload) String() string {
	on := fmt.Sprintf("%d processors", w.procs)
	switch {
	case w.machines != nil:
		on = "a cluster"
	case w.pool:
		on = fmt.Sprintf("a pool of %d CPUs", w.procs)
	}
	return fmt.Sprintf("%d jobs on %s", len(w.jobs), on)
}

func (w *workload) clone() *workload {
	c := *w
	c.machines, c.jobs, c.bids = slices.Clone(w.machines), slices.Clone(w.jobs), slices.Clone(w.bids)
	return &c
}

// omit is the workload without its i-th job.
func (w *workload) omit(i int) *workload {
	c := w.clone()
	c.jobs, c.bids = slices.Delete(c.jobs, i, i+1), slices.Delete(c.bids, i, i+1)
	return c
}

// renumbered is the workload with other numbers of jobs, in another order.
func (w *workload) renumbered() *workload {
	c := w.clone()
	for i := range c.jobs {
		c.jobs[i].ID = 1_000_003 - 7*c.jobs[i].ID
	}
	return c
}

// slowed is the workload with all times multiplied.
func (w *workload) slowed(by events.Time) *workload {
	c := w.clone()
	for i := range c.jobs {
		j := &c.jobs[i]
		j.Submit, j.Run, j.Estimate = by*j.Submit, by*j.Run, by*j.Estimate
		if j.Wait.Known() {
			j.Wait *= by
		}
	}
	for i := range c.machines {
		c.machines[i].At *= by
	}
	return c
}

// draw makes a workload for the policy.
func (k *kit) draw(d *rng.Rand) *workload {
	w := &workload{procs: 1 + d.IntN(8), own: coin(d), handover: 3 + d.IntN(18)}
	switch {
	case k.traits.Places:
		w.drawMachines(d, k.want.GPUs)
	case k.traits.Packs:
		w.pool = k.traits.Resources > 1 || coin(d)
		if w.pool && (k.traits.MostResources == 0 || k.traits.MostResources > 2) && (k.traits.Resources > 2 || coin(d)) {
			w.gpus = float64(w.procs) / 2
		}
	}
	widest := w.procs
	if k.traits.Serial || w.machines != nil {
		widest = 1
	}
	if k.want.GPUs {
		widest = 2
	}
	overruns := k.want.Overruns && coin(d)
	at := events.Time(0)
	for i := range 1 + d.IntN(30) {
		at += seconds(d, 0, 4)
		j := traces.Job{
			ID: int64(i + 1), Submit: at, Run: seconds(d, 1, 12), Pieces: 1, Procs: int32(1 + d.IntN(widest)),
			Model: traces.NoLabel,
			CPU:   float64(1+d.IntN(4)) / 4, Memory: float64(d.IntN(5)) / 4, User: traces.Label(1 + d.IntN(4)),
			Queue: traces.Label(d.IntN(3)), Priority: -1, Class: -1,
		}
		if j.Estimate = j.Run + seconds(d, 0, 9); overruns {
			j.Estimate = seconds(d, 1, 12)
		}
		if k.needs.RecordedWaits {
			if j.Wait = events.Unknown; coin(d) {
				j.Wait = seconds(d, 0, 9)
			}
		}
		switch {
		case k.want.GPUs:
			j.GPU = [...]float64{0, .25, .7, 1, 2}[d.IntN(5)]
		case w.gpus > 0:
			j.GPU = float64(d.IntN(3)) / 4
		}
		w.jobs, w.bids = append(w.jobs, j), append(w.bids, float64(d.IntN(6)))
	}
	return w
}

func coin(d *rng.Rand) bool { return d.IntN(2) == 0 }

// seconds draws whole seconds from low to high.
func seconds(d *rng.Rand, low, high int) events.Time {
	return events.Time(low+d.IntN(high-low+1)) * events.Second
}

// drawMachines draws machines of a cluster, all but the first of which may be removed and
// added again otherwise. Any job fits on the first.
func (w *workload) drawMachines(d *rng.Rand, gpus bool) {
	n := 1 + d.IntN(4)
	for i := range n {
		w.machines = append(w.machines, traces.MachineEvent{Machine: int64(100 - i), CPU: 1, Memory: 1})
		if x := &w.machines[i]; gpus {
			x.GPU, x.Model = float64(d.IntN(4)), "some"
		}
	}
	if x := &w.machines[0]; gpus {
		x.CPU, x.Memory, x.GPU = 2, 2, 4
	}
	at := events.Time(0)
	for i := d.IntN(7); i > 0 && n > 1; i-- {
		at += seconds(d, 0, 9)
		w.machines = append(w.machines, traces.MachineEvent{
			At: at, Machine: int64(100 - 1 - d.IntN(n-1)), Gone: coin(d), CPU: float64(1+d.IntN(4)) / 4,
			Memory: float64(1+d.IntN(4)) / 4,
		})
	}
}
