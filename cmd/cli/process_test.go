package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// here is the package's directory, which tests leave.
var here, _ = os.Getwd()

// TestMain puts the program on the PATH as bourse: it is this binary under another name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"bourse": func() { Main(Own{}) }})
}

// binary is the path of the program, for tests that need a process of its own.
func binary() (string, error) { return exec.LookPath("bourse") }

func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return exec.Command("bourse", args...)
}

// midReplay starts a replay that would take minutes and returns once records
// are being written.
func midReplay(t *testing.T, out string) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	c := program(t, "replay", "synth:lublin?jobs=50000000&procs=128", "--policy", "fcfs", "--payment", "none", "--out",
		out)
	var talk strings.Builder
	c.Stderr = &talk
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for range 60_000 { // ten minutes, on a machine that does much else
		if names, _ := filepath.Glob(filepath.Join(out, ".bourse-*.tmp")); len(names) == 1 {
			if info, err := os.Stat(names[0]); err == nil && info.Size() > 1<<16 {
				return c, &talk
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.Process.Kill()
	t.Fatalf("nothing was written in ten minutes: %s", talk.String())
	return nil, nil
}

func TestKilledReplayLeavesNoFinalName(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	c, _ := midReplay(t, out)
	c.Process.Kill()
	c.Wait()
	for _, name := range strings.Fields(filesIn(t, out)) {
		if !strings.HasPrefix(name, ".bourse-") {
			t.Errorf("a killed replay left %s", name)
		}
	}
	log := file(t, "log.swf", smallSWF(10))
	if code, _, stderr := bourse(t, "replay", log, "--out", out); code != 0 {
		t.Errorf("the next replay into the same directory: exit %d, %s", code, stderr)
	}
	if got := filesIn(t, out); got != "jobs.parquet manifest.json summary.json" {
		t.Errorf("after the next replay there are %s", got)
	}
}

func TestInterruptedReplay(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("interrupts cannot be sent to a process on Windows")
	}
	out := filepath.Join(t.TempDir(), "out")
	c, talk := midReplay(t, out)
	c.Process.Signal(os.Interrupt)
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(talk.String(), "interrupted") {
		t.Errorf("exit %d, %s", code, talk.String())
	}
	if left := filesIn(t, out); left != "" {
		t.Errorf("an interrupted replay left %s", left)
	}
}

// TestSameBytes wants two runs, and runs on one and two processors, to give the
// same files to the byte.
func TestSameBytes(t *testing.T) {
	log := file(t, "log.swf", smallSWF(20000))
	var first map[string]string
	for _, procs := range []string{"1", "2", "2"} {
		out := filepath.Join(t.TempDir(), "out")
		c := program(t, "replay", log, "--behaviour", "srg", "--segments", "--series=60", "--out", out)
		c.Env = append(os.Environ(), "GOMAXPROCS="+procs)
		if text, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		got := map[string]string{}
		for _, name := range strings.Fields(filesIn(t, out)) {
			got[name] = read(t, filepath.Join(out, name))
		}
		if first == nil {
			first = got
			continue
		}
		for name, text := range first {
			if got[name] != text {
				t.Errorf("GOMAXPROCS=%s gives another %s", procs, name)
			}
		}
	}
	if len(first) != 5 {
		t.Errorf("%d files were compared, want 5", len(first))
	}
}
