package inspect

import (
	"fmt"
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

func runLabel(i int) string {
	switch i {
	case 0:
		return "0"
	case 1:
		return "< " + shortEdge(runEdges[2])
	case len(runEdges) - 1:
		return ">= " + shortEdge(runEdges[i])
	}
	return shortEdge(runEdges[i]) + " - " + shortEdge(runEdges[i+1])
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
		return terminal.Thousands(low) + " - " + terminal.Thousands(high)
	}
	return terminal.Thousands(high)
}
