package inspect

import (
	"math"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/google"
)

// Profile is a trace as distributions: what one holds against another to see whether they
// are alike. Its memory grows with the numbers of users, and of jobs where these
// have tasks, not with that of records.
type Profile struct {
	Header traces.Header
	Jobs   int64          // records that started
	Rows   *google.Counts // of a Google trace

	distributions [numDistributions]histogram
	priorities    map[int32]int64
	classes       map[int32]int64
	statuses      [len(statusNames)]int64
	users         map[traces.Label]int64
	tasks         map[int64]int64 // by job, where requests are of CPU and memory or jobs have priorities
	last          events.Time
	any           bool
}

// quantity is what a profile keeps the distribution of.
type quantity int

const (
	distGap quantity = iota
	distSize
	distRun
	distWait
	distEstimate
	distProcs
	distCPU
	distMemory
	distAttempts
	distWasted
	numDistributions
)

// fine is the unit of fractions of a machine in a histogram.
const fine = 1e-6

// Profiled reads src to its end. Of a task that has several records each counts as
// the trace gives it; gaps are between jobs, whatever the number of their tasks.
func Profiled(src traces.Source) (*Profile, error) {
	p := &Profile{priorities: map[int32]int64{}, classes: map[int32]int64{}, users: map[traces.Label]int64{},
		tasks: map[int64]int64{}}
	err := traces.Each(src, func(j *traces.Job) error {
		p.add(j)
		return nil
	})
	if err != nil {
		return nil, err
	}
	p.Header = *src.Header()
	if c, ok := traces.As[google.Counter](src); ok {
		p.Rows = c.Counts()
	}
	for _, n := range p.tasks { // the order does not show in a histogram
		p.distributions[distSize].add(n)
	}
	return p, nil
}

func (p *Profile) add(j *traces.Job) {
	p.arrival(j)
	p.statuses[statusOf(j)]++
	if j.Priority >= 0 {
		p.priorities[j.Priority]++
	}
	if j.Class >= 0 {
		p.classes[j.Class]++
	}
	if j.User != traces.NoLabel {
		p.users[j.User]++
	}
	p.add64(distProcs, int64(j.Procs), j.Procs > 0)
	p.add64(distEstimate, int64(j.Estimate), j.Estimate.Known())
	p.add64(distCPU, int64(math.Round(j.CPU/fine)), j.CPU >= 0 && j.CPU < 1e9)
	// Memory in the units of an SWF log is kilobytes: whole, and never this small.
	p.add64(distMemory, int64(math.Round(j.Memory/fine)), j.Memory >= 0 && j.Memory < 1e12)
	if !j.Run.Known() {
		return
	}
	p.Jobs++
	p.add64(distRun, int64(j.Run), true)
	p.add64(distWait, int64(j.Wait), j.Wait.Known())
	p.add64(distAttempts, int64(j.Attempt), j.Attempt > 0)
	p.add64(distWasted, int64(j.Wasted), j.Wasted > 0)
}

func (p *Profile) add64(l quantity, v int64, known bool) {
	if known {
		p.distributions[l].add(v)
	}
}

// arrival counts the time since the job before, once a job.
func (p *Profile) arrival(j *traces.Job) {
	if j.CPU >= 0 || j.Priority >= 0 {
		p.tasks[j.ID]++
		if p.tasks[j.ID] > 1 {
			return
		}
	}
	if p.any {
		p.distributions[distGap].add(max(0, int64(j.Submit-p.last)))
	}
	p.last, p.any = j.Submit, true
}

// distance is the largest difference between two distribution functions (that of
// Kolmogorov and Smirnov), but for the width of a bucket.
func (h *histogram) distance(g *histogram) float64 {
	most, a, b := 0.0, 0.0, 0.0
	for i := range max(len(h.counts), len(g.counts)) {
		if i < len(h.counts) {
			a += float64(h.counts[i]) / float64(h.count)
		}
		if i < len(g.counts) {
			b += float64(g.counts[i]) / float64(g.count)
		}
		most = max(most, math.Abs(a-b))
	}
	return most
}
