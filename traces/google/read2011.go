package google

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
)

// v2011 reads the tables of clusterdata-2011-2 (v2.1): gzipped CSV.
var v2011 = dialect{
	name: tables[0].format, tasks: TaskTable, jobs: JobTable, machine: MachineTable,
	parse: parse2011, machines: machines2011,
}

// Parts lists the files of a table of 2011 in order, below the trace's folder.
func Parts(dir, table string) ([]string, error) {
	paths, err := tableFiles(filepath.Join(dir, table), table)
	if err != nil || len(paths) == 0 {
		return nil, &traces.Error{File: dir, What: "there is no " + table + "/part-*.csv.gz",
			Want: "want a folder laid out as clusterdata-2011-2 is"}
	}
	slices.Sort(paths)
	return paths, nil
}

// EachPart calls f with the paths of a table's parts, in order, and counts them.
func EachPart(ctx context.Context, dir, table string, f func(path string) error) (parts int, err error) {
	paths, err := Parts(dir, table)
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if err := f(path); err != nil {
			return 0, err
		}
	}
	return len(paths), err
}

// each2011 calls f with the rows of a part that has so many columns, split into
// fields, which are reused. Where f finds a fault, it gets its place and goes to bad.
func each2011(path, table string, columns int, bad func(error) error,
	f func(line []byte, fields [][]byte) error) error {
	in, err := input.OpenFile(path)
	if err != nil {
		return err
	}
	defer in.Close()
	text := input.NewLines(in.Text)
	if err := traces.CheckText(path, "CSV", "", text.Peek(2)); err != nil {
		return err
	}
	fields := make([][]byte, 0, columns)
	for {
		line, err := text.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return in.Broken(err, text.Number)
		}
		if fields = split(fields[:0], line); len(fields) != columns {
			err = wrongWidth(line, len(fields), table, columns)
		} else {
			err = f(line, fields)
		}
		if fault, ok := err.(*traces.Error); ok && fault.File == "" {
			fault.File, fault.Line = path, text.Number
			err = bad(fault)
		}
		if err != nil {
			return err
		}
	}
}

// split cuts a row at its commas; the traces' fields hold no quotes and no commas.
func split(fields [][]byte, line []byte) [][]byte {
	for {
		i := bytes.IndexByte(line, ',')
		if i < 0 {
			return append(fields, line)
		}
		fields = append(fields, line[:i])
		line = line[i+1:]
	}
}

// wrongWidth says what a row of another number of columns may be.
func wrongWidth(line []byte, n int, table string, columns int) *traces.Error {
	e := &traces.Error{What: fmt.Sprintf("%d columns, %s has %d", n, table, columns)}
	switch {
	case bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")):
		e.What = "JSON, not the CSV of 2011"
		e.Want = "the trace of 2019 is read with google2019:PATH"
	case n == jobColumns:
		e.Want = "8 columns are those of job_events"
	case n == 20 || n == 19:
		e.Want = "that many are those of task_usage"
	case n == machineColumns:
		e.Want = "6 columns are those of machine_events or task_constraints"
	}
	return e
}

// parse2011 unpacks and parses one part of task_events.
func parse2011(_ *source, p part, out chan<- *eventBatch, stop <-chan struct{}) {
	b := newBatcher(out, stop)
	users := map[string]int32{}
	var e TaskEvent
	b.close(each2011(p.path, TaskTable, taskColumns, b.fault, func(line []byte, f [][]byte) error {
		if fault := e.parse(line, f); fault != nil {
			return fault
		}
		e.user = b.now.user(f[taskUser], users)
		return b.add(&e)
	}))
}

// EachTaskEvent calls f with the rows of a part of task_events of 2011. An error of f
// gets the row's place.
func EachTaskEvent(path string, f func(e *TaskEvent, user []byte) error) error {
	var e TaskEvent
	return each2011(path, TaskTable, taskColumns, itself, func(line []byte, fields [][]byte) error {
		if fault := e.parse(line, fields); fault != nil {
			return fault
		}
		return placed(f(&e, fields[taskUser]))
	})
}

// EachJobEvent calls f with the rows of a file of job_events of 2011: one part, or several
// in one. An error of f gets the row's place.
func EachJobEvent(path string, f func(e *JobEvent, user []byte) error) error {
	return each2011(path, JobTable, jobColumns, itself, func(line []byte, fields [][]byte) error {
		var at, job, code int64
		if !whole(fields[jobTime], &at) || !whole(fields[jobNumber], &job) || !whole(fields[jobKind], &code) || at < 0 ||
			code < 0 || code > int64(lastKind2011) {
			return &traces.Error{What: "a job event that cannot be read: " + input.Quote(line),
				Want: "want time, , job, event 0 to 8, user, class, name, logical name"}
		}
		return placed(f(&JobEvent{events.Time(at), job, Kind(code)}, fields[jobUser]))
	})
}

// EachMachineEvent calls f with the rows of a part of machine_events of 2011. An error
// of f gets the row's place.
func EachMachineEvent(path string, f func(e *MachineEvent) error) error {
	var e MachineEvent
	return each2011(path, MachineTable, machineColumns, itself, func(line []byte, fields [][]byte) error {
		if fault := e.parse(line, fields); fault != nil {
			return fault
		}
		return placed(f(&e))
	})
}

func itself(err error) error { return err }

// placed makes an error a fault that is still to get its place.
func placed(err error) error {
	if err == nil {
		return nil
	}
	return &traces.Error{What: err.Error()}
}

// parse reads a row of task_events but for the user.
func (e *TaskEvent) parse(line []byte, f [][]byte) *traces.Error {
	*e = TaskEvent{user: -1}
	var at, code, task, priority, class int64
	ok := whole(f[taskTime], &at) && whole(f[taskJob], &e.Job) && whole(f[taskIndex], &task) &&
		whole(f[taskKind], &code) &&
		(len(f[taskMachine]) == 0 || whole(f[taskMachine], &e.Machine)) && missing(f[taskPriority], &priority) &&
		missing(f[taskClass], &class)
	switch {
	case !ok:
		return &traces.Error{What: "a field that should be a whole number is not: " + input.Quote(line),
			Want: "want time, , job, task, machine, event, user, class, priority, cpu, memory, disk, different-machines"}
	case code < 0 || code > int64(lastKind2011):
		return &traces.Error{What: fmt.Sprintf("event type %d", code),
			Want: "want 0 to 8; the trace of 2019 has other codes and another form"}
	case at < 0 || task < 0 || task > math.MaxInt32:
		return &traces.Error{What: "a negative time or a task number out of range: " + input.Quote(line)}
	}
	var good bool
	if e.CPU, good = decimal(f[taskCPU]); good {
		e.Memory, good = decimal(f[taskMemory])
	}
	if !good {
		return &traces.Error{What: "a request that is not a number: " + input.Quote(line),
			Want: "want fractions of the largest machine"}
	}
	if tooMuch(e.CPU, e.Memory) {
		return &traces.Error{What: "a request that is too large: " + input.Quote(line),
			Want: "want fractions of the largest machine"}
	}
	e.At, e.Kind, e.Task = events.Time(at), Kind(code), int32(task)
	e.Priority, e.Class, e.Missing = int32(priority), int32(class), len(f[taskMissing]) > 0
	return nil
}

// user numbers a part's users in order of first sight.
func (b *eventBatch) user(name []byte, known map[string]int32) int32 {
	if len(name) == 0 {
		return -1
	}
	n, ok := known[string(name)]
	if !ok {
		n = int32(len(known))
		known[string(name)] = n
		b.users = append(b.users, []byte(string(name)))
	}
	return n
}

// parse reads a row of machine_events.
func (e *MachineEvent) parse(line []byte, f [][]byte) *traces.Error {
	var at, code int64
	if !whole(f[machineTime], &at) || !whole(f[machineNumber], &e.Machine) || !whole(f[machineKind], &code) || code < 0 ||
		code > int64(Updated) {
		return &traces.Error{What: "a machine event that cannot be read: " + input.Quote(line),
			Want: "want time, machine, event 0 to 2, platform, CPU, memory"}
	}
	e.At, e.Kind = events.Time(at), MachineKind(code)
	var cpu, memory bool
	e.CPU, cpu = decimal(f[machineCPU])
	if e.Memory, memory = decimal(f[machineMemory]); !cpu || !memory {
		return &traces.Error{What: "a capacity that is not a number: " + input.Quote(line)}
	}
	if tooMuch(e.CPU, e.Memory) {
		return &traces.Error{What: "a capacity that is too large: " + input.Quote(line),
			Want: "want fractions of the largest machine"}
	}
	return nil
}

// machines2011 reads machine_events of 2011.
func machines2011(g *source, p part) error {
	var e MachineEvent
	return each2011(p.path, MachineTable, machineColumns, g.skip, func(line []byte, fields [][]byte) error {
		if fault := e.parse(line, fields); fault != nil {
			return fault
		}
		g.addMachine(traces.MachineEvent{Machine: e.Machine, CPU: e.CPU, Memory: e.Memory}, int64(e.At), e.Kind == Removed)
		return nil
	})
}
