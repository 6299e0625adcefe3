package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLearn wants the same figures in every format and for any number of workers.
func TestLearn(t *testing.T) {
	log, dir := file(t, "log.swf", smallSWF(300)), t.TempDir()
	args := []string{"learn", log, "--payment", "first,kth", "--epochs", "replays:4", "--load-factor", "2"}
	var one string
	for _, workers := range []string{"1", "3"} {
		table, figure := filepath.Join(dir, workers+".csv"), filepath.Join(dir, workers)
		code, text, stderr := bourse(t, append(args, "--workers", workers, "--json", "--out", table, "--figure",
			figure)...)
		if code != 0 {
			t.Fatal(stderr)
		}
		if text += read(t, table) + read(t, figure+".svg"); one == "" {
			one = text
		} else if text != one {
			t.Error("three workers print something else than one")
		}
		if _, err := os.Stat(figure + ".png"); err != nil {
			t.Error(err)
		}
		var told struct {
			Rows []struct {
				Payment        string
				Agents, Epochs int
			}
			Answers []string
		}
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&told); err != nil || len(told.Rows) != 2 ||
			len(told.Answers) < 6 || told.Rows[0].Agents != 5 || told.Rows[0].Epochs != 4 {
			t.Errorf("%v: %+v", err, told)
		}
	}
	for _, more := range []string{"--agents group --behaviour srg",
		"--rule exp3 --resample=weeks=2 --format markdown"} {
		code, text, stderr := bourse(t, append(args, strings.Fields(more)...)...)
		if code != 0 || !strings.Contains(text, "under hb with kth owners learn") {
			t.Errorf("%s: exit %d: %s%s", more, code, text, stderr)
		}
	}
}

// TestLearnRefuses wants one sentence about what cannot be learnt.
func TestLearnRefuses(t *testing.T) {
	log := file(t, "log.swf", smallSWF(50))
	nobody := file(t, "nobody.swf", strings.ReplaceAll(smallSWF(50), " -1 1 ", " -1 1 -1 1 -1 1 1 -1 -1\n; "))
	bids := file(t, "bids.csv", "job_id,value,bid\n1,3,3\n")
	for _, c := range []struct {
		log string
		refusal
	}{
		{log, refusal{exitUsage, "--epochs 0", "want weeks, or a number of replays, 1 or more"}},
		{log, refusal{exitUsage, "--epochs months", "want weeks"}},
		{log, refusal{exitUsage, "--least 0", "want 1 or more"}},
		{log, refusal{exitUsage, "--ask -1", "want 1 or more"}},
		{log, refusal{exitUsage, "--stop 2", "want a regret from 0 to 1"}},
		{log, refusal{exitUsage, "--rule hedg", `did you mean "hedge"`}},
		{log, refusal{exitUsage, "--agents all", "--agents"}},
		{log, refusal{exitUsage, "--payment kt", `did you mean "kth"`}},
		{log, refusal{exitUsage, "--payment critical:1", "owners cannot learn from a bill that comes after it"}},
		{log, refusal{exitUsage, "--payment clarke", "bourse truth reckons it"}},
		{log, refusal{exitUsage, "--movers 0", "want 1 or more"}},
		{log, refusal{exitUsage, "--format xml", "--format"}},
		{log, refusal{exitFailed, "--least 11",
			"no user has 11 jobs or more to learn from: the most that one has is 10\n"}},
		{log, refusal{exitFailed, "--least 5", "all jobs come within one week"}},
		{log, refusal{exitFailed, "--agents group --epochs 2", "nobody is of an aggressive group"}},
		{log, refusal{exitFailed, "--least 5 --epochs 2 --policy easy --payment first",
			"start jobs in order of their bids, as hb, and easy is none"}},
		{log, refusal{exitFailed, "--least 5 --epochs 2 --feedback", "with feedback jobs come when others have ended"}},
		{log, refusal{exitFailed, "--where job<2 --least 1 --epochs 2 --bids " + bids,
			"a table of bids says what owners bid"}},
		{log, refusal{exitFailed, "--least 5 --epochs 2 --values deadline", "not for deadlines and steps"}},
		{nobody, refusal{exitFailed, "--epochs 2", "the log names no users"}},
	} {
		c.check(t, "learn", c.log)
	}
}
