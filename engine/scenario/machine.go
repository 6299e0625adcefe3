package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bourse/engine"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/policies/gpus"
	"bourse/policies/placed"
	"bourse/policies/placement"
	"bourse/traces"
	"bourse/traces/google"
	"bourse/traces/nodes"
	"bourse/traces/suggest"
	"bourse/traces/table"
	"bourse/traces/transform"
)

// Hardware is the machine for the jobs of a trace: the engine's, and on a cluster
// the rule by which jobs are placed.
type Hardware struct {
	engine.Machine
	Fit string
}

// String describes it in words.
func (h Hardware) String() string {
	switch m := h.Machine.(type) {
	case engine.Pool:
		return fmt.Sprintf("a pool of %s, from %g machines", m.Amount().Text(m.Amount()), m.Machines)
	case engine.Cluster:
		return fmt.Sprintf("%s, jobs placed by %s fit", traces.CapacityAt(m, m[0].At), h.Fit)
	case engine.Processors:
		return fmt.Sprintf("%d processors", m)
	}
	return "no machine"
}

// Total is the capacity, where there are several resources.
func (h Hardware) Total() policies.Amount {
	switch m := h.Machine.(type) {
	case engine.Pool:
		return m.Amount()
	case engine.Cluster:
		first := traces.CapacityAt(m, m[0].At)
		return policies.Amount{CPU: first.CPU, Memory: first.Memory, GPU: first.GPU}
	}
	return policies.Amount{}
}

// GPUs are those of each model that a cluster begins with; none elsewhere, where GPUs have no
// models.
func (h Hardware) GPUs() map[string]float64 {
	m, _ := h.Machine.(engine.Cluster)
	models := map[string]float64{}
	for _, e := range m {
		if e.At == m[0].At && !e.Gone && e.GPU > 0 {
			models[e.Model] += e.GPU
		}
	}
	return models
}

// The parameters of the kinds of machines.
var (
	nodesParams = []policies.Param{{Name: "n", Doc: "processors"}}
	poolParams  = []policies.Param{
		{Name: "cpu", Default: "0", Doc: "CPU of the pool, in the trace's units, each counted as a machine; 0: what the " +
			"trace says"},
		{Name: "memory", Default: "0", Doc: "memory of the pool, in the trace's units; 0: what the trace says"},
		{Name: "gpu", Default: "0", Doc: "GPUs of the pool, shares of a device added up; 0: what the trace says"},
		{Name: "disk", Default: "0", Doc: "disk space of the pool, in the trace's units; 0: none"},
	}
	clusterParams = []policies.Param{
		{Name: "fit", Default: placement.FirstFit.String(), Doc: strings.Join(fitNames(), ", ")},
		{Name: "events", Default: "trace", Doc: "the folder of a Google trace with machine_events; by default the trace's " +
			"own"},
	}
	tableParams = clusterParams[:1]
)

// fitNames lists the rules by which jobs are placed on machines, those for GPUs last.
func fitNames() []string {
	names := placement.FitNames()
	for _, rule := range gpus.Names() {
		if !slices.Contains(names, rule) {
			names = append(names, rule)
		}
	}
	return names
}

// machineSpec is the parsed text of Machine.Machines.
type machineSpec struct {
	kind   string // nodes, pool, partitions, trace, table, or empty: what the trace says
	nodes  int
	pool   engine.Pool
	fit    string
	events string // the folder of a Google trace, or the table of machines
}

// MachineTable is the table of machines that a text for Machines names, "" if it names none.
func MachineTable(text string) string {
	if m, err := parseMachines(text); err == nil && m.kind == "table" {
		return m.events
	}
	return ""
}

// Files lists the files of a replay in addition to its trace and bids: scripts, and
// tables of quotas and machines.
func (s Scenario) Files() []string {
	list := append(s.Scripts(), catalog.Scripts(parts(s.Windows)...)...)
	if t := MachineTable(s.Machines); t != "" {
		list = append(list, t)
	}
	if s.Outages != "" {
		list = append(list, s.Outages)
	}
	if s.SiteFile != "" {
		list = append(list, s.SiteFile)
	}
	if isTable(s.Power) {
		list = append(list, s.Power)
	}
	series, _ := parseSeries(s.SeriesIn)
	for _, x := range series {
		list = append(list, x.file)
	}
	if t := BudgetTable(s.Budget); t != "" {
		list = append(list, t)
	}
	return list
}

func checkMachines(text string) error { _, err := parseMachines(text); return err }

func parseMachines(text string) (m machineSpec, err error) {
	if text == "" {
		return m, nil
	}
	spec, err := policies.ParseSpec(text)
	if err != nil {
		return m, err
	}
	var args *policies.Args
	switch m.kind = spec.Name; spec.Name {
	case "nodes":
		if args, err = policies.Bind(spec, nodesParams); err == nil {
			m.nodes = args.Int("n", 1, 1<<31-1)
			err = args.Err()
		}
	case "pool":
		if args, err = policies.Bind(spec, poolParams); err == nil {
			m.pool = engine.Pool{CPU: args.Float("cpu", 0, 1e15), Memory: args.Float("memory", 0, 1e15),
				GPU: args.Float("gpu", 0, 1e15), Disk: args.Float("disk", 0, 1e15)}
			err = args.Err()
		}
	case "partitions":
		m.fit = placement.FirstFit.String()
		if args, err = policies.Bind(spec, nil); err == nil {
			err = args.Err()
		}
	case "trace":
		if args, err = policies.Bind(spec, clusterParams); err != nil {
			return m, err
		}
		m.events = args.Text("events")
		m.fit, err = knownFit("trace", args, placement.FitNames())
	default:
		if !isTable(spec.Name) {
			return m, fmt.Errorf("%s is unknown%s", spec.Name,
				suggest.Then(suggest.DidYouMean(spec.Name, []string{"nodes", "pool", "trace", "partitions"}),
					"there are nodes:N, pool(cpu=C,memory=M,gpu=G), partitions, trace(fit=RULE) and, as in nodes.csv(fit=RULE), tables of "+
						"machines"))
		}
		m.kind, m.events = "table", spec.Name
		if args, err = policies.Bind(spec, tableParams); err == nil {
			m.fit, err = knownFit(spec.Name, args, fitNames())
		}
	}
	return m, err
}

func knownFit(kind string, args *policies.Args, known []string) (string, error) {
	fit := args.Text("fit")
	if !slices.Contains(known, fit) {
		return "", fmt.Errorf("%s(fit=%s) is unknown%s", kind, fit, suggest.Among(fit, known))
	}
	return fit, nil
}

// isTable reports whether a name is that of a table of machines, perhaps compressed.
func isTable(name string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	return strings.HasSuffix(name, ".csv") || table.IsParquet(name)
}

// UnknownMachineError says that neither the scenario nor the trace says what jobs run
// on.
type UnknownMachineError struct {
	Trace string
	// Missing names the unknown quantity: processors, capacity, GPUs, disk or machines.
	Missing string
	// Claimed is a size of the trace that no machine has, if that is why.
	Claimed string
}

func (e *UnknownMachineError) Error() string {
	switch {
	case e.Claimed != "":
		return fmt.Sprintf("%s says that the machine had %q processors, a number that is too large", e.Trace, e.Claimed)
	case e.Missing == "capacity":
		return e.Trace + " does not say how much CPU and memory there was"
	case e.Missing == "GPUs":
		return fmt.Sprintf("jobs of %s ask for GPUs, and it does not say how many there were", e.Trace)
	case e.Missing == "disk":
		return fmt.Sprintf("jobs of %s ask for disk, and it does not say how much there was", e.Trace)
	case e.Missing == "partitions":
		return e.Trace + " does not give the sizes of its partitions, as in MaxProcs: 1664 (72, 1368, 224)"
	case e.Missing == "machines":
		return e.Trace + " does not record events of machines"
	}
	return e.Trace + " does not say how many processors the machine had"
}

// On settles what a trace's jobs run on: what is asked for, else what the trace says.
func (m Machine) On(src traces.Source) (Hardware, error) {
	spec, err := parseMachines(m.Machines)
	if err != nil {
		return Hardware{}, &OptionError{"machines", err}
	}
	h := src.Header()
	switch nodes := max(m.Nodes, spec.nodes); {
	case nodes > 0:
		return Hardware{Machine: engine.Processors(nodes)}, nil
	case spec.kind == "trace", spec.kind == "table":
		return spec.cluster(src)
	case spec.kind == "partitions":
		list, err := partitionsOf(h)
		return Hardware{Machine: engine.Cluster(list), Fit: spec.fit}, err
	case spec.kind == "pool":
		pool := spec.pool
		pool.Machines = pool.CPU // a declared CPU is a machine; the trace's own count is not of this pool
		if pool.CPU == 0 {
			pool.CPU = max(h.Capacity.CPU, float64(h.Procs))
			pool.Machines = float64(max(h.Capacity.Machines, h.Procs))
		}
		if pool.Memory == 0 {
			pool.Memory = h.Capacity.Memory
		}
		if pool.GPU == 0 {
			pool.GPU = h.Capacity.GPU
		}
		switch {
		case pool.CPU == 0 || pool.Memory == 0 && (h.Asks.Memory || pool.GPU+pool.Disk == 0):
			return Hardware{}, &UnknownMachineError{Trace: h.Name, Missing: "capacity"}
		case pool.GPU == 0 && h.Asks.GPU:
			return Hardware{}, &UnknownMachineError{Trace: h.Name, Missing: "GPUs"}
		case pool.Disk == 0 && h.Asks.Disk:
			return Hardware{}, &UnknownMachineError{Trace: h.Name, Missing: "disk"}
		}
		return Hardware{Machine: pool}, nil
	case h.Capacity.Machines > 0:
		return Hardware{Machine: engine.Pool{CPU: h.Capacity.CPU, Memory: h.Capacity.Memory,
			Machines: float64(h.Capacity.Machines)}}, nil
	case h.Procs > 0:
		return Hardware{Machine: engine.Processors(h.Procs)}, nil
	}
	return Hardware{}, &UnknownMachineError{Trace: h.Name, Missing: "processors", Claimed: tooLarge(h.Fields)}
}

// partitionsOf is a machine for each partition of a log whose header gives their sizes, as in "MaxProcs: 1664 (72,
// 1368, 224)", of which the first is that of partition 1.
func partitionsOf(h *traces.Header) (list []traces.MachineEvent, err error) {
	_, sizes, _ := strings.Cut(traces.FieldText(h.Fields, "MaxProcs"), "(")
	sizes, _, _ = strings.Cut(sizes, ")")
	for i, size := range strings.Split(sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(size))
		if err != nil || n < 1 {
			return nil, &UnknownMachineError{Trace: h.Name, Missing: "partitions"}
		}
		list = append(list, traces.MachineEvent{Machine: int64(i), CPU: float64(n), Partitions: strconv.Itoa(i + 1),
			Whole: true})
	}
	return list, nil
}

// tooLarge is the machine's size in a header whose number is beyond all bounds, or "".
func tooLarge(fields []traces.Field) string {
	for _, label := range []string{"MaxProcs", "MaxNodes"} {
		text := traces.FieldText(fields, label)
		if _, ok := traces.LeadingNumber(text); !ok && text != "" && text[0] >= '0' && text[0] <= '9' {
			return text[:min(len(text), 40)]
		}
	}
	return ""
}

// cluster takes the machines of the trace, or of the folder that is named.
func (m machineSpec) cluster(src traces.Source) (Hardware, error) {
	if m.kind == "table" {
		list, err := nodes.Read(m.events)
		return Hardware{Machine: engine.Cluster(list), Fit: m.fit}, err
	}
	if m.events != "trace" {
		list, err := google.ReadMachines(m.events)
		return Hardware{Machine: engine.Cluster(list), Fit: m.fit}, err
	}
	t, ok := traces.As[traces.MachineEvents](src)
	if !ok || len(t.MachineEvents()) == 0 {
		return Hardware{}, &UnknownMachineError{Trace: src.Header().Name, Missing: "machines"}
	}
	return Hardware{Machine: engine.Cluster(t.MachineEvents()), Fit: m.fit}, nil
}

// withDefaults names the policy where none is named and the usual one does not plan on such a
// machine: fcfs, passing over what does not fit; or, where a market is asked for on single
// machines, nphb.
func (h Hardware) withDefaults(m Market) Market {
	if m.Policy != "" {
		return m
	}
	switch h.Machine.(type) {
	case engine.Pool:
		if !m.Asks() {
			m.Policy = "fcfs"
		}
	case engine.Cluster:
		if m.Policy = "fcfs(fit=skip)"; m.Asks() {
			m.Policy = "nphb"
		}
	}
	return m
}

// place makes a policy place jobs where there are machines to place them on. Seed is that
// of the draws of fit=random.
func (h Hardware) place(p policies.Policy, seed uint64) (policies.Policy, error) {
	list, cluster := h.Machine.(engine.Cluster)
	if !cluster || policies.TraitsOf(p).Places {
		return p, nil
	}
	if traces.Partitioned(list) || slices.ContainsFunc(list, func(e traces.MachineEvent) bool { return e.GPU > 0 }) {
		rule, known := gpus.Named(h.Fit)
		if !known {
			return nil, fmt.Errorf("fit=%s is no rule for machines with GPUs or partitions; want %s", h.Fit,
				strings.Join(gpus.Names(), ", "))
		}
		return placed.OnGPUs(p, rule, seed)
	}
	fit, ok := placement.FitNamed(h.Fit)
	if !ok {
		return nil, fmt.Errorf("fit=%s is a rule for GPUs, and the machines have none; want %s", h.Fit,
			strings.Join(placement.FitNames(), ", "))
	}
	return placed.New(p, fit)
}

// limit keeps jobs that can never run out of a replay. Most is how much of the processors may ever be in use.
func (h Hardware) limit(o *transform.Options, most float64) {
	switch m := h.Machine.(type) {
	case engine.Processors:
		o.Procs = int(min(float64(m), most))
	case engine.Pool:
		o.Capacity = traces.Capacity{CPU: min(m.CPU, most), Memory: m.Memory, GPU: m.GPU, Disk: m.Disk}
	case engine.Cluster:
		o.Machines = m
	}
}
