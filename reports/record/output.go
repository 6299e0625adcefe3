package record

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"

	"bourse/traces/table"
)

// output is the writer below an encoder: it buffers, counts and hashes what a sticky
// writer passes on.
type output struct {
	buf  *bufio.Writer
	to   *table.Sticky
	sum  hash.Hash
	size int64
}

func newOutput(w io.Writer) *output {
	o := &output{sum: sha256.New()}
	o.to = &table.Sticky{To: counted{o, w}}
	o.buf = bufio.NewWriterSize(o.to, 1<<18)
	return o
}

// counted is the part of output below the buffer.
type counted struct {
	o *output
	w io.Writer
}

func (c counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.o.sum.Write(b[:n])
	c.o.size += int64(n)
	return n, err
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) { return o.buf.Write(b) }

// Close does nothing: Arrow's writers close what they write to.
func (o *output) Close() error { return nil }

// flush passes on what is buffered.
func (o *output) flush() error { return o.buf.Flush() }

// guard runs f, and returns the first write error whatever f made of it.
func (o *output) guard(f func() error) error {
	err := o.to.Guard(f)
	if err != nil && o.to.Err == nil {
		return fmt.Errorf("encoding: %w", err)
	}
	return err
}
