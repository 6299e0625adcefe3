package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestTruth wants the same figures in every format and for any number of workers.
func TestTruth(t *testing.T) {
	log, dir := file(t, "log.swf", smallSWF(300)), t.TempDir()
	args := []string{"truth", log, "--jobs", "20", "--policy", "hb,wspt", "--load-factor", "2", "--replicas", "2"}
	var one string
	for _, workers := range []string{"1", "3"} {
		table := filepath.Join(dir, workers+".csv")
		code, text, stderr := bourse(t, append(args, "--workers", workers, "--json", "--out", table)...)
		if code != 0 {
			t.Fatal(stderr)
		}
		if text += read(t, table); one == "" {
			one = text
		} else if text != one {
			t.Error("three workers print something else than one")
		}
		var told struct {
			Rows []struct {
				Policy, Payment string
				Jobs, Replicas  int
			}
			Answers []string
		}
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&told); err != nil || len(told.Rows) != 10 ||
			len(told.Answers) < 4 || told.Rows[0].Jobs != 40 || told.Rows[0].Replicas != 2 {
			t.Errorf("%v: %+v", err, told)
		}
	}
	code, text, _ := bourse(t, append(args, "--format", "markdown")...)
	if code != 0 || !strings.Contains(text, "| hb | critical:0 |") || !strings.Contains(text, "over 2 replicas") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// TestTruthRefuses wants one sentence about what cannot be asked.
func TestTruthRefuses(t *testing.T) {
	log := file(t, "log.swf", smallSWF(50))
	bids := file(t, "bids.csv", "job_id,value,bid,time_s\n1,3,3,0\n1,3,4,100\n")
	for _, c := range []refusal{
		{exitUsage, "--jobs 0", "at least one job"},
		{exitUsage, "--forks -1", "want a number of 0 or more"},
		{exitUsage, "--replicas 0", "want 1 or more"},
		{exitUsage, "--payment criticl", `did you mean "critical"`},
		{exitUsage, "--payment critical,critical:1", "critical:1 is given twice"},
		{exitUsage, "--policy hbb", `did you mean "hb"`},
		{exitUsage, "--policy drf", "payment kth needs a policy under which jobs compete by bid"},
		{exitUsage, "--format xml", "--format"},
		{exitUsage, "--grid a", "not a multiple of the value"},
		{exitFailed, "--feedback", "with feedback others come because of it"},
		{exitFailed, "--where job<2 --jobs 1 --bids " + bids, "the table of bids has later ones"},
	} {
		code, _, stderr := bourse(t, append([]string{"truth", log}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d %s, want %d and %q", c.args, code, stderr, c.code, c.want)
		}
	}
}
