package traces

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// jobSorter puts any number of jobs in order of (submission, line) with bounded
// memory: what does not fit is written to temporary files, sorted piece by piece,
// and merged while it is read.
type jobSorter struct {
	limit int // jobs in memory; 0 means sortedInMemory
	jobs  []Job
	at    int
	runs  []*jobRun
	heap  []*jobRun
	dir   string
}

// sortedInMemory is the number of jobs sorted at a time: some 90 MB.
const sortedInMemory = 1 << 19

// jobRun is a sorted piece on disk.
type jobRun struct {
	file *os.File
	z    *zstd.Decoder
	in   *bufio.Reader
	head Job
	buf  [jobBytes]byte
}

func bySubmission(a, b *Job) int {
	if c := cmp.Compare(a.Submit, b.Submit); c != 0 {
		return c
	}
	return cmp.Compare(a.Line, b.Line)
}

func (s *jobSorter) add(j *Job) error {
	s.jobs = append(s.jobs, *j)
	limit := s.limit
	if limit == 0 {
		limit = sortedInMemory
	}
	if len(s.jobs) < limit {
		return nil
	}
	return s.spill()
}

func (s *jobSorter) order() {
	slices.SortFunc(s.jobs, func(a, b Job) int { return bySubmission(&a, &b) })
}

// spill writes the jobs in memory to a file, in order.
func (s *jobSorter) spill() error {
	if s.dir == "" {
		dir, err := os.MkdirTemp("", "bourse-sort-")
		if err != nil {
			return err
		}
		s.dir = dir
	}
	f, err := os.CreateTemp(s.dir, "run-")
	if err != nil {
		return err
	}
	r := &jobRun{file: f}
	s.runs = append(s.runs, r)
	s.order()
	z, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	for i := range s.jobs {
		encodeJob(&s.jobs[i], &r.buf)
		if _, err := z.Write(r.buf[:]); err != nil {
			return err
		}
	}
	s.jobs = s.jobs[:0]
	return z.Close()
}

// sort ends the adding.
func (s *jobSorter) sort() error {
	if len(s.runs) == 0 {
		s.order()
		return nil
	}
	if len(s.jobs) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.jobs = nil
	for _, r := range s.runs {
		if _, err := r.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		var err error
		if r.z, err = zstd.NewReader(r.file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true)); err != nil {
			return err
		}
		r.in = bufio.NewReader(r.z)
		if err := r.fetch(); err != nil {
			return err
		}
		s.heap = append(s.heap, r)
	}
	for i := len(s.heap)/2 - 1; i >= 0; i-- {
		s.sink(i)
	}
	return nil
}

// next returns the jobs in order; io.EOF ends.
func (s *jobSorter) next(j *Job) error {
	if len(s.runs) == 0 {
		if s.at == len(s.jobs) {
			return io.EOF
		}
		*j = s.jobs[s.at]
		s.at++
		return nil
	}
	if len(s.heap) == 0 {
		return io.EOF
	}
	*j = s.heap[0].head
	switch err := s.heap[0].fetch(); err {
	case nil:
	case io.EOF:
		last := len(s.heap) - 1
		s.heap[0] = s.heap[last]
		s.heap = s.heap[:last]
	default:
		return err
	}
	s.sink(0)
	return nil
}

// sink restores the heap below i.
func (s *jobSorter) sink(i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(s.heap); c++ {
			if earlier(&s.heap[c].head, &s.heap[least].head) {
				least = c
			}
		}
		if least == i {
			return
		}
		s.heap[i], s.heap[least] = s.heap[least], s.heap[i]
		i = least
	}
}

func (r *jobRun) fetch() error {
	if _, err := io.ReadFull(r.in, r.buf[:]); err != nil {
		return err
	}
	decodeJob(&r.buf, &r.head)
	return nil
}

// close removes the files.
func (s *jobSorter) close() error {
	for _, r := range s.runs {
		if r.z != nil {
			r.z.Close()
		}
		r.file.Close()
	}
	s.jobs, s.runs, s.heap = nil, nil, nil
	if s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// jobBytes is the size of a job on disk: 13 whole numbers and 2 others of 8 bytes, 7
// whole ones of 4.
const jobBytes = 15*8 + 7*4

// fields lists a job's numbers by size.
func (j *Job) fields() ([]*int64, []*int32) {
	return []*int64{
			&j.ID, &j.Line, (*int64)(&j.Submit), (*int64)(&j.Wait), (*int64)(&j.Run), (*int64)(&j.Estimate), &j.Prev,
			(*int64)(&j.Think), (*int64)(&j.Wasted), (*int64)(&j.User), (*int64)(&j.Group), (*int64)(&j.Queue), (*int64)(&j.Partition),
		}, []*int32{
			&j.Procs, &j.Task, &j.Pieces, &j.Status, &j.Priority, &j.Class, &j.Attempt,
		}
}

func encodeJob(j *Job, b *[jobBytes]byte) {
	at := 0
	wide, narrow := j.fields()
	for _, p := range wide {
		binary.LittleEndian.PutUint64(b[at:], uint64(*p))
		at += 8
	}
	for _, x := range []float64{j.CPU, j.Memory} {
		binary.LittleEndian.PutUint64(b[at:], math.Float64bits(x))
		at += 8
	}
	for _, p := range narrow {
		binary.LittleEndian.PutUint32(b[at:], uint32(*p))
		at += 4
	}
}

func decodeJob(b *[jobBytes]byte, j *Job) {
	at := 0
	wide, narrow := j.fields()
	for _, p := range wide {
		*p = int64(binary.LittleEndian.Uint64(b[at:]))
		at += 8
	}
	for _, p := range []*float64{&j.CPU, &j.Memory} {
		*p = math.Float64frombits(binary.LittleEndian.Uint64(b[at:]))
		at += 8
	}
	for _, p := range narrow {
		*p = int32(binary.LittleEndian.Uint32(b[at:]))
		at += 4
	}
}
