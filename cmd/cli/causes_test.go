package cli

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bourse/reports/run"
)

// TestCauses wants the columns of causes to add up to wait_s, their means to those of the
// summary, and no trace of them where they are not asked for.
func TestCauses(t *testing.T) {
	log := file(t, "log.swf", smallSWF(200))
	for _, args := range []string{"--policy easy --payment none", "--policy hb --serial", "--policy drf",
		"--policy srpt --preemption restart"} {
		out := filepath.Join(t.TempDir(), "out")
		code, text, stderr := bourse(t, append([]string{"replay", log, "--causes", "--out", out, "--format", "csv"},
			strings.Fields(args)...)...)
		if code != 0 || !strings.Contains(text, "what jobs waited for: ") {
			t.Fatalf("%s: exit %d, no word on causes\n%s%s", args, code, text, stderr)
		}
		var summary run.Summary
		must(t, json.Unmarshal([]byte(read(t, filepath.Join(out, "summary.json"))), &summary))
		rows, err := csv.NewReader(strings.NewReader(read(t, filepath.Join(out, "jobs.csv")))).ReadAll()
		must(t, err)
		means, wait := map[string]float64{}, 0.0
		for _, row := range rows[1:] {
			sum := 0.0
			for c, name := range rows[0] {
				x, err := strconv.ParseFloat(row[c], 64)
				switch cause, part := strings.CutPrefix(name, "wait_"); {
				case err != nil || !part:
				case cause == "s":
					wait = x
				default:
					cause = strings.TrimSuffix(cause, "_s")
					means[cause] += x / float64(len(rows)-1)
					sum += x
				}
			}
			if math.Abs(sum-wait) > 1e-6 {
				t.Fatalf("%s: the causes of %v add up to %v, its wait is %v", args, row[0], sum, wait)
			}
		}
		share := 0.0
		for _, w := range summary.Waits {
			if math.Abs(w.MeanS-means[w.Cause]) > 1e-6 {
				t.Errorf("%s: the mean %s is %v, in the summary %v", args, w.Cause, means[w.Cause], w.MeanS)
			}
			share += w.Percent
		}
		if len(summary.Waits) == 0 || math.Abs(share-100) > 1e-6 {
			t.Errorf("%s: the shares of %v causes add up to %v", args, len(summary.Waits), share)
		}
		again(t, 0, []string{out}, "same bytes: 2 files")
	}
	_, text, _ := bourse(t, "replay", log, "--policy", "easy", "--out", "-", "--format", "csv")
	if strings.Contains(text, "wait_room_s") {
		t.Error("columns of causes that nobody asked for")
	}
}
