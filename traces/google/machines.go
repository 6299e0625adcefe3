package google

import (
	"io"
	"math"
	"path/filepath"
	"slices"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
)

// MachineEvents implements the interface of that name.
func (g *source) MachineEvents() []traces.MachineEvent { return g.machine }

// readMachines reads the table of machines if it is beside the tasks'. The pool's
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

// machines2011 reads machine_events of 2011: time, machine, event, platform, CPU,
// memory.
func machines2011(g *source, p part) error {
	in, err := input.OpenFile(p.path)
	if err != nil {
		return err
	}
	defer in.Close()
	text := input.NewLines(in.Text)
	rows := csvRows{columns: 6, table: "machine_events"}
	for {
		line, err := text.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return in.Broken(err, text.Number)
		}
		var at, code int64
		e := traces.MachineEvent{}
		fault := (*traces.Error)(nil)
		if rows.cut(line) != nil {
			fault = rows.wrongWidth(line)
		} else if f := rows.fields; !whole(f[0], &at) || !whole(f[1], &e.Machine) || !whole(f[2], &code) || code < 0 || code > 2 {
			fault = &traces.Error{What: "a machine event that cannot be read: " + input.Quote(line), Want: "time, machine, event 0 to 2, platform, CPU, memory was expected"}
		} else {
			var ok [2]bool
			e.CPU, ok[0] = decimal(f[4])
			e.Memory, ok[1] = decimal(f[5])
			if !ok[0] || !ok[1] {
				fault = &traces.Error{What: "a capacity that is not a number: " + input.Quote(line)}
			}
		}
		if fault != nil {
			fault.File, fault.Line = p.path, text.Number
			if err := g.skip(fault); err != nil {
				return err
			}
			continue
		}
		g.addMachine(e, at, code == 1)
	}
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
		return nil, &traces.Error{File: path, What: "no machine events", Want: "a Google trace's folder with " + d.machine + " was expected"}
	}
	return g.machine, nil
}
