package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"bourse/reports/run"
	"bourse/traces/tracetest"
)

// lpc are the flags of study A's main workload: 219,704 serial jobs on 105
// processors (Shudler et al., Table I).
func lpc(t *testing.T, args ...string) []string {
	log := tracetest.Shared(t, "data/swf/LPC-EGEE-2004-1.2-cln.swf.gz")
	return append([]string{"replay", log, "--nodes", "105", "--serial",
		"--where", "run >= 0 && !(status == 0 && run <= 1)", "--payment", "kth", "--seed", "1"}, args...)
}

// TestLongStudyA replays LPC-EGEE under the five policies and compares mean bounded
// slowdowns with those of an independent simulation, another seed: truthful
// low-value jobs and aggressive low-value jobs. Heavy tails make one seed differ
// from another by a quarter; an error in a policy shows as a factor.
func TestLongStudyA(t *testing.T) {
	tracetest.Long(t)
	for _, c := range []struct {
		policy             string
		truthful, shirkers float64
	}{
		{"hb", 6.1, 18.3}, {"nphb", 15.9, 27.6}, {"wspt", 3.2, 3.4}, {"wsept", 6.8, 8.8}, {"fcfs", 18.9, 18.9},
	} {
		t.Run(c.policy, func(t *testing.T) {
			within := func(what string, got, want float64) {
				if got < want/1.35 || got > want*1.35 {
					t.Errorf("mean bounded slowdown of %s is %.2f, want about %.1f", what, got, want)
				}
			}
			low := func(c *run.Summary, class string) float64 {
				jobs, sum := 0.0, 0.0
				for _, cell := range c.Jobs.Cells {
					if cell.Band == "low" && cell.Class == class {
						jobs += float64(cell.Jobs)
						sum += float64(cell.Jobs) * cell.MeanBSD
					}
				}
				return sum / jobs
			}
			within("truthful jobs", low(summary(t, lpc(t, "--policy", c.policy)), "conservative"), c.truthful)
			within("aggressive jobs", low(summary(t, lpc(t, "--policy", c.policy, "--behaviour", "srg")), "aggressive"),
				c.shirkers)
		})
	}
}

// summary replays and returns summary.json.
func summary(t *testing.T, args []string) *run.Summary {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	code, _, stderr := bourse(t, append(args, "--out", out, "--format", "csv")...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	s := &run.Summary{}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(out, "summary.json"))), s); err != nil {
		t.Fatal(err)
	}
	if s.Counts.Read != 234_889 || s.Counts.Replayed != 219_704 || s.Jobs.Total.Jobs != 219_704 {
		t.Errorf("%d records read, %d replayed, %d rows; want 234,889, 219,704, 219,704", s.Counts.Read,
			s.Counts.Replayed, s.Jobs.Total.Jobs)
	}
	return s
}

// TestEveryLog puts every log of the collection through a replay. A log that is
// refused must say what to do, and doing it must help.
func TestEveryLog(t *testing.T) {
	dir := tracetest.Shared(t, "data/swf")
	logs, err := filepath.Glob(filepath.Join(dir, "*.swf*"))
	if err != nil || len(logs) < 17 {
		t.Fatalf("%d logs in %s, %v", len(logs), dir, err)
	}
	for _, log := range logs {
		t.Run(filepath.Base(log), func(t *testing.T) {
			args := []string{"replay", log, "--policy", "fcfs", "--payment", "none"}
			want := 0
			code, stdout, stderr := bourse(t, args...)
			if code == 1 && strings.Contains(stderr, "--nodes N says it") {
				args = append(args, "--nodes", "1000")
				code, stdout, stderr = bourse(t, args...)
			}
			if code == 1 && strings.Contains(stderr, "--on-error=skip") {
				args, want = append(args, "--on-error=skip"), exitSkipped
				code, stdout, stderr = bourse(t, args...)
			}
			if code != want || !strings.Contains(stdout, "records read") {
				t.Errorf("%v: exit %d: %s", args, code, stderr)
			}
			t.Logf("%v\n%s", args[4:], stdout)
		})
	}
}
