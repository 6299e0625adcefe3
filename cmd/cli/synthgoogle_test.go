package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bourse/traces/tracetest"
)

// TestSynthGoogle: the folder is whole, is read, and is not written over; what does
// not work says what does.
func TestSynthGoogle(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "month")
	const model = "google2011?machines=30&days=0.1&tasks=3000"
	if code, _, stderr := bourse(t, "trace", "synth", model, dir); code != 0 ||
		!strings.Contains(stderr, "3,000 tasks") {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if code, stdout, stderr := bourse(t, "trace", "inspect", dir); code != 0 ||
		!strings.Contains(stdout, "3,000 of ") || !strings.Contains(stdout, "30 machines") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"trace", "synth", model, dir}, 1, "exists already"},
		{[]string{"trace", "synth", model}, 2, "writes a folder of tables"},
		{[]string{"trace", "synth", "google2011?dais=2", dir + "2"}, 2, `did you mean "days"`},
		{[]string{"trace", "synth", "google2012", dir + "2"}, 2, `did you mean "google2011"`},
		{[]string{"replay", "synth:" + model}, 1, "bourse trace synth '"},
		{[]string{"trace", "synth", model, filepath.Join(dir, "none", "there")}, 1, "no such file"},
		{[]string{"trace", "inspect", dir, "--compare", dir + "2"}, 1, "no such file"},
	} {
		if code, _, stderr := bourse(t, c.args...); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d: %s; want %q", c.args, code, stderr, c.want)
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) != 1 {
		t.Errorf("%v is left behind", left)
	}
	if code, stdout, stderr := bourse(t, "trace", "inspect", dir, "--compare", dir); code != 0 ||
		!strings.Contains(stdout, "rows a task") || !strings.Contains(stdout, "0.000") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

// TestLongSynthGoogleAlike holds the model against the real parts: every law within a
// distance that would show a fault in the model and not the chance of one seed.
func TestLongSynthGoogleAlike(t *testing.T) {
	tracetest.Long(t)
	real := tracetest.Shared(t, "data/google2011")
	dir := filepath.Join(t.TempDir(), "parts")
	if code, _, stderr := bourse(t, "trace", "synth", "google2011?machines=12477&days=0.8125&tasks=614019",
		dir); code != 0 {
		t.Fatal(stderr)
	}
	code, stdout, stderr := bourse(t, "trace", "inspect", real, "--compare", dir)
	if code != 0 {
		t.Fatal(stderr)
	}
	laws, rows := 0, false
	for line := range strings.Lines(stdout) {
		f := strings.Fields(line)
		rows = rows || strings.HasPrefix(line, "rows a task")
		switch {
		case len(f) == 9 && f[0] == "B/A":
			laws++
			if distance, err := strconv.ParseFloat(f[8], 64); err != nil || distance > 0.2 {
				t.Errorf("law %d: distance %s", laws, f[8])
			}
		case rows && len(f) == 4 && strings.Contains("all submit schedule evict finish kill", f[0]):
			if ratio, err := strconv.ParseFloat(f[3], 64); err != nil || ratio < 0.8 || ratio > 1.25 {
				t.Errorf("%s: %s times as many rows a task", f[0], f[3])
			}
		}
	}
	if laws < 8 || !rows {
		t.Errorf("only %d laws in\n%s", laws, stdout)
	}
}
