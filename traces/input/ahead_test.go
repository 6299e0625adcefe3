package input

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"testing/iotest"
)

// TestReadAhead wants the bytes of a stream in their order, then its error, again and again.
func TestReadAhead(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	text := make([]byte, 5*aheadBlock+123)
	for i := range text {
		text[i] = byte(r.Uint32())
	}
	damaged := errors.New("damaged")
	for name, in := range map[string]func() io.Reader{
		"whole":         func() io.Reader { return bytes.NewReader(text) },
		"halves":        func() io.Reader { return iotest.HalfReader(bytes.NewReader(text)) },
		"with its end":  func() io.Reader { return iotest.DataErrReader(bytes.NewReader(text)) },
		"and an error":  func() io.Reader { return io.MultiReader(bytes.NewReader(text), iotest.ErrReader(damaged)) },
		"nothing":       func() io.Reader { return bytes.NewReader(nil) },
		"only an error": func() io.Reader { return iotest.ErrReader(damaged) },
	} {
		want, wantErr := io.ReadAll(in())
		ahead := newReadAhead(in())
		got, err := io.ReadAll(iotest.HalfReader(ahead))
		if !bytes.Equal(got, want) || !errors.Is(err, wantErr) {
			t.Errorf("%s: %d bytes and %v, want %d and %v", name, len(got), err, len(want), wantErr)
		}
		if wantErr == nil {
			wantErr = io.EOF
		}
		if n, err := ahead.Read(make([]byte, 10)); n != 0 || !errors.Is(err, wantErr) {
			t.Errorf("%s: %d bytes and %v behind the end, want %v", name, n, err, wantErr)
		}
		ahead.Close()
	}
}

// TestReadAheadCloses wants reading to end before Close returns, wherever it stands, and what
// was not read to be gone.
func TestReadAheadCloses(t *testing.T) {
	for _, reads := range []int{0, 1, 3} {
		in := &endless{}
		ahead := newReadAhead(in)
		for range reads {
			if _, err := ahead.Read(make([]byte, aheadBlock)); err != nil {
				t.Fatal(err)
			}
		}
		ahead.Close()
		before := in.read
		var err error
		for range aheadBlocks + 2 {
			_, err = ahead.Read(make([]byte, aheadBlock))
		}
		if reads > 0 && (!errors.Is(err, os.ErrClosed) || in.read != before) {
			t.Errorf("after %d reads and Close: %v, %d further reads", reads, err, in.read-before)
		}
	}
}

// endless counts how often it is read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read++
	return len(p), nil
}
