package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"bourse/engine"
	"bourse/policies"
	"bourse/traces"
)

// machineFlags say what jobs run on.
type machineFlags struct {
	nodes    int
	machines string
}

func (m *machineFlags) define(f *pflag.FlagSet) {
	f.IntVar(&m.nodes, "nodes", 0, "processors of the machine (0: what the trace says)")
	f.StringVar(&m.machines, "machines", "", "nodes:N (as --nodes), or pool, pool(cpu=C,memory=M): CPU and memory as jobs ask for them, divisible at will (default: what the trace says)")
}

// hardware is what jobs run on.
type hardware struct {
	procs int
	pool  *engine.Pool
}

// poolParams are those of --machines pool, in the trace's units.
var poolParams = []policies.Param{
	{Name: "cpu", Default: "0", Doc: "CPU of the pool; 0: what the trace says"},
	{Name: "memory", Default: "0", Doc: "memory of the pool; 0: what the trace says"},
}

func (m *machineFlags) validate(f *pflag.FlagSet) error {
	if f.Changed("nodes") && m.nodes < 1 {
		return usagef("--nodes %d: a machine needs at least 1 processor", m.nodes)
	}
	if m.machines == "" {
		return nil
	}
	if m.nodes > 0 {
		return usagef("--nodes and --machines both say what jobs run on; give one of them")
	}
	spec, err := policies.ParseSpec(m.machines)
	if err != nil {
		return usagef("--machines %w", err)
	}
	switch spec.Name {
	case "pool":
		args, err := policies.Bind(spec, poolParams)
		if err == nil {
			args.Float("cpu", 0, 1e15)
			args.Float("memory", 0, 1e15)
			err = args.Err()
		}
		if err != nil {
			return usagef("--machines %w", err)
		}
	case "nodes":
		args, err := policies.Bind(spec, []policies.Param{{Name: "n", Doc: "processors"}})
		if err == nil {
			m.nodes = args.Int("n", 1, 1<<31-1)
			err = args.Err()
		}
		if err != nil {
			return usagef("--machines %w", err)
		}
	default:
		return usagef("--machines %s is unknown%s; there are nodes:N and pool(cpu=C,memory=M)", spec.Name, traces.DidYouMean(spec.Name, []string{"nodes", "pool"}))
	}
	return nil
}

// on settles what a trace's jobs run on: what the user says, else what the trace
// does. The flags have been validated.
func (m *machineFlags) on(src traces.Source) (hardware, error) {
	h := src.Header()
	spec, _ := policies.ParseSpec(m.machines)
	switch {
	case m.nodes > 0:
		return hardware{procs: m.nodes}, nil
	case spec.Name == "pool":
		args, _ := policies.Bind(spec, poolParams)
		pool := engine.Pool{CPU: args.Float("cpu", 0, 1e15), Memory: args.Float("memory", 0, 1e15), Machines: max(h.Capacity.Machines, h.Procs)}
		if pool.CPU == 0 {
			pool.CPU = max(h.Capacity.CPU, float64(h.Procs))
		}
		if pool.Memory == 0 {
			pool.Memory = h.Capacity.Memory
		}
		if pool.Machines == 0 {
			pool.Machines = int(max(1, pool.CPU))
		}
		if pool.CPU == 0 || pool.Memory == 0 {
			return hardware{}, fmt.Errorf("%s does not say how much CPU and memory there was; give --machines 'pool(cpu=C,memory=M)' in the trace's units", h.Name)
		}
		return hardware{pool: &pool}, nil
	case h.Capacity.Machines > 0:
		return hardware{pool: &engine.Pool{CPU: h.Capacity.CPU, Memory: h.Capacity.Memory, Machines: h.Capacity.Machines}}, nil
	case h.Procs > 0:
		return hardware{procs: h.Procs}, nil
	}
	return hardware{}, fmt.Errorf("%s does not say how many processors the machine had; give --nodes N", h.Name)
}

// limit keeps jobs that can never run out of a replay.
func (h hardware) limit(t *traces.Treatment) {
	t.Procs = h.procs
	if h.pool != nil {
		t.Capacity = traces.Capacity{CPU: h.pool.CPU, Memory: h.pool.Memory, Machines: h.pool.Machines}
	}
}
