package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/reports/artifact"
)

// again is bourse rerun, which should end with code and print all of want.
func again(t *testing.T, code int, args []string, want ...string) {
	t.Helper()
	got, stdout, stderr := bourse(t, append([]string{"rerun"}, args...)...)
	if got != code {
		t.Errorf("rerun %v: exit %d, want %d\n%s%s", args, got, code, stdout, stderr)
	}
	for _, w := range want {
		if !strings.Contains(stdout+stderr, w) {
			t.Errorf("rerun %v does not say %q\n%s%s", args, w, stdout, stderr)
		}
	}
}

func done(t *testing.T, args ...string) {
	t.Helper()
	if code, _, stderr := bourse(t, args...); code != 0 {
		t.Fatalf("%v: exit %d %s", args, code, stderr)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRerunMissesFiles wants files that are gone, changed or not of the run to be named.
func TestRerunMissesFiles(t *testing.T) {
	dir, log := t.TempDir(), file(t, "log.swf", smallSWF(60))
	out, cells := filepath.Join(dir, "run"), filepath.Join(dir, "cells")
	swf, users := filepath.Join(dir, "done.swf"), filepath.Join(out, "users.csv")
	done(t, "replay", log, "--out", out, "--format", "csv", "--swf", swf, "--users", filepath.Join(dir, "users.csv"))
	must(t, os.Rename(filepath.Join(dir, "users.csv"), users))
	again(t, 0, []string{out}, "same bytes: 4 files\n")
	change(t, swf, "\n1 ", "\n1  ")
	again(t, 1, []string{out}, "done.swf was changed after the run", "1 of 4 files")
	must(t, os.Remove(swf)) // it may be anywhere
	again(t, 0, []string{out}, "same bytes: 4 files\n")

	change(t, filepath.Join(out, "summary.json"), `"replayed": 60`, `"replayed": 61`)
	again(t, 1, []string{out}, "summary.json differs\n  key", "counts.replayed", "61", "60")
	must(t, os.Remove(filepath.Join(out, "summary.json")))
	must(t, os.WriteFile(filepath.Join(out, "notes.txt"), nil, 0o666))
	again(t, 1, []string{out}, "summary.json is missing: the repetition makes it", "1 of 4 files", "notes.txt is not of this run")
	must(t, os.Remove(filepath.Join(out, "jobs.csv")))
	again(t, 1, []string{out}, "jobs.csv is missing: the repetition makes it, as the manifest says")
	must(t, os.Remove(users))
	again(t, 0, []string{out}, "same bytes: 3 files, by the hashes in the manifest; the files themselves are not there")

	done(t, "sweep", log, "--policy", "hb,fcfs", "--payment", "first,none", "--records", "--out", cells)
	again(t, 0, []string{cells}, "same bytes: 9 files\n")
	cell := filepath.Join(cells, "_sweep", "trace=log", "machine_nodes=0", "load_factor=1", "values=bimodal", "seed=1", "policy=hb", "behaviour=truthful", "payment_scheme=first")
	jobs := filepath.Join(cell, "jobs.parquet")
	must(t, os.WriteFile(jobs, []byte(read(t, jobs)+"x"), 0o666))
	again(t, 1, []string{cells}, "jobs.parquet was changed after the run", "1 of 9 files")
	must(t, os.Remove(filepath.Join(cell, "manifest.json")))
	again(t, 1, []string{cells}, "payment_scheme=first/manifest.json is missing", "2 of 10 files")
	must(t, os.Remove(filepath.Join(cells, "cells.parquet")))
	must(t, os.RemoveAll(filepath.Join(filepath.Dir(filepath.Dir(cell)), "..", "policy=fcfs")))
	alien := filepath.Join(cells, "_sweep", "trace=other", "machine_nodes=0")
	must(t, os.MkdirAll(alien, 0o777))
	must(t, os.WriteFile(filepath.Join(alien, "summary.json"), nil, 0o666))
	again(t, 1, []string{cells}, "9 of 12 files", "cells.parquet is missing", "payment_scheme=none/summary.json is missing", "trace=other is not of this sweep")
}

// TestUnknownFields wants a field that is not known to be refused by all that read it.
func TestUnknownFields(t *testing.T) {
	dir, log := t.TempDir(), file(t, "log.swf", smallSWF(30))
	out, cells, study := filepath.Join(dir, "run"), filepath.Join(dir, "cells"), filepath.Join(dir, "study")
	done(t, "replay", log, "--policy", "hb", "--out", out)
	done(t, "sweep", log, "--policy", "hb,fcfs", "--out", cells)
	done(t, "reproduce", "dynamic-sharing", "--instances", "2", "--lies", "0", "--out", study)
	for path, commands := range map[string][]string{
		filepath.Join(out, "manifest.json"):          {"rerun", "compare", "report"},
		filepath.Join(cells, "_sweep", "sweep.json"): {"rerun", "compare", "game", "merge"},
		filepath.Join(study, "manifest.json"):        {"rerun"},
	} {
		unknown, want := `"polcy": "hb", "policy": `, path+`: the scenario has an unknown field "polcy"; did you mean "policy"? Correct or remove it`
		text := read(t, path)
		if filepath.Dir(path) == study {
			change(t, path, `"study": `, `"stuy": "x", "study": `)
			want = path + `: unknown field "stuy"; correct the file, or make it anew`
		} else {
			change(t, path, `"policy": `, unknown)
		}
		for _, c := range commands {
			if code, _, stderr := bourse(t, c, artifact.Folder(path)); code != 1 || !strings.Contains(stderr, want) {
				t.Errorf("%s: exit %d %s; want %s", c, code, stderr, want)
			}
		}
		must(t, os.WriteFile(path, []byte(text), 0o666))
	}
	change(t, filepath.Join(out, "manifest.json"), `"policy": "hb"`, `"policy": "hbb"`)
	again(t, 1, []string{out}, `manifest.json: policy "hbb" is unknown; did you mean "hb"?`)
	change(t, filepath.Join(out, "manifest.json"), `"bourse": "`+Version, `"bourse": "0.0.1`)
	again(t, 1, []string{out}, "bourse 0.0.1 wrote it, and this is "+Version)
	change(t, filepath.Join(out, "manifest.json"), `"manifest": 3`, `"manifest": 9`)
	again(t, 1, []string{out}, "Use a newer bourse")
	change(t, filepath.Join(cells, "_sweep", "sweep.json"), `"manifest": 3`, `"manifest": 1`)
	again(t, 1, []string{cells}, "Run the sweep anew with this version")
}

// TestRerunPinsBids wants a table of bids to be known by its bytes, wherever it is.
func TestRerunPinsBids(t *testing.T) {
	dir, log := t.TempDir(), file(t, "log.swf", smallSWF(30))
	var rows strings.Builder
	rows.WriteString("job_id,value,bid\n")
	for _, line := range strings.Split(smallSWF(30), "\n") {
		if f := strings.Fields(line); len(f) > 10 && f[0] != ";" {
			rows.WriteString(f[0] + ",10,5\n")
		}
	}
	bids, moved := file(t, "bids.csv", rows.String()), filepath.Join(dir, "bids.csv")
	out, cells := filepath.Join(dir, "run"), filepath.Join(dir, "cells")
	done(t, "replay", log, "--bids", bids, "--out", out)
	sweep := []string{"sweep", log, "--bids", bids, "--policy", "hb", "--out", cells}
	done(t, sweep...)
	must(t, os.Rename(bids, moved))
	for _, of := range []string{out, cells} {
		again(t, 1, []string{of}, bids+" does not exist; --bids FILE says where the table of bids is now")
		again(t, 0, []string{of, "--bids", moved}, "same bytes: 2 files")
	}
	must(t, os.WriteFile(bids, []byte(strings.Replace(rows.String(), ",5\n", ",6\n", 1)), 0o666))
	for _, of := range []string{out, cells} {
		again(t, 1, []string{of}, bids+" is not the table of bids of that run", "--bids FILE names another")
	}
	if code, _, stderr := bourse(t, sweep...); code != 1 || !strings.Contains(stderr, "holds a sweep with another table of bids") {
		t.Errorf("a continued sweep: exit %d %s", code, stderr)
	}
}

// TestRerunPinsFolders wants traces in folders, and those of studies, to be known by
// their bytes and found where they are now.
func TestRerunPinsFolders(t *testing.T) {
	dir, folder := t.TempDir(), googleFolder(t)
	moved, out, study := filepath.Join(dir, "moved"), filepath.Join(dir, "run"), filepath.Join(dir, "study")
	one, two := file(t, "one.swf", smallSWF(40)), file(t, "two.swf", smallSWF(50))
	done(t, "replay", folder, "--policy", "drf", "--out", out)
	done(t, "reproduce", "dynamic-sharing", "--logs", one+","+two, "--instances", "2", "--lies", "0", "--out", study)
	again(t, 0, []string{study}, "same bytes")
	must(t, os.Rename(folder, moved))
	again(t, 1, []string{out}, folder+" does not exist; --trace PATH says where the trace is now")
	again(t, 0, []string{out, "--trace", moved}, "same bytes: 2 files")
	must(t, os.WriteFile(filepath.Join(moved, "more"), nil, 0o666))
	again(t, 1, []string{out, "--trace", moved}, "is not the trace of that run")

	there := filepath.Join(dir, "two.swf")
	must(t, os.Rename(two, there))
	again(t, 1, []string{study}, two+" does not exist; --trace PATH")
	again(t, 0, []string{study, "--trace", there}, "same bytes")
	again(t, 0, []string{study, "--trace", there, "--trace", one}, "same bytes")
	again(t, 1, []string{study, "--trace", file(t, "two.swf", smallSWF(45))}, "two.swf is not the trace of that run")
}

// TestRerunWarns wants what a repetition warns of to be seen.
func TestRerunWarns(t *testing.T) {
	out := filepath.Join(t.TempDir(), "run")
	log := file(t, "log.swf", smallSWF(30)+"broken\n")
	if code, _, stderr := bourse(t, "replay", log, "--on-error", "skip", "--out", out); code != exitSkipped {
		t.Fatal(stderr)
	}
	again(t, 0, []string{out}, "same bytes", "1 malformed record was skipped")
}

// TestRerunPinsMachines wants a table of machines to be known by its bytes, in runs and sweeps.
func TestRerunPinsMachines(t *testing.T) {
	dir, log := t.TempDir(), file(t, "log.swf", smallSWF(30))
	nodes := file(t, "nodes.csv", "cpu\n64\n64\n")
	out, cells := filepath.Join(dir, "run"), filepath.Join(dir, "cells")
	done(t, "replay", log, "--machines", nodes, "--out", out)
	done(t, "sweep", log, "--machines", nodes+","+nodes+"(fit=best)", "--policy", "fcfs", "--out", cells)
	for _, of := range []string{out, cells} {
		again(t, 0, []string{of}, "same bytes")
	}
	must(t, os.WriteFile(nodes, []byte("cpu\n64\n32\n"), 0o666))
	for _, of := range []string{out, cells} {
		again(t, 1, []string{of}, "the file "+nodes+" has changed since")
	}
}
