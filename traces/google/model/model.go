package model

import (
	"math"
	"slices"

	"bourse/traces/rng"
)

// The trace's tasks fall into tiers by priority that behave alike inside: how
// large jobs are, what they ask for, how long tasks last and what ends them.
const tiers = 5

// tier is what parts 0 to 13 of the trace say of one tier. Everything was
// measured from their rows; measure_test.go does it and writes measured.json.
type tier struct {
	Name string
	// before are the jobs that are there when the window begins, arriving those
	// that come later.
	Before, Arriving population
	// wait is the time from a submission to the schedule in seconds, killedWaiting
	// the share of submissions that are killed before.
	Wait          curve
	KilledWaiting float64
	// again is the share of the ends of each cause after which the task is
	// submitted again: evicted, failed, finished, killed.
	Again [4]float64
	// updates is the rate of update events a second of a running task.
	Updates float64
	// alike is the intraclass correlation of the logarithm of first attempts'
	// lives: that share of a job's tasks lives as one.
	Alike float64
}

// population is a kind of jobs of a tier.
type population struct {
	// jobs is the share of all jobs that arrive; of those there before, their
	// number on realMachines machines.
	Jobs             float64
	Size             curve   // tasks a job, over sizeGrid, by jobs
	Few, Many        traits  // of jobs of up to fewTasks tasks, by jobs; of others, by tasks
	Memory           curve   // of a task, over valueGrid, by tasks
	Missing, Waiting float64 // shares of tasks: without requests; not scheduled when the window begins
	// ends are the hazards of the four causes a second, in a task that was scheduled
	// a time within lifeEdges ago; tasks cut off by the end of the parts count for
	// as long as they were seen. aged are those of tasks that run when the window
	// begins, whose age is unknown.
	Ends [lifeBins][4]float64
	Aged [4]float64
}

// traits are what jobs are and their tasks ask for, each trait for itself.
type traits struct{ Priority, Class, CPU []weighted }

// weighted is a value and its share.
type weighted struct{ Value, Share float64 }

// curve is a distribution by its quantiles over a grid.
type curve []float64

// The grids of the curves.
var (
	sizeGrid  = [...]float64{0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1}
	valueGrid = [...]float64{0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1}
)

// lifeBins is the number of bins of lifeEdges, their lower ends in seconds. The
// last hazard holds from then on: the parts are 19.5 hours long and know no more. It is
// measured together with that of the tier's aged tasks.
const lifeBins = 13

var lifeEdges = [lifeBins]float64{0, 10, 30, 60, 120, 300, 600, 1200, 2400, 4800, 9600, 19200, 38400}

// fewTasks is the size up to which jobs are small.
const fewTasks = 10

// realMachines are the machines there when the real trace begins.
const realMachines = 12477

// draw returns a value of the distribution: quantiles are joined by straight lines in the
// logarithm, from 0 in the value.
func (c curve) draw(r *rng.Rand, grid []float64) float64 { return c.quantile(r.Float64(), grid) }

// quantile returns the quantile q.
func (c curve) quantile(q float64, grid []float64) float64 {
	i, _ := slices.BinarySearch(grid, q)
	i = min(max(i, 1), len(grid)-1)
	low, high := c[i-1], c[i]
	part := (q - grid[i-1]) / (grid[i] - grid[i-1])
	if low <= 0 || high <= low {
		return low + float64(part*(high-low))
	}
	return rng.Exp(rng.Log(low) + float64(part*rng.Log(high/low)))
}

// draw picks a value by its share.
func draw(list []weighted, r *rng.Rand) float64 {
	u := r.Float64()
	for _, w := range list {
		if u -= w.Share; u < 0 {
			return w.Value
		}
	}
	return list[0].Value
}

// life turns a standard exponential deviate e and a uniform u into how long a
// task lives after it was scheduled, in seconds, and what ends it: the hazards'
// integral reaches e in some bin, whose causes share the end.
func (p *population) life(e, u float64) (seconds float64, cause int) {
	for b := range lifeBins {
		sum := total(&p.Ends[b])
		width := math.Inf(1)
		if b+1 < lifeBins {
			width = lifeEdges[b+1] - lifeEdges[b]
		}
		if e <= float64(sum*width) && sum > 0 {
			return lifeEdges[b] + e/sum, causeOf(&p.Ends[b], u)
		}
		e -= float64(sum * width)
	}
	return forever, 0
}

// agedLife is life for a task that runs when the window begins.
func (p *population) agedLife(e, u float64) (seconds float64, cause int) {
	sum := total(&p.Aged)
	if sum == 0 {
		return forever, 0
	}
	return e / sum, causeOf(&p.Aged, u)
}

// forever is longer than any window.
const forever = 1e10

func total(h *[4]float64) float64 { return h[0] + h[1] + h[2] + h[3] }

func causeOf(h *[4]float64, u float64) int {
	u = float64(u * total(h))
	for c, x := range h {
		if u -= x; u < 0 {
			return c
		}
	}
	return 3
}

// shape is a kind of machine.
type shape struct{ CPU, Memory, Share float64 }
