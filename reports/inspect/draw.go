package inspect

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// bar draws a share of width in eighths of a column; what is not nothing shows.
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
		switch level := int(n * 8 / top); {
		case n == 0:
			s.WriteRune(' ')
		default:
			s.WriteRune([]rune("▁▁▂▃▄▅▆▇█")[level])
		}
	}
	return s.String()
}

func runLabel(i int) string {
	short := func(s int64) string { return shortEdge(s) }
	switch i {
	case 0:
		return "0"
	case 1:
		return "< " + short(runEdges[2])
	case len(runEdges) - 1:
		return ">= " + short(runEdges[i])
	}
	return short(runEdges[i]) + " - " + short(runEdges[i+1])
}

func shortEdge(s int64) string {
	switch {
	case s >= 24*3600:
		return fmt.Sprintf("%dd", s/(24*3600))
	case s >= 3600:
		return fmt.Sprintf("%dh", s/3600)
	case s >= 60:
		return fmt.Sprintf("%dm", s/60)
	}
	return fmt.Sprintf("%ds", s)
}

func sizeLabel(i int) string {
	high := int64(1) << i
	if low := high/2 + 1; low < high {
		return thousands(low) + " - " + thousands(high)
	}
	return thousands(high)
}

func percent(n, of float64) string {
	switch {
	case of == 0:
		return "-"
	case n > 0 && n/of < 0.0005:
		return "< 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", 100*n/of)
}

// thousands writes a number with commas between its thousands.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	first := 0
	if n < 0 {
		first = 1
	}
	for i := len(s) - 3; i > first; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
