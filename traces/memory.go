package traces

import (
	"errors"
	"io"
	"maps"
	"slices"
)

// Memory is a trace read into memory, for replaying it more than once: packed, in some 50
// bytes a job. It is not changed after Load and may be shared between goroutines.
type Memory struct {
	header *Header
	chunks []chunk // of chunkJobs each
	n      int
}

const chunkJobs = 1 << 12

// Load reads src to its end.
func Load(src Source) (*Memory, error) {
	m := &Memory{header: src.Header()}
	held := make([]numbers, 0, chunkJobs)
	err := Each(src, func(j *Job) error {
		if held = append(held, numbersOf(j)); len(held) == chunkJobs {
			m.add(held)
			held = held[:0]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.add(held)
	return m, nil
}

func (m *Memory) add(jobs []numbers) {
	if len(jobs) > 0 {
		m.chunks = append(m.chunks, newChunk(jobs))
		m.n += len(jobs)
	}
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
	m := &Memory{header: &Header{Name: "memory", Ledger: &Ledger{Read: int64(len(jobs))}}}
	for some := range slices.Chunk(jobs, chunkJobs) {
		held := make([]numbers, len(some))
		for i := range some {
			held[i] = numbersOf(&some[i])
		}
		m.add(held)
	}
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

// Job returns the ith job in order of submission.
func (m *Memory) Job(i int) (j Job) {
	var one [1]numbers
	m.chunks[i/chunkJobs].fill(one[:], i%chunkJobs)
	one[0].unpack(&j)
	return j
}

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
	some   []numbers // of the jobs around at
}

// someJobs is how many jobs a Cursor fetches at a time, few enough for the first cache.
const someJobs = 32

// Header implements Source.
func (c *Cursor) Header() *Header { return c.header }

// Next implements Source.
func (c *Cursor) Next(j *Job) error {
	if c.at == c.m.n {
		return io.EOF
	}
	if c.at%someJobs == 0 || c.some == nil {
		c.fetch()
	}
	c.some[c.at%someJobs].unpack(j)
	c.at++
	return nil
}

func (c *Cursor) fetch() {
	if c.some == nil {
		c.some = make([]numbers, someJobs)
	}
	first := c.at / someJobs * someJobs
	c.m.chunks[first/chunkJobs].fill(c.some, first%chunkJobs)
}

// Fork returns a stream that continues from here independently.
func (c *Cursor) Fork() Source {
	d := *c
	d.some = nil
	return &d
}
