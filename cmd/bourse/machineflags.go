package main

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/google"
	"bourse/traces/suggest"
	"bourse/traces/transform"
)

// machineFlags say what jobs run on.
type machineFlags struct {
	nodes    int
	machines string
}

func (m *machineFlags) define(f *pflag.FlagSet) {
	f.IntVar(&m.nodes, "nodes", 0, "processors of the machine (0: what the trace says)")
	f.StringVar(&m.machines, "machines", "", "nodes:N (as --nodes), pool, pool(cpu=C,memory=M): CPU and memory as jobs ask for them, divisible at will, or trace, trace(fit=best): its machines, with first, best, worst or dot fit (default: what the trace says)")
}

// hardware is what jobs run on.
type hardware struct {
	procs int
	pool  *engine.Pool
	list  []traces.MachineEvent // of a cluster
	fit   sched.Fit
}

// String says what it is in words.
func (h hardware) String() string {
	switch {
	case h.pool != nil:
		return fmt.Sprintf("a pool of %g CPU and %g memory, from %s machines", h.pool.CPU, h.pool.Memory, terminal.Thousands(int64(h.pool.Machines)))
	case h.list != nil:
		return fmt.Sprintf("%s, jobs placed by %s fit", traces.CapacityAt(h.list, h.list[0].At), fits[h.fit])
	}
	return terminal.Thousands(int64(h.procs)) + " processors"
}

// fits are the rules of --machines trace(fit=...).
var fits = []string{"first", "best", "worst", "dot"}

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
	case "trace":
		if _, err := m.trace(spec); err != nil {
			return err
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
		return usagef("--machines %s is unknown%s; there are nodes:N, pool(cpu=C,memory=M) and trace(fit=RULE)", spec.Name, suggest.DidYouMean(spec.Name, []string{"nodes", "pool", "trace"}))
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
	case spec.Name == "trace":
		return m.cluster(src, spec)
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

// cluster takes the machines of the trace, or of the folder that events= names.
func (m *machineFlags) cluster(src traces.Source, spec policies.Spec) (hardware, error) {
	fit, err := m.trace(spec)
	if err != nil {
		return hardware{}, err
	}
	args, err := policies.Bind(spec, clusterParams)
	if err != nil {
		return hardware{}, err
	}
	if path := args.Text("events"); path != "trace" {
		list, err := google.ReadMachines(path)
		return hardware{list: list, fit: fit}, err
	}
	t, ok := traces.As[traces.MachineEvents](src)
	if !ok || len(t.MachineEvents()) == 0 {
		return hardware{}, fmt.Errorf("%s does not tell of machines that come and go; name a Google trace's folder, --machines 'trace(events=DIR)', or use --machines pool or nodes:N", src.Header().Name)
	}
	return hardware{list: t.MachineEvents(), fit: fit}, nil
}

// clusterParams are those of --machines trace.
var clusterParams = []policies.Param{
	{Name: "fit", Default: "first", Doc: "first, best, worst or dot"},
	{Name: "events", Default: "trace", Doc: "the folder of a Google trace with machine_events; by default the trace's own"},
}

// trace reads the rule of --machines trace(fit=RULE).
func (m *machineFlags) trace(spec policies.Spec) (sched.Fit, error) {
	args, err := policies.Bind(spec, clusterParams)
	if err != nil {
		return 0, usagef("--machines %w", err)
	}
	i := slices.Index(fits, args.Text("fit"))
	if i < 0 {
		return 0, usagef("--machines trace(fit=%s): first, best, worst or dot was expected%s", args.Text("fit"), suggest.DidYouMean(args.Text("fit"), fits))
	}
	return sched.Fit(i), nil
}

// Place makes a policy place jobs where there are machines to place them on.
func (h hardware) Place(p policies.Policy) (policies.Policy, error) {
	if h.list == nil {
		return p, nil
	}
	q, err := sched.OnMachines(p, h.fit)
	if err != nil {
		return nil, &usageError{err}
	}
	return q, nil
}

// Config is the part of the engine's that says what jobs run on.
func (h hardware) Config() engine.Config {
	switch {
	case h.list != nil:
		return engine.Config{Machine: engine.Cluster(h.list)}
	case h.pool != nil:
		return engine.Config{Machine: *h.pool}
	}
	return engine.Config{Machine: engine.Processors(h.procs)}
}

// Limit keeps jobs that can never run out of a replay.
func (h hardware) Limit(t *transform.Options) {
	t.Procs = h.procs
	if h.pool != nil {
		t.Capacity = traces.Capacity{CPU: h.pool.CPU, Memory: h.pool.Memory, Machines: h.pool.Machines}
	}
	t.Machines = h.list
}

// preemptionFlags say what preemption costs.
type preemptionFlags struct {
	migration float64
	later     string
}

func (p *preemptionFlags) define(f *pflag.FlagSet) {
	f.Float64Var(&p.migration, "migration-cost", 0, "seconds of lost work each time a preempted job resumes")
	f.StringVar(&p.later, "preemption", "resume", "what a preempted job does later: resume, or restart with its work lost")
}

func (p *preemptionFlags) validate() error {
	if p.later != "resume" && p.later != "restart" {
		return usagef("--preemption %s: resume or restart was expected", p.later)
	}
	if _, ok := events.FromSeconds(p.migration); !ok || p.migration < 0 {
		return usagef("--migration-cost %g: seconds of 0 or more were expected", p.migration)
	}
	return nil
}

func (p *preemptionFlags) apply(cfg *engine.Config) {
	cfg.MigrationCost, _ = events.FromSeconds(p.migration)
	cfg.Restart = p.later == "restart"
}
