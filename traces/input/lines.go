package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// LongestLine is the line reader's buffer, and so the longest line it takes:
// large enough that refills are rare, small enough to stay in the cache.
const LongestLine = 512 << 10

var ErrLongLine = errors.New("line too long")

// Lines cuts a stream into lines without copying: a line is a slice of the
// buffer, valid until the next call. It has no limits of its own on what a line
// holds, drops a final carriage return, and reports whether the last line ended.
type Lines struct {
	In         io.Reader
	Buf        []byte
	Start, end int
	Number     int64 // of the line returned last, from 1
	offset     int64 // bytes of the stream before buf[0]
	err        error // what ended the stream
	Open       bool  // the line returned last had no newline
}

func NewLines(in io.Reader) *Lines {
	return &Lines{In: in, Buf: make([]byte, LongestLine)}
}

// Next returns the next line without its newline; io.EOF ends.
func (l *Lines) Next() ([]byte, error) {
	seen := 0 // bytes of the line already known to hold no newline
	for {
		if i := bytes.IndexByte(l.Buf[l.Start+seen:l.end], '\n'); i >= 0 {
			line := l.Buf[l.Start : l.Start+seen+i]
			l.Start += seen + i + 1
			l.Number++
			return trimCR(line), nil
		}
		seen = l.end - l.Start
		if l.err != nil {
			return l.last()
		}
		if err := l.fill(); err != nil {
			return nil, err
		}
	}
}

// last returns what follows the final newline, once.
func (l *Lines) last() ([]byte, error) {
	if l.Start == l.end || l.err != io.EOF {
		return nil, l.err
	}
	line := l.Buf[l.Start:l.end]
	l.Start, l.Open = l.end, true
	l.Number++
	return trimCR(line), nil
}

// fill moves the unfinished line to the front and reads more behind it.
func (l *Lines) fill() error {
	if l.Start > 0 {
		l.offset += int64(l.Start)
		l.end = copy(l.Buf, l.Buf[l.Start:l.end])
		l.Start = 0
	}
	if l.end == len(l.Buf) {
		l.Number++
		return ErrLongLine
	}
	for range 100 {
		n, err := l.In.Read(l.Buf[l.end:])
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

// Peek returns up to n bytes that follow without taking them.
func (l *Lines) Peek(n int) []byte {
	for l.end-l.Start < n && l.err == nil {
		if l.fill() != nil {
			break
		}
	}
	return l.Buf[l.Start:min(l.end, l.Start+n)]
}

func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// TrimMark drops the byte order mark some editors leave.
func TrimMark(line []byte) []byte {
	if len(line) >= 3 && string(line[:3]) == "\xef\xbb\xbf" {
		return line[3:]
	}
	return line
}

func Shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-3]) + "..."
	}
	return s
}

// Quote quotes a line in a message.
func Quote(line []byte) string {
	const most = 80
	for n := min(len(line), most); ; n /= 2 {
		quoted := fmt.Sprintf("%q", line[:n])
		switch {
		case len(quoted) > 2*most: // bytes that are no text take four each
		case n < len(line):
			return quoted + "..."
		default:
			return quoted
		}
	}
}
