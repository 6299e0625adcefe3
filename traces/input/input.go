package input

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"bourse/traces"
	"bourse/traces/zst"
)

// File is an open trace file: its bytes after decompression, and how many of
// those on disk have gone by.
type File struct {
	Name    string
	Text    io.Reader // decompressed
	file    *os.File  // nil for a stream that is not ours to close
	size    int64     // bytes on disk, 0 if unknown
	taken   atomic.Int64
	release func() // ends the decompressor
	packed  string // "gzip", "zstd", "bzip2", "tar" or ""
}

// OpenFile opens path and looks through its compression.
func OpenFile(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in := &File{Name: path, file: f}
	if st, err := f.Stat(); err == nil && st.Mode().IsRegular() {
		in.size = st.Size()
	}
	if err := in.unpack(f); err != nil {
		f.Close()
		return nil, err
	}
	if in.packed != "" && in.size > aheadBlock {
		in.readAhead()
	}
	return in, nil
}

// readAhead unpacks on a goroutine of its own. A file ends what is read of it soon; of a pipe
// unknown.
func (in *File) readAhead() {
	ahead, release := newReadAhead(in.Text), in.release
	in.Text = ahead
	in.release = func() {
		ahead.Close()
		if release != nil {
			release()
		}
	}
}

// openStream reads a stream whose end belongs to someone else, stdin.
func openStream(name string, r io.Reader) (*File, error) {
	in := &File{Name: name}
	return in, in.unpack(r)
}

// magics are the first bytes of what a trace file may turn out to be.
var magics = []struct{ bytes, kind string }{
	{"\x1f\x8b", "gzip"},
	{"\x28\xb5\x2f\xfd", "zstd"},
	{"PAR1", "parquet"},
	{"BZh", "bzip2"},
	{"\xfd7zXZ\x00", "xz"},
	{"PK\x03\x04", "zip"},
	{"ARROW1", "Arrow IPC"},
	{"\xff\xff\xff\xff", "Arrow IPC"}, // a stream
}

func sniff(head []byte) string {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.bytes)) {
			return m.kind
		}
	}
	return ""
}

// unpack finds the compression from the first bytes: names lie, magic numbers
// seldom do.
func (in *File) unpack(r io.Reader) error {
	counted := &counter{in: r, n: &in.taken}
	head := make([]byte, 8)
	n, err := io.ReadFull(counted, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return &traces.Error{File: in.Name, What: "cannot be read", Err: err}
	}
	whole := io.MultiReader(bytes.NewReader(head[:n]), counted)
	switch kind := sniff(head[:n]); kind {
	case "gzip":
		z, err := newGzip(whole)
		if err != nil {
			return &traces.Error{File: in.Name, What: "broken gzip header", Err: err, Want: "fetch the file again"}
		}
		in.Text, in.packed, in.release = z, kind, func() { z.Close() }
	case "zstd":
		z, err := zst.NewReader(whole)
		if err != nil {
			return &traces.Error{File: in.Name, What: "zstd data that cannot be unpacked", Err: err,
				Want: "unpack the file first"}
		}
		in.Text, in.packed, in.release = z, kind, func() { z.Close() }
	case "bzip2":
		in.Text, in.packed = bzip2.NewReader(whole), kind
	case "parquet":
		return &traces.Error{File: in.Name, What: "a Parquet file, not trace text",
			Want: "give a workload Parquet by its path, without a format in front"}
	case "Arrow IPC":
		return &traces.Error{File: in.Name, What: "a file of kind " + kind, Want: "write it as Parquet or CSV"}
	case "":
		in.Text = whole
	default:
		return &traces.Error{File: in.Name, What: "a file of kind " + kind,
			Want: "gzip, zstd, bzip2 and plain text are read; unpack it first"}
	}
	return nil
}

// Fraction implements Progress.
func (in *File) Fraction() float64 {
	if in.size <= 0 {
		return -1
	}
	return min(1, float64(in.taken.Load())/float64(in.size))
}

// Close ends the decompressor and closes the file.
func (in *File) Close() error {
	if in.release != nil {
		in.release()
		in.release = nil
	}
	if in.file == nil {
		return nil
	}
	f := in.file
	in.file = nil
	return f.Close()
}

// Broken turns a failed read into a fault with advice. A cut-short or damaged
// file is never skipped over: what is missing cannot be counted.
func (in *File) Broken(err error, records int64) error {
	fault := &traces.Error{File: in.Name, Err: err}
	after := fmt.Sprintf(" after %d records", records)
	switch {
	case errors.Is(err, ErrLongLine):
		return &traces.Error{File: in.Name, Line: records, What: fmt.Sprintf("a line of more than %d bytes", LongestLine),
			Want: "is this the right file?"}
	case errors.Is(err, errBehind) || errors.Is(err, zst.ErrBehind) ||
		errors.Is(err, bzip2.StructuralError("bad magic value in continuation file")):
		fault.What, fault.Err = "there are bytes behind the end of the "+in.packed+" data"+after, nil
		fault.Want = "cut them off, or fetch the file again"
	case errors.Is(err, io.ErrUnexpectedEOF):
		fault.What = "the " + in.packed + " data end early" + after
		fault.Want = "the file is cut short: fetch it again"
	case in.packed != "" && !errors.As(err, new(*os.PathError)):
		fault.What = "damaged " + in.packed + " data" + after
		if errors.Is(err, tar.ErrHeader) {
			fault.What, fault.Err = "damaged tar data"+after+": a file's header is none", nil
		}
		fault.Want = "fetch the file again"
	default:
		fault.What = "reading failed" + after
	}
	return fault
}

// counter counts the bytes that pass.
type counter struct {
	in io.Reader
	n  *atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n.Add(int64(n))
	return n, err
}
