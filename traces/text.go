package traces

import (
	"bytes"
	"fmt"
	"strings"
)

// CheckText refuses what cannot be text of a format by its first bytes; hint, which may be empty, says how such
// text begins.
func CheckText(name, format, hint string, head []byte) error {
	what, want := "", "is this the right file?"
	start := strings.ToLower(strings.TrimSpace(string(head[:min(len(head), 64)])))
	end := bytes.IndexByte(head, '\r')
	switch {
	case strings.HasPrefix(start, "<!doctype") || strings.HasPrefix(start, "<html") || strings.HasPrefix(start, "<?xml"):
		what = "a web page"
	case bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")):
		what, want = "it is in UTF-16", "write it in UTF-8"
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		what, want = "it is packed with gzip", "unpack it first"
	case strayByte(head) >= 0:
		i := strayByte(head)
		what = fmt.Sprintf("byte 0x%02x at offset %d", head[i], i)
	case end >= 0 && end < len(head)-1 && bytes.IndexByte(head, '\n') < 0:
		what, want = "its lines end in carriage returns alone", "end them in newlines"
	default:
		return nil
	}
	if want == "is this the right file?" && hint != "" {
		want += " " + hint
	}
	return &Error{File: name, What: "not " + format + " text: " + what, Want: want}
}

// strayByte is the place of the first byte that no text holds, or -1.
func strayByte(head []byte) int {
	return bytes.IndexFunc(head, func(c rune) bool { return c < ' ' && !strings.ContainsRune("\t\n\r\f", c) || c == 0x7f })
}
