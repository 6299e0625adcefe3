package cli

import (
	"os"
	"strings"
	"testing"
)

// TestPerfetto writes a timeline beside a run, which rerun repeats, and refuses what makes
// no sense.
func TestPerfetto(t *testing.T) {
	log := file(t, "log.swf", smallSWF(200))
	t.Chdir(t.TempDir())
	if code, _, stderr := bourse(t, "replay", log, "--policy", "hb", "--payment", "kth", "--perfetto", "t.pftrace",
		"--segments", "--series", "--out", "out"); code != 0 {
		t.Fatal(stderr)
	}
	whole, err := os.ReadFile("t.pftrace")
	if err != nil || whole[0] != 1<<3|2 { // a first packet
		t.Fatalf("%v, %x", err, whole[:1])
	}
	if code, stdout, stderr := bourse(t, "rerun", "out"); code != 0 ||
		!strings.Contains(stdout, "same bytes: 5 files") {
		t.Errorf("%s%s", stdout, stderr)
	}
	if code, _, stderr := bourse(t, "replay", log, "--perfetto", "w.pftrace", "--perfetto-window", "0..200",
		"--perfetto-sample", "2"); code != 0 {
		t.Error(stderr)
	}
	if part, err := os.ReadFile("w.pftrace"); err != nil || len(part) == 0 || len(part) > len(whole)/4 {
		t.Errorf("%v: %d bytes of %d", err, len(part), len(whole))
	}
	for want, args := range map[string][]string{
		"add --perfetto FILE":                       {"--perfetto-window", "0..10"},
		"want a time of the trace, as 12d..14d":     {"--perfetto", "x", "--perfetto-window", "5d..2d"},
		"t.pftrace exists already":                  {"--perfetto", "t.pftrace"},
		"want one job in so many":                   {"--perfetto", "x", "--perfetto-sample", "-1"},
		"is the trace itself, which is still to be": {"--perfetto", log, "--overwrite"},
	} {
		if code, _, stderr := bourse(t, append([]string{"replay", log}, args...)...); code == 0 ||
			!strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, %s; want %q", args, code, stderr, want)
		}
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a refused timeline was left")
	}
}

// TestPlot draws a figure of a sweep and of runs, and says what is there where an axis or a
// measure is not.
func TestPlot(t *testing.T) {
	log := file(t, "log.swf", smallSWF(100))
	t.Chdir(t.TempDir())
	for _, args := range [][]string{
		{"sweep", log, "--policy", "easy,fcfs", "--load-factor", "1,1.5", "--out", "s"},
		{"replay", log, "--out", "a"}, {"replay", log, "--policy", "fcfs", "--out", "b"},
		{"plot", "s"}, {"plot", "a", "b", "--out", "w"}, {"plot", "s", "--x", "policy", "--y", "wait", "--panels",
			"load-factor", "--out", "p"},
	} {
		if code, _, stderr := bourse(t, args...); code != 0 {
			t.Fatalf("%v: %s", args, stderr)
		}
	}
	for _, name := range []string{"plot", "w", "p"} {
		for _, ending := range []string{".svg", ".pdf", ".png", ".csv", ".tex"} {
			if info, err := os.Stat(name + ending); err != nil || info.Size() == 0 {
				t.Errorf("%s%s: %v", name, ending, err)
			}
		}
	}
	if text := read(t, "plot.csv"); !strings.HasPrefix(text, "load-factor,policy,mean_bounded_slowdown,low,high,n\n") ||
		strings.Count(text, "\n") != 5 {
		t.Error(text)
	}
	for want, args := range map[string][]string{
		"plot.svg exists already":     {"s"},
		`there is no measure "waits"`: {"s", "--y", "waits", "--out", "x"},
		"the sweep has no such axis":  {"s", "--x", "polcy", "--out", "x"},
		"jobs have no column":         {"a", "--x", "policy", "--out", "x"},
		"are axes of a sweep":         {"a", "--series", "policy", "--out", "x"},
	} {
		if code, _, stderr := bourse(t, append([]string{"plot"}, args...)...); code == 0 ||
			!strings.Contains(stderr, want) {
			t.Errorf("%v: exit %d, %s; want %q", args, code, stderr, want)
		}
	}
}
