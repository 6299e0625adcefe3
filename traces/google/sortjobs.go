package google

import (
	"cmp"
	"encoding/binary"
	"math"

	"bourse/traces"
	"bourse/traces/input"
)

// jobSorter puts any number of jobs in order of (submission, line).
type jobSorter = input.DiskSorter[storedJob, *storedJob]

// storedJob is a job with its form on disk.
type storedJob traces.Job

func (j *storedJob) Compare(k *storedJob) int {
	if c := cmp.Compare(j.Submit, k.Submit); c != 0 {
		return c
	}
	return cmp.Compare(j.Line, k.Line)
}

// jobBytes is the size of a job on disk: 13 whole numbers and 2 others of 8 bytes, 7
// whole ones of 4.
const jobBytes = 15*8 + 7*4

// fields lists a job's numbers by size.
func (j *storedJob) fields() ([]*int64, []*int32) {
	return []*int64{
			&j.ID, &j.Line, (*int64)(&j.Submit), (*int64)(&j.Wait), (*int64)(&j.Run), (*int64)(&j.Estimate), &j.Prev,
			(*int64)(&j.Think), (*int64)(&j.Wasted), (*int64)(&j.User), (*int64)(&j.Group), (*int64)(&j.Queue), (*int64)(&j.Partition),
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
	for _, x := range []float64{j.CPU, j.Memory} {
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
	for _, p := range []*float64{&j.CPU, &j.Memory} {
		*p = math.Float64frombits(binary.LittleEndian.Uint64(b[at:]))
		at += 8
	}
	for _, p := range narrow {
		*p = int32(binary.LittleEndian.Uint32(b[at:]))
		at += 4
	}
}
