package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain passes text on to w with what would steer a terminal, or turn the direction of
// writing, spelt out: control characters but ends of lines and tabs, format characters,
// and bytes that are no UTF-8. Names in a log are anybody's.
//
// The first error of w is kept, for those who print without looking.
func Plain(w io.Writer) *PlainWriter { return &PlainWriter{w: w} }

// PlainWriter is what Plain makes.
type PlainWriter struct {
	w    io.Writer
	rest []byte // the beginning of a character
	err  error
}

// Err returns the first error of a Write.
func (p *PlainWriter) Err() error { return p.err }

// Write implements io.Writer.
func (p *PlainWriter) Write(text []byte) (int, error) {
	in := append(p.rest, text...)
	out := make([]byte, 0, len(in)+16)
	for len(in) > 0 {
		r, n := utf8.DecodeRune(in)
		switch {
		case r == utf8.RuneError && n == 1 && !utf8.FullRune(in):
			p.rest = append([]byte(nil), in...)
			return len(text), p.pass(out)
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, in[0])
		case r == '\n' || r == '\t' || !unicode.Is(unicode.Cc, r) && !unicode.Is(unicode.Cf, r):
			out = append(out, in[:n]...)
		case r < 0x80:
			out = fmt.Appendf(out, `\x%02x`, r)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		in = in[n:]
	}
	p.rest = nil
	return len(text), p.pass(out)
}

func (p *PlainWriter) pass(text []byte) error {
	_, err := p.w.Write(text)
	if p.err == nil {
		p.err = err
	}
	return err
}

// Clean is text as Plain passes it on.
func Clean(text string) string {
	var out strings.Builder
	_, _ = Plain(&out).Write([]byte(text)) // a Builder takes all
	return out.String()
}
