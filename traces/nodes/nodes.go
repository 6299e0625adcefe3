// Package nodes reads tables of machines, CSV or Parquet: one row a machine, with what it
// has of CPU, memory and GPUs, or one row each time that changes. It knows nothing of jobs.
package nodes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/table"
)

// Line says what a table of machines has, for help.
const Line = "a table of machines with a column cpu (cores; or cpu_milli) and, if it has them, memory (in the unit " +
	"of the jobs'), machine, gpu (devices), gpu_model, partition (names joined by |), and time_s and event (add, update, remove)"

// columns are what a table may say, each with the names it is found by. The first there
// must be.
var columns = [...][]string{
	{"cpu", "cpus", "cores", "cpu_milli", "cpu_num", "cap_cpu", "processors"},
	{"memory", "memory_mib", "memory_kb", "mem", "cap_mem"},
	{"gpu", "gpus", "gpu_capacity_num", "cap_gpu", "num_gpus"},
	{"gpu_model", "model", "gpu_type"},
	{"machine", "name", "sn", "node", "node_name", "hostname"},
	{"time_s", "time"},
	{"event"},
	{"partition", "partitions"},
}

// Read reads a table of machines. Without times all of them are there from the start.
// Memory is in the file's unit, which has to be that of the jobs.
func Read(path string) ([]traces.MachineEvent, error) {
	has, err := table.Names(path)
	if err != nil {
		return nil, err
	}
	r := reader{known: map[string]int64{}}
	names := make([]string, len(columns))
	for c, usual := range columns {
		names[c] = usual[0]
		for _, want := range usual {
			if i := slices.IndexFunc(has, func(name string) bool { return strings.EqualFold(name, want) }); i >= 0 {
				names[c] = has[i]
				break
			}
		}
	}
	r.milli, r.whole = strings.EqualFold(names[0], "cpu_milli"), strings.EqualFold(names[0], "processors")
	if r.Rows, err = table.OpenSome(path, nil, names[:1], names[1:]); err != nil {
		return nil, err
	}
	if err := r.Each(r.row); err != nil {
		return nil, err
	}
	if len(r.list) == 0 {
		return nil, &traces.Error{File: path, What: "the table has no machines"}
	}
	slices.SortStableFunc(r.list, func(a, b traces.MachineEvent) int { return cmp.Compare(a.At, b.At) })
	return r.list, nil
}

type reader struct {
	*table.Rows
	milli bool // CPU is in thousandths of a core
	whole bool // each row stands for many machines
	known map[string]int64
	list  []traces.MachineEvent
}

// row reads one row.
func (r *reader) row() error {
	e := traces.MachineEvent{Machine: int64(len(r.list)), Name: r.Text(4), Model: r.Text(3), Partitions: r.Text(7), Whole: r.whole}
	for c, x := range [...]*float64{&e.CPU, &e.Memory, &e.GPU} {
		v, known, err := r.Known(c)
		switch {
		case err != nil:
			return err
		case known && (v < 0 || v > 1e15):
			return r.Fault(fmt.Sprintf("a machine with %g", v), "want amounts of 0 or more")
		}
		if known {
			*x = v
		}
	}
	if r.milli {
		e.CPU /= 1000
	}
	if e.GPU != float64(int(e.GPU)) {
		return r.Fault(fmt.Sprintf("a machine with %g GPUs", e.GPU), "want a whole number of devices")
	}
	again := false
	if e.Name != "" {
		if e.Machine, again = r.known[e.Name]; !again {
			e.Machine = int64(len(r.known))
			r.known[e.Name] = e.Machine
		}
	}
	at, timed, err := r.Known(5)
	if err != nil {
		return err
	}
	if timed {
		var ok bool
		if e.At, ok = events.FromSeconds(at); !ok || at < 0 {
			return r.Fault(fmt.Sprintf("a time of %g s", at), "want seconds of the jobs' clock")
		}
	}
	switch event := strings.ToLower(r.Text(6)); event {
	case "", "add", "update":
	case "remove":
		e.Gone = true
	default:
		return r.Fault(fmt.Sprintf("event %q", event), "want add, update or remove")
	}
	if again && !timed {
		return r.Fault("a machine that was named before", "with changes over time want a column time_s")
	}
	r.list = append(r.list, e)
	return nil
}
