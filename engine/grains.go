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

// scaled are grains for units of CPU and memory of so many grains.
func scaled(cpu, memory float64) policies.Amount {
	return policies.Amount{CPU: cpu, Memory: memory, GPU: 1, Disk: 1}
}

// resolution is how many grains a unit is divided into so that total can be counted.
func resolution(total float64) float64 {
	scale := 1e9 // that of Google's traces
	for total*scale > exact {
		scale /= 10
	}
	return scale
}

// of turns amounts in the trace's units into grains.
func (g *grains) of(cpu, memory float64) policies.Amount {
	return policies.Amount{CPU: math.Round(cpu * g.scale.CPU), Memory: math.Round(memory * g.scale.Memory)}
}

// need: a processor without a recorded CPU request counts 1, and an unknown memory
// request nothing.
func (g *grains) need(job *traces.Job) policies.Amount {
	procs, cpu, memory := float64(job.Procs), job.CPU, job.Memory
	if !(cpu >= 0) {
		cpu = 1
	}
	if !(memory >= 0) {
		memory = 0
	}
	return g.of(procs*cpu, procs*memory)
}

func (g *grains) size(need policies.Amount) float64 {
	share, _ := need.Dominant(g.base)
	return share * g.count
}

func (g *grains) refuse(need policies.Amount) string {
	switch {
	case !(need.CPU < math.Inf(1)) || !(need.Memory < math.Inf(1)):
		return "asks for an amount that is not finite"
	case !need.Fits(g.base):
		return fmt.Sprintf("asks for %s, the pool has %s", g.text(need), g.text(g.base))
	}
	return ""
}

func (g *grains) text(a policies.Amount) string {
	return fmt.Sprintf("%g CPU and %g memory", a.CPU/g.scale.CPU, a.Memory/g.scale.Memory)
}
