package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// TestTruth wants the same figures in every format and for any number of workers.
func TestTruth(t *testing.T) {
	log, dir := file(t, "log.swf", weeksSWF(300)), t.TempDir()
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
