package input

import (
	"cmp"
	"encoding/binary"
	"math"

	"bourse/traces"
)

// JobSorter puts any number of jobs in order of submission, and of a number given with
// each where that is the same.
type JobSorter struct {
	DiskSorter[storedJob, *storedJob]
	last storedJob
}

// Add takes a job.
func (s *JobSorter) Add(j *traces.Job, order int64) error {
	s.last = storedJob{*j, order}
	return s.DiskSorter.Add(&s.last)
}

// Next returns the jobs in order, after Sort; io.EOF ends.
func (s *JobSorter) Next(j *traces.Job) error {
	err := s.DiskSorter.Next(&s.last)
	*j = s.last.Job
	return err
}

// storedJob is a job with its form on disk.
type storedJob struct {
	traces.Job
	order int64
}

// Compare orders jobs.
func (j *storedJob) Compare(k *storedJob) int {
	if c := cmp.Compare(j.Submit, k.Submit); c != 0 {
		return c
	}
	return cmp.Compare(j.order, k.order)
}

// jobBytes is the size of a job on disk: 15 whole numbers and 4 others of 8 bytes, 7
// whole ones of 4.
const jobBytes = 19*8 + 7*4

// fields lists a job's numbers by size.
func (j *storedJob) fields() ([]*int64, []*int32) {
	return []*int64{
			&j.ID, &j.Line, (*int64)(&j.Submit), (*int64)(&j.Wait), (*int64)(&j.Run), (*int64)(&j.Estimate), &j.Prev,
			(*int64)(&j.Think), (*int64)(&j.Wasted), (*int64)(&j.User), (*int64)(&j.Group), (*int64)(&j.Queue),
			(*int64)(&j.Partition), (*int64)(&j.Model), &j.order,
		}, []*int32{
			&j.Procs, &j.Task, &j.Pieces, &j.Status, &j.Priority, &j.Class, &j.Attempt,
		}
}

func (j *storedJob) Size() int { return jobBytes }

func (j *storedJob) Encode(b []byte) {
	at := 0
	wide, narrow := j.fields()
	for _, p := range wide {
		binary.LittleEndian.PutUint64(b[at:], uint64(*p))
		at += 8
	}
	for _, x := range []float64{j.CPU, j.Memory, j.GPU, j.Disk} {
		binary.LittleEndian.PutUint64(b[at:], math.Float64bits(x))
		at += 8
	}
	for _, p := range narrow {
		binary.LittleEndian.PutUint32(b[at:], uint32(*p))
		at += 4
	}
}

func (j *storedJob) Decode(b []byte) {
	at := 0
	wide, narrow := j.fields()
	for _, p := range wide {
		*p = int64(binary.LittleEndian.Uint64(b[at:]))
		at += 8
	}
	for _, p := range []*float64{&j.CPU, &j.Memory, &j.GPU, &j.Disk} {
		*p = math.Float64frombits(binary.LittleEndian.Uint64(b[at:]))
		at += 8
	}
	for _, p := range narrow {
		*p = int32(binary.LittleEndian.Uint32(b[at:]))
		at += 4
	}
}
