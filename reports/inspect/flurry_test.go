package inspect

import (
	"strings"
	"testing"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
	"bourse/traces/transform"
)

// TestFlurry: a burst of one user is found, named, and removed by its filter.
func TestFlurry(t *testing.T) {
	var jobs []traces.Job
	put := func(week, n int64, user traces.Label) {
		for i := range n {
			j := traces.UnknownJob
			j.Submit, j.User, j.Run, j.Procs = events.Time(week)*events.Week+events.Time(i)*events.Second, user, 1, 1
			jobs = append(jobs, j)
		}
	}
	for week := range int64(8) {
		put(week, 90, 1)
		put(week, 80, 2)
		if week == 4 || week == 5 {
			put(week, 700, 3)
		}
		if week == 7 {
			put(week, 300, 4) // many, and too few for a flurry
		}
	}
	src := tracetest.NewSlice(jobs)
	for i := range jobs {
		jobs[i].ID = int64(i)
	}
	in, err := Inspect(src)
	if err != nil {
		t.Fatal(err)
	}
	found := in.flurries()
	if len(found) != 1 || found[0] != (Flurry{User: 3, From: 4 * events.Week, Until: 6 * events.Week, Jobs: 1400,
		Of: 1740}) {
		t.Fatalf("%+v", found)
	}
	want := "a flurry: user 3 submitted 1,400 of 1,740 jobs from 28d00h to 42d00h; this filter leaves it out: '!(user " +
		"== 3 && submit >= 2419200 && submit < 3628800)'"
	if list := strings.Join(in.Oddities(), "\n"); !strings.Contains(list, want) {
		t.Errorf("%s\nwant %s", list, want)
	}
	kept, err := transform.Apply(tracetest.NewSlice(jobs), transform.Options{Where: found[0].Where(nil)})
	if err != nil {
		t.Fatal(err)
	}
	left, l := tracetest.Collect(t, kept), kept.Header().Ledger
	if len(left) != len(jobs)-1400 || l.Dropped[traces.Filtered] != 1400 {
		t.Errorf("%d of %d jobs are left", len(left), len(jobs))
	}
	if again, _ := Inspect(tracetest.NewSlice(left)); len(again.flurries()) != 0 {
		t.Errorf("still %+v", again.flurries())
	}
	if got := found[0].Where(&traces.Words{}); !strings.Contains(got, `user == "3"`) {
		t.Error(got)
	}
}

// TestFlurriesOfLogs: cleaned logs have lost their flurries; what is found in them
// and in others is kept here.
func TestFlurriesOfLogs(t *testing.T) {
	for file, want := range map[string]int{"KTH-SP2-1996-2.1-cln.swf.gz": 0, "CTC-SP2-1996-3.1-cln.swf.gz": 0,
		"SDSC-BLUE-2000-4.2-cln.swf.gz": 0, "DAS2-fs1-2003-1.swf.gz": 9} {
		src, err := formats.Open(tracetest.Shared(t, "data/swf/"+file), traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := Inspect(src)
		traces.Close(src)
		if err != nil {
			t.Fatal(err)
		}
		if found := in.flurries(); len(found) != want {
			t.Errorf("%s: %+v", file, found)
		}
	}
}
