package traces

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sort"

	"bourse/events"
)

// gatherer reads a log whose records are in no order of submission: accounting
// logs are written when jobs end. It is read as a whole when it is opened, 150
// bytes a job, and sorted; a trace larger than memory is converted in parts.
//
// Times that are Unix times become seconds from the first submission, which is
// the header's Start.
type gatherer struct {
	header Header
	opts   Options
	jobs   []Job
	ids    idSet
	latest map[int64]int // where the job of a number stands, if repeats are usual
	first  *Error        // the first record skipped
}

// verdict is what a record is.
type verdict int

const (
	isJob     verdict = iota
	isNothing         // no record of a job: not counted
	// isDropped+reason is a record left out for that reason.
	isDropped
)

func droppedFor(r Reason) verdict { return isDropped + verdict(r) }

// unixFrom is where times are taken to count from 1970: 1990.
const unixFrom = 631152000 * events.Second

// stopEvery is the number of records between questions whether to stop.
const stopEvery = 1024

// junkLimit is the number of leading records that may be skipped without a good one
// among them: after that the file is not of this format.
const junkLimit = 100

func newGatherer(name, format string, o Options, repeats bool) *gatherer {
	g := &gatherer{header: Header{Name: name, Format: format, Ledger: &Ledger{}}, opts: o}
	if repeats {
		g.latest = map[int64]int{}
	}
	return g
}

// take files one record. It returns an error only where reading ends.
func (g *gatherer) take(j *Job, v verdict, fault *Error) error {
	l := g.header.Ledger
	if fault == nil && v == isNothing {
		return nil
	}
	l.Read++
	if l.Read%stopEvery == 0 && g.opts.Stop != nil {
		if err := g.opts.Stop(); err != nil {
			return err
		}
	}
	switch {
	case fault != nil:
		return g.malformed(fault)
	case v >= isDropped:
		l.Drop(Reason(v - isDropped))
		return nil
	}
	if g.ids.add(j.ID) {
		if g.latest != nil {
			g.latest[j.ID] = len(g.jobs)
		}
		g.jobs = append(g.jobs, *j)
		return nil
	}
	if g.latest == nil {
		return g.malformed(&Error{File: g.header.Name, Line: j.Line, What: fmt.Sprintf("job %d is there a second time", j.ID), Want: "every job number once was expected"})
	}
	// The run that ended last is the one that counts.
	l.Drop(Repeat)
	if was := &g.jobs[g.latest[j.ID]]; endOf(j) >= endOf(was) {
		*was = *j
	}
	return nil
}

func endOf(j *Job) events.Time { return j.Submit + max(j.Wait, 0) + max(j.Run, 0) }

// malformed counts a faulty record, or returns it where faults end the trace.
func (g *gatherer) malformed(fault *Error) error {
	if fault.File == "" {
		fault.File = g.header.Name
	}
	if !g.opts.Skip {
		return fault
	}
	g.header.Ledger.Drop(Malformed)
	if g.opts.OnError != nil {
		g.opts.OnError(fault)
	}
	if g.first == nil {
		g.first = fault
	}
	if len(g.jobs) == 0 && g.header.Ledger.Dropped[Malformed] >= junkLimit {
		return &Error{File: g.header.Name, What: fmt.Sprintf("not a log of format %s: none of the first %d records is one", g.header.Format, junkLimit), Err: g.first}
	}
	return nil
}

// source sorts the jobs and returns them as a stream.
func (g *gatherer) source() (Source, error) {
	l := g.header.Ledger
	if len(g.jobs) == 0 {
		if g.first != nil {
			return nil, &Error{File: g.header.Name, What: "no record could be read", Err: g.first}
		}
		return nil, &Error{File: g.header.Name, What: fmt.Sprintf("the trace holds no jobs (%d records read)", l.Read)}
	}
	late := events.Time(math.MinInt64)
	for i := range g.jobs {
		if g.jobs[i].Submit < late {
			l.Odd(OddOrder)
		}
		late = max(late, g.jobs[i].Submit)
	}
	sort.SliceStable(g.jobs, func(a, b int) bool { return g.jobs[a].Submit < g.jobs[b].Submit })
	if zero := g.jobs[0].Submit; zero >= unixFrom {
		zero -= zero % events.Second
		g.header.Start = int64(zero / events.Second)
		for i := range g.jobs {
			g.jobs[i].Submit -= zero
		}
	}
	g.latest = nil
	return &gathered{g: g}, nil
}

// gathered is the stream of what was gathered.
type gathered struct {
	g    *gatherer
	at   int
	done error
}

// Header implements Source.
func (s *gathered) Header() *Header { return &s.g.header }

// Seen implements Seer.
func (s *gathered) Seen(id int64) bool { return s.g.ids.has(id) }

// Next implements Source.
func (s *gathered) Next(j *Job) error {
	switch {
	case s.done != nil:
		return s.done
	case s.at == len(s.g.jobs):
		return io.EOF
	}
	*j = s.g.jobs[s.at]
	s.at++
	return nil
}

// Close implements Closer; the file was closed when it had been read.
func (s *gathered) Close() error {
	if s.done == nil {
		s.done = errors.New(s.g.header.Name + ": read after Close")
	}
	return nil
}
