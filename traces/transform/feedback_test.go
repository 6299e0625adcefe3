package transform_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/transform"
)

// TestFeedback plays the engine: it ends rows by hand and wants the right jobs to
// come, and everything that is wrong with who follows whom to be counted.
func TestFeedback(t *testing.T) {
	src := &jobList{jobs: []traces.Job{
		{ID: 1, Submit: 10, Prev: -1},
		{ID: 2, Submit: 20, Prev: 1, Think: 5},
		{ID: 1, Submit: 20, Prev: -1, Task: 1}, // the second row of job 1
		{ID: 3, Submit: 30, Prev: 2, Think: events.Unknown},
		{ID: 4, Submit: 40, Prev: 4, Think: 1},
		{ID: 5, Submit: 50, Prev: 77, Think: 1},
		{ID: 6, Submit: 60, Prev: 8, Think: 1},
		{ID: 7, Submit: 70, Prev: 6, Think: 1},
		{ID: 8, Submit: 80, Prev: 7, Think: 1},
		{ID: 9, Submit: 90, Prev: 8, Think: 1},
	}}
	f := transform.NewFeedback(src)
	var said strings.Builder
	next := func() {
		var j traces.Job
		switch err := f.Next(&j); {
		case errors.Is(err, io.EOF):
			said.WriteString("end ")
		case errors.Is(err, traces.ErrHeld):
			said.WriteString("held ")
		case err != nil:
			t.Fatal(err)
		default:
			fmt.Fprintf(&said, "%d@%d ", j.ID, int64(j.Submit))
		}
	}
	ended := func(id int64, at events.Time) {
		if f.Ended(id, at) {
			said.WriteString("! ")
		}
	}
	next()
	next()
	ended(1, 12)
	next() // 4, and then it is put back
	ended(1, 13)
	f.Unread()
	next()
	ended(2, 19)
	f.Unread()
	for range 3 {
		next()
	}
	next() // 5
	next() // 6
	next()
	ended(6, 100)
	next()
	ended(7, 110)
	ended(8, 120)
	ended(99, 121)
	for range 3 {
		next()
	}
	want := "1@10 1@20 4@40 ! 2@18 ! 2@18 3@19 4@40 5@50 6@60 held ! 7@101 ! ! 8@111 9@121 end "
	if said.String() != want {
		t.Errorf("the source said\n%s, wanted\n%s", said.String(), want)
	}
	odd := src.Header().Ledger.Oddities
	for what, n := range map[string]int64{transform.OddFollows: 5, transform.OddNoThink: 1, transform.OddSelf: 1,
		transform.OddNoPrev: 1, transform.OddPrevCycle: 1} {
		if odd[what] != n {
			t.Errorf("%q was counted %d times, wanted %d", what, odd[what], n)
		}
	}
	if len(odd) != 5 {
		t.Errorf("counted were %v", odd)
	}
}

// jobList serves jobs from memory.
type jobList struct {
	jobs   []traces.Job
	header traces.Header
	at     int
}

func (s *jobList) Header() *traces.Header {
	if s.header.Ledger == nil {
		s.header.Ledger = &traces.Ledger{}
	}
	return &s.header
}

func (s *jobList) Next(j *traces.Job) error {
	if s.at == len(s.jobs) {
		return io.EOF
	}
	*j = s.jobs[s.at]
	s.at++
	return nil
}
