// Package model is a model of Google's cluster trace of 2011: it writes
// tables in the trace's own raw form, as large as the month or smaller.
//
// Its numbers are measured from the first 14 of 500 parts, 19.5 hours, and from
// the table of machines, which is whole (measure_test.go, measured.json). So there is
// a daily cycle and no weekly one; hours the parts do not reach have the
// mean. Tasks are not packed onto machines: a task runs on any machine that is
// present, and removed machines evict no task. A task that has finished does not come
// back (in the real parts one in 34 does), evictions and kills that are tried again
// fall on any task where the trace has them in a few, updates change nothing, and no task is
// lost.
package model

import (
	"errors"
	"math"

	"bourse/events"
	"bourse/traces/google"
	"bourse/traces/input"
)

// Options say what to write.
type Options struct {
	// Machines are those there when the window begins. The jobs that run then are in
	// proportion to them.
	Machines int
	Days     float64
	// Tasks are all tasks, those there before included.
	Tasks int64
	Seed  uint64
	// Workers format and compress parts, each a part at a time; the bytes do not
	// depend on them.
	Workers int
	// Stop is asked with every part; an error ends the writing.
	Stop func() error
}

// Parameters lists what Parse takes.
var Parameters = []input.Parameter{
	{Name: "machines", Line: "machines when the window begins (default 12500)"},
	{Name: "days", Line: "length of the window (default 29)"},
	{Name: "tasks", Line: "tasks (default as many as the real month has in that time on those machines)"},
	{Name: "seed", Line: "seed of all random streams (default 1)"},
}

// monthTasks is how many tasks the real trace holds, by its documentation, in 29
// days on realMachines.
const monthTasks = 25.4e6

// Parse reads "machines=12500&days=29&tasks=25e6&seed=1".
func Parse(query string) (Options, error) {
	p, err := input.ParseParameters(query, Parameters)
	if err != nil {
		return Options{}, err
	}
	o := Options{
		Machines: int(p.Whole("machines", 12_500, 1, 10_000_000)),
		Days:     p.Real("days", 29, 0.001, 3650),
		Seed:     uint64(p.Whole("seed", 1, 0, math.MaxInt64)),
		Workers:  1,
	}
	def := monthTasks * o.Days / 29 * float64(o.Machines) / realMachines
	o.Tasks = int64(p.Real("tasks", math.Ceil(def), 1, 1e12))
	return o, p.Err()
}

// partLength is the time that a part of the real trace covers: 29 days in 500.
const partLength = 29 * 24 * 3600 * events.Second / 500

// end is when it ends.
func (o *Options) end() events.Time {
	return google.WindowStart + events.Time(o.Days*24*3600)*events.Second
}

// parts is the number of parts of each table.
func (o *Options) parts() int {
	return int(max(1, (o.end()-google.WindowStart+partLength-1)/partLength))
}

// errParts is for windows that a table's numbers have no room for.
var errParts = errors.New("more than 99,999 parts")
