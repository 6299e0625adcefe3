// Package traces is the contract between trace readers and everything that uses
// their jobs: Job, Source and Header, the Ledger in which every record read is
// accounted for, labels, machine events, positioned errors, and the sources that
// need no format (Memory, Ahead, Span). Readers, writers and transforms are in the
// packages below it; it imports none of them. It knows nothing of schedulers or
// prices; what happened to a job in the log (its recorded wait) is carried but never
// replayed.
package traces

import (
	"math"

	"bourse/events"
)

// Label is the number by which a trace calls a user, a group, a queue or a
// partition. Formats that may have names there number them (see Header.Names).
type Label int64

// NoLabel is the label of a record that has none.
const NoLabel Label = -1

// Job is one submitted job as a trace records it. Durations are events.Unknown
// where the trace does not say. The struct holds no pointers, so tables of
// live jobs cost the garbage collector nothing.
type Job struct {
	// ID is the trace's own job number.
	ID int64
	// Line is the line of the input the record was read from, 0 if none.
	Line int64
	// Submit is when the job was submitted.
	Submit events.Time
	// Wait is the wait the log recorded: a fact about the past, not an input.
	Wait events.Time
	// Run is the run time tau, 0 or more for a job that ran.
	Run events.Time
	// Estimate is the requested time.
	Estimate events.Time
	// Memory is the requested memory, in the trace's unit per processor
	// (SWF: KB; Google: of the largest machine), negative if unknown.
	Memory float64
	// CPU is the requested CPU per processor, where requests may be fractions
	// (Google: of the largest machine), negative if unknown: one processor each.
	CPU float64
	// GPU is the GPUs requested per processor, below 1 a share of one device, and Disk
	// the disk space, in the trace's unit; negative if unknown, which counts as none.
	GPU, Disk float64
	// Procs is the number of processors, 0 or less if the trace has none.
	Procs int32
	// Task numbers the pieces of a serialised job, or the tasks of a job that
	// has several; 0 otherwise.
	Task int32
	// Pieces is the number of rows the record was split into (Serial); 1 otherwise.
	Pieces int32
	// Status is the recorded completion status, -1 if unknown.
	Status int32
	// Priority is the trace's, higher more important, and Class its scheduling
	// class, higher more sensitive to latency; -1 if it has none.
	Priority, Class int32
	// Attempt counts the times the job had been begun when it ended, 0 if the
	// trace does not say; where each attempt is a job of its own, it numbers them
	// from 1. Wasted is the time spent on attempts that came to nothing.
	Attempt int32
	Wasted  events.Time
	// User, Group, Queue and Partition are NoLabel where unknown.
	User, Group, Queue, Partition Label
	// Model is the GPU model that the job may run on, or several joined by |; NoLabel
	// if any will do.
	Model Label
	// Prev is the job this one waited for, 0 or less if none, and Think the
	// time between that job's end and this submission.
	Prev  int64
	Think events.Time
}

// Ask returns what n processors of the job ask for: unknown CPU is one each, and what is
// unknown else is nothing.
func (j *Job) Ask(n float64) (cpu, memory, gpu, disk float64) {
	cpu = 1
	if j.CPU >= 0 {
		cpu = j.CPU
	}
	return float64(n * cpu), float64(n * max(j.Memory, 0)), float64(n * max(j.GPU, 0)), float64(n * max(j.Disk, 0))
}

// Workers is the number of equal pieces in which a job is placed on machines, each of them
// on one: its processors; or, where these are cores that use GPUs together, as many as
// divide cores and GPUs evenly.
func (j *Job) Workers() int32 {
	if j.CPU >= 0 || j.GPU <= 0 || j.Procs <= 1 {
		return max(j.Procs, 1)
	}
	a, b := j.Procs, int32(math.Round(float64(j.Procs)*j.GPU))
	if b == 0 { // they share one
		return 1
	}
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// MaxStatus is the highest completion status, as SWF numbers them: 0 failed,
// 1 completed, 2 to 4 parts of a job, 5 cancelled.
const MaxStatus = 5

// UnknownJob is a job of which nothing is known, a row of nulls.
var UnknownJob = Job{
	Wait: events.Unknown, Run: events.Unknown, Estimate: events.Unknown, Think: events.Unknown, CPU: -1, Memory: -1,
	GPU: -1, Disk: -1, Procs: -1,
	Pieces: 1, Status: -1, Priority: -1, Class: -1, User: NoLabel, Group: NoLabel, Queue: NoLabel, Partition: NoLabel,
	Model: NoLabel, Prev: -1,
}
