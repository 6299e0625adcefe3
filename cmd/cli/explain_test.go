package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bourse/reports/terminal"
)

var update = flag.Bool("update", false, "write the kept outputs anew instead of comparing")

// TestExplain explains jobs of testdata/explain/log.swf, a log small enough to
// replay by hand. On four processors under hb and kth:
//
//	0    1 starts on 2 processors; 10 so does 2; nobody waits, the price is 1
//	20   3 comes with the best bid and needs all 4: 1 and 2 make room
//	30   4 comes and waits
//	50   3 ends; by bid 1 (10) and 4 (7) run, 2 (5) waits and sets the price of 5
//	60   2 now bids 8 and takes the place of 4, whose 7 is the price
//	100  2 ends and 4 runs again; nobody waits; 130 both end
//
// So 2 pays 10 s x 2 at 1 and 40 s x 2 at 7: 580; 4 pays 10 s x 2 at 5 and
// 30 s x 2 at 1: 160.
func TestExplain(t *testing.T) {
	dir, err := filepath.Abs("testdata/explain")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, c := range []struct{ golden, args, want string }{
		{"preempted.txt", "--job 2 --bids bids.csv", "580.00"},
		// as preempted.txt says
		{"first.txt", "--job 2 --bids bids.csv --payment first:1", "7.4000  -1,640.00     charged"},
		{"rebid.txt", "--job 4 --bids bids.csv", "160.00"},
		{"nothing-to-run.txt", "--job 5 --bids bids.csv", "it has nothing to run"},
		{"shared.txt", "--job 2 --policy drf --payment posted:2", "charge = seconds x 2 processors x share x price"},
		{"killed.txt", "--job 1 --estimates scale:.5 --kill-at-estimate --resubmit-killed --policy easy --payment kth",
			"submitted again with twice that"},
		{"lent.txt", "--job 4 --policy lend(fl,every=7)", "of its request"},
		{"piece.txt", "--job 6 --serial --task 3 --behaviour srg", "Job 6, piece 3 of 8"},
		{"pieces.txt", "--job 6 --serial --policy hb", "8 rows of the replay are job 6"},
		{"restarted.txt", "--job 1 --preemption restart --bids bids.csv", "0:00:20   40.0 %  doing work that was lost"},
		{"fcfs.txt", "--job 4 --policy fcfs --payment kth", "1 was submitted before it: job 3"},
		{"unpaid.txt", "--job 4 --policy easy", "Job 4 waited"},
		{"pool.txt", "--job 4 --machines pool(cpu=4,memory=8) --bids bids.csv", "machine-second"},
	} {
		args := append([]string{"explain", "log.swf"}, strings.Fields(c.args)...)
		code, stdout, stderr := bourse(t, args...)
		if code != 0 || stderr != "" || !strings.Contains(stdout, c.want) {
			t.Errorf("bourse explain log.swf %s: exit %d, want %q\n%s%s", c.args, code, c.want, stdout, stderr)
			continue
		}
		if *update {
			if err := os.WriteFile(c.golden, []byte(stdout), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := read(t, c.golden); stdout != want {
			t.Errorf("bourse explain log.swf %s: not as in %s:\n%s", c.args, c.golden, stdout)
		}
	}
}

// TestExplainFormats wants the facts as JSON, and tables where the text has sentences.
func TestExplainFormats(t *testing.T) {
	dir, err := filepath.Abs("testdata/explain")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	var facts struct {
		Job      struct{ Name string }
		Wait     float64 `json:"wait_s"`
		Timeline []struct {
			At   float64 `json:"at_s"`
			Stop struct {
				By struct {
					Job int64 `json:"job_id"`
				}
			}
		}
		Receipt []struct{ Charge float64 }
		Answer  string
	}
	_, stdout, _ := bourse(t, "explain", "log.swf", "--job", "2", "--bids", "bids.csv", "--json")
	if err := json.Unmarshal([]byte(stdout), &facts); err != nil {
		t.Fatal(err)
	}
	if facts.Job.Name != "2" || facts.Wait != 40 || facts.Timeline[1].At != 10 || facts.Timeline[1].Stop.By.Job != 3 ||
		facts.Receipt[1].Charge != 560 || !strings.HasSuffix(facts.Answer, "it paid 580.00.") {
		t.Errorf("%+v\n%s", facts, stdout)
	}
	for format, want := range map[string]string{
		"csv":      "\n50,90,40,1,7,7,7,560,1\n",
		"markdown": "| kth | 580.00 | 5.8000 | -1,480.00 | charged |\n",
		"html":     "<p>Job 2 waited 40s: preempted once for job 3; it paid 580.00.</p>",
	} {
		_, stdout, stderr := bourse(t, "explain", "log.swf", "--job", "2", "--bids", "bids.csv", "--format", format)
		if !strings.Contains(stdout, want) {
			t.Errorf("%s lacks %q:\n%s%s", format, want, stdout, stderr)
		}
	}
	_, stdout, _ = bourse(t, "explain", "log.swf", "--job", "4", "--policy", "easy", "--format", "csv")
	if !strings.Contains(stdout, "\nroom,30,1,0,0,0,0,0\n") {
		t.Error(stdout)
	}
}

// TestExplainAgrees wants the explanation of every job to end in the payment of its record.
func TestExplainAgrees(t *testing.T) {
	log := file(t, "log.swf", smallSWF(40))
	code, records, stderr := bourse(t, "replay", log, "--behaviour", "srg", "--out", "-", "--format", "csv")
	if code != 0 {
		t.Fatal(stderr)
	}
	lines := strings.Split(strings.TrimSpace(records), "\n")
	column := strings.Count(records[:strings.Index(records, "payment")], ",")
	for _, line := range lines[1:] {
		cells := strings.Split(line, ",")
		_, text, _ := bourse(t, "explain", log, "--behaviour", "srg", "--job", cells[0])
		_, tail, found := strings.Cut(text, "\n  total ")
		if total, _, _ := strings.Cut(tail, "\n"); !found || !strings.HasSuffix(total, " "+cents(t, cells[column])) {
			t.Errorf("job %s paid %s, its receipt says %s", cells[0], cells[column], total)
		}
	}
}

// cents writes a record's number as a receipt does.
func cents(t *testing.T, cell string) string {
	t.Helper()
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatal(err)
	}
	n := int64(math.Round(100 * x))
	return fmt.Sprintf("%s.%02d", terminal.Thousands(n/100), n%100)
}

// TestExplainRun wants a finished run to be explained as its trace with the run's flags is,
// also when the trace has moved, and refusals that say what is wrong.
func TestExplainRun(t *testing.T) {
	dir, log := t.TempDir(), file(t, "log.swf", smallSWF(40))
	out, bid, cells := filepath.Join(dir, "out"), filepath.Join(dir, "bid"), filepath.Join(dir, "cells")
	bids := file(t, "bids.csv", "job_id,value,bid\n"+strings.Join(rows(40,
		func(i int) string { return fmt.Sprintf("%d,%d,%d", i, i%7+1, i%5+1) }), "\n")+"\n")
	flags := map[string][]string{
		out: {"--policy", "easy", "--payment", "none", "--nodes", "16", "--warm-up", "1"},
		bid: {"--policy", "hb", "--serial", "--bids", bids},
	}
	for to, args := range flags {
		done(t, append([]string{"replay", log, "--out", to}, args...)...)
		for i := 1; i <= 40; i++ {
			job := fmt.Sprint(i)
			_, want, stderr := bourse(t, append([]string{"explain", log, "--job", job}, args...)...)
			code, got, _ := bourse(t, "explain", to, "--job", job)
			if code != 0 || got != want || want == "" {
				t.Fatalf("explain %s --job %s: exit %d\n%s\nand of the trace\n%s%s", to, job, code, got, want, stderr)
			}
		}
	}
	done(t, "sweep", log, "--policy", "easy,fcfs", "--payment", "none", "--out", cells, "--records")
	study := filepath.Join(dir, "study")
	done(t, "reproduce", "dynamic-sharing", "--instances", "2", "--lies", "0", "--out", study)
	moved := filepath.Join(dir, "moved.swf")
	must(t, os.Rename(log, moved))
	for _, c := range []refusal{
		{1, out + " --job 4", "--trace PATH says where the trace is now"},
		{0, out + " --job 4 --trace " + moved, "Job 4 "},
		{0, filepath.Join(out, "manifest.json") + " --job 4 --trace " + moved, "Job 4 "},
		{0, bid + " --job 4 --bids " + bids + " --trace " + moved, "it paid"},
		{1, out + " --job 4 --trace " + bids, "is not the trace of that run"},
		{1, out + " --job 99 --trace " + moved, "the last number there is 40"},
		{2, out + " --job 4 --policy fcfs", "--policy: the run in " + out + " has its own settings"},
		{2, out + " --job 4 --bids " + bids + " --trace " + moved, "there was no table of bids"},
		{2, moved + " --job 4 --trace " + moved, "is no finished run"},
		{1, cells + " --job 4", "holds a sweep; want the directory of one of its cells"},
		{1, study + " --job 4", "holds a study, not a run"},
		{1, dir + " --job 4", "a folder, not a trace"},
	} {
		c.check(t, "explain")
	}
}

// rows makes a line of each number from 1 on.
func rows(n int, line func(i int) string) (lines []string) {
	for i := 1; i <= n; i++ {
		lines = append(lines, line(i))
	}
	return lines
}

// TestExplainArray: an element of an array has the name that Slurm shows, wherever it is named.
func TestExplainArray(t *testing.T) {
	row := func(id, start, end string) string {
		return id + "|ann|2026-01-01T00:00:00|2026-01-01T" + start + "|2026-01-01T" + end + "|4|COMPLETED\n"
	}
	log := file(t, "a.sacct", "JobID|User|Submit|Start|End|AllocCPUS|State\n"+row("4711_3", "00:00:00",
		"00:10:00")+row("4711_4", "00:10:00", "00:20:00")+row("12", "00:20:00", "00:30:00"))
	for id, want := range map[string]string{"4711_4": "Job 4711_4 of ", "12": "job 4711_4 (4 p)",
		"4711_9": "last number there is 4711_4"} {
		if _, stdout, stderr := bourse(t, "explain", log, "--job", id, "--nodes", "4"); !strings.Contains(stdout+stderr,
			want) || strings.Contains(stdout+stderr, "47110000000") {
			t.Errorf("%s: want %q\n%s%s", id, want, stdout, stderr)
		}
	}
}
