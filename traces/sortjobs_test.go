package traces

import (
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"bourse/events"

	"github.com/google/go-cmp/cmp"
)

func TestJobSorter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	s := jobSorter{limit: 100}
	var jobs []Job
	for i := range 1234 {
		j := Job{ID: r.Int64(), Line: int64(i), Submit: events.Time(r.IntN(50)), Wait: 3, Run: events.Time(r.Int64()), Estimate: events.Unknown, CPU: r.Float64(),
			Memory: -1, Procs: 4, Task: 5, Pieces: 6, Status: 7, Priority: 8, Class: 9, Attempt: 10, Wasted: 11, User: 12, Group: 13, Queue: 14, Partition: 15, Prev: 16, Think: 17}
		jobs = append(jobs, j)
		if err := s.add((*storedJob)(&j)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.sort(); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(jobs, func(a, b Job) int { return (*storedJob)(&a).compare((*storedJob)(&b)) })
	var got []Job
	for {
		var j Job
		if err := s.next((*storedJob)(&j)); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		got = append(got, j)
	}
	if diff := cmp.Diff(jobs, got); diff != "" {
		t.Error(diff)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.dir); err == nil {
		t.Error("files are left")
	}
}
