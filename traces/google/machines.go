package google

import (
	"math"
	"path/filepath"
	"slices"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
)

// MachineEvents implements the interface of that name.
func (g *source) MachineEvents() []traces.MachineEvent { return g.machine }

// readMachines reads the table of machines if it is next to the tasks'. The pool's
// capacity is that of the machines there when the window begins.
func (g *source) readMachines(path string) error {
	dir := filepath.Join(path, g.dialect.machine)
	if !input.Exists(dir) {
		dir = path
	}
	names, err := tableFiles(dir, g.dialect.machine)
	if err != nil || len(names) == 0 {
		return nil // one part or a pattern: it may do without
	}
	slices.Sort(names)
	for _, name := range names {
		if err := g.dialect.machines(g, part{path: name}); err != nil {
			return err
		}
	}
	slices.SortStableFunc(g.machine, func(a, b traces.MachineEvent) int { return int(min(1, max(-1, int64(a.At-b.At)))) })
	g.header.Capacity = traces.CapacityAt(g.machine, WindowStart)
	return nil
}

// addMachine takes one event over. A machine without a capacity has none.
func (g *source) addMachine(e traces.MachineEvent, at int64, gone bool) {
	if at == math.MaxInt64 {
		return
	}
	e.At, e.Gone = max(events.Time(at), WindowStart), gone
	if !gone && (e.CPU < 0 || e.Memory < 0) {
		g.header.Ledger.Odd("machines without a capacity: they hold nothing")
	}
	e.CPU, e.Memory = max(e.CPU, 0), max(e.Memory, 0)
	g.machine = append(g.machine, e)
}

// ReadMachines reads the machine events of a Google trace by its folder, for jobs
// that were converted from it.
func ReadMachines(path string) ([]traces.MachineEvent, error) {
	d := &v2011
	if FormatOf(path) == v2019.name {
		d = &v2019
	}
	g := &source{dialect: d}
	g.header = traces.Header{Name: path, Ledger: &traces.Ledger{}}
	if err := g.readMachines(path); err != nil {
		return nil, err
	}
	if len(g.machine) == 0 {
		return nil, &traces.Error{File: path, What: "no machine events",
			Want: "want the folder of a Google trace with " + d.machine}
	}
	return g.machine, nil
}
