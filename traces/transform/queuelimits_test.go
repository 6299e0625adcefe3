package transform_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"bourse/traces"
	"bourse/traces/transform"
)

func TestQueueLimits(t *testing.T) {
	jobs := []traces.Job{
		{ID: 1, Procs: 4, Queue: 1}, {ID: 2, Procs: 5, Queue: 1}, {ID: 3, Procs: 9, Queue: 2},
		{ID: 4, Procs: 9, Queue: 3}, {ID: 5, Procs: 2, Queue: traces.NoLabel}, {ID: 6, Procs: 3, Queue: traces.NoLabel},
		{ID: 7, Procs: 99, Queue: 1},
	}
	for _, c := range []struct {
		limits string
		want   []int64
		over   int64
		note   string
	}{
		{"", []int64{1, 2, 3, 4, 5, 6}, 0, ""},
		{" ; ", []int64{1, 2, 3, 4, 5, 6}, 0, ""},
		{"1: procs <= 4", []int64{1, 3, 4, 5, 6}, 1, ""},
		{"1: procs <= 4; 3: false;", []int64{1, 3, 5, 6}, 2, ""},
		{"*: procs <= 2; 2: true; 77: false", []int64{3, 5}, 4, transform.OddQueue + "77"},
	} {
		src := &jobList{jobs: jobs}
		src.Header().Ledger.Read = int64(len(jobs))
		treated, err := transform.Apply(src, transform.Options{Procs: 64, QueueLimits: c.limits})
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for err == nil {
			var j traces.Job
			if err = treated.Next(&j); err == nil {
				got = append(got, j.ID)
			}
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		l := src.Header().Ledger
		if !slices.Equal(got, c.want) || l.Dropped[traces.OverLimits] != c.over || l.Dropped[traces.TooLarge] != 1 ||
			l.Replayed() != int64(len(got)) {
			t.Errorf("%q: %v passed, %d were over; wanted %v and %d", c.limits, got, l.Dropped[traces.OverLimits], c.want,
				c.over)
		}
		if (c.note == "") != (len(l.Notes()) == 0) || c.note != "" && l.Oddities[c.note] != 1 {
			t.Errorf("%q: notes %v, wanted %q", c.limits, l.Notes(), c.note)
		}
	}
	for limits, want := range map[string]string{
		"procs <= 4":               "a queue, a colon and a condition",
		": procs <= 4":             "a queue, a colon and a condition",
		"1: prosc <= 4":            `queue 1: unknown name prosc`,
		"1: procs":                 "queue 1: expected bool",
		"1: procs<=4; 1: run <= 4": "queue 1 has two limits",
		"*: procs<=4; *: run <= 4": "queue * has two limits",
	} {
		if _, err := transform.Apply(&jobList{}, transform.Options{QueueLimits: limits}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; wanted %q", limits, err, want)
		}
	}
}

// TestQueueLimitsByName wants queues of traces with words to be known by them.
func TestQueueLimitsByName(t *testing.T) {
	words := &traces.Words{}
	src := &jobList{jobs: []traces.Job{{ID: 1, Procs: 4, Queue: words.Label([]byte("debug"))},
		{ID: 2, Procs: 4, Queue: words.Label([]byte("long"))}}}
	src.Header().Names.Queues = words
	treated, err := transform.Apply(src, transform.Options{QueueLimits: "debug: procs < 4"})
	if err != nil {
		t.Fatal(err)
	}
	var j traces.Job
	if err := treated.Next(&j); err != nil || j.ID != 2 {
		t.Errorf("job %d, %v; wanted 2, which is not in debug", j.ID, err)
	}
}
