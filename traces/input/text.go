package input

import (
	"fmt"
	"strings"

	"bourse/traces"
)

// CheckText refuses what cannot be a text log by its first bytes.
func CheckText(name string, head []byte) error {
	const want = "is this the right file? a trace in SWF starts with ';' lines or with numbers"
	if start := strings.ToLower(strings.TrimSpace(string(head[:min(len(head), 64)]))); strings.HasPrefix(start, "<!doctype") ||
		strings.HasPrefix(start, "<html") || strings.HasPrefix(start, "<?xml") {
		return &traces.Error{File: name, What: "not SWF text: a web page", Want: want}
	}
	for i, c := range head {
		if c == 0 || c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7f {
			return &traces.Error{File: name, What: fmt.Sprintf("not SWF text: byte 0x%02x at offset %d", c, i), Want: want}
		}
	}
	return nil
}

// TrimMark drops the byte order mark some editors leave.
func TrimMark(line []byte) []byte {
	if len(line) >= 3 && string(line[:3]) == "\xef\xbb\xbf" {
		return line[3:]
	}
	return line
}

func Shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-3]) + "..."
	}
	return s
}

// Quote quotes a line in a message.
func Quote(line []byte) string {
	const most = 80
	if len(line) > most {
		return fmt.Sprintf("%q...", line[:most])
	}
	return fmt.Sprintf("%q", line)
}
