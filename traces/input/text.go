package input

import "fmt"

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
	for n := min(len(line), most); ; n /= 2 {
		quoted := fmt.Sprintf("%q", line[:n])
		switch {
		case len(quoted) > 2*most: // bytes that are no text take four each
		case n < len(line):
			return quoted + "..."
		default:
			return quoted
		}
	}
}
