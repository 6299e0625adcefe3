package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// several are commands that write several files, and the files.
func several(t *testing.T) map[string][]string {
	t.Helper()
	log := file(t, "log.swf", smallSWF(300))
	dir := filepath.Dir(log)
	waited := filepath.Join(dir, "waited.swf")
	for _, policy := range []string{"fcfs", "easy"} {
		if code, _, stderr := bourse(t, "replay", log, "--policy", policy, "--payment", "none", "--out",
			filepath.Join(dir, policy), "--swf", waited, "--overwrite"); code != 0 {
			t.Fatal(stderr)
		}
	}
	return map[string][]string{
		"f.csv f.pdf f.png f.svg f.tex": {"plot", filepath.Join(dir, "fcfs"), filepath.Join(dir, "easy"), "--out", "f"},
		"f.pdf f.png f.svg l.csv": {"learn", log, "--agents", "group", "--behaviour", "srg", "--epochs", "2", "--resample=users", "--payment",
			"first", "--figure", "f", "--out", "l.csv"},
		"p.csv page page/claims.csv page/report.html page/report.txt page/waits-and-weeks.pdf " +
			"page/waits-and-weeks.png page/waits-and-weeks.svg page/where-the-error-is.pdf page/where-the-error-is.png page/where-the-error-is.svg w.csv": {"validate", waited, "--out", "w.csv", "--parts", "p.csv",
			"--page", "page"},
		"a a/claims.csv a/figures.csv a/logs.csv a/manifest.json a/pairs.csv a/ranks-mean_bounded_slowdown.pdf " +
			"a/ranks-mean_bounded_slowdown.png a/ranks-mean_bounded_slowdown.svg a/ranks-mean_wait_s.pdf " +
			"a/ranks-mean_wait_s.png a/ranks-mean_wait_s.svg a/ranks.csv a/report.html a/report.txt": {"reproduce", "atlas",
			"--out", "a"},
	}
}

// TestFilesTogether lets one file of several be too long for the disk: no other one stays, nor
// what a killed program had begun, and the command works when it is given again.
func TestFilesTogether(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no limit of files' sizes")
	}
	for want, args := range several(t) {
		dir := t.TempDir()
		limited := exec.Command("sh", append([]string{"-c", `ulimit -f 128; exec bourse "$@"`, "sh"}, args...)...)
		limited.Dir = dir
		text, err := limited.CombinedOutput()
		if err == nil || !strings.Contains(string(text), "file too large") {
			t.Errorf("%v: %v, want a file that is too large: %s", args, err, text)
		}
		if left := filesIn(t, dir); left != "" {
			t.Errorf("%v: %s is left", args, left)
		}
		if folder := args[len(args)-1]; strings.Contains(want, folder+"/") {
			killed(t, filepath.Join(dir, folder))
		}
		if args[0] != "reproduce" { // which has nothing beside its folder
			killed(t, dir)
		}
		again := program(t, args...)
		again.Dir = dir
		if text, err := again.CombinedOutput(); err != nil {
			t.Errorf("%v, once more: %v: %s", args, err, text)
		}
		if got := filesIn(t, dir); got != want {
			t.Errorf("%v: %s, want %s", args, got, want)
		}
	}
}

// killed leaves in a directory what a program does that is killed there.
func killed(t *testing.T, dir string) {
	t.Helper()
	_ = os.Mkdir(dir, 0o777)
	for _, name := range []string{".bourse-lock", ".bourse-host-ABCDEFGHIJKLMNOP.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKilledRerun kills a repetition as soon as it has begun to write: what it leaves is no
// result and in no one's way, and the next one removes it.
func TestKilledRerun(t *testing.T) {
	dir := t.TempDir()
	temporary := filepath.Join(dir, "temporary")
	must(t, os.Mkdir(temporary, 0o777))
	t.Setenv("TMPDIR", temporary)
	run := filepath.Join(t.TempDir(), "run")
	done(t, "replay", file(t, "log.swf", smallSWF(50_000)), "--policy", "fcfs", "--payment", "none", "--out", run)
	for _, args := range [][]string{{"rerun", run}, {"rerun", run, "--out", filepath.Join(dir, "kept")}} {
		before := filesIn(t, dir)
		c := program(t, args...)
		must(t, c.Start())
		for filesIn(t, dir) == before && c.ProcessState == nil {
			time.Sleep(time.Millisecond)
		}
		must(t, c.Process.Kill())
		_ = c.Wait()
		if _, err := os.Stat(filepath.Join(dir, "kept")); err == nil {
			t.Error("a repetition that was killed has its final name")
		}
		done(t, args...)
	}
	if got := filesIn(t, dir); got != "kept kept/run kept/run/jobs.parquet kept/run/manifest.json "+
		"kept/run/summary.json temporary" {
		t.Error(got)
	}
}
