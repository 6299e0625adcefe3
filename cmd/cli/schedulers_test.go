package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bourse/policies/catalog"
)

// TestComparePolicies wants a row per policy, the best first, paired differences to it or
// to the baseline, and an answer.
func TestComparePolicies(t *testing.T) {
	const log = "synth:lublin?jobs=800&procs=32&seed=3"
	light := []string{"--load-factor", ".6"} // so that there are stretches to tell policies by
	code, out, stderr := bourse(t, append([]string{"compare", log, "--policy", "fcfs,easy(order=fcfs,backfill=sjf),srpt",
		"--preemption", "restart"}, light...)...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 13 || !strings.HasPrefix(lines[1], "*  srpt") ||
		!strings.HasPrefix(lines[2], "   easy(order=fcfs,backfill=sjf)") || !strings.Contains(lines[8], " to +") {
		t.Fatalf("exit %d: %s\n%s", code, stderr, out)
	}
	if strings.Contains(out, "\nsrpt ") || !strings.Contains(lines[0], "vs best") ||
		strings.HasSuffix(lines[1], "  0.0") || lines[12] != "best by bounded slowdown: srpt; all others are worse" {
		t.Errorf("srpt is compared with itself, or with restarts loses nothing:\n%s", out)
	}
	if _, out, _ := bourse(t, append([]string{"compare", log, "--policy", "fcfs,easy", "--baseline", "fcfs",
		"--metric", "wait"}, light...)...); !strings.Contains(out, "vs fcfs") || strings.Count(out, " to -") != 1 || !strings.Contains(out,
		"best by mean wait: easy; fcfs is worse") {
		t.Errorf("beside fcfs:\n%s", out)
	}
	// Finished runs of the same jobs are paired as the policies are.
	dir, runs := t.TempDir(), []string{"compare"}
	for _, policy := range []string{"fcfs", "easy"} {
		runs = append(runs, filepath.Join(dir, policy))
		if code, _, stderr := bourse(t, append([]string{"replay", log, "--policy", policy, "--out",
			filepath.Join(dir, policy), "--format", "csv"}, light...)...); code != 0 {
			t.Fatal(stderr)
		}
	}
	for _, flags := range [][]string{{"--metric", "wait"}, {"--metric", "ssj", "--baseline", "fcfs"}, {"--by", "size"},
		{"--metric", "p95"}} {
		_, a, _ := bourse(t, append(slices.Clone(runs), flags...)...)
		_, b, stderr := bourse(t, slices.Concat([]string{"compare", log, "--policy", "fcfs,easy"}, light, flags)...)
		if a == "" || stderr != "" || a != b {
			t.Errorf("%v: finished runs are compared otherwise than policies\n%s\n%s%s", flags, a, b, stderr)
		}
	}
}

// TestEstimateFlags wants what is done to estimates to be counted.
func TestEstimateFlags(t *testing.T) {
	log := file(t, "log.swf", smallSWF(100)+"101 1010 -1 90 1 -1 -1 -1 60 -1 1 1 1 -1 1 1 -1 -1\n102 1020 -1 90 1 "+
		"-1 -1 -1 -1 -1 1 1 1 -1 1 1 -1 -1\n")
	for _, c := range []struct{ args, want, no string }{
		{"--policy easy", "note: no requested time: the run time is used (1)\nnote: run times above the estimate (1)",
			""},
		{"--policy easy --kill-at-estimate", "note: run times cut to the estimate (1)", "above"},
		{"--policy wsept", "note: no requested time: the run time is used (1)", ""},
		{"--policy fcfs", "102 replayed\n", "note: run time"},
		{"--policy easy --estimates exact", "102 replayed\n", "note:"},
		{"--policy conservative --estimates tsafrir", "102 replayed\n", "note:"},
	} {
		code, out, stderr := bourse(t, append(strings.Fields("replay "+log+" --payment none --check"),
			strings.Fields(c.args)...)...)
		if code != 0 || !strings.Contains(out, c.want) || c.no != "" && strings.Contains(out, c.no) {
			t.Errorf("%s: exit %d %s\n%s", c.args, code, stderr, out)
		}
	}
	if code, _, stderr := bourse(t, "replay", log, "--policy", "easy", "--estimates", "recorded", "--payment",
		"none"); code != exitFailed || !strings.Contains(stderr, "job 102 has no estimate") {
		t.Errorf("recorded estimates only: exit %d %s", code, stderr)
	}
	out := filepath.Join(t.TempDir(), "drawn.swf")
	if code, _, stderr := bourse(t, "trace", "convert", log, out, "--estimates", "tsafrir:7200"); code != 0 ||
		!strings.Contains(read(t, out), " 7200 ") {
		t.Errorf("convert: exit %d %s", code, stderr)
	}
}

// TestOddRanks wants ranks that are no numbers to be counted, and no others.
func TestOddRanks(t *testing.T) {
	log := file(t, "log.swf", smallSWF(50))
	const note = "ranks by an expression that were "
	for policy, want := range map[string]string{
		"expr(0/(procs-procs))":                           note + "not numbers: last (50)",
		"easy(backfill=expr(submit>100?0/0*procs:procs))": note,
		"easy(order=expr(wait*0/0))":                      note,
		"priority(by=0/(user-user))":                      note,
		"expr(procs/(procs-procs))":                       note + "infinite: first or last by their sign (50)",
		"sjf":                                             "50 replayed",
	} {
		code, out, stderr := bourse(t, "replay", log, "--policy", policy, "--payment", "none", "--check")
		if code != 0 || !strings.Contains(out, want) || strings.HasPrefix(want, "50") && strings.Contains(out, note) {
			t.Errorf("%s: exit %d %s, wanted %q in\n%s", policy, code, stderr, want, out)
		}
	}
}

// TestResubmitFlag wants killed jobs to come again and their lost work to be told.
func TestResubmitFlag(t *testing.T) {
	log := file(t, "log.swf", "; MaxProcs: 1\n1 0 -1 70 1 -1 -1 1 20 -1 1 1 1 -1 1 1 -1 -1\n2 5 -1 30 1 -1 -1 1 30 "+
		"-1 1 1 1 -1 1 1 -1 -1\n")
	args := []string{"replay", log, "--policy", "easy", "--payment", "none", "--kill-at-estimate", "--resubmit-killed",
		"--check", "--out", "-", "--format", "csv"}
	code, out, stderr := bourse(t, args...)
	// 1 runs 20 s, 2 its 30 s, 1 its 40 s, and then it has 80 s: 70 are enough.
	if code != 0 || !strings.Contains(stderr,
		"2 times a job was killed at its estimate and submitted again; 37.5% of the work was lost") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 3 || !strings.HasSuffix(lines[1], ",0,0") ||
		!strings.HasSuffix(lines[2], ",2,60") {
		t.Errorf("records:\n%s", out)
	}
	if code, out, stderr := bourse(t, "compare", log, "--policy", "fcfs,easy", "--kill-at-estimate",
		"--resubmit-killed"); code != 0 || !strings.Contains(out, "lost 37.5 %") {
		t.Errorf("compare: exit %d: %s\n%s", code, stderr, out)
	}
	if code, _, stderr := bourse(t, "replay", log, "--resubmit-killed"); code != exitUsage ||
		!strings.Contains(stderr, "--kill-at-estimate") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestFeedbackFlag wants jobs to come when the ones before them have ended, and
// who cannot do that to be counted.
func TestFeedbackFlag(t *testing.T) {
	job := func(id, submit, run, prev, think int) string {
		return fmt.Sprintf("%d %d -1 %d 1 -1 -1 1 %d -1 1 1 1 -1 1 1 %d %d\n", id, submit, run, run, prev, think)
	}
	log := file(t, "log.swf", "; MaxProcs: 1\n"+job(1, 0, 100, -1, -1)+job(2, 10, 50, 1, 7)+job(3, 20, 5, 2, -1)+job(4,
		500, 5, 3, 0)+job(5, 600, 5, 44, 3))
	again := filepath.Join(t.TempDir(), "again.swf")
	code, out, stderr := bourse(t, "replay", log, "--feedback", "--policy", "fcfs", "--payment", "none", "--check",
		"--swf", again, "--cool-down", "10")
	for _, want := range []string{"5 replayed", "submitted when the one before them had ended, plus think time (3)",
		"none taken (1)", "not replayed: submitted as recorded (1)"} {
		if !strings.Contains(out, want) {
			t.Errorf("exit %d %s, %q is missing in\n%s", code, stderr, want, out)
		}
	}
	var submits []string
	for _, line := range strings.Split(read(t, again), "\n") {
		if f := strings.Fields(line); len(f) == 18 && f[0] != ";" {
			submits = append(submits, f[0]+"@"+f[1])
		}
	}
	if got, want := strings.Join(submits, " "), "1@0 2@107 3@157 4@162 5@600"; got != want {
		t.Errorf("submitted were %s, wanted %s", got, want)
	}
	// Who waits for the one before never waits for a processor; the log's own times
	// make three of them.
	for flag, want := range map[string]string{"--feedback": "mean wait 0s", "--serial": " 44s "} {
		if code, out, stderr := bourse(t, "compare", log, "--policy", "fcfs,sjf", flag); code != 0 ||
			!strings.Contains(out, want) {
			t.Errorf("compare %s: exit %d %s, wanted%sin\n%s", flag, code, stderr, want, out)
		}
	}
}

// TestEveryPolicyRuns replays a log with prices under every policy of the
// catalogue, by its defaults.
func TestEveryPolicyRuns(t *testing.T) {
	log := file(t, "log.swf", smallSWF(100))
	ran := 0
	for _, name := range catalog.Policies.Names() {
		args := []string{"replay", log, "--policy", name, "--check"}
		switch name {
		case "expr":
			args[3] = "expr(-bid)"
		case "lend":
			args[3] = "lend:fl"
		case "family":
			args[3] = "family:sum"
		case "quota":
			args[3] = "quota(nominal=*)"
		case "nash":
			args = append(args, "--machines", "pool(cpu=8,memory=100000)")
		case "dlgm":
			args = append(args, "--serial")
		case "script", "exec", "defer", "greedy", "uniform-progress": // which need what their users bring
			continue
		case "bal", "bal*", "hybrid", "hybrid-sw", "hybrid-util":
			args = append(args, "--machines", "pool(cpu=8,memory=100000)")
		}
		ran++
		if code, _, stderr := bourse(t, args...); code != 0 {
			t.Errorf("%s: exit %d: %s", name, code, stderr)
		}
	}
	if ran < 20 {
		t.Errorf("only %d policies are listed", ran)
	}
}

// TestCompareTakesTheFlagsOfReplay wants the figures that a replay with the same flags has.
func TestCompareTakesTheFlagsOfReplay(t *testing.T) {
	log := file(t, "log.swf", smallSWF(200))
	for _, flags := range []string{"", "--preemption restart", "--migration-cost 30",
		"--preemption restart --migration-cost 5"} {
		args := append([]string{log, "--json", "--nodes", "5"}, strings.Fields(flags)...)
		code, out, stderr := bourse(t, append([]string{"replay", "--policy", "srpt", "--payment", "none"}, args...)...)
		var summary struct {
			Jobs struct {
				Total struct {
					Wait float64 `json:"mean_wait_s"`
				}
			}
		}
		if err := json.Unmarshal([]byte(out), &summary); err != nil || code != 0 {
			t.Fatalf("exit %d %s, %v", code, stderr, err)
		}
		code, out, stderr = bourse(t, append([]string{"compare", "--policy", "srpt"}, args...)...)
		var told comparisonJSON
		if err := json.Unmarshal([]byte(out), &told); err != nil || code != 0 || len(told.Rows) != 1 {
			t.Fatalf("exit %d %s, %v", code, stderr, err)
		}
		if got, want := told.Rows[0].Figures["mean_wait_s"].Value,
			summary.Jobs.Total.Wait; math.Abs(got-want) > 1e-9*want {
			t.Errorf("%q: compare has a mean wait of %g, replay of %g", flags, got, want)
		}
	}
	if code, _, stderr := bourse(t, "compare", log, "--policy", "srpt", "--preemption", "stop"); code != exitUsage ||
		!strings.Contains(stderr, "resume, restart or checkpoint:TIME") {
		t.Errorf("exit %d %s", code, stderr)
	}
}
