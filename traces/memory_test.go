package traces

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"bourse/events"
)

func TestFirst(t *testing.T) {
	all := MemoryOf(Job{ID: 1}, Job{ID: 2}, Job{ID: 3})
	for n, want := range []int{0, 1, 2, 3, 3} {
		some, read := all.First(n).Source(), 0
		var j Job
		for {
			err := some.Next(&j)
			if errors.Is(err, io.EOF) {
				break
			}
			if read++; err != nil || j.ID != int64(read) {
				t.Fatalf("job %d is %d, %v", read, j.ID, err)
			}
		}
		if read != want {
			t.Errorf("the first %d are %d, want %d", n, read, want)
		}
	}
	if all.Len() != 3 {
		t.Errorf("%d jobs are left", all.Len())
	}
}

// TestPacked wants jobs back as they were, whatever their fields, one by one and in order.
func TestPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 2*chunkJobs + 77
	jobs := make([]Job, n)
	for i := range jobs {
		j := &jobs[i]
		*j = UnknownJob
		j.ID, j.Line, j.Submit = int64(i)*7, int64(i), events.Time(i)*events.Second
		j.Procs, j.Memory, j.User = int32(r.Uint32()), math.Float64frombits(r.Uint64()>>2), Label(r.Int64())
		j.Run, j.Prev, j.Think = events.Time(r.Uint64()), []int64{math.MinInt64, math.MaxInt64}[r.IntN(2)],
			events.Time(r.IntN(2))
		if i > chunkJobs { // all fields differ
			for f, x := 0, numbersOf(j); f < len(x); f++ {
				x[f] += int64(r.Uint32())
				x.unpack(j)
			}
		}
	}
	m := MemoryOf(jobs...)
	loaded, err := Load(m.Source())
	if err != nil || m.Len() != n || loaded.Len() != n {
		t.Fatalf("%d and %d jobs, %v; want %d", m.Len(), loaded.Len(), err, n)
	}
	src := loaded.Source()
	for i := range jobs {
		if i == 5000 {
			src = src.Fork().(*Cursor)
		}
		var j Job
		if err := src.Next(&j); err != nil {
			t.Fatal(err)
		}
		for _, got := range []Job{j, m.Job(i), loaded.Job(i)} {
			if numbersOf(&got) != numbersOf(&jobs[i]) {
				t.Fatalf("job %d is %+v, want %+v", i, got, jobs[i])
			}
		}
	}
}

// TestPackedIsWhole wants a field of a job to be changed by its number, so that none is
// left out.
func TestPackedIsWhole(t *testing.T) {
	var j Job
	fields := reflect.ValueOf(&j).Elem()
	if n := len(numbers{}); fields.NumField() != n {
		t.Fatalf("a job has %d fields, packed are %d", fields.NumField(), n)
	}
	for i := range fields.NumField() {
		j = Job{}
		if f := fields.Field(i); f.CanInt() {
			f.SetInt(int64(i + 1))
		} else {
			f.SetFloat(float64(i) + .5)
		}
		var back Job
		x := numbersOf(&j)
		x.unpack(&back)
		if back != j {
			t.Errorf("%s is lost: %+v", fields.Type().Field(i).Name, back)
		}
	}
}
