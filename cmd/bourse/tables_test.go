package main

import (
	"os"
	"path/filepath"
	"testing"
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
	if code, _, stderr := bourse(t, "sweep", "log.swf", "--policy", "hb,nphb", "--payment", "first,kth",
		"--behaviour", "srg(beta={.1,.9})", "--seeds", "3", "--out", "cells", "--quiet"); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, c := range []struct {
		name string
		args []string
	}{
		{"replay", []string{"replay", "log.swf", "--behaviour", "srg", "--out", "runs/hb"}},
		{"replay-easy", []string{"replay", "log.swf", "--policy", "easy", "--payment", "none", "--out", "runs/easy"}},
		{"replay-resubmitted", []string{"replay", "log.swf", "--policy", "easy(backfill=sjf)", "--payment", "none", "--estimates", "scale:.6",
			"--kill-at-estimate", "--resubmit-killed", "--warm-up", "5min", "--out", "runs/resubmitted"}},
		{"replay-machines", []string{"replay", "google", "--machines", "trace", "--policy", "priority"}},
		{"replay-pool", []string{"replay", "google", "--machines", "pool", "--policy", "drf"}},
		{"compare-runs", []string{"compare", "runs/hb", "runs/easy", "runs/resubmitted"}},
		{"compare-policies", []string{"compare", "log.swf", "--policy", "fcfs,easy,hb,srpt"}},
		{"compare-sweep", []string{"compare", "cells"}},
		{"compare-sweep-by", []string{"compare", "cells", "--by", "behaviour"}},
		{"compare-runs-paired", []string{"compare", "runs/hb", "runs/easy", "--metric", "wait", "--baseline", "runs/easy", "--by", "size"}},
		{"compare-policies-by", []string{"compare", "log.swf", "--policy", "fcfs,easy", "--metric", "wait", "--baseline", "fcfs", "--by", "user"}},
		{"compare-payment", []string{"compare", "cells", "--metric", "payment", "--by", "policy,payment"}},
		{"compare-p95", []string{"compare", "log.swf", "--policy", "fcfs,easy", "--metric", "p95"}},
		{"compare-markdown", []string{"compare", "log.swf", "--policy", "fcfs,easy", "--format", "markdown"}},
		{"compare-latex", []string{"compare", "cells", "--format", "latex"}},
		{"compare-csv", []string{"compare", "cells", "--format", "csv"}},
		{"compare-by-csv", []string{"compare", "log.swf", "--policy", "fcfs,easy", "--by", "size", "--format", "csv"}},
		{"compare-json", []string{"compare", "log.swf", "--policy", "fcfs,hb", "--format", "json"}},
		{"regret", []string{"regret", "log.swf", "--jobs", "40", "--load-factor", "1.5"}},
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
