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
	// Log takes the field from a record of the log, Label one that is a label, with the
	// names behind it; nil for what only a replay knows.
	Log   func(*traces.Job) any
	Label func(*traces.Job, *traces.Names) (traces.Label, *traces.Words)
	// Policy tells whether a policy may see it. Values there are numbers throughout:
	// a policy that ranks by a label that is a name is refused.
	Policy bool
}

// Table lists all fields.
var Table = []Field{
	{"job", "the job's number in the trace", func(j *traces.Job) any { return int(j.ID) }, nil, false},
	{"submit", "submission", func(j *traces.Job) any { return Seconds(j.Submit) }, nil, true},
	{"wait", "wait recorded in the log; in an order, time waited so far",
		func(j *traces.Job) any { return Seconds(j.Wait) }, nil, true},
	{"run", "run time; an order that names it is clairvoyant", func(j *traces.Job) any { return Seconds(j.Run) }, nil,
		true},
	{"procs", "processors allocated or else requested", func(j *traces.Job) any { return int(j.Procs) }, nil, true},
	{"estimate", "requested time", func(j *traces.Job) any { return Seconds(j.Estimate) }, nil, true},
	{"memory", "requested memory per processor, in the trace's unit", func(j *traces.Job) any { return max(j.Memory, -1) },
		nil, false},
	{"status", "recorded completion status", func(j *traces.Job) any { return int(j.Status) }, nil, false},
	{"user", "user", nil,
		func(j *traces.Job, n *traces.Names) (traces.Label, *traces.Words) { return j.User, n.Users }, true},
	{"group", "group", nil,
		func(j *traces.Job, n *traces.Names) (traces.Label, *traces.Words) { return j.Group, n.Groups }, true},
	{"queue", "queue", nil,
		func(j *traces.Job, n *traces.Names) (traces.Label, *traces.Words) { return j.Queue, n.Queues }, true},
	{"partition", "partition", nil,
		func(j *traces.Job, n *traces.Names) (traces.Label, *traces.Words) { return j.Partition, n.Partitions }, true},
	{"task", "number of the task or piece in its job", func(j *traces.Job) any { return int(j.Task) }, nil, false},
	{"cpu", "requested CPU per processor", func(j *traces.Job) any { return max(j.CPU, -1) }, nil, false},
	{"gpu", "requested GPUs per processor, below 1 a share of a device", func(j *traces.Job) any { return max(j.GPU, -1) },
		nil, true},
	{"disk", "requested disk space per processor, in the trace's unit", func(j *traces.Job) any { return max(j.Disk, -1) },
		nil, true},
	{"gpu_model", "GPU models the job may run on, with | between", nil,
		func(j *traces.Job, n *traces.Names) (traces.Label, *traces.Words) { return j.Model, n.Models }, false},
	{"priority", "the trace's priority", func(j *traces.Job) any { return int(j.Priority) }, nil, true},
	{"class", "scheduling class", func(j *traces.Job) any { return int(j.Class) }, nil, true},
	{"attempt", "attempts made, or which of them this is", func(j *traces.Job) any { return int(j.Attempt) }, nil, false},
	{"bid", "what the owner bids for a processor-second", nil, nil, true},
	{"size", "what the job pays for: its processors, or machines of a pool", nil, nil, true},
}

// Names returns the names of the fields of records, or of those that a policy may see, and of dates.
func Names(policy bool) []string {
	var names []string
	for _, f := range Table {
		if policy && f.Policy || !policy && (f.Log != nil || f.Label != nil) {
			names = append(names, f.Name)
		}
	}
	for _, d := range Dates {
		names = append(names, d.Name)
	}
	return names
}

// Named returns a field of the table, nil if it has none.
func Named(name string) *Field {
	if i := slices.IndexFunc(Table, func(f Field) bool { return f.Name == name }); i >= 0 {
		return &Table[i]
	}
	return nil
}

// Seconds is a time as an expression has it.
func Seconds(t events.Time) float64 {
	if !t.Known() {
		return -1
	}
	return t.Seconds()
}
