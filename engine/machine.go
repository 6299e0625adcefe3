package engine

import (
	"errors"
	"fmt"
	"math"

	"bourse/policies"
	"bourse/traces"
)

// Pool is a machine of several resources that can be divided at will: what a
// cluster would be if its machines could be melted together. Capacities are in
// the trace's units.
type Pool struct {
	CPU, Memory float64
	// Machines is how many machines the pool stands for. Jobs pay by the machine:
	// dominant share x Machines.
	Machines int
}

// machine is what jobs run on, in grains.
type machine struct {
	total policies.Amount
	scale policies.Amount // grains per unit of the trace; 1 on processors
	count float64         // processors, or machines of the pool
	pool  bool
	base  policies.Amount // what there was at first: what sizes are measured by
}

// exact is the largest sum of grains: below 2^53 every whole number is a float64.
const exact = 9e15

func newMachine(cfg *Config) (machine, error) {
	if cfg.Cluster != nil {
		return clusterMachine(cfg)
	}
	if cfg.Pool == nil {
		if cfg.Procs < 1 {
			return machine{}, fmt.Errorf("a machine of %d processors cannot run anything; give --nodes a number of 1 or more", cfg.Procs)
		}
		if n := policies.TraitsOf(cfg.Policy).Resources; n > 1 {
			return machine{}, fmt.Errorf("the policy is for %d resources, processors are one; use --machines pool, or drf", n)
		}
		n := float64(cfg.Procs)
		return machine{total: policies.Amount{n, 0}, base: policies.Amount{n, 0}, scale: policies.Amount{1, 1}, count: n}, nil
	}
	p := cfg.Pool
	if !(p.CPU > 0 && p.CPU <= exact) || !(p.Memory >= 0 && p.Memory <= exact) || p.Machines < 1 {
		return machine{}, fmt.Errorf("a pool of %g CPU and %g memory from %d machines cannot run anything; capacities above 0 were expected", p.CPU, p.Memory, p.Machines)
	}
	if !policies.TraitsOf(cfg.Policy).Packs {
		return machine{}, errors.New("the policy plans with processors, not with a pool of several resources; use hb, nphb, fcfs, priority or another list or sharing policy, or --machines nodes:N")
	}
	m := machine{count: float64(p.Machines), pool: true}
	for r, total := range []float64{p.CPU, p.Memory} {
		m.scale[r] = 1e9 // the resolution of Google's traces
		for total*m.scale[r] > exact {
			m.scale[r] /= 10
		}
		m.total[r] = math.Round(total * m.scale[r])
	}
	m.base = m.total
	return m, nil
}

// clusterMachine is that of a cluster: sizes are measured by the machines there
// when the first job could come.
func clusterMachine(cfg *Config) (machine, error) {
	if !policies.TraitsOf(cfg.Policy).Places {
		return machine{}, errors.New("the policy does not place jobs on machines; use fcfs, nphb, wspt, priority or another list policy, or --machines pool")
	}
	if len(cfg.Cluster) == 0 {
		return machine{}, fmt.Errorf("a cluster without machines cannot run anything")
	}
	c := traces.CapacityAt(cfg.Cluster, cfg.Cluster[0].At)
	if !(c.CPU > 0) || !(c.Memory > 0) || c.CPU > exact/1e9 || c.Memory > exact/1e9 {
		return machine{}, fmt.Errorf("a cluster that begins with %v cannot be used; capacities above 0, in units of the largest machine, were expected", c)
	}
	m := machine{count: float64(c.Machines), pool: true, scale: policies.Amount{1e9, 1e9}}
	m.base = m.grains(c.CPU, c.Memory)
	m.total = m.base
	return m, nil
}

// grains turns amounts in the trace's units into grains.
func (m *machine) grains(cpu, memory float64) policies.Amount {
	return policies.Amount{math.Round(cpu * m.scale[policies.CPU]), math.Round(memory * m.scale[policies.Memory])}
}

// need is what a job holds while it runs. On a pool a processor without a
// recorded CPU request counts 1, and an unknown memory request nothing.
func (m *machine) need(job *traces.Job) policies.Amount {
	procs := float64(job.Procs)
	if !m.pool {
		return policies.Amount{procs, 0}
	}
	cpu, memory := job.CPU, job.Memory
	if !(cpu >= 0) {
		cpu = 1
	}
	if !(memory >= 0) {
		memory = 0
	}
	return policies.Amount{math.Round(procs * cpu * m.scale[policies.CPU]), math.Round(procs * memory * m.scale[policies.Memory])}
}

// size is what a job pays for.
func (m *machine) size(need policies.Amount) float64 {
	if !m.pool {
		return need[policies.CPU]
	}
	share, _ := need.Dominant(m.base)
	return share * m.count
}

// refuse says why a job can never run, or "".
func (m *machine) refuse(need policies.Amount) string {
	switch {
	case !m.pool && need[policies.CPU] < 1, !m.pool && !need.Fits(m.total):
		return fmt.Sprintf("asks for %g processors, the machine has %g", need[policies.CPU], m.count)
	case !(need[policies.CPU] < math.Inf(1)) || !(need[policies.Memory] < math.Inf(1)):
		return "asks for an amount that is not finite"
	case !need.Fits(m.base):
		n, t := m.units(need), m.units(m.base)
		return fmt.Sprintf("asks for %g CPU and %g memory, the pool has %g and %g", n[policies.CPU], n[policies.Memory], t[policies.CPU], t[policies.Memory])
	}
	return ""
}

// units turns grains into the trace's units.
func (m *machine) units(a policies.Amount) policies.Amount {
	return policies.Amount{a[policies.CPU] / m.scale[policies.CPU], a[policies.Memory] / m.scale[policies.Memory]}
}

// exceeded reports whether what is held is more than there is by more than
// rounding.
func (m *machine) exceeded(held policies.Amount) bool { return !held.Fits(m.total.Times(1 + slack)) }

// amount spells an amount out.
func (m *machine) amount(a policies.Amount) string {
	u := m.units(a)
	if !m.pool {
		return fmt.Sprintf("%g processors", u[policies.CPU])
	}
	return fmt.Sprintf("%g CPU and %g memory", u[policies.CPU], u[policies.Memory])
}
