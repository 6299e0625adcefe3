package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLearn wants the same figures in every format and for any number of workers.
func TestLearn(t *testing.T) {
	log, dir := file(t, "log.swf", weeksSWF(300)), t.TempDir()
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
