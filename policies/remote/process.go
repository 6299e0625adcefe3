package remote

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// process is a program that answers a line with a line. It leads a process group, so that
// what it starts ends with it.
type process struct {
	cmd     *exec.Cmd
	in      *os.File
	out     io.ReadCloser
	lines   chan []byte // what it printed; closed at its end
	ended   chan error  // how it ended
	said    *tail       // on its standard error
	long    atomic.Bool // it printed a longer line than may be
	timeout time.Duration
	timer   *time.Timer
}

// grace is how long a program may take to end.
const grace = 500 * time.Millisecond

// longest is the length of a line that a program may print: enough to start 100,000 jobs.
const longest = 4 << 20

// running are the programs of this process that have not ended, for End.
var running struct {
	sync.Mutex
	all map[*process]struct{}
}

// End ends all programs that are running and all that these have started, by force, for a
// program that is itself told to end. Who waits for an answer learns that there is none.
func End() {
	running.Lock()
	defer running.Unlock()
	for p := range running.all {
		p.kill()
	}
}

func startProcess(words []string, timeout time.Duration) (*process, error) {
	if runtime.GOOS == "js" {
		return nil, errors.New("a page in a browser starts no programs; want bourse outside it")
	}
	p := &process{cmd: exec.Command(words[0], words[1:]...), lines: make(chan []byte, 1), ended: make(chan error, 1),
		said: &tail{}, timeout: timeout}
	p.cmd.Stderr, p.cmd.WaitDelay = p.said, grace
	Lead(p.cmd)
	theirs, ours, err := os.Pipe() // as an *os.File, writes to it have a deadline
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	p.in, p.cmd.Stdin = ours, theirs
	if p.out, err = p.cmd.StdoutPipe(); err == nil {
		err = p.begin()
	}
	if err != nil {
		ours.Close()
		if errors.Is(err, exec.ErrNotFound) {
			return nil, fmt.Errorf("%w; want a program with its arguments, as in python3 mine.py", err)
		}
		return nil, err
	}
	p.timer = time.NewTimer(timeout)
	go p.read()
	return p, nil
}

// begin starts the program and makes it known to End.
func (p *process) begin() error {
	running.Lock()
	defer running.Unlock()
	if running.all == nil {
		running.all = map[*process]struct{}{}
	}
	err := p.cmd.Start()
	if err == nil {
		running.all[p] = struct{}{}
	}
	return err
}

// read hands on what the program prints, line by line.
func (p *process) read() {
	s := bufio.NewScanner(p.out)
	s.Buffer(make([]byte, 64<<10), longest)
	for s.Scan() {
		p.lines <- bytes.Clone(s.Bytes())
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		p.long.Store(true)
		p.kill()
	}
	close(p.lines)
	err := p.cmd.Wait()
	running.Lock()
	p.kill() // what it has started
	delete(running.all, p)
	running.Unlock()
	p.ended <- err
}

// ask writes a line and waits for the answer, both by one clock: a program that does not read
// fills its pipe.
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
	_ = p.in.SetWriteDeadline(time.Now().Add(p.timeout))
	silence := fmt.Errorf("it did not answer within %v (its timeout)", p.timeout)
	if _, err := p.in.Write(line); errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, silence
	} else if err != nil {
		return nil, p.death()
	}
	select {
	case answer, ok := <-p.lines:
		if !ok {
			return nil, p.death()
		}
		return answer, nil
	case <-p.timer.C:
		return nil, silence
	}
}

// death says how the program ended before its time.
func (p *process) death() error {
	if p.long.Load() {
		return fmt.Errorf("it printed a line of more than %d MB", longest>>20)
	}
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
			p.kill()
			_ = p.out.Close() // which a process that left the group may hold open
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
