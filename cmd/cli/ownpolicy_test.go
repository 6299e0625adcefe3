package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestOwnPolicy takes the scripts and the program of the guide from its text, runs its
// commands on them and compares what they are said to be equal to.
func TestOwnPolicy(t *testing.T) {
	page := read(t, "guide/own-policy.md")
	client, err := filepath.Abs("../../scripts/clients/bourse_client.py")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	blocks := regexp.MustCompile("(?s)```python\n(.*?)```").FindAllStringSubmatch(page, -1)
	names := []string{"aged.star", "predict.star", "half.star", "fcfs.star", "easy.star", "market.star", "owner.star", "mine.py"}
	if len(blocks) != len(names) {
		t.Fatalf("%d blocks of code", len(blocks))
	}
	for i, b := range blocks {
		must(t, os.WriteFile(names[i], []byte(b[1]), 0o666))
	}
	must(t, os.WriteFile("log.swf", []byte(smallSWF(100)), 0o666))
	// fails once nobody runs
	must(t, os.WriteFile("last.star", []byte("def price(round):\n    return 1 / round.running"), 0o666))
	if code, _, stderr := bourse(t, "replay", "log.swf", "--policy", "hb", "--payment", "script:last.star",
		"-q"); code == 0 || !strings.Contains(stderr, "last.star:2: floating-point division by zero") {
		t.Errorf("a price that fails when the log has ended: exit %d, %s", code, stderr)
	}
	run := 0
	for _, line := range strings.Split(page, "\n") {
		if command, ok := strings.CutPrefix(line, "    $ "); ok {
			run++
			shell(t, command)
		}
	}
	if run != 7 {
		t.Errorf("%d commands", run)
	}
	start := func(policy string) string {
		code, _, stderr := bourse(t, "replay", "log.swf", "--policy", policy, "--out", "out", "--format", "csv",
			"--overwrite", "-q")
		if code != 0 {
			t.Fatalf("%s: %s", policy, stderr)
		}
		return read(t, "out/jobs.csv")
	}
	want := start("fcfs")
	if start("script:fcfs.star") != want {
		t.Error("the guide's plan is not FCFS")
	}
	for scripted, native := range map[string]string{"script:easy.star": "easy",
		"easy(estimates=script:predict.star,backfill=sjf)": "easy(estimates=recent,backfill=sjf)"} {
		if start(scripted) != start(native) {
			t.Errorf("the guide's %s is not %s", scripted, native)
		}
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	text, err := os.ReadFile(client)
	must(t, err)
	must(t, os.WriteFile("bourse_client.py", text, 0o666))
	if start("exec:python3 mine.py") != want {
		t.Error("the guide's program is not FCFS")
	}
	for policy, want := range map[string]string{
		"exec:python3 -c 'import sys; sys.exit(\"cannot go on\")'": "its last words:\ncannot go on",
		"exec:no-such-program":  "no-such-program",
		"script:fcfs.star(a=1)": `fcfs.star has no parameter "a"`,
		"script:nowhere.star":   "nowhere.star: no such file",
		"script":                "script needs a value for file",
	} {
		if code, _, stderr := bourse(t, "replay", "log.swf", "--policy", policy, "--out", "none", "-q"); code == 0 ||
			!strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d, %s", policy, code, stderr)
		}
		if _, err := os.Stat("none"); err == nil {
			t.Errorf("%s leaves results", policy)
		}
	}
}

// TestBatsimAdapter runs the Python tests of the adapter for Batsim's schedulers, which need
// neither ZeroMQ nor a scheduler: those are scripts/batsim-test.sh's.
func TestBatsimAdapter(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	if out, err := exec.Command("python3", "../../scripts/batsim/adapter_test.py").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
