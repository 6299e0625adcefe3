package record

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
)

// output is the writer below an encoder: it buffers, counts and hashes, and it
// remembers the first error for ever. The Parquet library may swallow a write
// error until the file is closed or turn it into a panic; err is what counts.
type output struct {
	w    io.Writer
	buf  *bufio.Writer
	sum  hash.Hash
	size int64
	err  error
}

func newOutput(w io.Writer) *output {
	o := &output{w: w, sum: sha256.New()}
	o.buf = bufio.NewWriterSize(passOn{o}, 1<<18)
	return o
}

// passOn is the part of output below the buffer.
type passOn struct{ o *output }

func (p passOn) Write(b []byte) (int, error) {
	o := p.o
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(b)
	o.sum.Write(b[:n])
	o.size += int64(n)
	o.err = err
	return n, err
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) { return o.buf.Write(b) }

// Close does nothing: Arrow's writers close what they write to.
func (o *output) Close() error { return nil }

// flush passes on what is buffered.
func (o *output) flush() error {
	if err := o.buf.Flush(); err != nil {
		return err
	}
	return o.err
}

// guard runs f, and returns the first write error whatever f made of it: an
// error, a panic, or nothing. A panic without a write error is a defect
// and continues.
func (o *output) guard(f func() error) (err error) {
	defer func() {
		if o.err == nil {
			return
		}
		if p := recover(); p != nil || err == nil {
			err = o.err
		}
	}()
	if err = f(); err != nil {
		if o.err != nil {
			return o.err
		}
		return fmt.Errorf("encoding: %w", err)
	}
	return o.err
}
