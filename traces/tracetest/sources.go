package tracetest

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bourse/events"
	"bourse/traces"
)

// Rest reads src to its end.
func Rest(src traces.Source) (jobs []traces.Job, err error) {
	for {
		var j traces.Job
		switch err := src.Next(&j); err {
		case nil:
			jobs = append(jobs, j)
		case io.EOF:
			return jobs, nil
		default:
			return jobs, err
		}
	}
}

func Collect(tb testing.TB, src traces.Source) []traces.Job {
	tb.Helper()
	jobs, err := Rest(src)
	if err != nil {
		tb.Fatal(err)
	}
	return jobs
}

const BenchLog = "data/swf/LPC-EGEE-2004-1.2-cln.swf.gz"

// Drain reads src to its end.
func Drain(tb testing.TB, src traces.Source) (n int) {
	tb.Helper()
	var j traces.Job
	for {
		switch err := src.Next(&j); err {
		case nil:
			n++
		case io.EOF:
			return n
		default:
			tb.Fatal(err)
		}
	}
}

func Benchmark(b *testing.B, bytesPerRun int, open func() (traces.Source, error)) {
	b.ReportAllocs()
	b.SetBytes(int64(bytesPerRun))
	jobs := 0
	for b.Loop() {
		src, err := open()
		if err != nil {
			b.Fatal(err)
		}
		jobs += Drain(b, src)
		traces.Close(src)
	}
	b.ReportMetric(float64(jobs)/b.Elapsed().Seconds(), "jobs/s")
}

// Slice is a Source over jobs in memory.
type Slice struct {
	Head traces.Header
	jobs []traces.Job
	next int
}

func NewSlice(jobs []traces.Job) *Slice {
	return &Slice{Head: traces.Header{Name: "memory", Format: "memory", Ledger: &traces.Ledger{}}, jobs: jobs}
}

func (s *Slice) Header() *traces.Header { return &s.Head }

func (s *Slice) Next(j *traces.Job) error {
	if s.next == len(s.jobs) {
		return io.EOF
	}
	*j = s.jobs[s.next]
	s.next++
	s.Head.Ledger.Read++
	return nil
}

// DrawJobs makes jobs as a reader might: sorted, some unusable.
func DrawJobs(t *rapid.T) []traces.Job {
	n := rapid.IntRange(0, 60).Draw(t, "jobs")
	jobs := make([]traces.Job, n)
	at := events.Time(0)
	for i := range jobs {
		at += events.Time(rapid.Int64Range(0, 1e9).Draw(t, "gap"))
		jobs[i] = traces.Job{
			ID: int64(i + 1), Line: int64(i + 1), Submit: at, Pieces: 1,
			Wait: drawTime(t, "wait"), Run: drawTime(t, "run"), Estimate: drawTime(t, "estimate"), Think: drawTime(t, "think"),
			Memory: float64(rapid.Int64Range(-1, 1e6).Draw(t, "memory")), CPU: -1, GPU: -1, Disk: -1, Model: traces.NoLabel,
			Priority: -1, Class: -1,
			Procs: int32(rapid.IntRange(-1, 12).Draw(t, "procs")), Status: int32(rapid.IntRange(-1, 5).Draw(t, "status")),
			User:      traces.Label(rapid.IntRange(-1, 9).Draw(t, "user")),
			Group:     traces.Label(rapid.IntRange(-1, 9).Draw(t, "group")),
			Queue:     traces.Label(rapid.IntRange(-1, 9).Draw(t, "queue")),
			Partition: traces.Label(rapid.IntRange(-1, 9).Draw(t, "partition")),
			Prev:      int64(rapid.IntRange(-1, n).Draw(t, "prev")),
		}
	}
	return jobs
}

// drawTime is unknown, whole seconds, or any number of microseconds.
func drawTime(t *rapid.T, name string) events.Time {
	v := rapid.Int64Range(-1, 100).Draw(t, name)
	switch {
	case v < 0:
		return events.Unknown
	case v < 80:
		return events.Time(v) * events.Second
	}
	return events.Time(rapid.Int64Range(0, 1e12).Draw(t, name+"_us"))
}

// SWFLine is a good record of job id, with some fields replaced: "4=x".
func SWFLine(id int, changes ...string) string {
	f := strings.Fields(fmt.Sprintf("%d %d 0 10 1 -1 -1 1 20 -1 1 1 1 1 1 1 -1 -1", id, id*10))
	for _, c := range changes {
		at, text, _ := strings.Cut(c, "=")
		i, _ := strconv.Atoi(at)
		f[i-1] = text
	}
	return strings.Join(f, " ") + "\n"
}

// GoogleTrace writes tables into a folder, a part for each text.
func GoogleTrace(t testing.TB, machines string, parts ...string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(table, name, text string) {
		if err := os.MkdirAll(filepath.Join(dir, table), 0o777); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(filepath.Join(dir, table, name))
		if err != nil {
			t.Fatal(err)
		}
		z := gzip.NewWriter(f)
		io.WriteString(z, text)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	for i, text := range parts {
		write("task_events", fmt.Sprintf("part-%05d-of-00500.csv.gz", i), text)
	}
	if machines != "" {
		write("machine_events", "part-00000-of-00001.csv.gz", machines)
	}
	return dir
}

// GoogleEvents writes rows of task_events from "seconds job task event"; "after" stands
// for a time after the window.
func GoogleEvents(rows ...string) string {
	var b strings.Builder
	for _, r := range rows {
		var at string
		var job, task, kind int
		fmt.Sscan(r, &at, &job, &task, &kind)
		if at = at + "000000"; at == "after000000" {
			at = "9223372036854775807"
		}
		fmt.Fprintf(&b, "%s,,%d,%d,7,%d,user%d=,2,%d,0.125,0.0625,0.0001,0\n", at, job, task, kind, job, job%10)
	}
	return b.String()
}

// InOrder reports whether a comes before b in a stream: by submission, then by line.
func InOrder(a, b *traces.Job) bool {
	return a.Submit < b.Submit || a.Submit == b.Submit && a.Line < b.Line
}

// All opens spec with open and reads it to its end.
func All(open func(string, traces.Options) (traces.Source, error), spec string,
	o traces.Options) ([]traces.Job, error) {
	src, err := open(spec, o)
	if err != nil {
		return nil, err
	}
	defer traces.Close(src)
	return Rest(src)
}
