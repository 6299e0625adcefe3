package terminal_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"bourse/reports/terminal"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"a line\nand\ta tab\n":      "a line\nand\ta tab\n",
		"Größe 日本 ±":                "Größe 日本 ±",
		"\x1b[2J\x1b]0;title\x07":   `\x1b[2J\x1b]0;title\x07`,
		"a\rb\x00\x7f":              `a\x0db\x00\x7f`,
		"\u009b2J \u202eevil\u202c": `\u009b2J \u202eevil\u202c`,
		"\x9b2J \xff":               `\x9b2J \xff`,
		"\ufeffbom":                 `\ufeffbom`,
	} {
		for _, size := range []int{1, 2, 3, 100} { // a character may come in pieces
			var out bytes.Buffer
			w := terminal.Plain(&out)
			for r := strings.NewReader(in); ; {
				piece := make([]byte, size)
				n, err := r.Read(piece)
				if err == io.EOF {
					break
				}
				if m, err := w.Write(piece[:n]); m != n || err != nil {
					t.Fatal(m, err)
				}
			}
			if out.String() != want {
				t.Errorf("%q in pieces of %d: %q, want %q", in, size, out.String(), want)
			}
		}
	}
}
