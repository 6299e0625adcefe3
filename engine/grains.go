package engine

import (
	"fmt"
	"math"

	"bourse/policies"
	"bourse/traces"
)

// grains is the measure of pools and clusters: whole numbers small enough that
// every sum of them is exact.
type grains struct {
	scale policies.Amount // per unit of the trace
	base  policies.Amount // what there was at first: what sizes are measured by
	count float64         // machines of the pool
}

// even is the same amount of each resource.
func even(x float64) policies.Amount { return policies.Amount{CPU: x, Memory: x, GPU: x, Disk: x} }

// resolution is how many grains a unit is divided into so that total can be counted.
func resolution(total float64) float64 {
	scale := 1e9 // that of Google's traces
	for total*scale > exact {
		scale /= 10
	}
	return scale
}

// toGrains turns amounts in the trace's units into grains.
func (g *grains) toGrains(a policies.Amount) policies.Amount {
	return policies.Amount{
		CPU: math.Round(a.CPU * g.scale.CPU), Memory: math.Round(a.Memory * g.scale.Memory),
		GPU: math.Round(a.GPU * g.scale.GPU), Disk: math.Round(a.Disk * g.scale.Disk),
	}
}

// need: a processor without a recorded CPU request counts 1, and an unknown request for
// another resource nothing.
func (g *grains) need(job *traces.Job) (n policies.Amount) {
	n.CPU, n.Memory, n.GPU, n.Disk = job.Ask(float64(job.Procs))
	return g.toGrains(n)
}

func (g *grains) size(need policies.Amount) float64 {
	share, _ := need.Dominant(g.base)
	return share * g.count
}

func (g *grains) refuse(need policies.Amount) string {
	switch {
	case !need.Fits(even(math.MaxFloat64)):
		return "asks for an amount that is not finite"
	case !need.Fits(g.base):
		return fmt.Sprintf("asks for %s, the pool has %s", g.text(need), g.text(g.base))
	}
	return ""
}

// text names what there is of a or of the machine.
func (g *grains) text(a policies.Amount) string { return a.Over(g.scale).Text(g.base) }
