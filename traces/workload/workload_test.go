package workload_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bourse/events"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
	"bourse/traces/workload"
)

// TestWorkloadRoundTrip: what Write writes, the reader reads as it was.
func TestWorkloadRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.parquet")
	rapid.Check(t, func(t *rapid.T) {
		jobs := tracetest.DrawJobs(t)
		if len(jobs) == 0 {
			return
		}
		jobs[0].GPU, jobs[0].Disk, jobs[0].Model = .5, 3, 2 // or there are no such columns
		for i := range jobs {                               // what SWF cannot tell
			j := &jobs[i]
			j.CPU, j.Wasted = float64(rapid.Int64Range(-1, 9).Draw(t, "cpu")),
				events.Time(rapid.Int64Range(0, 9).Draw(t, "wasted"))
			j.Priority, j.Class = int32(rapid.IntRange(-1, 450).Draw(t, "priority")),
				int32(rapid.IntRange(-1, 3).Draw(t, "class"))
			if i > 0 {
				j.GPU, j.Disk, j.Model = float64(rapid.IntRange(-1, 8).Draw(t, "gpu")),
					float64(rapid.IntRange(-1, 3).Draw(t, "disk")), traces.Label(rapid.IntRange(-1, 3).Draw(t, "model"))
			}
			j.Attempt = int32(rapid.IntRange(0, 3).Draw(t, "attempt"))
		}
		src := tracetest.NewSlice(jobs)
		src.Head.Asks = traces.Asks{GPU: true, Disk: true, Model: true}
		src.Head.Fields = []traces.Field{{Label: "MaxProcs", Text: "5 \"(x)\""}, {Label: "Note", Text: "ü"}}
		src.Head.Procs, src.Head.Start = rapid.IntRange(0, 1e6).Draw(t, "size"), rapid.Int64Range(0, 2e9).Draw(t, "start")
		if rapid.Bool().Draw(t, "words") {
			src.Head.Names = traces.Names{Users: inOrder(jobs, func(j *traces.Job) *traces.Label { return &j.User }),
				Queues: inOrder(jobs, func(j *traces.Job) *traces.Label { return &j.Queue })}
		}
		var out bytes.Buffer
		if n, err := workload.Write(&out, src); n != int64(len(jobs)) || err != nil {
			t.Fatal(n, err)
		}
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		back, err := formats.Open(path, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer traces.Close(back)
		got, err := tracetest.Rest(back)
		if err != nil {
			t.Fatal(err)
		}
		for i := range jobs {
			if jobs[i].Procs == 0 {
				jobs[i].Procs = -1
			}
			if jobs[i].Prev == 0 {
				jobs[i].Prev = -1
			}
		}
		if diff := cmp.Diff(jobs, got); diff != "" {
			t.Fatal(diff)
		}
		a, b := src.Head, back.Header()
		if a.Procs != b.Procs || a.Start != b.Start || !cmp.Equal(a.Fields, b.Fields) {
			t.Fatalf("header %+v became %+v", a, b)
		}
		for _, j := range jobs {
			was, _ := a.Names.Users.Text(j.User)
			if is, _ := b.Names.Users.Text(j.User); is != was {
				t.Fatalf("user %q became %q", was, is)
			}
		}
	})
}

// inOrder names a kind of labels by words, numbering them by first sight as a reader does.
func inOrder(jobs []traces.Job, label func(*traces.Job) *traces.Label) *traces.Words {
	w := &traces.Words{}
	for i := range jobs {
		if l := label(&jobs[i]); *l != traces.NoLabel {
			*l = w.Label([]byte{'w', byte('a' + *l)})
		}
	}
	return w
}

// TestWorkloadOfRealLog converts a log of several row groups and compares.
func TestWorkloadOfRealLog(t *testing.T) {
	for _, name := range []string{"LPC-EGEE-2004-1.2-cln.swf.gz", "theta_argonne.swf.gz"} {
		log := tracetest.Shared(t, "data/swf/"+name)
		src, err := formats.Open(log, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "w.bin") // found out by its content
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		n, err := workload.Write(f, src)
		if err := errors.Join(err, f.Close(), traces.Close(src)); err != nil {
			t.Fatal(err)
		}
		st, _ := os.Stat(path)
		t.Logf("%s: %d rows, %.1f bytes a row", name, n, float64(st.Size())/float64(n))
		want, err := tracetest.All(formats.Open, log, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := tracetest.All(formats.Open, path, traces.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			want[i].Line, got[i].Line, want[i].Prev, got[i].Prev = 0, 0, 0, 0
		}
		if !cmp.Equal(want, got) {
			t.Errorf("%s: jobs differ", name)
		}
	}
}

// full is a disk with room for so many bytes.
type full struct{ room int }

var errFull = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		n := f.room
		f.room = 0
		return n, errFull
	}
	f.room -= len(p)
	return len(p), nil
}

// TestWorkloadDiskFull fails the write at places all over a small file.
func TestWorkloadDiskFull(t *testing.T) {
	jobs := synthetic(t, "jobs=20&estimates=2")
	var whole bytes.Buffer
	if _, err := workload.Write(&whole, tracetest.NewSlice(jobs)); err != nil {
		t.Fatal(err)
	}
	for room := 0; room < whole.Len(); room += 23 {
		if _, err := workload.Write(&full{room}, tracetest.NewSlice(jobs)); !errors.Is(err, errFull) {
			t.Fatalf("with room for %d of %d bytes: %v", room, whole.Len(), err)
		}
	}
}

// TestWorkloadDamage cuts a file short and overwrites it everywhere: it is
// read, or refused with an error; nothing panics.
func TestWorkloadDamage(t *testing.T) {
	var whole bytes.Buffer
	if _, err := workload.Write(&whole, tracetest.NewSlice(synthetic(t, "jobs=300"))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "w.parquet")
	try := func(data []byte) error {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := tracetest.All(formats.Open, path, traces.Options{})
		return err
	}
	for cut := 0; cut < whole.Len(); cut += 37 {
		if err := try(whole.Bytes()[:cut]); err == nil {
			t.Fatalf("cut at %d of %d: no error", cut, whole.Len())
		}
	}
	for at := 0; at < whole.Len(); at += 7 {
		bad := bytes.Clone(whole.Bytes())
		bad[at] ^= 0xff
		if err := try(bad); err != nil && !strings.Contains(err.Error(), path) {
			t.Fatalf("byte %d: %v does not name the file", at, err)
		}
	}
}

func TestWorkloadErrors(t *testing.T) {
	dup := synthetic(t, "jobs=3")
	dup[2].ID = 1
	var out bytes.Buffer
	if _, err := workload.Write(&out, tracetest.NewSlice(dup)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "w.parquet")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tracetest.All(formats.Open, path, traces.Options{}); err == nil ||
		!strings.Contains(err.Error(), path+":3: duplicate job ID 1") {
		t.Error(err)
	}
	if jobs, err := tracetest.All(formats.Open, path, traces.Options{Skip: true}); err != nil || len(jobs) != 2 {
		t.Error(len(jobs), err)
	}
	if _, err := formats.Open("-", traces.Options{Stdin: &out}); err == nil ||
		!strings.Contains(err.Error(), "give a workload Parquet by its path") {
		t.Error(err)
	}
}

func BenchmarkWorkload(b *testing.B) {
	path := filepath.Join(b.TempDir(), "w.parquet")
	const n = 500_000
	src, err := formats.Open("synth:lublin?jobs=500000&estimates=2", traces.Options{})
	if err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := workload.Write(f, src); err != nil {
		b.Fatal(err)
	}
	f.Close()
	b.Run("read", func(b *testing.B) {
		tracetest.Benchmark(b, n, func() (traces.Source, error) { return formats.Open(path, traces.Options{}) })
	})
	jobs := synthetic(b, "jobs=500000&estimates=2")
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if _, err := workload.Write(&full{1 << 40}, tracetest.NewSlice(jobs)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "jobs/s")
	})
}

func synthetic(tb testing.TB, parameters string) []traces.Job {
	tb.Helper()
	jobs, err := tracetest.All(formats.Open, "synth:lublin?"+parameters, traces.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return jobs
}
