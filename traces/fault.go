package traces

import (
	"errors"
	"fmt"
	"io"
)

// Error is a fault in the input, at a place.
type Error struct {
	File string
	Line int64 // 0 if the fault has no line
	What string
	Want string // what is wanted, or what to do; may be empty
	Err  error  // the cause, may be nil
}

// Error formats "file:line: what; want".
func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	s := at + ": " + e.What
	if e.Err != nil && !errors.Is(e.Err, io.ErrUnexpectedEOF) {
		s += ": " + e.Err.Error()
	}
	if e.Want != "" {
		s += "; " + e.Want
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
