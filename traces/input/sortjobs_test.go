package input

import (
	order "cmp"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bourse/events"
	"bourse/traces"
)

func TestJobSorter(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	r := rand.New(rand.NewPCG(1, 2))
	s := JobSorter{}
	s.Limit = 100
	var jobs []traces.Job
	for i := range 1234 {
		j := traces.Job{ID: r.Int64(), Line: int64(i), Submit: events.Time(r.IntN(50)), Wait: 3, Run: events.Time(r.Int64()),
			Estimate: events.Unknown, CPU: r.Float64(),
			Memory: -1, Procs: 4, Task: 5, Pieces: 6, Status: 7, Priority: 8, Class: 9, Attempt: 10, Wasted: 11, User: 12,
			Group: 13, Queue: 14, Partition: 15, Prev: 16, Think: 17}
		jobs = append(jobs, j)
		if err := s.Add(&j, j.Line); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Sort(); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(jobs, func(a, b traces.Job) int { return order.Compare(a.Submit, b.Submit) })
	var got []traces.Job
	for {
		var j traces.Job
		if err := s.Next(&j); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		got = append(got, j)
	}
	if diff := cmp.Diff(jobs, got); diff != "" {
		t.Error(diff)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
