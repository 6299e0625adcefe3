package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bourse/traces/table"
)

// TestTables compares the tables that commands print with those kept in
// testdata/tables. `make golden` writes them anew; read the difference.
func TestTables(t *testing.T) {
	log, google := smallSWF(300), googleFolder(t)
	kept, err := filepath.Abs("testdata/tables")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("log.swf", []byte(log), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(google, "google"); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := bourse(t, "sweep", "log.swf", "--policy", "hb,nphb", "--payment", "first,kth", "--behaviour",
		"srg(beta={.1,.9})", "--seeds", "3", "--out", "cells", "--quiet"); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, c := range []struct {
		name string
		args []string
	}{
		{"replay", []string{"replay", "log.swf", "--behaviour", "srg", "--out", "runs/hb"}},
		{"replay-easy", []string{"replay", "log.swf", "--policy", "easy", "--payment", "none", "--out", "runs/easy"}},
		{"replay-resubmitted", []string{"replay", "log.swf", "--policy", "easy(backfill=sjf)", "--payment", "none",
			"--estimates", "scale:.6",
			"--kill-at-estimate", "--resubmit-killed", "--warm-up", "5min", "--out", "runs/resubmitted"}},
		{"replay-machines", []string{"replay", "google", "--machines", "trace", "--policy", "priority"}},
		{"replay-pool", []string{"replay", "google", "--machines", "pool", "--policy", "drf"}},
		{"compare-runs", []string{"compare", "runs/hb", "runs/easy", "runs/resubmitted"}},
		{"compare-policies", []string{"compare", "log.swf", "--policy", "fcfs,easy,hb,srpt"}},
		{"compare-sweep", []string{"compare", "cells"}},
		{"compare-sweep-by", []string{"compare", "cells", "--by", "behaviour"}},
		{"compare-runs-paired", []string{"compare", "runs/hb", "runs/easy", "--metric", "wait", "--baseline",
			"runs/easy", "--by", "size"}},
		{"compare-policies-by", []string{"compare", "log.swf", "--policy", "fcfs,easy", "--metric", "wait",
			"--baseline", "fcfs", "--by", "user"}},
		{"compare-payment", []string{"compare", "cells", "--metric", "payment", "--by", "policy,payment"}},
		{"compare-p95", []string{"compare", "log.swf", "--policy", "fcfs,easy", "--metric", "p95"}},
		{"compare-markdown", []string{"compare", "log.swf", "--policy", "fcfs,easy", "--format", "markdown"}},
		{"compare-latex", []string{"compare", "cells", "--format", "latex"}},
		{"compare-csv", []string{"compare", "cells", "--format", "csv"}},
		{"compare-by-csv", []string{"compare", "log.swf", "--policy", "fcfs,easy", "--by", "size", "--format", "csv"}},
		{"compare-json", []string{"compare", "log.swf", "--policy", "fcfs,hb", "--format", "json"}},
		{"regret", []string{"regret", "log.swf", "--jobs", "40", "--load-factor", "1.5"}},
		{"truth", []string{"truth", "log.swf", "--jobs", "30", "--load-factor", "1.5", "--policy", "hb,nphb,easy"}},
		{"truth-csv", []string{"truth", "log.swf", "--jobs", "30", "--policy", "wspt", "--payment",
			"kth,clarke,critical:2", "--format", "csv"}},
		{"learn", []string{"learn", "log.swf", "--resample=users", "--least", "10", "--epochs", "6", "--ask", "2", "--load-factor", "1.5"}},
		{"learn-csv", []string{"learn", "log.swf", "--resample=users", "--least", "10", "--rule", "exp3", "--epochs", "8", "--payment",
			"kth", "--format", "csv"}},
		{"predict", []string{"predict", "log.swf", "--procs", "4", "--run", "1h", "--instants", "50"}},
		{"game", []string{"game", "cells"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, stderr := bourse(t, c.args...)
			if code != 0 {
				t.Fatalf("exit %d: %s", code, stderr)
			}
			golden(t, filepath.Join(kept, c.name+".txt"), speed.ReplaceAllString(out, ""))
		})
	}
}

// floatsIn reads a column of a table of numbers.
func floatsIn(t *testing.T, path, column string) []float64 {
	t.Helper()
	all, err := table.Read(path, nil)
	must(t, err)
	x, err := all.Floats(column)
	must(t, err)
	return x
}

// refusal is a command that ends with an exit code and says something, to either stream.
type refusal struct {
	code       int
	args, want string
}

func (r refusal) check(t *testing.T, command ...string) {
	t.Helper()
	code, stdout, stderr := bourse(t, append(command, strings.Fields(r.args)...)...)
	if code != r.code || !strings.Contains(stdout+stderr, r.want) {
		t.Errorf("%s %s: exit %d, want %d with %q\n%s%s", strings.Join(command, " "), r.args, code, r.code, r.want,
			stdout, stderr)
	}
}
