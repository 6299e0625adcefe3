package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestValidate holds a log against simulations of it, and against itself.
func TestValidate(t *testing.T) {
	log, dir := file(t, "log.swf", smallSWF(200)), t.TempDir()
	schedule := filepath.Join(dir, "easy.swf")
	if code, _, stderr := bourse(t, "replay", log, "--swf", schedule); code != 0 {
		t.Fatal(stderr)
	}
	weeks, parts := filepath.Join(dir, "weeks.csv"), filepath.Join(dir, "parts.csv")
	code, out, stderr := bourse(t, "validate", schedule, "--policy", "fcfs,easy,recorded", "--json", "--out", weeks,
		"--parts", parts)
	var told struct {
		Rows []struct {
			Policy string
			Error  float64  `json:"mean_error_s"`
			Rank   *float64 `json:"rank_correlation"`
		}
		Answers []string
	}
	if err := json.Unmarshal([]byte(out), &told); err != nil || code != 0 || len(told.Rows) != 3 {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, stderr)
	}
	for _, r := range told.Rows[1:] { // the log is a schedule of easy's
		if r.Error != 0 || r.Rank == nil || *r.Rank < 1-1e-12 {
			t.Errorf("%s is off by %v", r.Policy, r.Error)
		}
	}
	if told.Rows[0].Error == 0 || told.Answers[0] != "the nearest to the log is easy, the furthest fcfs" {
		t.Errorf("fcfs is off by %v; %s", told.Rows[0].Error, told.Answers[0])
	}
	if !strings.HasPrefix(read(t, weeks), "policy,week,start_s,jobs,recorded_utilisation") ||
		!strings.Contains(read(t, parts), "fcfs,width,") {
		t.Error("the tables of weeks and parts are not as they should be")
	}
	if code, _, stderr := bourse(t, "validate", schedule, "--out", weeks); code == 0 ||
		!strings.Contains(stderr, "overwrite") {
		t.Errorf("a table that is there: exit %d: %s", code, stderr)
	}
	page := filepath.Join(dir, "page")
	if code, _, stderr := bourse(t, "validate", schedule, "--policy", "fcfs,recorded", "--page", page); code != 0 {
		t.Errorf("a page: exit %d: %s", code, stderr)
	}
	if text := read(t, filepath.Join(page, "report.html")); !strings.Contains(text,
		"validate "+schedule+" --policy fcfs,recorded") || !strings.Contains(text, "waits-and-weeks.svg") ||
		strings.Contains(text, "the paper says") || !strings.Contains(text, "every wait is the recorded one") {
		t.Errorf("the page is not as it should be:\n%s", text)
	}
	if code, _, stderr := bourse(t, "validate", schedule, "--page", page); code != exitFailed ||
		!strings.Contains(stderr, "is not empty; use another directory") {
		t.Errorf("a page where there is one: exit %d: %s", code, stderr)
	}
	if code, _, stderr := bourse(t, "validate", "synth:lublin?jobs=50&procs=8"); code != exitFailed ||
		!strings.Contains(stderr, "records no waits") {
		t.Errorf("a model: exit %d: %s", code, stderr)
	}
	if code, _, stderr := bourse(t, "validate", log, "--policy", "esy"); code != exitUsage ||
		!strings.Contains(stderr, `did you mean "easy"`) {
		t.Errorf("a typo: exit %d: %s", code, stderr)
	}
	if code, _, stderr := bourse(t, "validate", log, "--load-factor", "2"); code != exitUsage {
		t.Errorf("another load has no recorded waits: exit %d: %s", code, stderr)
	}
}
