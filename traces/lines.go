package traces

import (
	"bytes"
	"errors"
	"io"
)

// bufferSize is the line reader's buffer, and so the longest line it takes:
// large enough that refills are rare, small enough to stay in the cache.
const bufferSize = 512 << 10

var errLongLine = errors.New("line too long")

// lines cuts a stream into lines without copying: a line is a slice of the
// buffer, valid until the next call. It has no limits of its own on what a line
// holds, drops a final carriage return, and knows whether the last line ended.
type lines struct {
	in         io.Reader
	buf        []byte
	start, end int
	number     int64 // of the line returned last, from 1
	offset     int64 // bytes of the stream before buf[0]
	err        error // what ended the stream
	open       bool  // the line returned last had no newline
}

func newLines(in io.Reader) *lines {
	return &lines{in: in, buf: make([]byte, bufferSize)}
}

// next returns the next line without its newline; io.EOF ends.
func (l *lines) next() ([]byte, error) {
	seen := 0 // bytes of the line already known to hold no newline
	for {
		if i := bytes.IndexByte(l.buf[l.start+seen:l.end], '\n'); i >= 0 {
			line := l.buf[l.start : l.start+seen+i]
			l.start += seen + i + 1
			l.number++
			return trimCR(line), nil
		}
		seen = l.end - l.start
		if l.err != nil {
			return l.last()
		}
		if err := l.fill(); err != nil {
			return nil, err
		}
	}
}

// last returns what follows the final newline, once.
func (l *lines) last() ([]byte, error) {
	if l.start == l.end || l.err != io.EOF {
		return nil, l.err
	}
	line := l.buf[l.start:l.end]
	l.start, l.open = l.end, true
	l.number++
	return trimCR(line), nil
}

// fill moves the unfinished line to the front and reads more behind it.
func (l *lines) fill() error {
	if l.start > 0 {
		l.offset += int64(l.start)
		l.end = copy(l.buf, l.buf[l.start:l.end])
		l.start = 0
	}
	if l.end == len(l.buf) {
		l.number++
		return errLongLine
	}
	for range 100 {
		n, err := l.in.Read(l.buf[l.end:])
		l.end += n
		if err != nil {
			l.err = err
		}
		if n > 0 || err != nil {
			return nil
		}
	}
	l.err = io.ErrNoProgress
	return nil
}

// peek returns up to n bytes that follow without taking them.
func (l *lines) peek(n int) []byte {
	for l.end-l.start < n && l.err == nil {
		if l.fill() != nil {
			break
		}
	}
	return l.buf[l.start:min(l.end, l.start+n)]
}

func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}
