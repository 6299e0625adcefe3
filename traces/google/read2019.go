package google

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
)

// v2019 reads exports of clusterdata-2019 (v3): JSON lines, whose 64-bit
// numbers and enums may be strings, as BigQuery writes them, or numbers; or Parquet
// (parquet2019.go). A database exports rows in no order. A job is
// an instance of a collection; alloc sets, which only reserve room for instances,
// are left out and counted. Instance events do not name the user: collection
// events are read first for that, one number a collection in memory.
var v2019 = dialect{
	name: tables[1].format, tasks: tables[1].tasks, jobs: "collection_events", machine: "machine_events",
	parse: parse2019, machines: machines2019, prepare: users2019, unordered: true,
}

// kinds2019 are the event types of 2019 by code, names2019 by name.
var (
	kinds2019 = [...]Kind{Submit, Queue, Enable, Schedule, Evict, Fail, Finish, Kill, Lost, UpdatePending, UpdateRunning}
	names2019 = [...]string{"SUBMIT", "QUEUE", "ENABLE", "SCHEDULE", "EVICT", "FAIL", "FINISH", "KILL", "LOST",
		"UPDATE_PENDING", "UPDATE_RUNNING"}
	sets2019  = [...]string{"JOB", "ALLOC_SET"}
	moves2019 = [...]string{"UNKNOWN", "ADD", "REMOVE", "UPDATE"}
)

// number2019 is a whole number, written as a number, a string or an enum's name.
type number2019 struct {
	v    int64
	set  bool
	name string
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *number2019) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	return n.read(string(bytes.Trim(text, `"`)))
}

// read takes a number in digits or the name of an enum.
func (n *number2019) read(word string) error {
	v, err := strconv.ParseInt(word, 10, 64)
	switch {
	case err == nil:
		n.v = v
	case word != "" && strings.ContainsAny(word, ".eE") && word[0] >= '0' && word[0] <= '9':
		return fmt.Errorf("%s is not a whole number: a spreadsheet or a float has rounded it", word)
	default:
		n.name = word
	}
	n.set = true
	return nil
}

// code turns an enum's name into its number.
func (n *number2019) code(names []string) (int64, bool) {
	if n.name == "" {
		return n.v, n.set && n.v >= 0 && n.v < int64(len(names))
	}
	i := slices.Index(names, n.name)
	return int64(i), i >= 0
}

// text is the number or the name as it was written.
func (n *number2019) text() string {
	if n.name != "" {
		return n.name
	}
	return strconv.FormatInt(n.v, 10)
}

// row2019 is a line of any of the tables.
type row2019 struct {
	Time            number2019  `json:"time"`
	Type            number2019  `json:"type"`
	Collection      number2019  `json:"collection_id"`
	Class           number2019  `json:"scheduling_class"`
	Missing         number2019  `json:"missing_type"`
	CollectionType  number2019  `json:"collection_type"`
	Priority        number2019  `json:"priority"`
	Instance        number2019  `json:"instance_index"`
	Machine         number2019  `json:"machine_id"`
	User            string      `json:"user"`
	ResourceRequest *amount2019 `json:"resource_request"`
	Capacity        *amount2019 `json:"capacity"`
}

type amount2019 struct {
	CPUs   *float64 `json:"cpus"`
	Memory *float64 `json:"memory"`
}

// values returns the amounts, -1 for those missing.
func (a *amount2019) values() (cpu, memory float64) {
	cpu, memory = -1, -1
	if a != nil && a.CPUs != nil {
		cpu = *a.CPUs
	}
	if a != nil && a.Memory != nil {
		memory = *a.Memory
	}
	return cpu, memory
}

// decode2019 parses a line.
func decode2019(line []byte, row *row2019) *traces.Error {
	*row = row2019{}
	if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
		e := &traces.Error{What: "not JSON lines: " + input.Quote(line),
			Want: "want an export of the tables of 2019, one JSON object per line"}
		switch {
		case bytes.Contains(line, []byte("instance_events_type")):
			e.What = "a CSV table in which instance and collection events were joined and ids rounded by a spreadsheet"
			e.Want = "that cannot be undone; fetch instance_events and collection_events from the trace's own bucket"
		case bytes.Count(line, []byte(",")) == taskColumns-1:
			e.Want = "13 columns are those of 2011: read it with google2011:PATH"
		}
		return e
	}
	if err := json.Unmarshal(line, row); err != nil {
		what := err.Error()
		if odd := (*json.UnmarshalTypeError)(nil); errors.As(err, &odd) {
			what = odd.Field + " is a " + odd.Value + " that does not belong there"
		}
		return &traces.Error{What: "a row that cannot be read: " + what}
	}
	return nil
}

// each2019 calls f with every row of a part, and bad with what is none. A file that
// does not begin as JSON lines is of another kind, and refused.
func each2019(p part, bad func(error) error, f func(row *row2019, number int64) error) error {
	if strings.HasSuffix(p.path, ".parquet") {
		return eachParquet2019(p.path, f)
	}
	in, err := input.OpenFile(p.path)
	if err != nil {
		return err
	}
	defer in.Close()
	text := input.NewLines(in.Text)
	if err := traces.CheckText(p.path, "JSON", "", text.Peek(2)); err != nil {
		return err
	}
	for row := (row2019{}); ; {
		line, err := text.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return in.Broken(err, text.Number)
		}
		fault := decode2019(line, &row)
		if fault == nil {
			if err := f(&row, text.Number); err != nil {
				return err
			}
			continue
		}
		fault.File, fault.Line = p.path, text.Number
		if text.Number == 1 && !bytes.HasPrefix(line, []byte("{")) {
			return fault
		}
		if err := bad(fault); err != nil {
			return err
		}
	}
}

// users2019 learns who owns which collection.
func users2019(g *source, path string) error {
	parts, err := g.findParts(path, g.dialect.jobs)
	if err != nil {
		g.header.Ledger.Odd("no collection events: users are unknown")
		return nil
	}
	g.owners = map[int64]traces.Label{}
	for _, p := range parts {
		err := each2019(p, g.skip, func(row *row2019, _ int64) error {
			if _, known := g.owners[row.Collection.v]; !known && row.User != "" {
				g.owners[row.Collection.v] = g.header.Names.Users.Label([]byte(row.User))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	g.count.Users = int64(g.header.Names.Users.Len())
	return nil
}

// parse2019 unpacks and parses one part of instance_events.
func parse2019(_ *source, p part, out chan<- *eventBatch, stop <-chan struct{}) {
	b := newBatcher(out, stop)
	err := each2019(p, b.fault, func(row *row2019, number int64) error {
		var e TaskEvent
		switch keep, fault := event2019(row, &e); {
		case fault != nil:
			fault.File, fault.Line = p.path, number
			return b.fault(fault)
		case !keep:
			b.now.left++
			return nil
		}
		return b.add(&e)
	})
	b.close(err)
}

// event2019 turns a row of instance_events into our terms; false for alloc sets.
func event2019(row *row2019, e *TaskEvent) (bool, *traces.Error) {
	if set, ok := row.CollectionType.code(sets2019[:]); ok && set == 1 {
		return false, nil
	}
	code, ok := row.Type.code(names2019[:])
	switch {
	case !row.Type.set:
		return false, &traces.Error{What: "a row without an event type", Want: "want 0 to 10, or SUBMIT to UPDATE_RUNNING"}
	case !ok:
		return false, &traces.Error{What: "event type " + row.Type.text(), Want: "want 0 to 10, or SUBMIT to UPDATE_RUNNING"}
	case !row.Time.set || row.Time.name != "" || row.Time.v < 0:
		return false, &traces.Error{What: "a row without a time of 0 or more"}
	case !row.Collection.set || !row.Instance.set || row.Instance.v < 0 || row.Instance.v > math.MaxInt32:
		return false, &traces.Error{What: "a row without collection_id and instance_index",
			Want: "want rows of instance_events"}
	}
	e.At, e.Job, e.Task, e.Kind = events.Time(row.Time.v), row.Collection.v, int32(row.Instance.v), kinds2019[code]
	e.Machine, e.user, e.Missing = row.Machine.v, -1, row.Missing.v > 0
	e.Priority, e.Class = -1, -1
	if row.Priority.set {
		e.Priority = int32(min(max(row.Priority.v, -1), math.MaxInt32))
	}
	if row.Class.set {
		e.Class = int32(min(max(row.Class.v, -1), math.MaxInt32))
	}
	if e.CPU, e.Memory = row.ResourceRequest.values(); e.CPU < -1 || e.Memory < -1 {
		return false, &traces.Error{What: "a request below 0"}
	}
	if tooMuch(e.CPU, e.Memory) {
		return false, &traces.Error{What: "a request that is too large", Want: "want fractions of the largest machine"}
	}
	return true, nil
}

// machines2019 reads machine_events of 2019.
func machines2019(g *source, p part) error {
	return each2019(p, g.skip, func(row *row2019, number int64) error {
		move, ok := row.Type.code(moves2019[:])
		if !ok || !row.Machine.set || !row.Time.set || row.Time.v < 0 {
			return g.skip(&traces.Error{File: p.path, Line: number, What: "a machine event that cannot be read",
				Want: "want time, machine_id and type 1 to 3"})
		}
		if move == 0 {
			g.header.Ledger.Odd("machine events of unknown type ignored")
			return nil
		}
		e := traces.MachineEvent{Machine: row.Machine.v}
		if e.CPU, e.Memory = row.Capacity.values(); tooMuch(e.CPU, e.Memory) {
			return g.skip(&traces.Error{File: p.path, Line: number, What: "a capacity that is too large",
				Want: "want fractions of the largest machine"})
		}
		g.addMachine(e, row.Time.v, move == 2)
		return nil
	})
}
