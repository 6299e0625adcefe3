package input

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sort"

	"bourse/events"
	"bourse/traces"
)

// Gatherer reads a log whose records are in no order of submission: accounting
// logs are written when jobs end. It is read as a whole when it is opened, 150
// bytes a job, and sorted; a trace larger than memory is converted in parts.
//
// Times that are Unix times become seconds from the first submission, which is
// the header's Start.
type Gatherer struct {
	Header traces.Header
	Opts   traces.Options
	Jobs   []traces.Job
	Ids    traces.IDSet
	latest map[int64]int // place of the job of a number, if repeats are usual
	first  *traces.Error // the first record skipped
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

// unixFrom is where times are taken to count from 1970: 1990.
const unixFrom = 631152000 * events.Second

// stopEvery is the number of records between questions whether to stop.
const stopEvery = 1024

// JunkLimit is the number of leading records that may be skipped without a good one
// among them: after that the file is not of this format.
const JunkLimit = 100

func NewGatherer(name, format string, o traces.Options, repeats bool) *Gatherer {
	g := &Gatherer{Header: traces.Header{Name: name, Format: format, Ledger: &traces.Ledger{}}, Opts: o}
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
		}
		g.Jobs = append(g.Jobs, *j)
		return nil
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
	if len(g.Jobs) == 0 && g.Header.Ledger.Dropped[traces.Malformed] >= JunkLimit {
		return &traces.Error{File: g.Header.Name, What: fmt.Sprintf("not a log of format %s: none of the first %d records is one", g.Header.Format, JunkLimit), Err: g.first}
	}
	return nil
}

// Source sorts the jobs and returns them as a stream.
func (g *Gatherer) Source() (traces.Source, error) {
	l := g.Header.Ledger
	if len(g.Jobs) == 0 {
		if g.first != nil {
			return nil, &traces.Error{File: g.Header.Name, What: "no record could be read", Err: g.first}
		}
		return nil, &traces.Error{File: g.Header.Name, What: fmt.Sprintf("the trace holds no jobs (%d records read)", l.Read)}
	}
	late := events.Time(math.MinInt64)
	for i := range g.Jobs {
		if g.Jobs[i].Submit < late {
			l.Odd(OddOrder)
		}
		late = max(late, g.Jobs[i].Submit)
	}
	sort.SliceStable(g.Jobs, func(a, b int) bool { return g.Jobs[a].Submit < g.Jobs[b].Submit })
	if zero := g.Jobs[0].Submit; zero >= unixFrom {
		zero -= zero % events.Second
		g.Header.Start = int64(zero / events.Second)
		for i := range g.Jobs {
			g.Jobs[i].Submit -= zero
		}
	}
	g.latest = nil
	return &gathered{g: g}, nil
}

// gathered is the stream of what was gathered.
type gathered struct {
	g    *Gatherer
	at   int
	done error
}

// Header implements Source.
func (s *gathered) Header() *traces.Header { return &s.g.Header }

// HasJob implements JobLookup.
func (s *gathered) HasJob(id int64) bool { return s.g.Ids.Has(id) }

// Next implements Source.
func (s *gathered) Next(j *traces.Job) error {
	switch {
	case s.done != nil:
		return s.done
	case s.at == len(s.g.Jobs):
		return io.EOF
	}
	*j = s.g.Jobs[s.at]
	s.at++
	return nil
}

// Close implements Closer; the file was closed when it had been read.
func (s *gathered) Close() error {
	if s.done == nil {
		s.done = errors.New(s.g.Header.Name + ": read after Close")
	}
	return nil
}
