package traces

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"bourse/events"
)

// MachineEvent is what happens to one machine of a cluster: it comes with a
// capacity, its capacity changes, or it goes.
type MachineEvent struct {
	At      events.Time
	Machine int64 // the trace's number
	Gone    bool
	// CPU and Memory are its capacity from At on, in the trace's units.
	CPU, Memory float64
}

// Capacity is what a trace's machines have together.
type Capacity struct {
	CPU, Memory float64
	Machines    int
}

// CapacityAt sums up the machines that are there at a time, its events included.
func CapacityAt(list []MachineEvent, at events.Time) Capacity {
	last := map[int64]MachineEvent{}
	var order []int64
	for _, e := range list {
		if e.At > at {
			break
		}
		if _, ok := last[e.Machine]; !ok {
			order = append(order, e.Machine)
		}
		last[e.Machine] = e
	}
	var c Capacity
	for _, m := range order {
		if e := last[m]; !e.Gone {
			c.CPU += e.CPU
			c.Memory += e.Memory
			c.Machines++
		}
	}
	return c
}

// MachineEvents is implemented by sources that know the machines' comings and
// goings, in order of time.
type MachineEvents interface{ MachineEvents() []MachineEvent }

// MachineEvents implements the interface of that name.
func (g *google) MachineEvents() []MachineEvent { return g.machine }

// ReadMachines reads the machine events of a Google trace by its folder, for jobs
// that were converted from it.
func ReadMachines(path string) ([]MachineEvent, error) {
	d := &google2011
	if name := googleTable(path); name != "" && name != d.name {
		f, err := formatNamed(name)
		if err != nil {
			return nil, err
		}
		d = f.dialect
	}
	g := &google{dialect: d}
	g.header = Header{Name: path, Ledger: &Ledger{}}
	if err := g.readMachines(path); err != nil {
		return nil, err
	}
	if len(g.machine) == 0 {
		return nil, &Error{File: path, What: "no machine events", Want: "a Google trace's folder with " + d.machine + " was expected"}
	}
	return g.machine, nil
}

// readMachines reads the table of machines if it is beside the tasks'. The pool's
// capacity is that of the machines there when the window begins.
func (g *google) readMachines(path string) error {
	dir := filepath.Join(path, g.dialect.machine)
	if !exists(dir) {
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
	slices.SortStableFunc(g.machine, func(a, b MachineEvent) int { return int(min(1, max(-1, int64(a.At-b.At)))) })
	g.header.Capacity = CapacityAt(g.machine, googleBegin)
	return nil
}

// machines2011 reads machine_events of 2011: time, machine, event, platform, CPU,
// memory.
func machines2011(g *google, p part) error {
	in, err := openFile(p.path)
	if err != nil {
		return err
	}
	defer in.Close()
	text := newLines(in.text)
	rows := csvRows{columns: 6, table: "machine_events"}
	for {
		line, err := text.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return in.broken(err, text.number)
		}
		var at, code int64
		e := MachineEvent{}
		fault := (*Error)(nil)
		if rows.cut(line) != nil {
			fault = rows.wrongWidth(line)
		} else if f := rows.fields; !whole(f[0], &at) || !whole(f[1], &e.Machine) || !whole(f[2], &code) || code < 0 || code > 2 {
			fault = &Error{What: "a machine event that cannot be read: " + shortened(line), Want: "time, machine, event 0 to 2, platform, CPU, memory was expected"}
		} else {
			var ok [2]bool
			e.CPU, ok[0] = decimal(f[4])
			e.Memory, ok[1] = decimal(f[5])
			if !ok[0] || !ok[1] {
				fault = &Error{What: "a capacity that is not a number: " + shortened(line)}
			}
		}
		if fault != nil {
			fault.File, fault.Line = p.path, text.number
			if err := g.skip(fault); err != nil {
				return err
			}
			continue
		}
		g.addMachine(e, at, code == 1)
	}
}

// addMachine takes one event over. A machine without a capacity has none.
func (g *google) addMachine(e MachineEvent, at int64, gone bool) {
	if at == math.MaxInt64 {
		return
	}
	e.At, e.Gone = max(events.Time(at), googleBegin), gone
	if !gone && (e.CPU < 0 || e.Memory < 0) {
		g.header.Ledger.Odd("machines without a capacity: they hold nothing")
	}
	e.CPU, e.Memory = max(e.CPU, 0), max(e.Memory, 0)
	g.machine = append(g.machine, e)
}

// String spells a capacity out.
func (c Capacity) String() string {
	if c.Machines == 1 {
		return fmt.Sprintf("1 machine with %.6g CPU and %.6g memory", c.CPU, c.Memory)
	}
	return fmt.Sprintf("%d machines with %.6g CPU and %.6g memory", c.Machines, c.CPU, c.Memory)
}

// holds reports whether a job, or a piece of it, fits on all of it.
func (c Capacity) holds(j *Job, pieces bool) bool {
	n, cpu := float64(j.Procs), 1.0
	if pieces {
		n = 1
	}
	if j.CPU >= 0 {
		cpu = j.CPU
	}
	return n*cpu <= c.CPU && n*j.Memory <= c.Memory
}

// shapesOf lists the capacities of machines, leaving out those within another.
func shapesOf(list []MachineEvent) []Capacity {
	shapes := []Capacity{}
	for _, e := range list {
		if e.Gone || slices.ContainsFunc(shapes, func(c Capacity) bool { return e.CPU <= c.CPU && e.Memory <= c.Memory }) {
			continue
		}
		shapes = slices.DeleteFunc(shapes, func(c Capacity) bool { return c.CPU <= e.CPU && c.Memory <= e.Memory })
		shapes = append(shapes, Capacity{e.CPU, e.Memory, 1})
	}
	return shapes
}

// fitsOne reports whether some machine could hold a job, or a piece of it.
func (s *treated) fitsOne(j *Job) bool {
	return slices.ContainsFunc(s.shapes, func(c Capacity) bool { return c.holds(j, s.t.Serial) })
}
