package google

import "bourse/events"

// Times are those of the trace: microseconds, the window begins at 600 s; 0 is
// "before" and counts as its begin, 2^63-1 is "after".

// WindowStart is when the traces' window begins.
const WindowStart = 600 * events.Second

// Kind is what happens to a task or a job. Those of 2011 are numbered as the trace
// numbers them.
type Kind uint8

const (
	Submit Kind = iota
	Schedule
	Evict
	Fail
	Finish
	Kill
	Lost
	UpdatePending
	UpdateRunning
	Queue  // of 2019 only, as
	Enable // is this
	numKinds
	lastKind2011 = UpdateRunning
)

// EventKinds names what can happen to a task.
var EventKinds = [numKinds]string{"submit", "schedule", "evict", "fail", "finish", "kill", "lost", "update pending",
	"update running", "queue", "enable"}

// The tables of 2011, each a folder of gzipped CSV without a header line
// (clusterdata-2011-2, schema.csv). The reader, the model that writes such tables and
// studies share their description here.
const (
	TaskTable    = "task_events"
	JobTable     = "job_events"
	MachineTable = "machine_events"
)

// The columns of task_events.
const (
	taskTime    = iota
	taskMissing // why the trace's makers put the row in; empty for a row of the log
	taskJob
	taskIndex
	taskMachine
	taskKind
	taskUser
	taskClass
	taskPriority
	taskCPU
	taskMemory
	taskDisk
	taskApart // whether the job's tasks must run on different machines
	taskColumns
)

// The columns of machine_events.
const (
	machineTime = iota
	machineNumber
	machineKind
	machinePlatform
	machineCPU
	machineMemory
	machineColumns
)

// The columns of job_events.
const (
	jobTime = iota
	jobMissing
	jobNumber
	jobKind
	jobUser
	jobClass
	jobName
	jobLogical // the name without what differs from run to run
	jobColumns
)

// TaskEvent is a row of a table of task events. Amounts and labels that are missing
// are negative.
type TaskEvent struct {
	At          events.Time
	Job         int64
	Machine     int64
	CPU, Memory float64 // fractions of the largest machine
	Task        int32
	user        int32 // index into the batch's users
	Priority    int32
	Class       int32
	Kind        Kind
	Missing     bool // the row was put in by the trace's makers
}

// JobEvent is a row of job_events of 2011.
type JobEvent struct {
	At   events.Time
	Job  int64
	Kind Kind
}

// MachineKind is what happens to a machine in 2011.
type MachineKind uint8

const (
	Added MachineKind = iota
	Removed
	Updated
)

// MachineEvent is a row of machine_events of 2011. Capacities that are missing are
// negative.
type MachineEvent struct {
	At          events.Time
	Machine     int64
	Kind        MachineKind
	CPU, Memory float64
}
