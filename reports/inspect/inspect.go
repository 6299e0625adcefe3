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
	// Unless said otherwise, everything below is about the jobs that can be
	// replayed: those that started and have processors.
	Jobs         int64
	NeverStarted int64
	NoProcessors int64
	TooLarge     int64 // of Jobs, those larger than the machine
	Largest      int32 // processors of the largest job

	First, Last events.Time // submit times of the first and the last record
	LastEnd     events.Time // latest recorded end, Unknown without waits
	Work        float64     // processor-seconds
	Against     Machines    // what load is compared with; by default what the trace says
	Events      *google.Counts
	Types       []traces.Capacity // of one machine each, but for how many there are

	Serial, PowersOfTwo int64 // jobs of 1 processor, of 2, 4, 8, ...
	// Jobs without a requested time, with one below the run time, with one equal to it.
	NoEstimate, LowEstimate, ExactEstimate int64
	NoWait, ZeroRun                        int64 // jobs without a recorded wait, with a run time of 0
	LongEstimate                           int64 // jobs that ask for more than a year
	// The numbers of distinct labels.
	Users, Groups, Queues, Partitions int64
	// Statuses counts all records by their status 0..5; the last is for unknown.
	Statuses [len(statusNames)]int64

	asked  [4]float64 // of each resource, in the trace's units x seconds
	byGPUs [4]int64   // jobs that ask for none, a share of one, one, more
	models map[traces.Label]*gpuUse

	run, size, estimate, wait         histogram
	runBins                           [len(runEdges)]bin
	sizeBins                          [32]bin
	arrivals                          timeline
	weekly                            weeklyCounts
	users, groups, queues, partitions traces.IDSet
}

// bin counts jobs and their work in processor-seconds.
type bin struct {
	jobs int64
	work float64
}

// year bounds plausible requests: longer ones mean "no limit".
const year = 366 * 24 * 3600 * events.Second

// runEdges are the lower ends of the run time bins, in seconds: roughly
// logarithmic, at times people think in.
var runEdges = [...]int64{0, 1, 10, 60, 300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600, 3 * 24 * 3600, 7 * 24 * 3600,
	30 * 24 * 3600}

// Inspect reads src, which should not be transformed yet, to its end.
func Inspect(src traces.Source) (*Inspection, error) {
	in := &Inspection{LastEnd: events.Unknown}
	procs := src.Header().Procs
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
	in.Header = *src.Header()
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
		in.labels(j)
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
	in.Largest = max(in.Largest, j.Procs)
	work := float64(j.Run.Seconds() * float64(j.Procs)) // rounded, never fused with the sums
	in.Work += work
	cpu, memory, gpu, disk := j.Ask(1)
	for r, x := range [...]float64{cpu, memory, gpu, disk} {
		in.asked[r] += float64(work * x)
	}
	in.gpus(j)
	in.run.add(int64(j.Run))
	in.size.add(int64(j.Procs))
	switch {
	case j.Procs == 1:
		in.Serial++
	case j.Procs&(j.Procs-1) == 0:
		in.PowersOfTwo++
	}
	r := len(runEdges) - 1
	for int64(j.Run/events.Second) < runEdges[r] {
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

func (in *Inspection) labels(j *traces.Job) {
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
