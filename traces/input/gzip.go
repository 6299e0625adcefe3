package input

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// errBehind is met where compressed data have ended and others follow.
var errBehind = errors.New("bytes behind the end of the compressed data")

// gzips reads gzip files that follow each other, as the library does, but tells other bytes behind them from a
// file that is cut short.
type gzips struct {
	*gzip.Reader
	in *bufio.Reader
}

func newGzip(in io.Reader) (*gzips, error) {
	g := &gzips{in: bufio.NewReader(in)}
	var err error
	if g.Reader, err = gzip.NewReader(g.in); err != nil {
		return nil, err
	}
	g.Multistream(false)
	return g, nil
}

func (g *gzips) Read(p []byte) (int, error) {
	for {
		n, err := g.Reader.Read(p)
		if n > 0 && err == io.EOF {
			return n, nil // the end is met again
		}
		if n > 0 || err != io.EOF {
			return n, err
		}
		if err := g.another(); err != nil {
			return 0, err
		}
	}
}

// another begins the next file; io.EOF means that there is none.
func (g *gzips) another() error {
	switch head, err := g.in.Peek(2); {
	case len(head) == 0:
		return err
	case !bytes.HasPrefix([]byte("\x1f\x8b"), head):
		return errBehind
	}
	err := g.Reset(g.in)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		g.Multistream(false)
	}
	return err
}
