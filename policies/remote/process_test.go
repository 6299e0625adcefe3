//go:build unix

package remote

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
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
