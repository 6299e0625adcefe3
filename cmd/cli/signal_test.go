//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestSignals: whatever a command waits for or computes, a signal ends it, and leaves
// nothing behind.
func TestSignals(t *testing.T) {
	log := file(t, "log.swf", smallSWF(2000))
	comments := "while :; do echo '; a comment'; done"
	var all sync.WaitGroup
	defer all.Wait()
	for _, c := range []struct {
		name string
		args []string
		feed string // what writes to the standard input, if it is used
	}{
		{"a silent pipe", []string{"replay", "-"}, "sleep 100"},
		{"a log that stalls", []string{"replay", "swf:-", "--out", "out", "--users", "u.csv"},
			"cat " + log + "; sleep 100"},
		{"inspection of a silent pipe", []string{"trace", "inspect", "-"}, "sleep 100"},
		{"a table that stalls", []string{"replay", "csv:-"}, "echo job,submit,run; echo 1,0,10; sleep 100"},
		{"demands that stall", []string{"lend", "-", "--endowments", "equal", "--rounds", "10"},
			"echo round,agent,demand; sleep 100"},
		{"comments without end", []string{"replay", "swf:-", "--out", "out"}, comments},
		{"an expression without end", []string{"replay", log, "--where", "len(sortBy(1..100000, -#)) > 0", "--out",
			"out"}, ""},
		{"a fine grid", []string{"replay", log, "--series=0.001", "--out", "out"}, ""},
		{"a large market", []string{"equilibrium", "--preferences", "uniform(users=20000,machines=2000)", "--out",
			"out.csv"}, ""},
	} {
		for _, signals := range [][]syscall.Signal{{syscall.SIGTERM}, {syscall.SIGINT, syscall.SIGINT},
			{syscall.SIGHUP}} {
			all.Go(func() {
				t.Run(c.name+" "+signals[0].String(), func(t *testing.T) { interrupt(t, c.args, c.feed, signals) })
			})
		}
	}
}

// interrupt starts the program, and a second later sends it signals.
func interrupt(t *testing.T, args []string, feedBy string, signals []syscall.Signal) {
	if signal.Ignored(signals[0]) {
		t.Skip("ignored where the tests run, as under nohup, and so by what they start")
	}
	dir := t.TempDir()
	p := program(t, args...)
	p.Dir = dir
	var talk bytes.Buffer
	p.Stderr = &talk
	if feedBy != "" {
		feed := exec.Command("sh", "-c", feedBy)
		feed.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		out, err := feed.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		p.Stdin = out
		if err := feed.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			_ = syscall.Kill(-feed.Process.Pid, syscall.SIGKILL)
			_ = feed.Wait()
		}()
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = p.Wait(); close(ended) }()
	time.Sleep(time.Second)
	for _, s := range signals {
		_ = p.Process.Signal(s)
		time.Sleep(50 * time.Millisecond)
	}
	select {
	case <-ended:
	case <-time.After(2 * time.Minute): // seconds, on a machine that is not busy
		_ = p.Process.Kill()
		t.Fatal("it goes on")
	}
	if code := p.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(talk.String(), "interrupted") {
		t.Errorf("exit %d: %s", code, talk.String())
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	hidden, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if all := append(left, hidden...); len(all) > 0 {
		t.Errorf("%v is left", all)
	}
}

// TestSignalsWithPrograms: a signal ends a command that waits for the program of a policy, and
// that program with what it has started, however deaf to signals they are.
func TestSignalsWithPrograms(t *testing.T) {
	log := file(t, "log.swf", smallSWF(20))
	hangs := file(t, "hangs.sh", "trap '' TERM INT HUP\nsleep 60 &\necho $! $$ >> $1\nread hello\n"+
		"echo '{\"protocol\":1}'\nwait\n")
	var all sync.WaitGroup
	defer all.Wait()
	for _, args := range [][]string{{"replay", log, "--out", "out"}, {"sweep", log, "--out", "out"}, {"compare", log},
		{"regret", log, "--payment", "none", "--out", "out"}} {
		for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
			all.Go(func() {
				t.Run(args[0]+" "+s.String(), func(t *testing.T) { interruptWithProgram(t, args, hangs, s) })
			})
		}
	}
}

func interruptWithProgram(t *testing.T, args []string, hangs string, s syscall.Signal) {
	if signal.Ignored(s) || s == syscall.SIGKILL && runtime.GOOS != "linux" {
		t.Skip("it is ignored here, or nobody tells the program")
	}
	started := filepath.Join(t.TempDir(), "started")
	policy := "exec(command=sh " + hangs + " " + started + ",timeout=300)"
	if args[0] == "compare" || args[0] == "sweep" {
		policy = "fcfs," + policy
	}
	p := program(t, append(args, "--policy", policy)...)
	p.Dir = t.TempDir()
	var talk bytes.Buffer
	p.Stderr = &talk
	must(t, p.Start())
	ended := make(chan struct{})
	go func() { _ = p.Wait(); close(ended) }()
	var children []string // each with what it has started
	for since := time.Now(); len(children) < 2; time.Sleep(10 * time.Millisecond) {
		if text, err := os.ReadFile(started); err == nil {
			children = strings.Fields(string(text))
		}
		if time.Since(since) > time.Minute {
			_ = p.Process.Kill()
			t.Fatal("the program was not started: ", talk.String())
		}
	}
	must(t, p.Process.Signal(s))
	select {
	case <-ended:
	case <-time.After(time.Minute):
		_ = p.Process.Kill()
		t.Fatal("it goes on")
	}
	if s == syscall.SIGKILL { // the system ends the programs, and not what these have started
		all := strings.Fields(read(t, started))
		defer func() {
			for i := 1; i < len(all); i += 2 {
				leader, _ := strconv.Atoi(all[i])
				_ = syscall.Kill(-leader, syscall.SIGKILL)
			}
		}()
		children = children[1:2]
	} else if code := p.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit %d: %s", code, talk.String())
	}
	for _, id := range children {
		for since := time.Now(); lives(id); time.Sleep(10 * time.Millisecond) {
			if time.Since(since) > 10*time.Second {
				t.Fatalf("process %s of %v is left", id, children)
			}
		}
	}
}

// lives reports whether there is a process, and not only its number, which stays until somebody
// waits for it.
func lives(id string) bool {
	n, _ := strconv.Atoi(id)
	if syscall.Kill(n, 0) != nil {
		return false
	}
	text, err := os.ReadFile("/proc/" + id + "/stat")
	return err != nil || !strings.Contains(string(text), ") Z ")
}
