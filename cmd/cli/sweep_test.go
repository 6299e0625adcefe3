package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/policies/order"
	"bourse/reports/ask/sweep"
	"bourse/traces/transform"
)

// contents maps every file below dir to its text.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range strings.Fields(filesIn(t, dir)) {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			all[name] = read(t, path)
		}
	}
	return all
}

func wantSameFiles(t *testing.T, what string, a, b map[string]string) {
	t.Helper()
	for name, text := range a {
		if b[name] != text {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%s: %d files and %d", what, len(a), len(b))
	}
}

func sweepArgs(log, out string, more ...string) []string {
	return append([]string{"sweep", log, "--policy", "hb,nphb", "--payment", "first,kth", "--behaviour",
		"srg(beta={.25,.9})",
		"--seeds", "2", "--serial", "--out", out}, more...)
}

// TestSweepIsTheSameHoweverItIsRun compares sweeps on one and two workers, in
// shards, and interrupted and taken up again.
func TestSweepIsTheSameHoweverItIsRun(t *testing.T) {
	log := file(t, "log.swf", smallSWF(200))
	run := func(out string, more ...string) string {
		t.Helper()
		code, _, stderr := bourse(t, sweepArgs(log, out, more...)...)
		if code != 0 {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		return stderr
	}
	whole := filepath.Join(t.TempDir(), "whole")
	if talk := run(whole, "--workers", "1"); !strings.Contains(talk, "16 replays done, 0 of them in an earlier run") {
		t.Errorf("said %q", talk)
	}
	want := contents(t, whole)
	if len(want) != 16+3 {
		t.Fatalf("%d files: %v", len(want), filesIn(t, whole))
	}
	if talk := run(whole); !strings.Contains(talk, "16 replays done, 16 of them in an earlier run") {
		t.Errorf("the second time it said %q", talk)
	}

	two := filepath.Join(t.TempDir(), "two")
	run(two, "--workers", "2")
	wantSameFiles(t, "two workers", want, contents(t, two))

	shards := filepath.Join(t.TempDir(), "shards")
	os.Mkdir(shards, 0o777)
	// another shard's plan on its way, or left of one that was killed
	begun := filepath.Join(shards, ".bourse-host-ABCD.tmp")
	os.WriteFile(begun, nil, 0o666)
	run(shards, "--shard", "1/3")
	os.Remove(begun)
	run(shards, "--shard", "0/3")
	code, _, stderr := bourse(t, "merge", shards)
	if code != 1 || !strings.Contains(stderr, "of 16 cells are missing, the first is trace=log") {
		t.Errorf("merging without a shard: exit %d, %s", code, stderr)
	}
	run(shards, "--shard", "2/3")
	if code, _, stderr = bourse(t, "merge", shards); code != 0 {
		t.Fatal(stderr)
	}
	wantSameFiles(t, "three shards", want, contents(t, shards))

	for name := range want {
		if strings.HasSuffix(name, "summary.json") && strings.Contains(name, "seed=2") {
			os.Remove(filepath.Join(two, name)) // as an interrupted sweep leaves it
		}
	}
	if talk := run(two); !strings.Contains(talk, "8 of them in an earlier run") {
		t.Errorf("after an interruption it said %q", talk)
	}
	wantSameFiles(t, "taken up again", want, contents(t, two))
}

// TestSweepCellIsAReplay wants a cell's summary to be that of a replay with its
// settings.
func TestSweepCellIsAReplay(t *testing.T) {
	log := file(t, "log.swf", smallSWF(300))
	dir := t.TempDir()
	cells, out := filepath.Join(dir, "cells"), filepath.Join(dir, "out")
	if code, _, stderr := bourse(t, "sweep", log, "--policy", "wspt", "--payment", "first,kth", "--behaviour", "srg",
		"--seeds", "4,9", "--nodes", "6", "--load-factor", "1.5", "--records", "--out", cells); code != 0 {
		t.Fatal(stderr)
	}
	if code, _, stderr := bourse(t, "replay", log, "--policy", "wspt", "--payment", "kth", "--behaviour", "srg",
		"--seed", "9", "--nodes", "6", "--load-factor", "1.5", "--out", out); code != 0 {
		t.Fatal(stderr)
	}
	cell := filepath.Join(cells, "_sweep",
		"trace=log/machine_nodes=6/load_factor=1.5/values=bimodal/seed=9/policy=wspt/behaviour=srg/payment_scheme=kth")
	if a, b := read(t, filepath.Join(cell, "jobs.parquet")), read(t, filepath.Join(out, "jobs.parquet")); a != b {
		t.Error("the cell's records are not those of the replay")
	}
	if a, b := read(t, filepath.Join(cell, "summary.json")), read(t, filepath.Join(out, "summary.json")); a != b {
		t.Errorf("the cell's summary is not that of the replay:\n%s\n%s", a, b)
	}
}

// TestSweepMachines wants cells on a pool and on machines with two rules of fit to be
// replays on those.
func TestSweepMachines(t *testing.T) {
	trace := googleFolder(t)
	dir := t.TempDir()
	cells := filepath.Join(dir, "cells")
	if code, _, stderr := bourse(t, "sweep", trace, "--policy", "fcfs,nphb", "--payment", "kth", "--machines",
		"pool,trace(fit={best,worst})", "--out", cells); code != 0 {
		t.Fatal(stderr)
	}
	for _, machines := range []string{"pool", "trace(fit=best)", "trace(fit=worst)"} {
		out := filepath.Join(dir, machines)
		if code, _, stderr := bourse(t, "replay", trace, "--policy", "nphb", "--payment", "kth", "--machines", machines,
			"--out", out); code != 0 {
			t.Fatal(stderr)
		}
		cell := sweep.Cell{{Name: "machines", Value: machines}}.Path()
		found, err := filepath.Glob(filepath.Join(cells, "_sweep/*/*", cell, "*/*/*/policy=nphb/*/*/summary.json"))
		if err != nil || len(found) != 1 {
			t.Fatal(cell, found, err)
		}
		if a, b := read(t, found[0]), read(t, filepath.Join(out, "summary.json")); a != b {
			t.Errorf("%s: the cell's summary is not that of the replay:\n%s\n%s", machines, a, b)
		}
	}
	if code, out, stderr := bourse(t, "compare", cells); code != 0 || strings.Count(out, "trace(fit=worst)") != 3 ||
		strings.Count(out, "recorded") != 1 {
		t.Errorf("exit %d %s: %s", code, stderr, out)
	}
	for args, want := range map[string]string{"--machines pool --nodes 3": "give one of them",
		"--machines pol": `did you mean "pool"`, "--machines trace(fit=bst)": `did you mean "best"`} {
		if code, _, stderr := bourse(t, append([]string{"sweep", trace, "--out", filepath.Join(dir, "x")},
			strings.Fields(args)...)...); code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d: %s", args, code, stderr)
		}
	}
}

// TestSweepCellsTakeReplaySettings wants cells to be replays where users react,
// jobs are killed and come again, queues have limits and a rank is no number.
func TestSweepCellsTakeReplaySettings(t *testing.T) {
	var log strings.Builder
	log.WriteString("; MaxProcs: 4\n")
	for i := 1; i <= 200; i++ {
		fmt.Fprintf(&log, "%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 -1 %d 1 %d 5\n", i, 10*i, i*37%90+1, i%4+1, i%4+1,
			i*53%80+5, i%7, i%3, i-i%9-1)
	}
	path, dir := file(t, "log.swf", log.String()), t.TempDir()
	cells, out := filepath.Join(dir, "cells"), filepath.Join(dir, "out")
	policy := "easy(order=expr(estimate/(procs-2)),backfill=sjf)"
	common := []string{"--policy", policy, "--payment", "none", "--feedback", "--kill-at-estimate", "--resubmit-killed",
		"--queue-limits", "2: procs <= 3", "--cool-down", "60"}
	if code, _, stderr := bourse(t, append([]string{"sweep", path, "--records", "--out", cells},
		common...)...); code != 0 {
		t.Fatal(stderr)
	}
	code, table, stderr := bourse(t, append([]string{"replay", path, "--out", out}, common...)...)
	if code != 0 {
		t.Fatal(stderr)
	}
	for _, want := range []string{order.OddUnbounded, transform.OddFollows, "over their queue's limits"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in\n%s", want, table)
		}
	}
	found, err := filepath.Glob(filepath.Join(cells, "_sweep/*/*/*/*/*/*/*/*/summary.json"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if a, b := read(t, found[0]), read(t, filepath.Join(out, "summary.json")); a != b {
		t.Errorf("the cell's summary is not that of the replay:\n%s\n%s", a, b)
	}
}

func TestSweepFaults(t *testing.T) {
	log := file(t, "log.swf", smallSWF(50))
	other := file(t, "log.swf", smallSWF(60))
	wide := file(t, "wide.swf", "; MaxProcs: 4\n1 0 -1 5 2 -1 -1 -1 -1 -1 1 1 1 -1 1 1 -1 -1\n")
	dir := t.TempDir()
	done, foreign, fresh := filepath.Join(dir, "done"), filepath.Join(dir, "foreign"), filepath.Join(dir, "fresh")
	if code, _, stderr := bourse(t, sweepArgs(log, done)...); code != 0 {
		t.Fatal(stderr)
	}
	os.Mkdir(foreign, 0o777)
	os.WriteFile(filepath.Join(foreign, "thesis.tex"), nil, 0o666)
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "add --out DIR", []string{"sweep", log}},
		{2, "a value is empty", []string{"sweep", log, "--policy", "hb,,fcfs", "--out", fresh}},
		{2, "the grid is empty: axis nodes has no values", []string{"sweep", log, "--nodes", "", "--out", fresh}},
		{2, "payment: hb's is kth by default and drf's none", []string{"sweep", log, "--policy", "hb,drf", "--out",
			fresh}},
		{2, `are both "log" in the dataset`, []string{"sweep", log, file(t, "log.swf.gz", ""), "--out", fresh}},
		{2, `are both "log" in the dataset`, []string{"sweep", log, log, "--out", fresh}},
		{2, "hb is given twice", []string{"sweep", log, "--policy", "hb,hb", "--out", fresh}},
		{2, `--policy "hib" is unknown; did you mean "hb"? There are hb`,
			[]string{"sweep", log, "--policy", "hib", "--out", fresh}},
		{2, `--policy order "wfp" is unknown; did you mean "wfp3"?`, []string{"sweep", log, "--policy",
			"hb,easy(order=f1),easy(order=wfp)", "--out", fresh}},
		{2, "there is nothing between the braces", []string{"sweep", log, "--behaviour", "srg(beta={})", "--out",
			fresh}},
		{2, `--seeds "0": want 1 seed or more`, []string{"sweep", log, "--seeds", "0", "--out", fresh}},
		{2, "is out of range: of 4 shards the first is 0 and the last 3",
			[]string{"sweep", log, "--shard", "4/4", "--out", fresh}},
		{2, "want i/n", []string{"sweep", log, "--shard", "2", "--out", fresh}},
		{1, "holds other files (thesis.tex)", sweepArgs(log, foreign)},
		{1, "holds a sweep of another log: the file has changed since", sweepArgs(other, done)},
		{1, "holds a sweep with another where", sweepArgs(log, done, "--where", "run > 5")},
		{1, "does not hold a sweep: there is no _sweep/sweep.json", []string{"game", foreign}},
		{1, "does not hold a sweep", []string{"merge", foreign}},
		{2, `--at "node"; did you mean "nodes"?`, []string{"game", done, "--at", "node=3"}},
		{2, "--at names seed twice", []string{"game", done, "--at", "seed=1", "--at", "seed=2"}},
		{1, "no cell has the settings asked for", []string{"game", done, "--at", "nodes=3"}},
		{2, "leaves no policy", []string{"game", done, "--without", "hb,nphb"}},
		{1, "1 schedule failed; the others are in", []string{"sweep", wide, "--policy", "wsept", "--nodes", "1,4",
			"--out", filepath.Join(dir, "part")}},
	} {
		code, stdout, stderr := bourse(t, c.args...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("bourse %s: exit %d, want %d with %q\n%s%s", strings.Join(c.args, " "), code, c.code, c.want,
				stdout, stderr)
		}
	}
	if _, err := os.Stat(fresh); err == nil {
		t.Error("a refused sweep made its directory")
	}
	if got := filesIn(t, filepath.Join(dir, "part")); strings.Count(got, "summary.json") != 1 ||
		strings.Contains(got, "manifest.json") {
		t.Errorf("a sweep with a failed cell left %s", got)
	}
}

func TestGame(t *testing.T) {
	log := file(t, "log.swf", smallSWF(300))
	dir := t.TempDir()
	cells, truthful, other := filepath.Join(dir, "cells"), filepath.Join(dir, "truthful"), filepath.Join(dir, "other")
	for _, args := range [][]string{
		sweepArgs(log, cells, "--seeds", "5"), {"sweep", log, "--out", truthful},
		sweepArgs(file(t, "log.swf", smallSWF(200)), other),
	} {
		if code, _, stderr := bourse(t, args...); code != 0 {
			t.Fatal(stderr)
		}
	}
	table := filepath.Join(dir, "game.csv")
	code, stdout, stderr := bourse(t, "game", cells, "--out", table)
	if code != 0 || strings.Count(stdout, "payment ") != 2 || !strings.Contains(stdout, "5 seeds") {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
	if rows := strings.Count(read(t, table), "\n"); rows != 1+2*2*2 {
		t.Errorf("%d lines in the table, want 9", rows)
	}
	if code, _, stderr = bourse(t, "game", truthful); code != 1 ||
		!strings.Contains(stderr, "truthful has none; sweep srg(beta=0)") {
		t.Errorf("a game without aggressive users: exit %d, %s", code, stderr)
	}
	if code, _, stderr = bourse(t, "game", cells, other); code != 1 ||
		!strings.Contains(stderr, "are sweeps of different traces") {
		t.Errorf("a game of two traces: exit %d, %s", code, stderr)
	}
}

func TestRegretCommand(t *testing.T) {
	log := file(t, "log.swf", smallSWF(300))
	table := filepath.Join(t.TempDir(), "regret.csv")
	code, stdout, stderr := bourse(t, "regret", log, "--jobs", "20", "--grid", ".5,2", "--load-factor", "2", "--out",
		table)
	if code != 0 || !strings.Contains(stdout, "over 60 full replays") {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
	if rows := strings.Count(read(t, table), "\n"); rows != 1+20*2*3 {
		t.Errorf("%d lines in the table, want 121", rows)
	}
}

// TestRegretOptions asks only jobs that count, with bids of a table, under the audit.
func TestRegretOptions(t *testing.T) {
	log := file(t, "log.swf", smallSWF(60))
	var rows strings.Builder
	rows.WriteString("job_id,value,bid,time_s\n")
	for i := 1; i <= 60; i++ {
		fmt.Fprintf(&rows, "%d,10,%d,\n%d,10,7,%d\n", i, 2+i%5, i, 50*i)
	}
	table := filepath.Join(t.TempDir(), "regret.csv")
	code, stdout, stderr := bourse(t, "regret", log, "--jobs", "100", "--grid", ".5", "--payment", "first", "--check",
		"--warm-up", "1m", "--cool-down", "1m",
		"--bids", file(t, "bids.csv", rows.String()), "--out", table)
	if code != 0 {
		t.Fatalf("exit %d, %s%s", code, stdout, stderr)
	}
	lines := strings.Split(strings.TrimSpace(read(t, table)), "\n")[1:]
	if len(lines) == 0 || len(lines) >= 2*60 || strings.HasPrefix(lines[0], "1,") {
		t.Errorf("%d lines, the first %q: the edges are asked, too", len(lines), lines[0])
	}
	for _, line := range lines {
		if !strings.Contains(line, ",first,10,") {
			t.Errorf("%s: the value is not that of the table", line)
		}
	}
}

// TestRegretOnAPool asks jobs that want CPU and memory, divisible or on machines.
func TestRegretOnAPool(t *testing.T) {
	trace := googleFolder(t)
	if code, out, stderr := bourse(t, "regret", trace, "--machines", "pool(cpu=0.5,memory=0.5)", "--jobs", "5",
		"--values", "priority"); code != 0 || !strings.Contains(out, "kth") {
		t.Errorf("exit %d %s: %s", code, stderr, out)
	}
	if code, out, stderr := bourse(t, "regret", trace, "--machines", "trace", "--policy", "fcfs", "--jobs",
		"5"); code != 0 || !strings.Contains(out, "kth") {
		t.Errorf("on machines: exit %d %s: %s", code, stderr, out)
	}
}
