package cli

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/tracetest"
)

func swfJobs(t *testing.T, path string) ([]traces.Job, *traces.Header) {
	t.Helper()
	src, err := formats.Open(path, traces.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close(src)
	var jobs []traces.Job
	for {
		var j traces.Job
		if err := src.Next(&j); err == io.EOF {
			return jobs, src.Header()
		} else if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
}

// TestSchedule: the schedule written as SWF reads back as the trace with the
// simulated waits, which are those of the records.
func TestSchedule(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log.swf")
	if err := os.WriteFile(log, []byte(smallSWF(300)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, policy := range []string{"easy", "srpt", "fcfs"} {
		for _, ending := range []string{".swf", ".swf.gz", ".swf.zst"} {
			file, out := filepath.Join(dir, policy+ending), filepath.Join(dir, policy+ending+".out")
			if code, _, stderr := bourse(t, "replay", log, "--policy", policy, "--payment", "none", "--swf", file,
				"--out", out, "--format", "csv"); code != 0 {
				t.Fatal(stderr)
			}
			was, _ := swfJobs(t, log)
			is, h := swfJobs(t, file)
			if h.Procs == 0 || !strings.Contains(h.Fields[len(h.Fields)-2].Text, "policy "+policy) {
				t.Errorf("header %+v", h)
			}
			waits := map[string]string{}
			for _, row := range csvRows(t, filepath.Join(out, "jobs.csv")) {
				waits[row["job_id"]] = row["wait_s"]
			}
			if len(is) != len(was) || len(waits) != len(was) {
				t.Fatalf("%s: %d jobs of %d, %d records", policy, len(is), len(was), len(waits))
			}
			for i := range is {
				id := strconv.FormatInt(is[i].ID, 10)
				if want, err := strconv.ParseFloat(waits[id], 64); err != nil || is[i].Wait.Seconds() != want {
					t.Fatalf("%s: job %s waits %v, by the records %s", policy, id, is[i].Wait, waits[id])
				}
				was[i].Line, was[i].Wait = is[i].Line, is[i].Wait
				if was[i].Status < 0 {
					was[i].Status = 1
				}
				if is[i] != was[i] {
					t.Fatalf("%s: %+v was %+v", policy, is[i], was[i])
				}
			}
		}
	}
	for _, args := range [][]string{{"--swf", "x.txt"}, {"--swf", "x.swf", "--serial"}} {
		if code, _, stderr := bourse(t, append([]string{"replay", log}, args...)...); code != 2 ||
			!strings.Contains(stderr, "--swf") {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
	}
	if code, _, _ := bourse(t, "replay", log, "--where", "procs < 0", "--swf",
		filepath.Join(dir, "none.swf")); code != 1 {
		t.Errorf("exit %d without jobs", code)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".*none*"))
	if more, _ := filepath.Glob(filepath.Join(dir, "none*")); len(left)+len(more) > 0 {
		t.Errorf("left behind: %v %v", left, more)
	}
}

// TestScheduleAgain: a real log's schedule, replayed once more, is the same.
func TestScheduleAgain(t *testing.T) {
	log := tracetest.Shared(t, "data/swf/KTH-SP2-1996-2.1-cln.swf.gz")
	dir := t.TempDir()
	first, second := filepath.Join(dir, "a.swf.gz"), filepath.Join(dir, "b.swf.gz")
	for _, step := range [][2]string{{log, first}, {first, second}} {
		if code, _, stderr := bourse(t, "replay", step[0], "--policy", "easy", "--payment", "none", "--swf",
			step[1]); code != 0 {
			t.Fatal(stderr)
		}
	}
	a, _ := swfJobs(t, first)
	b, _ := swfJobs(t, second)
	if len(a) != 28475 || len(a) != len(b) {
		t.Fatalf("%d and %d jobs", len(a), len(b))
	}
	for i := range a {
		if a[i].ID != b[i].ID || a[i].Wait != b[i].Wait || a[i].Submit != b[i].Submit {
			t.Fatalf("%+v became %+v", a[i], b[i])
		}
	}
}

// csvRows reads a table of records, one map a row.
func csvRows(t *testing.T, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, cells := range rows[1:] {
		row := map[string]string{}
		for i, name := range rows[0] {
			row[name] = cells[i]
		}
		out = append(out, row)
	}
	return out
}

// TestFilesThatAreThere wants no command to write over the trace it reads, nor
// --swf over a file that is there unless it is told to, as a dry run says; and a
// replay that fails to take the directories with it that it has made.
func TestFilesThatAreThere(t *testing.T) {
	log := file(t, "log.swf", smallSWF(50))
	dir, before := filepath.Dir(log), read(t, log)
	link, there := filepath.Join(dir, "link.swf"), filepath.Join(dir, "there.swf")
	if err := errors.Join(os.Symlink(log, link), os.WriteFile(there, []byte("mine"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"is the trace itself", []string{"replay", log, "--swf", log}},
		{"is the trace itself", []string{"replay", log, "--swf", link, "--overwrite"}},
		{"is the trace itself", []string{"replay", log, "--users", log, "--overwrite"}},
		{"is the trace itself", []string{"trace", "convert", log, log}},
		{"is the trace itself", []string{"trace", "convert", link, log}},
		{"there.swf exists already\n  Use another name, or --overwrite", []string{"replay", log, "--swf", there}},
		{"none of the 50 records", []string{"replay", log, "--where", "procs < 0", "--out",
			filepath.Join(dir, "a", "b")}},
	} {
		if code, _, stderr := bourse(t, c.args...); code != exitFailed || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, %q; want %q", c.args, code, stderr, c.want)
		}
	}
	if read(t, log) != before || read(t, there) != "mine" || filesIn(t, dir) != "link.swf log.swf there.swf" {
		t.Errorf("something was written or left: %s", filesIn(t, dir))
	}
	if code, _, stderr := bourse(t, "replay", log, "--swf", there, "--overwrite"); code != 0 ||
		read(t, there) == "mine" {
		t.Errorf("--overwrite: exit %d, %s", code, stderr)
	}
}
