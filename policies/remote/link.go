package remote

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"bourse/policies"
)

// ErrStopped says that the program has had enough of a replay.
var ErrStopped = errors.New("the program stops the replay")

// Link is a connection to a program that decides several replays, one after the other: no process begins with each.
type Link struct {
	lines *bufio.Scanner
	out   io.Writer
}

// NewLink returns the link over a connection.
func NewLink(over io.ReadWriter) *Link {
	l := &Link{bufio.NewScanner(over), over}
	l.lines.Buffer(make([]byte, 64<<10), longest)
	return l
}

// Policy is the policy that the program at the other end decides; it cannot be copied.
func (l *Link) Policy(o Options) policies.Policy {
	x := &Exec{o: o, words: []string{o.Command}, refs: map[int64]policies.Ref{}, linked: true,
		open: func() (peer, error) { return l, nil }}
	return x.Policy()
}

// Hear waits for a line of the program's; io.EOF is its end.
func (l *Link) Hear() ([]byte, error) {
	if l.lines.Scan() {
		return l.lines.Bytes(), nil
	}
	if err := l.lines.Err(); err != nil {
		return nil, fmt.Errorf("reading from the program: %w", err)
	}
	return nil, io.EOF
}

// Tell writes a value as a line.
func (l *Link) Tell(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = l.out.Write(append(text, '\n'))
	return err
}

// ask implements peer.
func (l *Link) ask(line []byte) ([]byte, error) {
	if _, err := l.out.Write(line); err != nil {
		return nil, err
	}
	text, err := l.Hear()
	if errors.Is(err, io.EOF) {
		err = errors.New("it has closed the connection")
	}
	return text, err
}

// close implements peer: the link outlives a replay.
func (*Link) close() {}
