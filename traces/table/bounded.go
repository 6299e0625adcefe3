package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"bourse/traces"
)

// CSV reads records as csv.Reader does, and refuses those that are too long to be any: a
// line without an end, or a quote that is never closed, would be held in memory whole.
type CSV struct {
	*csv.Reader
	name string
	line int64 // of the record before, for messages
	in   *bounded
}

// NewCSV reads CSV; name represents the file in messages.
func NewCSV(name string, in io.Reader) *CSV {
	b := &bounded{in: in}
	return &CSV{Reader: csv.NewReader(b), name: name, in: b}
}

// Read returns the next record.
func (c *CSV) Read() ([]string, error) {
	c.in.left = longestRecord
	record, err := c.Reader.Read()
	if errors.Is(err, errTooLong) {
		return nil, tooLong(c.name, c.line+1)
	}
	if err == nil && len(record) > 0 {
		at, _ := c.FieldPos(len(record) - 1)
		c.line = int64(at)
	}
	return record, err
}

func tooLong(name string, line int64) error {
	return &traces.Error{File: name, Line: line, What: fmt.Sprintf("the row has more than %d bytes", longestRecord),
		Want: "is a quote not closed?"}
}

var errTooLong = errors.New("a record is too long")

// bounded is a reader that gives no more than left bytes.
type bounded struct {
	in   io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, errTooLong
	}
	n, err := b.in.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
