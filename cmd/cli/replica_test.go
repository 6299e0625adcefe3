package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bourse/reports/run"
)

// TestReplicaCellIsAReplay: a cell of a sweep with everything that makes replicas,
// estimates and edges is what a replay with the same flags gives.
func TestReplicaCellIsAReplay(t *testing.T) {
	const model = "synth:lublin?jobs=800&procs=32&seed=5&load=0.9"
	log := filepath.Join(t.TempDir(), "log.swf")
	if code, _, stderr := bourse(t, "trace", "convert", model, log); code != 0 {
		t.Fatal(stderr)
	}
	common := []string{"--payment", "none", "--nodes", "32", "--resample=users=1.5,long=1", "--kill-at-estimate",
		"--warm-up", "1h", "--cool-down", "00:20:00", "--load-factor", "1.2"}
	cells := filepath.Join(t.TempDir(), "cells")
	sweep := append([]string{"sweep", log, "--policy", "easy,srpt", "--estimates", "tsafrir,scale:2", "--preemption",
		"resume,restart", "--shake", "0,10min", "--seeds", "2", "--out", cells}, common...)
	if code, _, stderr := bourse(t, sweep...); code != 0 {
		t.Fatal(stderr)
	}
	uncounted, added, lost := int64(0), int64(0), map[float64]bool{}
	for _, c := range [][]string{{"easy", "tsafrir", "resume", "0", "1"}, {"srpt", "scale:2", "restart", "10min", "2"},
		{"srpt", "scale:2", "resume", "10min", "2"}, {"easy", "tsafrir", "resume", "10min", "2"}} {
		out := filepath.Join(t.TempDir(), "out")
		args := append([]string{"replay", log, "--policy", c[0], "--estimates", c[1], "--preemption", c[2], "--shake",
			c[3], "--seed", c[4], "--out", out}, common...)
		if code, _, stderr := bourse(t, args...); code != 0 {
			t.Fatal(stderr)
		}
		want, err := run.ReadSummary(filepath.Join(out, run.SummaryFile))
		if err != nil {
			t.Fatal(err)
		}
		found, err := filepath.Glob(filepath.Join(cells, "_sweep", "trace=log", "machine_nodes=32", "load_factor=1.2",
			"shake="+c[3], "estimates="+strings.ReplaceAll(c[1], ":",
				"*"), "values=*", "seed="+c[4], "policy="+c[0], "preemption="+c[2], "*", "*", run.SummaryFile))
		if err != nil || len(found) != 1 {
			t.Fatalf("%v: cells %v", c, found)
		}
		got, err := run.ReadSummary(found[0])
		if err != nil {
			t.Fatal(err)
		}
		got.Counts.Read = want.Counts.Read
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: the cell differs (-replay +cell): %s", c, diff)
		}
		uncounted, added = uncounted+want.Counts.Uncounted, added+want.Counts.Added
		lost[want.Jobs.Total.MeanWait] = true
		if want.Jobs.Total.Jobs+want.Counts.Uncounted != want.Counts.Replayed {
			t.Errorf("%d jobs counted, %d not, %d replayed", want.Jobs.Total.Jobs, want.Counts.Uncounted,
				want.Counts.Replayed)
		}
	}
	if uncounted == 0 || added == 0 || len(lost) != 4 {
		t.Errorf("%d uncounted, %d added, waits %v: the flags did nothing", uncounted, added, lost)
	}
}

// TestCompareSweep: intervals over seeds, and a warning about other averages.
func TestCompareSweep(t *testing.T) {
	log := file(t, "log.swf", smallSWF(200))
	cells := filepath.Join(t.TempDir(), "cells")
	if code, _, stderr := bourse(t, "sweep", log, "--policy", "fcfs,easy", "--payment", "none", "--shake", "30",
		"--load-factor", "1,2", "--seeds", "5", "--out", cells); code != 0 {
		t.Fatal(stderr)
	}
	code, table, stderr := bourse(t, "compare", cells)
	if code != 0 || stderr != "" {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if len(lines) != 13 || !strings.HasPrefix(lines[0], "load-factor  policy") || strings.Count(table, "±") != 4 ||
		strings.Count(table, " to +") != 2 || !strings.Contains(lines[11], "over 5 seeds") ||
		lines[12] != "load-factor 1, 2: best by "+"bounded slowdown: easy; fcfs is worse" {
		t.Errorf("table\n%s", table)
	}
	code, table, stderr = bourse(t, "compare", cells, "--by", "policy")
	if code != 0 || !strings.Contains(stderr,
		"means over load-factor (1, 2), which changes results; --by policy,load-factor keeps") ||
		strings.Contains(table, "±") {
		t.Errorf("exit %d: %s\n%s", code, stderr, table)
	}
	for _, c := range [][]string{{"compare", cells, "--by", "polic"}, {"compare", cells, cells, "--by", "policy"}} {
		if code, _, stderr := bourse(t, c...); code != 2 || !strings.Contains(stderr, "--by") {
			t.Errorf("%v: exit %d, %s", c, code, stderr)
		}
	}
}

// TestReplicaFlags: what is refused, and what is counted.
func TestReplicaFlags(t *testing.T) {
	log := file(t, "log.swf", smallSWF(100))
	code, out, _ := bourse(t, "compare", log, "--policy", "fcfs,easy", "--cool-down", "100")
	if code != 0 || !strings.Contains(out, "all: 90 jobs") {
		t.Errorf("exit %d: %s", code, out)
	}
	if code, out, _ := bourse(t, "replay", log, "--resample=weeks=3,users=2", "--warm-up", "1"); code != 0 ||
		!strings.Contains(out, "jobs added by resampling") || !strings.Contains(out, "in the warm-up or cool-down") {
		t.Errorf("exit %d: %s", code, out)
	}
	log = file(t, "weeks.swf", weeksSWF(100))
	replica := filepath.Join(t.TempDir(), "r.swf")
	if code, _, stderr := bourse(t, "trace", "convert", log, replica, "--resample", "--shake", "5", "--seed",
		"9"); code != 0 {
		t.Error(stderr)
	}
}

// TestReplicasFlag: --replicas is --seeds from 0, which is the log itself, and --resample, or --seeds with --shake.
func TestReplicasFlag(t *testing.T) {
	log := file(t, "log.swf", weeksSWF(60))
	dir := t.TempDir()
	run := func(out string, args ...string) map[string]string {
		t.Helper()
		out = filepath.Join(dir, out)
		if code, _, stderr := bourse(t, append([]string{"sweep", log, "--policy", "fcfs", "--payment", "none", "--out",
			out}, args...)...); code != 0 {
			t.Fatal(stderr)
		}
		return contents(t, out)
	}
	wantSameFiles(t, "resampled", run("a", "--seeds", "0,1,2,3", "--resample"), run("b", "--replicas", "3"))
	wantSameFiles(t, "shaken", run("c", "--seeds", "2", "--shake", "9"), run("d", "--replicas", "2", "--shake", "9"))
	for says, args := range map[string][]string{"2 or more": {"--replicas", "1"},
		"leave one of them out": {"--replicas", "3", "--seeds", "3"}} {
		if code, _, stderr := bourse(t, append([]string{"sweep", log, "--out", filepath.Join(dir, "x")},
			args...)...); code != 2 || !strings.Contains(stderr, says) {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
	}
}
