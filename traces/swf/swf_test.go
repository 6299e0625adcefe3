package swf_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/input"
	"bourse/traces/swf"
	"bourse/traces/tracetest"
)

// TestSmall reads a log that has one of everything the reader tolerates.
func TestSmall(t *testing.T) {
	src, err := formats.Open("../formats/testdata/small.swf", traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close(src)
	s := events.Second
	u := events.Unknown
	job := func(id, line int64, submit, wait, run events.Time, procs int32, est events.Time, status int32,
		labels ...traces.Label) traces.Job {
		return traces.Job{ID: id, Line: line, Submit: submit, Wait: wait, Run: run, Procs: procs, Estimate: est,
			Status: status, CPU: -1, Memory: -1, GPU: -1, Disk: -1, Model: traces.NoLabel, Priority: -1, Class: -1,
			Pieces: 1, User: labels[0], Group: labels[1], Queue: labels[2], Partition: labels[3], Prev: -1, Think: u}
	}
	third := job(3, 16, 10*s+s/4, u, 3600*s, 8, 60*s, -1, 8, 2, 2, 1)
	third.Memory, third.Prev, third.Think = 1024.5, 1, 12*s+s/2
	want := []traces.Job{
		job(1, 13, 0, 5*s, 60*s, 4, 120*s, 1, 7, 1, 1, 1),
		job(2, 14, 10*s, u, s/2, 1, u, 1, 7, 1, 1, 1),
		third,
		job(4, 17, 20*s, 0, u, 2, 60*s, 5, 8, 2, 2, 1),
		job(6, 20, 25*s, 0, 10*s, 1, 60*s, 1, -1, -1, 0, -1),
		job(5, 19, 30*s, 0, 9*s, -1, u, 1, 9, 2, 2, 1),
		job(7, 21, 40*s, 0, s, 9, 60*s, 0, 7, 1, 1, 1),
		job(8, 22, 40*s, s, s, 1, 60*s, 1, 7, 1, 1, 1),
	}
	if diff := cmp.Diff(want, tracetest.Collect(t, src)); diff != "" {
		t.Error(diff)
	}
	h := src.Header()
	fields := []traces.Field{{Label: "Version", Text: "2.2"}, {Label: "Computer", Text: "Made-up machine"},
		{Label: "Installation", Text: "A test"}, {Label: "MaxJobs", Text: "8"}, {Label: "MaxNodes", Text: "4  (dual)"},
		{Label: "UnixStartTime", Text: "1000000000 # seconds"}, {Label: "Note", Text: "the first line and its continuation"},
		{Label: "MaxRuntime", Text: "100"}}
	if diff := cmp.Diff(fields, h.Fields); diff != "" {
		t.Error(diff)
	}
	if h.Procs != 8 || h.Start != 1e9 {
		t.Errorf("procs %d, start %d", h.Procs, h.Start)
	}
	notes := []traces.Note{{What: swf.OddExtra, Count: 1}, {What: traces.OddWait, Count: 1},
		{What: input.OddOrder, Count: 1}, {What: traces.OddEstimate, Count: 1}, {What: traces.OddStatus, Count: 1}}
	if diff := cmp.Diff(notes, h.Ledger.Notes()); diff != "" {
		t.Error(diff)
	}
	if lookup, ok := traces.As[traces.JobLookup](traces.Ahead(src)); !ok || !lookup.HasJob(8) || lookup.HasJob(9) ||
		lookup.HasJob(-1) {
		t.Error("Seen is wrong")
	}
}

// TestRequest takes the requested time from another field, of logs whose columns are shifted.
func TestRequest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(path, []byte("1 0 1 2 1 77 -1 1 99 -1 1 1 1 -1 1 -1 -1 -1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]events.Time{"": 99, "?request=6": 77} {
		src, err := swf.Open(path+query, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if j := tracetest.Collect(t, src)[0]; j.Estimate != want*events.Second {
			t.Errorf("%q: the requested time is %v, want %d s", query, j.Estimate, want)
		}
		if err := traces.Close(src); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"?request=0", "?request=19", "?request=x", "?requests=6", "?"} {
		if _, err := swf.Open(path+bad, traces.Options{}); err == nil || !strings.Contains(err.Error(), "want request=N") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestMachineSize reads how many processors a header speaks of.
func TestMachineSize(t *testing.T) {
	for text, want := range map[string]int{
		"MaxProcs: 1664 (72, 1368, 224)": 1664, "MaxNodes: 70  (dual)": 140, "MaxNodes: 32 (dual CPU)": 64,
		"MaxNodes: 70  (dual)|MaxProcs: 141": 141,
		"MaxProcs: N/A|MaxNodes: 12":         12, "maxprocs:7": 7, "MaxProcs: -1": 0, "": 0, "MaxProcs: 99999999999999999999": 0,
	} {
		in := ";" + strings.ReplaceAll(text, "|", "\n;") + "\n" + tracetest.SWFLine(1)
		src, err := formats.Open("-", traces.Options{Stdin: strings.NewReader(in)})
		if err != nil {
			t.Fatal(err)
		}
		if got := src.Header().Procs; got != want {
			t.Errorf("%q: %d processors, want %d", text, got, want)
		}
	}
}

// TestLinesAnyChunks: however the input arrives, the lines are the same.
func TestLinesAnyChunks(t *testing.T) {
	text, err := os.ReadFile("../formats/testdata/small.swf")
	if err != nil {
		t.Fatal(err)
	}
	want, err := tracetest.All(formats.Open, "../formats/testdata/small.swf", traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		src, err := formats.Open("-", traces.Options{Stdin: &chunks{t, text}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := tracetest.Rest(src)
		if err != nil || !cmp.Equal(want, got) {
			t.Fatal(err, cmp.Diff(want, got))
		}
	})
}

type chunks struct {
	t    *rapid.T
	text []byte
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.text[:min(len(c.text), rapid.IntRange(0, 300).Draw(c.t, "n"))])
	c.text = c.text[n:]
	return n, nil
}

// TestNoAllocation: a record costs no allocation.
func TestNoAllocation(t *testing.T) {
	var text bytes.Buffer
	for i := range 20_000 {
		text.WriteString(tracetest.SWFLine(i+1, "6=12.5"))
	}
	src, err := formats.Open("-", traces.Options{Stdin: &text, SortWindow: 100})
	if err != nil {
		t.Fatal(err)
	}
	var j traces.Job
	if n := testing.AllocsPerRun(15_000, func() {
		if err := src.Next(&j); err != nil {
			t.Fatal(err)
		}
	}); n > 0.1 {
		t.Errorf("%v allocations a record", n)
	}
}

// FuzzSWF: whatever the bytes, the reader ends, with jobs that keep the
// promises of a Source, and with a ledger that adds up.
func FuzzSWF(f *testing.F) {
	small, err := os.ReadFile("../formats/testdata/small.swf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small, true)
	f.Add([]byte(tracetest.SWFLine(1)+tracetest.SWFLine(2, "2=-1", "4=-1")+tracetest.SWFLine(2)), false)
	f.Add([]byte(";\n;x:\n;MaxNodes: 3 (quad)\n1 2 3"), true)
	f.Add([]byte("\x1f\x8b\x08\x00"), false)
	f.Fuzz(func(t *testing.T, data []byte, skip bool) {
		src, err := formats.Open("-", traces.Options{Stdin: bytes.NewReader(data), Skip: skip, SortWindow: 4})
		if err != nil {
			return
		}
		var n int64
		var j, last traces.Job
		for {
			err = src.Next(&j)
			if err != nil {
				break
			}
			if n > 0 && !tracetest.InOrder(&last, &j) || j.Submit < 0 || j.Run < events.Unknown || j.Pieces != 1 ||
				j.Wait < events.Unknown ||
				j.Estimate == 0 || j.Estimate < events.Unknown || j.Status < -1 || j.Status > 5 || j.Think < events.Unknown ||
				!(j.Memory >= -1) {
				t.Fatalf("%+v after %+v", j, last)
			}
			n, last = n+1, j
		}
		l := src.Header().Ledger
		if err == io.EOF && l.Replayed() != n || n > l.Read {
			t.Fatalf("%d jobs, ledger %+v, %v", n, l, err)
		}
		if err != io.EOF && !strings.Contains(err.Error(), "stdin") {
			t.Fatalf("%v does not name the input", err)
		}
	})
}

// TestSWFRoundTrip: what Write writes, the reader reads as it was.
func TestSWFRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := tracetest.DrawJobs(t)
		if len(jobs) == 0 {
			return // a log without jobs is refused
		}
		src := tracetest.NewSlice(jobs)
		src.Head.Procs, src.Head.Start = rapid.IntRange(0, 1e6).Draw(t, "size"), rapid.Int64Range(0, 2e9).Draw(t, "start")
		src.Head.Fields = []traces.Field{{Label: "Computer", Text: "a  machine"}, {Label: "Note", Text: ""},
			{Label: "Note", Text: "with: colon"}}
		var text bytes.Buffer
		n, err := swf.Write(&text, src)
		if err != nil || n != int64(len(jobs)) {
			t.Fatal(n, err)
		}
		back, err := formats.Open("-", traces.Options{Stdin: &text})
		if err != nil {
			t.Fatal(err)
		}
		got, err := tracetest.Rest(back)
		if err != nil {
			t.Fatal(err)
		}
		for i := range jobs {
			jobs[i].Line, got[i].Line = 0, 0
			jobs[i].Procs = normProcs(jobs[i].Procs)
			if jobs[i].Estimate == 0 {
				jobs[i].Estimate = events.Unknown // a request of no time is none
			}
			got[i].Procs = normProcs(got[i].Procs)
		}
		if diff := cmp.Diff(jobs, got); diff != "" {
			t.Fatal(diff)
		}
		if h := back.Header(); h.Procs != src.Head.Procs || h.Start != src.Head.Start || len(h.Ledger.Oddities) > 1 ||
			traces.FieldText(h.Fields, "Computer") != "a  machine" {
			t.Fatalf("header %+v, ledger %+v", h, h.Ledger)
		}
	})
}

// normProcs: 0 and -1 both tell of no processors.
func normProcs(p int32) int32 { return max(p, 0) }
