//go:build unix

package remote

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func started(t *testing.T, script string, timeout time.Duration) *process {
	t.Helper()
	p, err := startProcess([]string{"sh", "-c", script}, timeout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	return p
}

// child is a command in the background that lives for a second and a half and then leaves a file,
// and a check that it did not get so far.
func child(t *testing.T) (command string, gone func()) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "left")
	return "(trap '' TERM INT; sleep 1.5; touch " + path + ") & ", func() {
		t.Helper()
		time.Sleep(1700 * time.Millisecond)
		if _, err := os.Stat(path); err == nil {
			t.Error("what the program has started is left")
		}
	}
}

// TestDeaf wants a program that answers and never reads to be given up within its timeout:
// once its pipe is full a write waits.
func TestDeaf(t *testing.T) {
	p := started(t, "sleep 60", 200*time.Millisecond)
	for err := error(nil); !errors.Is(err, os.ErrDeadlineExceeded); {
		_ = p.in.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
		_, err = p.in.Write(make([]byte, 1024))
	}
	begin := time.Now()
	if _, err := p.ask([]byte("{}\n")); err == nil || !strings.Contains(err.Error(), "did not answer within 200ms") {
		t.Error(err)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("after %v", took)
	}
}

// TestNobodyIsLeft wants whatever a program has started to end with it.
func TestNobodyIsLeft(t *testing.T) {
	for _, then := range []string{"exit 0", "kill -9 $$", "trap '' TERM INT; exec <&-; sleep 60"} {
		t.Run(then, func(t *testing.T) {
			t.Parallel()
			background, gone := child(t)
			p := started(t, background+then, time.Second)
			time.Sleep(50 * time.Millisecond)
			p.close()
			gone()
		})
	}
}

// TestEnd wants a wait for an answer to end with the programs.
func TestEnd(t *testing.T) {
	background, gone := child(t)
	p := started(t, background+"trap '' TERM INT; sleep 60", time.Hour)
	answered := make(chan error, 1)
	go func() {
		_, err := p.ask([]byte("{}\n"))
		answered <- err
	}()
	time.Sleep(50 * time.Millisecond)
	End()
	select {
	case err := <-answered:
		if err == nil || !strings.Contains(err.Error(), "it ended (signal: killed)") {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("it still waits")
	}
	gone()
}

// TestLongLine wants an answer without an end to be refused with little of it read.
func TestLongLine(t *testing.T) {
	p := started(t, `head -c 100000000 /dev/zero | tr '\0' x; sleep 60`, 5*time.Second)
	time.Sleep(100 * time.Millisecond)
	if _, err := p.ask([]byte("{}\n")); err == nil || !strings.Contains(err.Error(), "a line of more than 4 MB") {
		t.Error(err)
	}
}

// TestHostile wants every program that does not do its part to be told in a sentence, within its
// timeout, and nothing of it to be left.
func TestHostile(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text")
	if err := os.WriteFile(text, []byte("no program\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	const (
		silent = "it did not answer within"
		ended  = "it ended"
		other  = "which is not what is wanted"
		asked  = "without being asked"
		// Who ends before it has read has ended, whatever it said.
		greeted = "read hello; "
		hello   = greeted + `echo '{"protocol":1}'; `
		heard   = hello + "read line; "
	)
	var all sync.WaitGroup
	defer all.Wait()
	for _, c := range []struct{ script, want string }{
		// The greeting.
		{"sleep 60", silent},
		{"exit 0", ended},
		{"exit 3", ended},
		{"kill -9 $$", ended},
		{"cat", `unknown field "`},
		{"yes garbage", `"garbage"`},
		{greeted + "echo hello", other},
		{greeted + "echo '{}'", "it speaks protocol 0; want 1"},
		{greeted + "echo '{\"protocol\":-1}'", "it speaks protocol -1; want 1"},
		{greeted + "echo '{\"protocol\":\"1\"}'", "cannot unmarshal string"},
		{greeted + "echo '{\"protocol\":1e99}'", "cannot unmarshal number"},
		{greeted + "echo '{\"protocol\":1,\"more\":2}'", `unknown field "more"`},
		{greeted + `printf '{"protocol":1'; sleep 60`, silent},
		// It hangs, or is slow.
		{hello + "kill -STOP $$", silent},
		{hello + "trap '' TERM INT HUP; sleep 60", silent},
		{heard + "while :; do printf ' '; sleep .05; done", silent},
		{heard + "printf '{}'; sleep 60", silent},
		{heard + `printf '{}\r'; sleep 60`, silent},
		// It dies, or closes its ends.
		{heard + "kill -SEGV $$", ended},
		{heard + "printf '{'", other},
		{heard + "printf '{}'", ended},
		{hello + "exec >&-; sleep 60", ended},
		{heard + "exec <&-; echo '{}'; sleep 60", ended},
		{hello + "exec <&- >&- 2>&-; sleep 60", ended},
		{hello + "head -c 9000000 /dev/zero >&2; exit 4", ended},
		{hello + `printf '\033]0;x\007' >&2; exit 5`, ended},
		// What it has started lives on, in its group and out of it.
		{heard + "sleep 60 & exit 0", silent},
		{heard + "(trap '' TERM INT HUP; sleep 60) & exit 0", silent},
		{heard + "setsid sleep 3 & exit 0", silent},
		// It floods.
		{heard + "yes '{}'", asked},
		{heard + "echo '{}'; echo '{}'; sleep 60", asked},
		{heard + `head -c 4000000 /dev/zero | tr '\0' x; echo`, other},
		// Garbage.
		{heard + "echo", other},
		{heard + `printf '\377\376\0\n'`, other},
		{heard + `printf '{}\0\n'`, "more than one value in a line"},
		{heard + `printf '\033[2J\n'`, `it answered "\x1b[2J"`},
		{heard + "echo '{\"start\":[0]} and more'", "more than one value in a line"},
		{heard + `head -c 99999 /dev/zero | tr '\0' '['; echo`, "exceeded max depth"},
		{heard + `printf '{"start":'; head -c 99999 /dev/zero | tr '\0' '['; echo`, "exceeded max depth"},
		{heard + "echo '[]'", "cannot unmarshal array"},
		{heard + "echo 7", "cannot unmarshal number"},
		// Answers that make no sense.
		{heard + "echo '{\"start\":[-1]}'", "it starts job -1, which is not there"},
		{heard + "echo '{\"start\":[1.5]}'", "cannot unmarshal number 1.5"},
		{heard + "echo '{\"start\":[9223372036854775808]}'", "cannot unmarshal number 9223372036854775808"},
		{heard + "echo '{\"start\":[0],\"start\":[3]}'", "it starts job 3, which is not there"},
		{heard + "echo '{\"preempt\":[9]}'", "it preempts job 9, which is not there"},
		{heard + "echo '{\"share\":[[9,1]]}'", "it shares job 9, which is not there"},
		{heard + "echo '{\"share\":[[1e300,1]]}'", "it shares job"},
		{heard + "echo '{\"share\":[[0,-1]]}'", "it gives job 0 the rate -1"},
		{heard + "echo '{\"wake\":1e999}'", "cannot unmarshal number 1e999"},
		{heard + "echo '{\"wake\":\"soon\"}'", "cannot unmarshal string"},
		// What is no program.
		{"", folder},
		{"", text},
		{"", filepath.Join(folder, "none")},
	} {
		all.Go(func() { t.Run(c.script, func(t *testing.T) { hostile(t, c.script, c.want, c.want == silent) }) })
	}
}

// hostile plans by a script, or by what is no program, and wants that to fail.
func hostile(t *testing.T, script, want string, silent bool) {
	words := []string{"sh", "-c", script}
	if script == "" {
		words = []string{want}
	} else if _, err := exec.LookPath("setsid"); err != nil && strings.Contains(script, "setsid") {
		t.Skip(err)
	}
	o := Options{Command: script, Timeout: 20 * time.Second}
	if silent {
		o.Timeout = 500 * time.Millisecond
	}
	x := newExec(o, words)
	begin := time.Now()
	for range 5 { // what is printed too much may come late
		x.Plan(told())
		time.Sleep(10 * time.Millisecond)
	}
	if err := x.Err(); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 3000 {
		t.Errorf("%v; want %s", err, want)
	}
	if x.p == nil {
		return
	}
	group := x.p.(*process).cmd.Process.Pid
	_ = x.Close()
	if took := time.Since(begin); took > 15*time.Second {
		t.Errorf("after %v", took)
	}
	for since := time.Now(); isLeft(group); time.Sleep(10 * time.Millisecond) {
		if time.Since(since) > 10*time.Second {
			t.Fatal("somebody is left")
		}
	}
}

// isLeft reports whether anybody of a process group lives. Who has died may be there for as long as
// nobody waits for it.
func isLeft(group int) bool {
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range all {
		text, _ := os.ReadFile(path)
		_, rest, _ := strings.Cut(string(text), ") ")
		if f := strings.Fields(rest); len(f) > 2 && f[2] == strconv.Itoa(group) && f[0] != "Z" {
			return true
		}
	}
	return len(all) == 0 && syscall.Kill(-group, 0) == nil
}
