package traces

import (
	"errors"
	"io"
	"maps"
)

// Memory is a trace read into memory, for replaying it more than once. It is
// not changed after Load and may be shared between goroutines.
type Memory struct {
	header *Header
	chunks [][]Job // of chunkJobs each: growing never copies what is there
	n      int
}

const chunkJobs = 1 << 12

// Load reads src to its end.
func Load(src Source) (*Memory, error) {
	m := &Memory{header: src.Header()}
	err := Each(src, func(j *Job) error {
		if m.n%chunkJobs == 0 {
			m.chunks = append(m.chunks, make([]Job, 0, chunkJobs))
		}
		last := &m.chunks[len(m.chunks)-1]
		*last = append(*last, *j)
		m.n++
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Each calls do with every job of src to its end. The job is do's until it returns.
func Each(src Source, do func(*Job) error) error {
	var j Job
	for {
		if err := src.Next(&j); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := do(&j); err != nil {
			return err
		}
	}
}

// MemoryOf holds jobs that are at hand already, in order of submission.
func MemoryOf(jobs ...Job) *Memory {
	m := &Memory{header: &Header{Name: "memory", Ledger: &Ledger{Read: int64(len(jobs))}}, n: len(jobs)}
	for ; len(jobs) > chunkJobs; jobs = jobs[chunkJobs:] {
		m.chunks = append(m.chunks, jobs[:chunkJobs])
	}
	m.chunks = append(m.chunks, jobs)
	return m
}

// Header describes the trace; its Ledger is complete.
func (m *Memory) Header() *Header { return m.header }

// Len returns the number of jobs.
func (m *Memory) Len() int { return m.n }

// First returns the first n jobs, which it shares.
func (m *Memory) First(n int) *Memory {
	some := *m
	some.n = min(n, m.n)
	return &some
}

// Job returns the ith job in order of submission. It must not be changed.
func (m *Memory) Job(i int) *Job { return &m.chunks[i/chunkJobs][i%chunkJobs] }

// Source returns a stream of all jobs. Its header is its own, with a ledger that
// begins with what was counted while loading: what filters the stream further
// adds to that.
func (m *Memory) Source() *Cursor {
	h, l := *m.header, *m.header.Ledger
	l.Oddities = maps.Clone(l.Oddities)
	h.Ledger = &l
	return &Cursor{m: m, header: &h}
}

// Cursor is a stream over a Memory.
type Cursor struct {
	m      *Memory
	header *Header
	at     int
}

// Header implements Source.
func (c *Cursor) Header() *Header { return c.header }

// Next implements Source.
func (c *Cursor) Next(j *Job) error {
	if c.at == c.m.n {
		return io.EOF
	}
	*j = *c.m.Job(c.at)
	c.at++
	return nil
}

// Fork returns a stream that continues from here independently.
func (c *Cursor) Fork() Source {
	d := *c
	return &d
}
