package record

import (
	"bytes"
	"math"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/record/recordtest"
	"bourse/traces"
	"bourse/traces/table"
)

// writeAll writes records in a format and returns the bytes.
func writeAll[R any](t testing.TB, f *Format, table []Field[R], names *traces.Names, records []R) []byte {
	var out bytes.Buffer
	d, err := NewStream(&out, "test", f, table, names, NotesOf("test", "1", ColumnsOf(table)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range records {
		if err := d.Add(&records[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Finish(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func roundTrip[R any](t *testing.T, table []Field[R], names *traces.Names, records []R) {
	t.Helper()
	want := cells(table, names, records)
	for i := range formats {
		got := readers[formats[i].Name](t, writeAll(t, &formats[i], table, names, records))
		if len(got) != len(want) {
			t.Fatalf("%s: %d rows, want %d", formats[i].Name, len(got)-1, len(want)-1)
		}
		for row := range want {
			if !slices.Equal(got[row], want[row]) {
				t.Fatalf("%s, row %d:\n got %q\nwant %q", formats[i].Name, row, got[row], want[row])
			}
		}
	}
}

func TestRoundTripJobs(t *testing.T) {
	for _, n := range []int{0, 1, batchRows, batchRows + 1, 3*batchRows + 7} {
		t.Run(strconv.Itoa(n), func(t *testing.T) { roundTrip(t, JobColumns, &traces.Names{}, recordtest.MakeJobs(n, 3)) })
	}
}

func TestRoundTripWords(t *testing.T) {
	users := &traces.Words{}
	records := recordtest.MakeJobs(500, 4)
	for i := range records {
		records[i].Job.User = users.Label([]byte("user, \"" + strconv.Itoa(i%7) + "\"\nof é "))
		records[i].Job.Estimate = events.Unknown
	}
	roundTrip(t, JobColumns, &traces.Names{Users: users}, records)
}

func TestRoundTripRowGroups(t *testing.T) {
	records := recordtest.MakeJobs(table.GroupRows+batchRows+5, 5)
	got := readParquet(t, writeAll(t, &formats[0], JobColumns, &traces.Names{}, records))
	if len(got) != len(records)+1 || got[len(records)][0] != strconv.Itoa(len(records)) {
		t.Fatalf("%d rows, the last of job %s", len(got)-1, got[len(got)-1][0])
	}
}

func TestRoundTripSegmentsAndSeries(t *testing.T) {
	job := traces.Job{ID: 7, Task: 2, Procs: 4}
	roundTrip(t, SegmentColumns, &traces.Names{}, []engine.Segment{
		{Job: &job, Start: 1, End: 2_500_000, Charge: 12.5, Nodes: []byte("0-2 7")}, {Job: &job, Start: 5, End: 5}})
	roundTrip(t, SeriesColumns, &traces.Names{}, []engine.Sample{
		{Time: 0, Running: 1, Use: policies.Amount{CPU: 3}, Capacity: policies.Amount{CPU: 4}, Price: 0.1},
		{Time: 10, Queued: 9, Use: policies.Amount{CPU: 4}, Capacity: policies.Amount{CPU: 4}}})
}

// Long lists of processors must not make batches or row groups huge.
func TestRoundTripLongText(t *testing.T) {
	job := traces.Job{ID: 1, Procs: 1}
	nodes := bytes.Repeat([]byte("123456 "), 8_000)
	records := make([]engine.Segment, 2*rowGroupText/len(nodes))
	for i := range records {
		records[i] = engine.Segment{Job: &job, Start: events.Time(i), End: events.Time(i + 1), Nodes: nodes[:len(nodes)-i]}
	}
	data := writeAll(t, &formats[0], SegmentColumns, &traces.Names{}, records)
	got := readParquet(t, data)
	if len(got) != len(records)+1 {
		t.Fatalf("%d rows, want %d", len(got)-1, len(records))
	}
	for i := range records {
		if got[i+1][2] != string(records[i].Nodes) {
			t.Fatalf("row %d: %d bytes, want %d", i, len(got[i+1][2]), len(records[i].Nodes))
		}
	}
}

// Equal records must give equal bytes, however many threads there are.
func TestSameBytesOnAnyNumberOfThreads(t *testing.T) {
	records := recordtest.MakeJobs(2*batchRows, 6)
	for i := range formats {
		var seen [][]byte
		for _, n := range []int{1, 2, 2} {
			before := runtime.GOMAXPROCS(n)
			seen = append(seen, writeAll(t, &formats[i], JobColumns, &traces.Names{}, records))
			runtime.GOMAXPROCS(before)
		}
		if !bytes.Equal(seen[0], seen[1]) || !bytes.Equal(seen[1], seen[2]) {
			t.Errorf("%s: bytes differ", formats[i].Name)
		}
	}
}

func TestAppendFloatReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		if y, err := strconv.ParseFloat(string(appendFloat(nil, x)), 64); err != nil || y != x {
			t.Fatalf("%v became %v, %v", x, y, err)
		}
	})
	for x, want := range map[float64]string{0: "0", math.Copysign(0, -1): "0", -2: "-2", 1e15: "1000000000000000",
		0.1: "0.1", 1e-9: "1e-09", 2.5e30: "2.5e+30"} {
		if got := string(appendFloat(nil, x)); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}
