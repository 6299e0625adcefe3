package google

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/input"
)

// taskEvent is one row of a table of task events, in our terms.
type taskEvent struct {
	at       events.Time
	job      int64
	machine  int64
	cpu, mem float64 // negative if missing
	task     int32
	user     int32 // index into the batch's users; -1 if missing
	priority int32
	class    int32
	kind     kind
	missing  bool // the row was put in by the trace's makers
}

// eventBatch is some thousand rows of one part, or the part's end.
type eventBatch struct {
	events []taskEvent
	users  [][]byte // met for the first time in this part, in order
	bad    []error  // malformed rows, in order
	left   int64    // rows that are no tasks: alloc sets
	err    error    // io.EOF at the end of the part
}

const (
	batchRows   = 4096
	partsAhead  = 2 // parts that are unpacked and parsed at a time
	batchesHeld = 8 // parsed batches a part may be ahead
)

// read takes all task events through the state machine. Parts are unpacked and
// parsed side by side, and their rows are applied in order, or sorted first where
// they have none.
func (g *source) read() error {
	g.sorted = &jobSorter{}
	if g.dialect.prepare != nil {
		if err := g.dialect.prepare(g, g.path); err != nil {
			return err
		}
	}
	tasks := newTasks(g)
	apply, rows := tasks.apply, eventSorter{}
	if g.dialect.unordered {
		apply = func(e *taskEvent, _ []traces.Label) error { return rows.Add(e) }
		defer rows.Close()
	}
	stop := make(chan struct{})
	defer close(stop)
	queues := make([]chan *eventBatch, len(g.parts))
	start := func(i int) {
		if i < len(g.parts) {
			queues[i] = make(chan *eventBatch, batchesHeld)
			go g.dialect.parse(g, g.parts[i], queues[i], stop)
		}
	}
	for i := range partsAhead {
		start(i)
	}
	for i := range g.parts {
		if err := g.drain(apply, queues[i]); err != nil {
			return err
		}
		g.progress.Add(1)
		queues[i] = nil
		start(i + partsAhead)
	}
	if err := rows.Sort(); err != nil {
		return err
	}
	if err := play(&rows, tasks); err != nil {
		return err
	}
	if err := tasks.finish(); err != nil {
		return err
	}
	return g.sorted.Sort()
}

// drain applies one part.
func (g *source) drain(apply func(*taskEvent, []traces.Label) error, in <-chan *eventBatch) error {
	var users []traces.Label // of this part's numbers
	for b := range in {
		if g.opts.Stop != nil {
			if err := g.opts.Stop(); err != nil {
				return err
			}
		}
		for _, u := range b.users {
			before := g.header.Names.Users.Len()
			l := g.header.Names.Users.Label(u)
			if int(l) == before {
				g.count.Users++
			}
			users = append(users, l)
		}
		for i := range b.events {
			if err := apply(&b.events[i], users); err != nil {
				return err
			}
		}
		g.count.Left += b.left
		for _, bad := range b.bad {
			if err := g.skip(bad); err != nil {
				return err
			}
		}
		if b.err != nil && b.err != io.EOF {
			return b.err
		}
	}
	return nil
}

// skip leaves a malformed row of any table out and counts it, if the user said so.
func (g *source) skip(bad error) error {
	if !g.opts.Skip {
		return bad
	}
	g.header.Ledger.Read++
	g.header.Ledger.Drop(traces.Malformed, nil)
	if g.opts.OnError != nil {
		g.opts.OnError(bad)
	}
	return nil
}

// csvRows parses a part of comma-separated rows of a fixed number of fields.
type csvRows struct {
	columns int
	table   string
	fields  [][]byte
}

var errColumns = errors.New("columns")

// cut splits a row; the traces' fields hold no quotes and no commas.
func (c *csvRows) cut(line []byte) error {
	c.fields = c.fields[:0]
	for {
		i := bytes.IndexByte(line, ',')
		if i < 0 {
			break
		}
		c.fields = append(c.fields, line[:i])
		line = line[i+1:]
	}
	c.fields = append(c.fields, line)
	if len(c.fields) != c.columns {
		return errColumns
	}
	return nil
}

// v2011 reads the tables of clusterdata-2011-2 (v2.1): gzipped CSV.
var v2011 = dialect{
	name: tables[0].format, tasks: tables[0].tasks, jobs: "job_events", machine: "machine_events",
	parse: parse2011, machines: machines2011,
}

// kinds2011 are the event codes of 2011.
var kinds2011 = [...]kind{submit, schedule, evict, fail, finish, kill, lost, updatePending, updateRunning}

// taskColumns2011 is the number of columns of task_events.
const taskColumns2011 = 13

// parse2011 unpacks and parses one part of task_events.
func parse2011(_ *source, p part, out chan<- *eventBatch, stop <-chan struct{}) {
	defer close(out)
	send := func(b *eventBatch) bool {
		select {
		case out <- b:
			return true
		case <-stop:
			return false
		}
	}
	in, err := input.OpenFile(p.path)
	if err != nil {
		send(&eventBatch{err: err})
		return
	}
	defer in.Close()
	text := input.NewLines(in.Text)
	rows := csvRows{columns: taskColumns2011, table: "task_events"}
	users := map[string]int32{}
	for b := (&eventBatch{events: make([]taskEvent, 0, batchRows)}); ; {
		line, err := text.Next()
		if err != nil {
			if err != io.EOF {
				err = in.Broken(err, text.Number)
			}
			b.err = err
			send(b)
			return
		}
		b.events = append(b.events, taskEvent{})
		if fault := row2011(&rows, line, &b.events[len(b.events)-1], users, b); fault != nil {
			b.events = b.events[:len(b.events)-1]
			fault.File, fault.Line = p.path, text.Number
			b.bad = append(b.bad, fault)
			send(b) // an error stands after the rows before it
			b = &eventBatch{events: make([]taskEvent, 0, batchRows)}
		}
		if len(b.events) == batchRows {
			if !send(b) {
				return
			}
			b = &eventBatch{events: make([]taskEvent, 0, batchRows)}
		}
	}
}

// row2011 parses one row of task_events.
func row2011(rows *csvRows, line []byte, e *taskEvent, users map[string]int32, b *eventBatch) *traces.Error {
	if rows.cut(line) != nil {
		return rows.wrongWidth(line)
	}
	f := rows.fields
	var at, code, task, priority, class int64
	ok := whole(f[0], &at) && whole(f[2], &e.job) && whole(f[3], &task) && whole(f[5], &code) &&
		(len(f[4]) == 0 || whole(f[4], &e.machine)) && missing(f[8], &priority) && missing(f[7], &class)
	switch {
	case !ok:
		return &traces.Error{What: "a field that should be a whole number is not: " + input.Quote(line), Want: "time, , job, task, machine, event, user, class, priority, cpu, memory, disk, different-machines was expected"}
	case code < 0 || int(code) >= len(kinds2011):
		return &traces.Error{What: fmt.Sprintf("event type %d", code), Want: "0 to 8 was expected; the trace of 2019 has other codes and another form"}
	case at < 0 || task < 0 || task > math.MaxInt32:
		return &traces.Error{What: "a negative time or an absurd task number: " + input.Quote(line)}
	}
	var good bool
	if e.cpu, good = decimal(f[9]); good {
		e.mem, good = decimal(f[10])
	}
	if !good {
		return &traces.Error{What: "a request that is not a number: " + input.Quote(line), Want: "fractions of the largest machine were expected"}
	}
	e.at, e.kind, e.task = events.Time(at), kinds2011[code], int32(task)
	e.priority, e.class, e.missing = int32(priority), int32(class), len(f[1]) > 0
	e.user = b.user(f[6], users)
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

// wrongWidth says what a row of another number of columns may be.
func (c *csvRows) wrongWidth(line []byte) *traces.Error {
	e := &traces.Error{What: fmt.Sprintf("%d columns, %s has %d", len(c.fields), c.table, c.columns)}
	switch {
	case bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")):
		e.What = "JSON, not the CSV of 2011"
		e.Want = "the trace of 2019 is read with google2019:PATH"
	case len(c.fields) == 8:
		e.Want = "8 columns are those of job_events"
	case len(c.fields) == 20 || len(c.fields) == 19:
		e.Want = "that many are those of task_usage"
	case len(c.fields) == 6:
		e.Want = "6 columns are those of machine_events or task_constraints"
	}
	return e
}

// whole parses a whole number that must be there.
func whole(text []byte, v *int64) bool {
	n, i := int64(0), 0
	if len(text) > 0 && text[0] == '-' {
		i = 1
	}
	if i == len(text) || len(text) > 19+i {
		return false
	}
	for _, c := range text[i:] {
		if c < '0' || c > '9' {
			return false
		}
		n = n*10 + int64(c-'0')
		if n < 0 {
			return false
		}
	}
	if i == 1 {
		n = -n
	}
	*v = n
	return true
}

// missing parses a small whole number, -1 if the field is empty.
func missing(text []byte, v *int64) bool {
	if len(text) == 0 {
		*v = -1
		return true
	}
	return whole(text, v) && *v >= 0 && *v <= math.MaxInt32
}

// decimal parses a number of 0 or more, -1 if the field is empty. Digits that fit
// a float64 divided by a power of ten that does are rounded once.
func decimal(text []byte) (float64, bool) {
	if len(text) == 0 {
		return -1, true
	}
	n, digits, point := int64(0), 0, -1
	for i, c := range text {
		switch {
		case c >= '0' && c <= '9' && digits < 15:
			n = n*10 + int64(c-'0')
			digits++
		case c == '.' && point < 0:
			point = i
		default:
			x, err := strconv.ParseFloat(string(text), 64)
			return x, err == nil && x >= 0 && !math.IsInf(x, 1)
		}
	}
	if digits == 0 {
		return 0, false
	}
	if point < 0 {
		return float64(n), true
	}
	return float64(n) / tens[len(text)-1-point], true
}

// tens are the powers of ten that a float64 holds exactly.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16}
