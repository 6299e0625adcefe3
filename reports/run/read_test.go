package run_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/reports/record/recordtest"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces"
)

// finished writes a small run and returns its directory.
func finished(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	w, err := run.Create(dir, run.Options{Version: "test", Format: "csv"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	var all stats.Collector
	records := recordtest.MakeJobs(10, 1)
	for i := range records {
		if err := errors.Join(w.Record(&records[i]), all.Record(&records[i])); err != nil {
			t.Fatal(err)
		}
	}
	summary := run.NewSummary(&traces.Ledger{Read: 10}, nil, run.Machine{Procs: 4}, all.Result())
	manifest := &run.Manifest{Scenario: []byte(`{"policy": "hb"}`)}
	if err := w.Commit(summary, manifest); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestOpen(t *testing.T) {
	dir := finished(t)
	f, err := run.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	jobs := f.Dataset("jobs")
	if f.Dir != dir || f.Setting("policy") != "hb" || f.Summary.Counts.Read != 10 || jobs == nil || jobs.Rows != 10 {
		t.Errorf("read back %+v, jobs %+v", f, jobs)
	}
	if f.Dataset("segments") != nil || f.Setting("payment") != "" {
		t.Error("a run without segments and payment has them")
	}
}

// TestOpenRefuses wants whatever is not a finished run to be named for what it is.
func TestOpenRefuses(t *testing.T) {
	write := func(name, text string) func(string) error {
		return func(dir string) error {
			path := filepath.Join(dir, name)
			return errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666))
		}
	}
	remove := func(name string) func(string) error {
		return func(dir string) error { return os.Remove(filepath.Join(dir, name)) }
	}
	for _, c := range []struct {
		name   string
		change func(dir string) error
		holds  run.Contents
		want   string
	}{
		{"no directory", os.RemoveAll, run.Nothing, "no such directory"},
		{"a file", func(dir string) error { return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o666)) },
			run.Nothing, "it is a file"},
		{"an empty directory", func(dir string) error { return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o777)) },
			run.Nothing, "it has no manifest.json"},
		{"a sweep", write(run.PlanFile, "{}"), run.Sweep, "holds a sweep"},
		{"no manifest", remove(run.ManifestFile), run.Incomplete, "it has no manifest.json, which is written last"},
		{"another manifest", write(run.ManifestFile, "{}"), run.Nothing, "not a manifest of bourse"},
		{"no summary", remove(run.SummaryFile), run.Incomplete, "summary.json"},
		{"no records", remove("jobs.csv"), run.Incomplete, "jobs.csv is missing"},
		{"other records", write("jobs.csv", "x"), run.Incomplete, "jobs.csv has 1 bytes and the manifest says"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := finished(t)
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
			f, err := run.Open(dir)
			if err == nil {
				err = f.Complete()
			}
			var e *run.DirectoryError
			if !errors.As(err, &e) || e.Holds != c.holds || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	dir := finished(t)
	summary := filepath.Join(dir, run.SummaryFile)
	whole, err := os.ReadFile(summary)
	if err != nil {
		t.Fatal(err)
	}
	lacking := strings.Replace(string(whole), `"ssj_percent"`, `"later"`, 1)
	if err := os.WriteFile(summary, []byte(lacking), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := run.ReadSummary(summary); err == nil ||
		!strings.Contains(err.Error(), "has no ssj_percent: another version") {
		t.Errorf("a figure that is missing: %v", err)
	}
	manifest := filepath.Join(dir, run.ManifestFile)
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), `"manifest": `, `"manifest": 9`, 1))
	if err := os.WriteFile(manifest, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Open(dir); !errors.As(err, new(*run.VersionError)) {
		t.Errorf("a manifest of another version: %v", err)
	}
}
