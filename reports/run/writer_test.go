package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/ipc"

	"bourse/engine"
	"bourse/policies"
	"bourse/reports/record"
	"bourse/reports/record/recordtest"
	"bourse/traces"
	"bourse/traces/files"
)

// list names everything in dir, hidden files included.
func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func holds(t *testing.T, dir string, want ...string) {
	t.Helper()
	if got := list(t, dir); !slices.Equal(got, want) {
		t.Errorf("the directory holds %q, want %q", got, want)
	}
}

func fails(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not tell %q", err, w)
		}
	}
}

// fill writes n jobs until the first error.
func fill(r *Writer, n int) error {
	records := recordtest.MakeJobs(n, 9)
	job := traces.Job{ID: 1, Procs: 1}
	for i := range records {
		if err := r.Record(&records[i]); err != nil {
			return err
		}
		if err := r.Segment(&engine.Segment{Job: &job, End: 5, Charge: 1}); err != nil {
			return err
		}
		if err := r.Sample(&engine.Sample{Capacity: policies.Amount{CPU: 1}}); err != nil {
			return err
		}
	}
	return nil
}

func write(t *testing.T, dir string, o Options) {
	t.Helper()
	r, err := Create(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := fill(r, 100); err != nil {
		t.Fatal(err)
	}
	if err := r.Commit(summaryOf(t, 100), &Manifest{Seed: 5, Scenario: json.RawMessage(`{"policy": "hb"}`)}); err != nil {
		t.Fatal(err)
	}
	if err := r.Abort(); err != nil {
		t.Error("Abort after Commit:", err)
	}
}

func TestRunIsCompleteAndDeterministic(t *testing.T) {
	a, b := filepath.Join(t.TempDir(), "new", "a"), t.TempDir()
	o := Options{Segments: true, Series: true, Version: "1.2.3"}
	write(t, a, o)
	write(t, b, o)
	holds(t, a, "jobs.parquet", "manifest.json", "segments.parquet", "series.parquet", "summary.json")
	for _, name := range list(t, a) {
		x, _ := os.ReadFile(filepath.Join(a, name))
		y, _ := os.ReadFile(filepath.Join(b, name))
		if !bytes.Equal(x, y) {
			t.Errorf("%s differs between two equal runs", name)
		}
	}
	m, err := ReadManifest(filepath.Join(a, ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range m.Datasets {
		sum, err := HashFile(filepath.Join(a, d.File))()
		if err != nil || sum != d.SHA256 || d.Rows != 100 {
			t.Errorf("manifest says %+v; the file's hash is %s, %v", d, sum, err)
		}
	}
}

func TestNothingAppearsBeforeCommit(t *testing.T) {
	dir := t.TempDir()
	r, err := Create(dir, Options{Series: true})
	if err != nil {
		t.Fatal(err)
	}
	fill(r, 100)
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		t.Fatalf("%v, %v", entries, err)
	}
	for _, e := range entries {
		if !files.IsTemporary(e.Name()) {
			t.Errorf("%s is there before the run is complete", e.Name())
		}
	}
	if err := r.Abort(); err != nil {
		t.Error(err)
	}
	holds(t, dir)
	fails(t, r.Commit(nil, nil), "ended already")
}

func TestEarlierRunIsKeptOrReplaced(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, Options{Version: "1", Segments: true})
	os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("mine"), 0o666)
	_, err := Create(dir, Options{Version: "2", Format: "csv"})
	fails(t, err, dir, "earlier run")

	r, err := Create(dir, Options{Version: "2", Format: "csv", Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	r.Abort() // an aborted replacement leaves the earlier run
	holds(t, dir, "jobs.parquet", "manifest.json", "notes.txt", "segments.parquet", "summary.json")

	write(t, dir, Options{Version: "2", Format: "csv", Overwrite: true})
	holds(t, dir, "jobs.csv", "manifest.json", "notes.txt", "summary.json")
}

func TestForeignFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "jobs.parquet")
	os.WriteFile(path, []byte("foreign"), 0o666)
	_, err := Create(dir, Options{})
	fails(t, err, path, "exists already")
	os.Remove(path)
	os.WriteFile(filepath.Join(dir, ManifestFile), []byte("{}"), 0o666)
	_, err = Create(dir, Options{Overwrite: true})
	fails(t, err, "not a manifest of bourse")
	holds(t, dir, ManifestFile)
}

func TestLeftoversOfKilledRunsAreCleared(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, ".bourse-999999999-jobs.parquet.tmp"), nil, 0o666)
	write(t, dir, Options{Format: "csv"})
	holds(t, dir, "jobs.csv", "manifest.json", "summary.json")

	other := t.TempDir()
	first, err := Create(other, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, overwrite := range []bool{false, true} {
		_, err = Create(other, Options{Overwrite: overwrite})
		fails(t, err, other, "another process is writing")
	}
	if err := errors.Join(fill(first, 10), first.Commit(nil, nil)); err != nil {
		t.Fatal(err)
	}
	holds(t, other, "jobs.parquet")
}

func TestUnusableDirectories(t *testing.T) {
	base := t.TempDir()
	path := filepath.Join(base, "file")
	os.WriteFile(path, nil, 0o666)
	_, err := Create(path, Options{})
	fails(t, err, path, "not a directory")
	_, err = Create(filepath.Join(path, "below"), Options{})
	fails(t, err, path, "not a directory")
	_, err = Create(filepath.Join(base, "x"), Options{Format: "xml"})
	fails(t, err, `"xml"`, "parquet, arrow, csv")
	if os.Getuid() != 0 {
		closed := filepath.Join(base, "closed")
		os.Mkdir(closed, 0o555)
		_, err = Create(closed, Options{})
		fails(t, err, closed, "permission denied")
	}
	holds(t, base, slices.DeleteFunc([]string{"closed", "file"},
		func(s string) bool { return s == "closed" && os.Getuid() == 0 })...)
}

// disk is a file on a disk with little room left.
type disk struct {
	files.Handle
	room     *atomic.Int64 // shared by the files, which are written side by side
	failSync bool
}

func (d disk) Write(p []byte) (int, error) {
	if d.room.Add(-int64(len(p))) < 0 {
		return 0, syscall.ENOSPC
	}
	return d.Handle.Write(p)
}

func (d disk) Sync() error {
	if d.failSync {
		return syscall.EIO
	}
	return nil
}

// A disk may be full at any write, from the first magic number to the
// manifest: whatever the moment, the message is clear and nothing stays.
func TestDiskFullAtAnyMoment(t *testing.T) {
	for _, f := range record.Formats() {
		for _, room := range []int64{0, 100, 20_000, 1 << 20} {
			dir := t.TempDir()
			var left atomic.Int64
			left.Store(room)
			o := Options{Format: f, Segments: true, watch: func(_ string, f *files.File) {
				f.Handle = disk{f.Handle, &left, false}
			}}
			r, err := Create(dir, o)
			if err == nil {
				defer r.Abort()
				err = errors.Join(fill(r, 40_000), r.Commit(summaryOf(t, 100), &Manifest{}))
			}
			fails(t, err, filepath.Join(dir, ""), "no space left on device")
			if !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s with room for %d: %v", f, room, err)
			}
			holds(t, dir)
		}
	}
}

// With room for the data, the last files are what fails.
func TestDiskFullAtTheEnd(t *testing.T) {
	for _, failSync := range []bool{false, true} {
		dir := t.TempDir()
		var left atomic.Int64
		left.Store(1 << 30)
		r, err := Create(dir, Options{Format: "csv", watch: func(path string, f *files.File) {
			if strings.Contains(path, ManifestFile) {
				left.Store(0)
			}
			f.Handle = disk{f.Handle, &left, failSync}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := fill(r, 10); err != nil {
			t.Fatal(err)
		}
		fails(t, r.Commit(summaryOf(t, 10), &Manifest{}), dir)
		holds(t, dir)
	}
}

func TestErrorSurfacesAtALaterRecord(t *testing.T) {
	r, err := Stream(brokenPipe{}, Options{Format: "csv"})
	if err != nil {
		t.Fatal(err)
	}
	fails(t, fill(r, 20*16_384), "standard output", "broken pipe")
	fails(t, r.Commit(nil, nil), "broken pipe")
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestStream(t *testing.T) {
	for _, f := range []string{"csv", "arrow"} {
		var out bytes.Buffer
		r, err := Stream(&out, Options{Format: f})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(fill(r, 1000), r.Commit(nil, nil)); err != nil {
			t.Fatal(err)
		}
		rows := bytes.Count(out.Bytes(), []byte{'\n'}) - 1
		if f == "arrow" {
			in, err := ipc.NewReader(&out)
			if err != nil {
				t.Fatal(err)
			}
			for rows = 0; in.Next(); {
				rows += int(in.Record().NumRows())
			}
		}
		if rows != 1000 {
			t.Errorf("%s: %d rows", f, rows)
		}
	}
	_, err := Stream(io.Discard, Options{})
	fails(t, err, "parquet cannot be written to standard output", "Arrow and CSV can")
	_, err = Stream(io.Discard, Options{Format: "csv", Series: true})
	fails(t, err, "only the jobs", "need a directory")
}
