package cli

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bourse/reports/artifact"
)

// verify runs the script of a bundle, and wants an exit code and some words.
func verify(t *testing.T, box string, code int, want string, env ...string) {
	t.Helper()
	path, err := binary()
	must(t, err)
	c := exec.Command("sh", filepath.Join(box, "verify.sh"))
	c.Env = append(append(os.Environ(), "BOURSE="+path, "BOURSE_TRACES="+t.TempDir()), env...)
	out, _ := c.CombinedOutput()
	if got := c.ProcessState.ExitCode(); got != code || !strings.Contains(string(out), want) {
		t.Errorf("verify.sh of %s: exit %d, want %d with %q\n%s", filepath.Base(box), got, code, want, out)
	}
}

// bidsOf is a table of bids for n jobs.
func bidsOf(n int) string {
	text := "job_id,value,bid\n"
	for i := 1; i <= n; i++ {
		text += fmt.Sprintf("%d,%d,1\n", i, i)
	}
	return text
}

// made is a run with a script, bids and files beside it, a sweep and a study, in the folder
// that the test works in.
func made(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	self = binary
	for name, text := range map[string]string{"log.swf": smallSWF(60),
		"mine.star": read(t, filepath.Join(here, "../../scripts/policies/fcfs.star")), "bids.csv": bidsOf(60)} {
		must(t, os.WriteFile(name, []byte(text), 0o666))
	}
	done(t, "replay", "log.swf", "--policy", "script:mine.star", "--where", "run > 0 && procs < 99", "--series=1h",
		"--segments", "--format", "csv", "--swf", "done.swf", "--out", "run")
	done(t, "sweep", filepath.Join(dir, "log.swf"), "--policy", "fcfs,script:mine.star", "--seeds", "3,5", "--shake",
		"60", "--records", "--out", "cells")
	done(t, "replay", "log.swf", "--policy", "script:"+filepath.Join(dir, "mine.star"), "--bids",
		filepath.Join(dir, "bids.csv"), "--out", "elsewhere")
	done(t, "reproduce", "untruthful-bids", "--trace", filepath.Join(dir, "log.swf"), "--seeds", "2", "--out", "study")
	return dir
}

// TestBundle makes bundles, moves them and verifies them there; the command that they name
// makes the same, and nothing names a folder of this machine.
func TestBundle(t *testing.T) {
	dir, away := made(t), t.TempDir()
	for _, name := range []string{"run", "cells", "study", "elsewhere"} {
		done(t, "bundle", name, "--copy-traces", "--license", "CC-BY-4.0", "-q")
		done(t, "bundle", name, "--copy-traces", "--license", "CC-BY-4.0", "--out", "second")
		one, err := artifact.List(name + "-bundle")
		must(t, err)
		two, err := artifact.List("second")
		must(t, err)
		for i := range one {
			if one[i] != two[i] && one[i].Path != "ARTIFACT.md" {
				t.Errorf("%s differs from one bundle to the next", one[i].Path)
			}
			if text := read(t, filepath.Join("second", one[i].Path)); strings.Contains(text, dir) {
				t.Errorf("%s of %s names a folder of this machine", one[i].Path, name)
			}
		}
		must(t, os.RemoveAll("second"))
		must(t, os.Rename(name+"-bundle", filepath.Join(away, name)))
	}
	must(t, os.RemoveAll(dir))
	t.Chdir(away)
	for _, name := range []string{"run", "cells", "study", "elsewhere"} {
		verify(t, name, 0, "same bytes: ")
		line := regexp.MustCompile(`(?m)^    (bourse .* --out \.\./again)$`).FindStringSubmatch(read(t,
			filepath.Join(name, "ARTIFACT.md")))
		if line == nil {
			t.Fatal("no command")
		}
		path, err := binary()
		must(t, err)
		c := exec.Command("sh", "-c", strings.Replace(line[1], "bourse", path, 1))
		c.Dir = filepath.Join(name, "inputs")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line[1], err, out)
		}
		must(t, filepath.WalkDir(filepath.Join(name, "expected"), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && d.Name() != "done.swf" {
				if again := strings.Replace(path, "expected", "again", 1); read(t, again) != read(t, path) {
					t.Errorf("%s makes another %s", line[1], again)
				}
			}
			return err
		}))
	}
	summary := filepath.Join("run", "expected", "summary.json")
	change(t, summary, `"read": 60`, `"read": 60.0000001`)
	verify(t, "run", 1, "counts.read  60.0000001  60")
	verify(t, "run", 0, "same figures within 1e-06 of the larger: 1", "TOLERANCE=1e-6")
	change(t, summary, `"read": 60`, `"read": 61`)
	verify(t, "run", 1, "counts.read", "TOLERANCE=1e-6")
	must(t, os.Remove(filepath.Join("run", "inputs", "mine.star")))
	verify(t, "run", 1, "mine.star")
	verify(t, "study", 1, "put Bourse "+Version+" on PATH", "BOURSE=/nowhere/bourse")
}

// TestBundleLeavesOut leaves out a log whose terms are not known, and what is too large.
func TestBundleLeavesOut(t *testing.T) {
	dir := made(t)
	must(t, os.Remove("done.swf"))
	code, out, stderr := bourse(t, "bundle", "run", "--out", "box")
	if code != 0 || !strings.Contains(out,
		"log.swf is not in it: it is not known that copies may be published; --copy-traces puts it in") {
		t.Fatalf("exit %d %s%s", code, out, stderr)
	}
	if text := read(t, "box/ARTIFACT.md"); !strings.Contains(text, "done.swf: not in this folder") {
		t.Error("what is left out is not told")
	}
	verify(t, "box", 1, "log.swf does not exist; --trace PATH says where the trace is now")
	must(t, os.Link("log.swf", "box/inputs/log.swf"))
	verify(t, "box", 0, "same bytes: 5 files")
	left, err := filepath.Glob(filepath.Join(dir, ".bourse-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestBundleRefuses wants a sentence for what cannot be bundled, and nothing to be left of it.
func TestBundleRefuses(t *testing.T) {
	dir := made(t)
	must(t, os.Mkdir("empty", 0o777))
	refuse := func(want string, args ...string) {
		t.Helper()
		code, out, stderr := bourse(t, append([]string{"bundle"}, args...)...)
		if code == 0 || !strings.Contains(out+stderr, want) {
			t.Errorf("bundle %v: exit %d, want %q\n%s%s", args, code, want, out, stderr)
		}
		if names, _ := filepath.Glob("*box*"); len(names) > 0 {
			t.Errorf("bundle %v leaves %v", args, names)
		}
		if names, _ := filepath.Glob(".bourse-*"); len(names) > 0 {
			t.Errorf("bundle %v leaves %v", args, names)
		}
	}
	refuse("empty is there already; --out names another folder", "run", "--out", "empty")
	refuse("empty holds no manifest: it is not a finished run, sweep or study", "empty", "--out", "box")
	done(t, "sweep", "log.swf", "--policy", "fcfs,script:"+filepath.Join(dir, "mine.star"), "--out", "tied")
	refuse("policy=script:mine.star", "tied", "--out", "box")
	change(t, "run/jobs.csv", ",1,", ",7,")
	refuse("jobs.csv was changed after the run", "run", "--out", "box")
	must(t, os.Remove("run/summary.json"))
	refuse("summary.json is missing; make run anew", "run", "--out", "box")
	must(t, os.WriteFile("log.swf", []byte(smallSWF(50)), 0o666))
	refuse("log.swf is not the trace of that run", "run", "--out", "box")
	must(t, os.Remove("log.swf"))
	must(t, os.WriteFile("log2.swf", []byte(smallSWF(60)), 0o666))
	refuse("log.swf does not exist; --trace PATH says where the trace is now", "cells", "--out", "box")
	must(t, os.Remove("mine.star"))
	refuse("the file mine.star does not exist", "run", "--out", "box", "--trace", "log2.swf")
}
