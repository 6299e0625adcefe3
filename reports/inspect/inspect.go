package inspect

import (
	"math/bits"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/google"
)

// Inspection is what a look through a whole trace finds. Its memory does not
// grow with the number of jobs, but for the job numbers already seen.
type Inspection struct {
	Header traces.Header
	Figures
	Against Machines // what load is compared with; by default what the trace says
	Events  *google.Counts
	Types   []traces.Capacity // of one machine each, but for how many there are

	gpuRequests
	distributions
	weekly weeklyCounts
	hours  hours
	spent  [len(statusNames)]float64 // processor-seconds by status
	labels
}

// Figures are counts and times, as programs receive them.
type Figures struct {
	Records
	Span
	Sizes
	Estimates
	Labels
}

// Records counts records. Unless said otherwise, all else is about the jobs that can be
// replayed: those that started and have processors.
type Records struct {
	Trace        string `json:"trace"`
	Format       string `json:"format"`
	Procs        int    `json:"procs"` // of the machine, 0 if unknown
	Read         int64  `json:"read"`
	Jobs         int64  `json:"jobs"`
	NeverStarted int64  `json:"never_started"`
	NoProcessors int64  `json:"no_processors"`
	// Statuses counts all records by their status 0..5; the last is for unknown.
	Statuses [len(statusNames)]int64 `json:"statuses"`
}

// Span is when jobs come and what they take.
type Span struct {
	// First and Last are the submit times of the first and the last record, LastEnd is the
	// latest recorded end, Unknown without waits.
	First   events.Time `json:"first_submit_s"`
	Last    events.Time `json:"last_submit_s"`
	LastEnd events.Time `json:"last_end_s"`
	Work    float64     `json:"work_procs_s"`
	Offered *float64    `json:"load"`     // what Load returns
	NoWait  int64       `json:"no_wait"`  // jobs without a recorded wait
	ZeroRun int64       `json:"zero_run"` // jobs with a run time of 0
}

// Sizes is how many processors jobs ask for.
type Sizes struct {
	TooLarge    int64 `json:"too_large"`     // jobs larger than the machine
	Largest     int64 `json:"largest"`       // processors of the largest job
	Serial      int64 `json:"serial"`        // jobs of 1 processor
	PowersOfTwo int64 `json:"powers_of_two"` // of 2, 4, 8, ...
}

// Estimates counts jobs by their requested time.
type Estimates struct {
	NoEstimate    int64 `json:"no_estimate"`
	LowEstimate   int64 `json:"low_estimate"`   // below the run time
	ExactEstimate int64 `json:"exact_estimate"` // the run time
	LongEstimate  int64 `json:"long_estimate"`  // more than a year
}

// Labels are the numbers of distinct labels.
type Labels struct {
	Users      int64 `json:"users"`
	Groups     int64 `json:"groups"`
	Queues     int64 `json:"queues"`
	Partitions int64 `json:"partitions"`
}

// gpuRequests is what jobs ask for in addition to processors.
type gpuRequests struct {
	asked  [4]float64 // of each resource, in the trace's units x seconds
	byGPUs [4]int64   // jobs that ask for none, a share of one, one, more
	models map[traces.Label]*gpuUse
}

// distributions are those of times, sizes and arrivals.
type distributions struct {
	run, size, estimate, wait histogram
	runBins                   [len(runBins)]bin
	sizeBins                  [32]bin
	arrivals                  timeline
}

// labels are those seen.
type labels struct{ users, groups, queues, partitions traces.IDSet }

// bin counts jobs and their work in processor-seconds.
type bin struct {
	jobs int64
	work float64
}

// year bounds plausible requests: longer ones mean "no limit".
const year = 366 * 24 * 3600 * events.Second

// runBins are the bins of run times, each from so many seconds on: roughly logarithmic, at
// times people think in.
var runBins = [...]struct {
	from  int64
	label string
}{
	{0, "0"}, {1, "< 10s"}, {10, "10s - 1m"}, {60, "1m - 5m"}, {300, "5m - 15m"}, {900, "15m - 1h"}, {3600, "1h - 4h"},
	{4 * 3600, "4h - 12h"}, {12 * 3600, "12h - 1d"}, {24 * 3600, "1d - 3d"}, {3 * 24 * 3600, "3d - 7d"},
	{7 * 24 * 3600, "7d - 30d"}, {30 * 24 * 3600, ">= 30d"},
}

// Inspect reads src, which should not be transformed yet, to its end.
func Inspect(src traces.Source) (*Inspection, error) {
	in := &Inspection{}
	in.LastEnd = events.Unknown
	procs := src.Header().Procs
	in.hours.calendar = src.Header().Calendar()
	first := true
	err := traces.Each(src, func(j *traces.Job) error {
		if first {
			in.First, first = j.Submit, false
		}
		in.Last = j.Submit
		in.record(j, procs)
		return nil
	})
	if err != nil {
		return nil, err
	}
	in.hours.end(in.First, max(in.Last, in.LastEnd))
	in.Header = *src.Header()
	in.Trace, in.Format, in.Procs, in.Read = in.Header.Name, in.Header.Format, in.Header.Procs, in.Header.Ledger.Read
	if load, ok := in.Load(); ok {
		in.Offered = &load
	}
	if m, ok := traces.As[traces.MachineEvents](src); ok {
		in.Types = machineTypes(m.MachineEvents())
	}
	if c, ok := traces.As[google.Counter](src); ok {
		in.Events = c.Counts()
	}
	return in, nil
}

// record counts one record, usable or not.
func (in *Inspection) record(j *traces.Job, procs int) {
	in.arrivals.add(int64(j.Submit / events.Second))
	in.weekly.add(j)
	in.Statuses[statusOf(j)]++
	switch {
	case !j.Run.Known():
		in.NeverStarted++
	case j.Procs <= 0:
		in.NoProcessors++
	default:
		if procs > 0 && int(j.Procs) > procs {
			in.TooLarge++
		}
		in.job(j)
		in.label(j)
	}
}

var statusNames = [traces.MaxStatus + 2]string{"failed", "completed", "partial", "last part", "last part failed",
	"cancelled", "unknown"}

// statusOf is the place of a job's status among their names.
func statusOf(j *traces.Job) int {
	if j.Status < 0 || j.Status > traces.MaxStatus {
		return traces.MaxStatus + 1
	}
	return int(j.Status)
}

func (in *Inspection) job(j *traces.Job) {
	in.Jobs++
	in.Largest = max(in.Largest, int64(j.Procs))
	work := float64(j.Run.Seconds() * float64(j.Procs)) // rounded, never fused with the sums
	in.Work += work
	cpu, memory, gpu, disk := j.Ask(1)
	for r, x := range [...]float64{cpu, memory, gpu, disk} {
		in.asked[r] += float64(work * x)
	}
	in.gpus(j)
	in.hours.add(j)
	in.spent[statusOf(j)] += work
	in.run.add(int64(j.Run))
	in.size.add(int64(j.Procs))
	switch {
	case j.Procs == 1:
		in.Serial++
	case j.Procs&(j.Procs-1) == 0:
		in.PowersOfTwo++
	}
	r := len(runBins) - 1
	for int64(j.Run/events.Second) < runBins[r].from {
		r--
	}
	if r == 0 && j.Run > 0 {
		r = 1 // the first bin is for 0 alone
	}
	in.runBins[r].add(work)
	in.sizeBins[bits.Len32(uint32(j.Procs-1))].add(work)
	if j.Run == 0 {
		in.ZeroRun++
	}
	in.estimates(j)
	if !j.Wait.Known() {
		in.NoWait++
		return
	}
	in.wait.add(int64(j.Wait))
	in.LastEnd = max(in.LastEnd, j.Submit+j.Wait+j.Run)
}

func (b *bin) add(work float64) {
	b.jobs++
	b.work += work
}

func (in *Inspection) estimates(j *traces.Job) {
	switch {
	case !j.Estimate.Known():
		in.NoEstimate++
		return
	case j.Estimate < j.Run:
		in.LowEstimate++
	case j.Estimate == j.Run:
		in.ExactEstimate++
	}
	if j.Estimate > year {
		in.LongEstimate++
	}
	in.estimate.add(int64(j.Estimate))
}

func (in *Inspection) label(j *traces.Job) {
	for _, l := range [...]struct {
		set   *traces.IDSet
		n     *int64
		label traces.Label
	}{{&in.users, &in.Users, j.User}, {&in.groups, &in.Groups, j.Group}, {&in.queues, &in.Queues, j.Queue},
		{&in.partitions, &in.Partitions, j.Partition}} {
		if l.label != traces.NoLabel && l.set.Add(int64(l.label)) {
			*l.n++
		}
	}
}

// Epoch returns the Unix time of the trace's zero and whether it is known. A
// trace without a start whose submit times are themselves Unix times (after
// 1990) has it at 0.
func (in *Inspection) Epoch() (int64, bool) {
	switch {
	case in.Header.Start > 0:
		return in.Header.Start, true
	case in.First.Seconds() > traces.UnixFrom:
		return 0, true
	}
	return 0, false
}

// Load returns the offered load: work over machine size times the time between
// first and last arrival; false when size or time are not known.
func (in *Inspection) Load() (float64, bool) {
	span := (in.Last - in.First).Seconds()
	if in.Header.Procs == 0 || span <= 0 {
		return 0, false
	}
	return in.Work / span / float64(in.Header.Procs), true
}
