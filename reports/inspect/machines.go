package inspect

import (
	"cmp"
	"slices"

	"bourse/reports/terminal"
	"bourse/traces"
)

// machineTypes counts the machines that are there at first by their capacity, the
// most frequent type first.
func machineTypes(list []traces.MachineEvent) (types []traces.Capacity) {
	for _, e := range list {
		if e.At > list[0].At || e.Gone {
			continue
		}
		i := slices.IndexFunc(types, func(t traces.Capacity) bool { return t.CPU == e.CPU && t.Memory == e.Memory })
		if i < 0 {
			i, types = len(types), append(types, traces.Capacity{CPU: e.CPU, Memory: e.Memory})
		}
		types[i].Machines++
	}
	slices.SortStableFunc(types, func(a, b traces.Capacity) int { return cmp.Compare(b.Machines, a.Machines) })
	return types
}

// mostTypes is how many types of machines are shown.
const mostTypes = 5

// machineRows says what each type of machine has, and its part of all CPU and memory.
func (in *Inspection) machineRows(row func(string, string, ...any)) {
	c := in.Header.Capacity
	row("machines", "%s with %.6g CPU and %.6g memory", terminal.Count(c.Machines, "machine", "machines"), c.CPU, c.Memory)
	rest := 0
	for i, t := range in.Types {
		if i >= mostTypes {
			rest += t.Machines
			continue
		}
		n := float64(t.Machines)
		row("", "- %s with %.4g CPU and %.4g memory each: %s of the CPU, %s of the memory",
			terminal.Thousands(int64(t.Machines)), t.CPU, t.Memory,
			terminal.PercentOf(n*t.CPU, c.CPU), terminal.PercentOf(n*t.Memory, c.Memory))
	}
	if rest > 0 {
		row("", "- %s of %d other types", terminal.Thousands(int64(rest)), len(in.Types)-mostTypes)
	}
}
