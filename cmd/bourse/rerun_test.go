package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// change replaces text in a file.
func change(t *testing.T, path, old, new string) {
	t.Helper()
	text := read(t, path)
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not hold %q", path, old)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(text, old, new, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestRerun repeats a replay, a sweep and a study, with the trace elsewhere, and wants
// a changed byte to be found.
func TestRerun(t *testing.T) {
	dir := t.TempDir()
	log, moved := file(t, "log.swf", smallSWF(200)), filepath.Join(dir, "elsewhere.swf")
	out, cells, study := filepath.Join(dir, "run"), filepath.Join(dir, "cells"), filepath.Join(dir, "study")
	for _, args := range [][]string{
		{"replay", log, "--policy", "easy", "--feedback", "--shake", "1m", "--segments", "--series", "--format", "csv", "--out", out},
		{"sweep", log, "--policy", "hb,fcfs", "--payment", "first,none", "--where", "procs > 1", "--records", "--out", cells},
		{"reproduce", "dynamic-sharing", "--instances", "2", "--lies", "0", "--out", study},
	} {
		if code, _, stderr := bourse(t, args...); code != 0 {
			t.Fatalf("%v: exit %d %s", args, code, stderr)
		}
	}
	if err := os.Rename(log, moved); err != nil {
		t.Fatal(err)
	}
	again := func(code int, want string, args ...string) {
		t.Helper()
		got, stdout, stderr := bourse(t, append([]string{"rerun"}, args...)...)
		if got != code || !strings.Contains(stdout+stderr, want) {
			t.Errorf("rerun %v: exit %d, want %d with %q\n%s%s", args, got, code, want, stdout, stderr)
		}
	}
	again(1, "--trace PATH says where the trace is now", out)
	again(0, "same bytes: 4 files", out, "--trace", moved)
	again(0, "same bytes: 4 files", filepath.Join(out, "manifest.json"), "--trace", moved)
	again(0, "same bytes:", cells, "--trace", moved)
	again(0, "same bytes:", study)
	again(1, "is not the trace of that run", out, "--trace", file(t, "other.swf", smallSWF(100)))

	change(t, filepath.Join(out, "jobs.csv"), ",1,", ",7,")
	again(1, "jobs.csv was changed after the run: the repetition gives what the manifest says\n  column", out, "--trace", moved)
	change(t, filepath.Join(study, "figure2.csv"), "1", "2")
	again(1, "figure2.csv was changed after the run", study)
	change(t, filepath.Join(cells, "_sweep", "trace=log", "machine_nodes=0", "load_factor=1", "values=bimodal", "seed=1", "policy=hb", "behaviour=truthful", "payment_scheme=first", "summary.json"), "1", "2")
	again(1, "1 of ", cells, "--trace", moved)

	manifest := filepath.Join(out, "manifest.json")
	change(t, manifest, `"policy": "easy"`, `"policy": "easy", "polcy": "fcfs"`)
	again(1, `manifest.json: the scenario has an unknown field "polcy"; did you mean "policy"? Correct or remove it`, out, "--trace", moved)
	change(t, manifest, `"manifest": 3`, `"manifest": 1`)
	again(1, "a manifest of version 1, and this program reads version 3", out, "--trace", moved)
	again(1, "holds no manifest", dir)
}
