package inspect

import (
	"math"
	"strings"

	"bourse/reports/terminal"
)

// bar draws a share of width in eighths of a column; a share above 0 is at least one eighth.
func bar(share float64, width int) string {
	eighths := int(math.Round(share * float64(width) * 8))
	if eighths == 0 && share > 0 {
		eighths = 1
	}
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return s
}

// spark draws the arrivals, one character a bin.
func (t *timeline) spark() string {
	last, top := 0, int64(1)
	for i, n := range t.bins {
		if n > 0 {
			last, top = i, max(top, n)
		}
	}
	var s strings.Builder
	for _, n := range t.bins[:last+1] {
		if n == 0 {
			s.WriteByte(' ')
		} else {
			s.WriteRune([]rune("▁▁▂▃▄▅▆▇█")[n*8/top])
		}
	}
	return s.String()
}

// sizeLabel is the text of a bin of sizes and its lower end.
func sizeLabel(i int) (string, int64) {
	high := int64(1) << i
	low := high/2 + 1
	if low < high {
		return terminal.Thousands(low) + " - " + terminal.Thousands(high), low
	}
	return terminal.Thousands(high), high
}
