// Package fields has the one table of what an expression may say of a job: a condition
// on the records of a log, or an order by which a policy ranks waiting jobs. Both are
// compiled here.
package fields

import (
	"slices"

	"bourse/events"
	"bourse/traces"
)

// Field is a property of a job. Times are in seconds, and -1 is unknown.
type Field struct {
	Name string
	Line string // what it is
	// Log takes the field from a record of the log; nil for what only a replay knows.
	Log func(*traces.Job, *traces.Names) any
	// Policy tells whether a policy may see it. Values there are numbers throughout:
	// policies know labels by their numbers, while a record has words ("" for unknown)
	// where the trace has words.
	Policy bool
}

// Table lists all fields.
var Table = []Field{
	{"job", "the job's number in the trace", func(j *traces.Job, _ *traces.Names) any { return int(j.ID) }, false},
	{"submit", "submission", func(j *traces.Job, _ *traces.Names) any { return Seconds(j.Submit) }, true},
	{"wait", "wait recorded in the log; in an order, time waited so far", func(j *traces.Job, _ *traces.Names) any { return Seconds(j.Wait) }, true},
	{"run", "run time; an order that names it is clairvoyant", func(j *traces.Job, _ *traces.Names) any { return Seconds(j.Run) }, true},
	{"procs", "processors allocated or else requested", func(j *traces.Job, _ *traces.Names) any { return int(j.Procs) }, true},
	{"estimate", "requested time", func(j *traces.Job, _ *traces.Names) any { return Seconds(j.Estimate) }, true},
	{"memory", "requested memory per processor, in the trace's unit", func(j *traces.Job, _ *traces.Names) any { return max(j.Memory, -1) }, false},
	{"status", "recorded completion status", func(j *traces.Job, _ *traces.Names) any { return int(j.Status) }, false},
	{"user", "user", func(j *traces.Job, n *traces.Names) any { return label(n.Users, j.User) }, true},
	{"group", "group", func(j *traces.Job, n *traces.Names) any { return label(n.Groups, j.Group) }, true},
	{"queue", "queue", func(j *traces.Job, n *traces.Names) any { return label(n.Queues, j.Queue) }, true},
	{"partition", "partition", func(j *traces.Job, n *traces.Names) any { return label(n.Partitions, j.Partition) }, true},
	{"task", "number of the task or piece in its job", func(j *traces.Job, _ *traces.Names) any { return int(j.Task) }, false},
	{"cpu", "requested CPU per processor", func(j *traces.Job, _ *traces.Names) any { return max(j.CPU, -1) }, false},
	{"priority", "the trace's priority", func(j *traces.Job, _ *traces.Names) any { return int(j.Priority) }, true},
	{"class", "scheduling class", func(j *traces.Job, _ *traces.Names) any { return int(j.Class) }, true},
	{"attempt", "attempts made, or which of them this is", func(j *traces.Job, _ *traces.Names) any { return int(j.Attempt) }, false},
	{"bid", "what the owner bids for a processor-second", nil, true},
	{"size", "what the job pays for: its processors, or machines of a pool", nil, true},
}

// Names returns the names of the fields of records, or of those that a policy may see.
func Names(policy bool) []string {
	var names []string
	for _, f := range Table {
		if policy && f.Policy || !policy && f.Log != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// Named returns a field, which must be in the table.
func Named(name string) *Field {
	return &Table[slices.IndexFunc(Table, func(f Field) bool { return f.Name == name })]
}

// Seconds is a time as an expression has it.
func Seconds(t events.Time) float64 {
	if !t.Known() {
		return -1
	}
	return t.Seconds()
}

func label(w *traces.Words, l traces.Label) any {
	if w == nil {
		return int(l)
	}
	text, _ := w.Text(l)
	return text
}
