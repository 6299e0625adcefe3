package traces_test

import (
	"errors"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bourse/traces"
	"bourse/traces/tracetest"
)

// failing ends its jobs with an error of its own.
type failing struct {
	*tracetest.Slice
	err    error
	closed bool
}

func (f *failing) Next(j *traces.Job) error {
	if err := f.Slice.Next(j); err != io.EOF {
		f.Head.Ledger.Odd("seen")
		return err
	}
	return f.err
}

func (f *failing) Close() error { f.closed = true; return nil }

func TestAheadChangesNothing(t *testing.T) {
	boom := errors.New("boom")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 4*512).Draw(t, "n")
		jobs := make([]traces.Job, n)
		for i := range jobs {
			jobs[i].ID = int64(i)
		}
		end := rapid.SampledFrom([]error{io.EOF, boom}).Draw(t, "end")
		src := &failing{Slice: tracetest.NewSlice(jobs), err: end}
		src.Head.Ledger.Drop(traces.TooLarge, nil) // what was counted before counts too
		a := traces.Ahead(src)
		var got []traces.Job
		var j traces.Job
		var err error
		for err = a.Next(&j); err == nil; err = a.Next(&j) {
			got = append(got, j)
		}
		if err != end || a.Next(&j) != end {
			t.Fatalf("ended with %v, want %v, twice", err, end)
		}
		if len(got) != n || n > 0 && !cmp.Equal(got, jobs) {
			t.Fatalf("%d jobs of %d, or others", len(got), n)
		}
		if diff := cmp.Diff(src.Head.Ledger, a.Header().Ledger); diff != "" {
			t.Fatal(diff)
		}
		if err := traces.Close(a); err != nil || !src.closed {
			t.Fatal("not closed", err)
		}
	})
}

// TestAheadStops closes readers that are in mid-trace: their goroutines must go.
func TestAheadStops(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 50 {
		src := &failing{Slice: tracetest.NewSlice(make([]traces.Job, 100*512)), err: io.EOF}
		a := traces.Ahead(src)
		var j traces.Job
		if err := a.Next(&j); err != nil {
			t.Fatal(err)
		}
		if traces.Close(a); !src.closed {
			t.Fatal("inner source left open")
		}
		for err := a.Next(&j); err != nil; err = a.Next(&j) {
			if err == io.EOF {
				t.Fatal("a closed source says it is complete")
			}
			break
		}
	}
	for wait := 0; runtime.NumGoroutine() > before; wait++ {
		if wait == 12_000 { // two minutes
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
