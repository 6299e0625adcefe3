//go:build unix

package main

import (
	"bytes"
	"os/exec"
	"os/signal"
	"path/filepath"
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
