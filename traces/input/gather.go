package input

import (
	"errors"
	"fmt"

	"bourse/events"
	"bourse/traces"
)

// Gatherer reads a log whose records are in no order of submission: accounting
// logs are written when jobs end. It is read as a whole when it is opened, and sorted, on
// disk if there are many jobs; only logs that repeat jobs are in memory, 180 bytes a job.
//
// Times that are Unix times become seconds from the first submission, which is
// the header's Start.
type Gatherer struct {
	Header traces.Header
	Opts   traces.Options
	Jobs   []traces.Job // of a log in which repeats are usual, until Source
	Ids    traces.IDSet
	latest map[int64]int // their places by number; nil in other logs
	// Arrays takes records that share a number for the elements of an array.
	Arrays bool
	tasks  map[int64]int32 // the last element of each array
	first  *traces.Error   // the first record skipped
	sorted JobSorter
	taken  int64       // jobs in sorted
	zero   events.Time // the first submission
	late   events.Time // the last
}

// Verdict is what a record is.
type Verdict int

const (
	IsJob     Verdict = iota
	IsNothing         // no record of a job: not counted
	// isDropped+reason is a record left out for that reason.
	isDropped
)

func DroppedFor(r traces.Reason) Verdict { return isDropped + Verdict(r) }

// stopEvery is the number of records between questions whether to stop.
const stopEvery = 1024

// JunkLimit is the number of leading records that may be skipped without a good one
// among them: after that the file is not of this format.
const JunkLimit = 100

// gatheredInMemory is the number of jobs that are sorted without a disk: some 50 MB.
const gatheredInMemory = 1 << 18

func NewGatherer(name, format string, o traces.Options, repeats bool) *Gatherer {
	g := &Gatherer{Header: traces.Header{Name: name, Format: format, Ledger: &traces.Ledger{}}, Opts: o}
	g.sorted.Limit = gatheredInMemory
	if repeats {
		g.latest = map[int64]int{}
	}
	return g
}

// Take files one record. It returns an error only where reading ends.
func (g *Gatherer) Take(j *traces.Job, v Verdict, fault *traces.Error) error {
	l := g.Header.Ledger
	if fault == nil && v == IsNothing {
		return nil
	}
	l.Read++
	if l.Read%stopEvery == 0 && g.Opts.Stop != nil {
		if err := g.Opts.Stop(); err != nil {
			return err
		}
	}
	switch {
	case fault != nil:
		return g.malformed(fault)
	case v >= isDropped:
		l.Drop(traces.Reason(v-isDropped), j)
		return nil
	}
	if g.Ids.Add(j.ID) {
		if g.latest != nil {
			g.latest[j.ID] = len(g.Jobs)
			g.Jobs = append(g.Jobs, *j)
			return nil
		}
		return g.add(j)
	}
	if g.Arrays {
		return g.element(j)
	}
	if g.latest == nil {
		return g.malformed(&traces.Error{File: g.Header.Name, Line: j.Line, What: fmt.Sprintf("duplicate job ID %d", j.ID)})
	}
	// The run that ended last is the one that counts.
	l.Drop(traces.Repeat, j)
	if was := &g.Jobs[g.latest[j.ID]]; endOf(j) >= endOf(was) {
		*was = *j
	}
	return nil
}

// OddArray is a record with the number of an earlier one, in a table.
const OddArray = "rows that share a job's number, taken for tasks of an array"

// element adds a record as the next task of its job.
func (g *Gatherer) element(j *traces.Job) error {
	if g.tasks == nil {
		g.tasks = map[int64]int32{}
	}
	g.tasks[j.ID]++
	j.Task = g.tasks[j.ID]
	g.Header.Ledger.Odd(OddArray)
	return g.add(j)
}

func endOf(j *traces.Job) events.Time { return j.Submit + max(j.Wait, 0) + max(j.Run, 0) }

// malformed counts a faulty record, or returns it where faults end the trace.
func (g *Gatherer) malformed(fault *traces.Error) error {
	if fault.File == "" {
		fault.File = g.Header.Name
	}
	if !g.Opts.Skip {
		return fault
	}
	g.Header.Ledger.Drop(traces.Malformed, nil)
	if g.Opts.OnError != nil {
		g.Opts.OnError(fault)
	}
	if g.first == nil {
		g.first = fault
	}
	if len(g.Jobs) == 0 && g.taken == 0 && g.Header.Ledger.Dropped[traces.Malformed] >= JunkLimit {
		return &traces.Error{File: g.Header.Name,
			What: fmt.Sprintf("not a log of format %s: none of the first %d records is one", g.Header.Format, JunkLimit),
			Err:  g.first}
	}
	return nil
}

// add passes a job to the sort.
func (g *Gatherer) add(j *traces.Job) error {
	switch {
	case g.taken == 0:
		g.zero, g.late = j.Submit, j.Submit
	case j.Submit < g.late:
		g.Header.Ledger.Odd(OddOrder)
	}
	g.zero, g.late = min(g.zero, j.Submit), max(g.late, j.Submit)
	g.taken++
	g.Header.Asks.See(j)
	return g.sorted.Add(j, g.taken)
}

// Source sorts the jobs and returns them as a stream.
func (g *Gatherer) Source() (traces.Source, error) {
	for i := range g.Jobs {
		if err := g.add(&g.Jobs[i]); err != nil {
			return nil, err
		}
	}
	g.Jobs, g.latest = nil, nil
	if g.taken == 0 {
		if g.first != nil {
			return nil, &traces.Error{File: g.Header.Name, What: "no record could be read", Err: g.first}
		}
		return nil, &traces.Error{File: g.Header.Name,
			What: fmt.Sprintf("the trace holds no jobs (%d records read)", g.Header.Ledger.Read)}
	}
	if g.zero < traces.UnixFrom*events.Second {
		g.zero = 0
	}
	g.zero -= g.zero % events.Second
	g.Header.Start = int64(g.zero / events.Second)
	if err := g.sorted.Sort(); err != nil {
		return nil, err
	}
	return &gathered{g: g}, nil
}

// gathered is the stream of what was gathered.
type gathered struct {
	g    *Gatherer
	done error
}

// Header implements Source.
func (s *gathered) Header() *traces.Header { return &s.g.Header }

// HasJob implements JobLookup.
func (s *gathered) HasJob(id int64) bool { return s.g.Ids.Has(id) }

// Next implements Source.
func (s *gathered) Next(j *traces.Job) error {
	if s.done != nil {
		return s.done
	}
	err := s.g.sorted.Next(j)
	j.Submit -= s.g.zero
	return err
}

// Close implements Closer; the file was closed when it had been read.
func (s *gathered) Close() error {
	if s.done == nil {
		s.done = errors.New(s.g.Header.Name + ": read after Close")
	}
	return s.g.sorted.Close()
}
