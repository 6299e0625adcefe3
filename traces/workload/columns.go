//go:build !js

package workload

import (
	"math"

	"bourse/events"
	"bourse/traces"
)

// The workload Parquet is the project's own interchange format: one row a job,
// in order of submission, with everything a Job holds but its line.
//
//	column       type             unit           null when
//	job_id       int64            -              never
//	task         int64            -              never; numbers the pieces of a job from 0
//	pieces       int64            -              never; rows the job was cut into, 1 for a whole one
//	submit_us    int64            microseconds   never; from the trace's zero
//	wait_us      int64            microseconds   unknown
//	run_us       int64            microseconds   unknown: never started
//	estimate_us  int64            microseconds   unknown
//	procs        int64            processors     unknown
//	cpu          double           the trace's    unknown; per processor
//	memory       double           the trace's    unknown; per processor
//	gpu          double           devices        unknown; per processor; only where jobs ask for GPUs
//	disk         double           the trace's    unknown; per processor; only where jobs ask for it
//	gpu_model    string           -              any; only where jobs name models
//	status       int64            -              unknown
//	user         int64 or string  -              unknown
//	group        int64 or string  -              unknown
//	queue        int64 or string  -              unknown
//	partition    int64 or string  -              unknown
//	prev_job     int64            -              none
//	think_us     int64            microseconds   unknown
//	priority     int64            -              none; higher is more important
//	class        int64            -              none; higher is more sensitive to latency
//	attempt      int64            -              unknown; attempts made, or which of them this is
//	wasted_us    int64            microseconds   none; spent on attempts that came to nothing
//
// A label column holds strings where the trace's format may have names there and
// numbers where it has numbers throughout. The file's key-value metadata hold
// bourse.workload (the format's version, 1), bourse.name, bourse.procs (the
// machine), bourse.start (Unix seconds of time 0) and bourse.header (the
// labelled header lines, a JSON list of pairs), and where jobs ask for CPU and memory
// bourse.capacity (JSON: CPU, Memory and Machines of the pool).
//
// A duplicate job number is a fault, unless rows have attempts: a
// Google task may come back after it has ended.
//
// Files of other origin are read too if they have job_id, submit_us, run_us and
// procs: columns are found by name, may be int32, and other ones are left alone.
type column struct {
	name     string
	nullable bool
	encoding encoding
	// get returns a job's value, or false for null; set takes it back. set
	// returns what is wrong with a value, or "".
	get func(*traces.Job) (int64, bool)
	set func(*traces.Job, int64) string
	// label gives access to a label instead, and words to the list behind it.
	label func(*traces.Job) *traces.Label
	// real gives access to a double, null when negative.
	real  func(*traces.Job) *float64
	words func(*traces.Names) **traces.Words
	// asked marks columns that are written only where jobs ask for such a thing.
	asked func(*traces.Asks) *bool
	// must marks the columns without which a file is no workload.
	must bool
}

type encoding int

const (
	plain encoding = iota
	few            // few distinct values: dictionary
	delta          // rising: differences, for required columns only
)

// columns is the one list of columns.
var columns = []column{
	{name: "job_id", must: true, encoding: delta,
		get: func(j *traces.Job) (int64, bool) { return j.ID, true },
		set: func(j *traces.Job, v int64) string { j.ID = v; return "" }},
	{name: "task", encoding: few,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Task), true },
		set: func(j *traces.Job, v int64) string { return setInt32(&j.Task, v, 0, "task") }},
	{name: "pieces", encoding: few,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Pieces), true },
		set: func(j *traces.Job, v int64) string { return setInt32(&j.Pieces, v, 1, "pieces") }},
	{name: "submit_us", must: true, encoding: delta,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Submit), true },
		set: func(j *traces.Job, v int64) string { return setTime(&j.Submit, v, "submit_us") }},
	{name: "wait_us", nullable: true,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Wait), j.Wait.Known() },
		set: func(j *traces.Job, v int64) string { return setTime(&j.Wait, v, "wait_us") }},
	{name: "run_us", nullable: true, must: true,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Run), j.Run.Known() },
		set: func(j *traces.Job, v int64) string { return setTime(&j.Run, v, "run_us") }},
	{name: "estimate_us", nullable: true, encoding: few,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Estimate), j.Estimate.Known() },
		set: func(j *traces.Job, v int64) string { return setTime(&j.Estimate, v, "estimate_us") }},
	{name: "procs", nullable: true, must: true, encoding: few,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Procs), j.Procs > 0 },
		set: func(j *traces.Job, v int64) string { return setInt32(&j.Procs, v, 0, "procs") }},
	{name: "cpu", nullable: true, encoding: few, real: func(j *traces.Job) *float64 { return &j.CPU }},
	{name: "memory", nullable: true, encoding: few, real: func(j *traces.Job) *float64 { return &j.Memory }},
	{name: "gpu", nullable: true, encoding: few, real: func(j *traces.Job) *float64 { return &j.GPU },
		asked: func(a *traces.Asks) *bool { return &a.GPU }},
	{name: "disk", nullable: true, encoding: few, real: func(j *traces.Job) *float64 { return &j.Disk },
		asked: func(a *traces.Asks) *bool { return &a.Disk }},
	{name: "gpu_model", nullable: true, encoding: few, asked: func(a *traces.Asks) *bool { return &a.Model },
		label: func(j *traces.Job) *traces.Label { return &j.Model },
		words: func(n *traces.Names) **traces.Words { return &n.Models }},
	{name: "status", nullable: true, encoding: few,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Status), j.Status >= 0 },
		set: func(j *traces.Job, v int64) string { return setInt32(&j.Status, v, -1, "status") }},
	{name: "user", nullable: true, encoding: few,
		label: func(j *traces.Job) *traces.Label { return &j.User },
		words: func(n *traces.Names) **traces.Words { return &n.Users }},
	{name: "group", nullable: true, encoding: few,
		label: func(j *traces.Job) *traces.Label { return &j.Group },
		words: func(n *traces.Names) **traces.Words { return &n.Groups }},
	{name: "queue", nullable: true, encoding: few,
		label: func(j *traces.Job) *traces.Label { return &j.Queue },
		words: func(n *traces.Names) **traces.Words { return &n.Queues }},
	{name: "partition", nullable: true, encoding: few,
		label: func(j *traces.Job) *traces.Label { return &j.Partition },
		words: func(n *traces.Names) **traces.Words { return &n.Partitions }},
	{name: "prev_job", nullable: true,
		get: func(j *traces.Job) (int64, bool) { return j.Prev, j.Prev > 0 },
		set: func(j *traces.Job, v int64) string { j.Prev = v; return "" }},
	{name: "think_us", nullable: true,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Think), j.Think.Known() },
		set: func(j *traces.Job, v int64) string { return setTime(&j.Think, v, "think_us") }},
	{name: "priority", nullable: true, encoding: few,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Priority), j.Priority >= 0 },
		set: func(j *traces.Job, v int64) string { return setInt32(&j.Priority, v, 0, "priority") }},
	{name: "class", nullable: true, encoding: few,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Class), j.Class >= 0 },
		set: func(j *traces.Job, v int64) string { return setInt32(&j.Class, v, 0, "class") }},
	{name: "attempt", nullable: true, encoding: few,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Attempt), j.Attempt > 0 },
		set: func(j *traces.Job, v int64) string { return setInt32(&j.Attempt, v, 1, "attempt") }},
	{name: "wasted_us", nullable: true,
		get: func(j *traces.Job) (int64, bool) { return int64(j.Wasted), j.Wasted > 0 },
		set: func(j *traces.Job, v int64) string { return setTime(&j.Wasted, v, "wasted_us") }},
}

// columnsFor lists the columns of a trace whose jobs ask for this.
func columnsFor(asks traces.Asks) (list []column) {
	for _, c := range columns {
		if c.asked == nil || *c.asked(&asks) {
			list = append(list, c)
		}
	}
	return list
}

func setTime(t *events.Time, v int64, name string) string {
	if v < 0 || v > math.MaxInt64/4 {
		return name + " is negative or out of range"
	}
	*t = events.Time(v)
	return ""
}

func setInt32(p *int32, v, low int64, name string) string {
	if v < low || v > math.MaxInt32 {
		return name + " is out of range"
	}
	*p = int32(v)
	return ""
}

// Keys of the file's metadata.
const (
	metaVersion = "bourse.workload"
	metaName    = "bourse.name"
	metaProcs   = "bourse.procs"
	metaStart   = "bourse.start"
	metaUnix    = "bourse.unix"
	metaHeader  = "bourse.header"
	metaPool    = "bourse.capacity"
)
