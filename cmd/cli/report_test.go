package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOddFolders wants report and compare to name what is wrong with a folder, or
// doubtful about several.
func TestOddFolders(t *testing.T) {
	log, longer, dir := file(t, "log.swf", smallSWF(100)), file(t, "longer.swf", smallSWF(120)), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"replay", log, "--out", at("one")}, {"replay", log, "--out", at("series"), "--series"}, {"replay", longer,
			"--out", at("two")},
		{"replay", log, "--out", at("old")}, {"replay", log, "--out", at("half")}, {"sweep", log, "--out", at("cells")},
	} {
		if code, _, stderr := bourse(t, args...); code != 0 {
			t.Fatal(stderr)
		}
	}
	manifest := filepath.Join(at("old"), "manifest.json")
	older := strings.Replace(read(t, manifest), `"bourse": "`+Version+`"`, `"bourse": "0.0.9"`, 1)
	if err := errors.Join(os.WriteFile(manifest, []byte(older), 0o644),
		os.Remove(filepath.Join(at("half"), "summary.json"))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitFailed, "cells holds a sweep", []string{"report", at("one"), at("cells")}},
		{exitFailed, "cells holds a sweep", []string{"compare", at("one"), at("cells")}},
		{exitFailed, "half is incomplete", []string{"compare", at("half"), at("one")}},
		{exitUsage, "as in --policy fcfs,easy", []string{"compare", log}},
		{exitUsage, "as in --policy fcfs,easy", []string{"compare", "synth:lublin?jobs=10"}},
		{exitDone, "warning: " + at("one") + " and " + at("two") + " replay different traces (log.swf and longer.swf)",
			[]string{"compare", at("one"), at("two")}},
		{exitDone, "was made by bourse 0.0.9", []string{"compare", at("one"), at("old")}},
		{exitDone, "was made by bourse 0.0.9", []string{"report", at("old")}},
	} {
		if code, _, stderr := bourse(t, c.args...); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, %q; want %d, %q", c.args, code, stderr, c.code, c.want)
		}
	}
	// What was written beside the records is no difference between runs.
	if _, stdout, stderr := bourse(t, "compare", at("one"), at("series")); stderr != "" ||
		strings.Contains(stdout, "changes") {
		t.Errorf("%s%s", stderr, stdout)
	}
}

// TestReport makes pages of replays as a user would.
func TestReport(t *testing.T) {
	log := file(t, "log.swf", smallSWF(100))
	dir := t.TempDir()
	for _, policy := range []string{"hb", "fcfs"} {
		if code, _, stderr := bourse(t, "replay", log, "--policy", policy, "--payment", "kth", "--series", "--out",
			filepath.Join(dir, policy)); code != 0 {
			t.Fatal(stderr)
		}
	}
	hb, fcfs := filepath.Join(dir, "hb"), filepath.Join(dir, "fcfs")
	code, stdout, stderr := bourse(t, "report", hb)
	page := filepath.Join(hb, "report.html")
	if code != 0 || stdout != page+"\n" || stderr != "" {
		t.Fatalf("exit %d, %q, %q", code, stdout, stderr)
	}
	first := read(t, page)
	for _, want := range []string{"log under hb / kth", "version " + Version, "--policy", `id="figure-price"`,
		"100 jobs"} {
		if !strings.Contains(first, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	// A page replaces a page, with the same bytes for the same folder.
	if code, _, stderr := bourse(t, "report", hb); code != 0 || read(t, page) != first {
		t.Errorf("exit %d, %q, or another page", code, stderr)
	}
	both := filepath.Join(dir, "both.html")
	if code, _, stderr := bourse(t, "report", hb, fcfs, "--out", both); code != 0 || stderr != "" ||
		!strings.Contains(read(t, both), "log: 2 runs") {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

func TestReportRefuses(t *testing.T) {
	log, longer := file(t, "log.swf", smallSWF(100)), file(t, "longer.swf", smallSWF(120))
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	arrow, half := filepath.Join(dir, "arrow"), filepath.Join(dir, "half")
	for _, args := range [][]string{{"replay", log, "--out", one}, {"replay", longer, "--out", two},
		{"replay", log, "--format", "arrow", "--out", arrow}, {"replay", log, "--out", half}} {
		if code, _, stderr := bourse(t, args...); code != 0 {
			t.Fatal(stderr)
		}
	}
	if err := os.Remove(filepath.Join(half, "jobs.parquet")); err != nil {
		t.Fatal(err)
	}
	notes := filepath.Join(dir, "notes.html")
	if err := os.WriteFile(notes, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{}, exitUsage, "report takes the folders of finished runs"},
		{[]string{dir}, exitFailed, "it has no manifest.json\n  bourse replay TRACE --out DIR makes one"},
		{[]string{one, two}, exitFailed,
			"which is another trace\n  Runs of different traces say nothing about each other; --any-trace"},
		{[]string{arrow}, exitFailed, "in Arrow, which a page is not made of\n  Replay the trace again with " +
			"--overwrite and --format parquet or csv"},
		{[]string{half}, exitFailed, "jobs.parquet is missing\n  Run the same replay again with --overwrite"},
		{[]string{one, "--out", notes}, exitFailed, "is not a page of bourse"},
		{[]string{one, "--out", filepath.Join(dir, "no", "where.html")}, exitFailed, "creating"},
	} {
		if code, _, stderr := bourse(t, append([]string{"report"}, c.args...)...); code != c.code ||
			!strings.Contains(stderr, c.want) {
			t.Errorf("report %v: exit %d, %q; want %d, %q", c.args, code, stderr, c.code, c.want)
		}
	}
	if read(t, notes) != "mine" || strings.Contains(filesIn(t, one), "report.html") {
		t.Error("a refused report left or changed a file")
	}
	code, _, stderr := bourse(t, "report", one, two, "--any-trace")
	if code != 0 || !strings.Contains(stderr, "warning: ") || !strings.Contains(stderr, "another trace") {
		t.Errorf("--any-trace: exit %d, %q", code, stderr)
	}
	if code, _, stderr := bourse(t, "report", one, "--out", notes, "--overwrite"); code != 0 {
		t.Error(stderr)
	}
}
