package input

import (
	"io"
	"os"
)

const (
	// aheadBlock is what a decompressor gives at a time: its window.
	aheadBlock  = 32 << 10
	aheadBlocks = 4
)

// readAhead reads a stream on a goroutine of its own, so that unpacking overlaps with what
// is made of the text. Bytes and errors are those of the stream, in their order. The
// goroutine begins with the first Read, since files are also opened to be looked at, and
// ends with the stream or at Close.
type readAhead struct {
	in         io.Reader
	full, free chan *textBlock
	stop, gone chan struct{}
	now        *textBlock // being handed out
	at         int
}

type textBlock struct {
	text []byte
	err  error // after the text
}

func newReadAhead(in io.Reader) *readAhead {
	return &readAhead{in: in, stop: make(chan struct{}), gone: make(chan struct{})}
}

func (r *readAhead) begin() {
	r.full, r.free = make(chan *textBlock, aheadBlocks), make(chan *textBlock, aheadBlocks)
	for range aheadBlocks {
		r.free <- &textBlock{text: make([]byte, aheadBlock)}
	}
	go r.read()
}

// Read implements io.Reader.
func (r *readAhead) Read(p []byte) (int, error) {
	if r.full == nil {
		r.begin()
	}
	if r.now == nil || r.at == len(r.now.text) {
		if err := r.nextBlock(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.now.text[r.at:])
	r.at += n
	return n, nil
}

// nextBlock gives the spent block back and waits for the next one.
func (r *readAhead) nextBlock() error {
	if r.now != nil {
		if r.now.err != nil {
			return r.now.err
		}
		r.free <- r.now
	}
	select {
	case r.now = <-r.full:
		r.at = 0
		return nil
	case <-r.stop:
		r.now = &textBlock{err: os.ErrClosed}
		r.at = 0
		return os.ErrClosed
	}
}

// read fills blocks until the stream ends or Close is called.
func (r *readAhead) read() {
	defer close(r.gone)
	for {
		var b *textBlock
		select {
		case b = <-r.free:
		case <-r.stop:
			return
		}
		n, err := r.in.Read(b.text[:aheadBlock])
		b.text, b.err = b.text[:n], err
		r.full <- b // never blocks: there are no more blocks than places
		if err != nil {
			return
		}
	}
}

// Close ends the reading; the stream is not read after that.
func (r *readAhead) Close() {
	close(r.stop)
	if r.full != nil {
		<-r.gone
	}
}
