package remote

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// process is a program that answers a line with a line.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     io.ReadCloser
	lines   chan []byte // what it printed; closed at its end
	ended   chan error  // how it ended
	said    *tail       // on its standard error
	timeout time.Duration
	timer   *time.Timer
}

// grace is how long a program may take to end.
const grace = 500 * time.Millisecond

// longest is the length of a line that a program may print.
const longest = 64 << 20

func startProcess(words []string, timeout time.Duration) (*process, error) {
	if runtime.GOOS == "js" {
		return nil, errors.New("a page in a browser starts no programs; want bourse outside it")
	}
	p := &process{cmd: exec.Command(words[0], words[1:]...), lines: make(chan []byte, 1), ended: make(chan error, 1),
		said: &tail{}, timeout: timeout}
	p.cmd.Stderr, p.cmd.WaitDelay = p.said, grace
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return nil, fmt.Errorf("%w; want a program with its arguments, as in python3 mine.py", err)
		}
		return nil, err
	}
	p.timer = time.NewTimer(timeout)
	go p.read()
	return p, nil
}

// read hands on what the program prints, line by line.
func (p *process) read() {
	s := bufio.NewScanner(p.out)
	s.Buffer(make([]byte, 64<<10), longest)
	for s.Scan() {
		p.lines <- bytes.Clone(s.Bytes())
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		_ = p.cmd.Process.Kill()
	}
	close(p.lines)
	p.ended <- p.cmd.Wait()
}

// ask writes a line and waits for the answer.
func (p *process) ask(line []byte) ([]byte, error) {
	select {
	case extra, ok := <-p.lines:
		if ok {
			return nil, fmt.Errorf("it printed %q without being asked; what is not an answer belongs on its standard error",
				short(extra))
		}
		return nil, p.death()
	default:
	}
	p.timer.Reset(p.timeout)
	written := make(chan error, 1)
	if len(line) < 4096 { // a pipe takes as much at once
		_, err := p.in.Write(line)
		written <- err
	} else {
		go func() { _, err := p.in.Write(line); written <- err }()
	}
	for {
		select {
		case err := <-written:
			if err != nil {
				return nil, p.death()
			}
			written = nil
		case answer, ok := <-p.lines:
			if !ok {
				return nil, p.death()
			}
			return answer, nil
		case <-p.timer.C:
			return nil, fmt.Errorf("it did not answer within %v (its timeout)", p.timeout)
		}
	}
}

// death says how the program ended before its time.
func (p *process) death() error {
	how := "it ended"
	select {
	case err := <-p.ended:
		p.ended <- err
		if err != nil {
			how = fmt.Sprintf("it ended (%v)", err)
		}
	case <-time.After(grace):
	}
	if text := p.said.String(); text != "" {
		how += "; its last words:\n" + text
	}
	return errors.New(how)
}

// close ends the program: by the end of its input, or else by force.
func (p *process) close() {
	_ = p.in.Close()
	deadline := time.After(grace)
	for {
		select {
		case <-p.lines: // so that it is not stuck in printing
		case err := <-p.ended:
			p.ended <- err
			return
		case <-deadline:
			_ = p.cmd.Process.Kill()
			_ = p.out.Close() // which its child may hold open
			deadline = nil
		}
	}
}

// tail keeps the last lines of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const mostTail = 2000

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if n := len(t.text) - mostTail; n > 0 {
		t.text = append(t.text[:0], t.text[n:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}

// short is the beginning of what a program printed, for an error.
func short(line []byte) string {
	if len(line) > 80 {
		return string(line[:80]) + "..."
	}
	return string(line)
}
