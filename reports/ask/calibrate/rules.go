package calibrate

import (
	"fmt"
	"strings"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/reports/terminal"
)

var dayNames = [dayKinds]string{"mon-thu", "fri", "sat", "sun"}

// times are the times of the week at which a class starts, or those at which it does not, as windows have them.
func times(x *[dayKinds][24]bool, shut bool) string {
	var list []string
	for k, hours := range x {
		for h := 0; h < 24; {
			from := h
			for h < 24 && hours[h] == shut {
				h++
			}
			switch {
			case h-from == 24:
				list = append(list, dayNames[k])
			case h > from:
				list = append(list, fmt.Sprintf("%s %02d:00-%02d:00", dayNames[k], from, h))
			default:
				h++
			}
		}
	}
	return strings.Join(list, ", ")
}

// windowRules are the rules of what is closed in each era: one for each run of classes that are closed alike.
func windowRules(eras []era) (rules []scenario.SiteRule) {
	for i := range eras {
		rules = append(rules, eras[i].rules()...)
	}
	return rules
}

func (e *era) rules() (rules []scenario.SiteRule) {
	x := &e.closed
	for c := 0; c < classes; {
		to := c + 1
		for to < classes && x[to] == x[c] {
			to++
		}
		if open := times(&x[c], false); open != "" && times(&x[c], true) != "" {
			var parts []string
			if e.from > 0 {
				parts = append(parts, fmt.Sprintf("submit >= %d", e.from/events.Second))
			}
			if e.until != events.Never {
				parts = append(parts, fmt.Sprintf("submit < %d", e.until/events.Second))
			}
			if c > 0 {
				parts = append(parts, fmt.Sprintf("estimate > %d", slack(c-1)))
			}
			if to < classes {
				parts = append(parts, fmt.Sprintf("estimate <= %d", slack(to-1)))
			}
			if len(parts) == 0 {
				parts = []string{"true"}
			}
			rules = append(rules, scenario.SiteRule{Rule: strings.Join(parts, " && ") + ": " + open, Why: e.why(c, to)})
		}
		c = to
	}
	return rules
}

// why says what a rule means, and what speaks for it.
func (e *era) why(from, to int) string {
	var all evidence
	for c := from; c < to; c++ {
		for k := range e.closed[c] {
			for h, shut := range e.closed[c][k] {
				if x := e.grid[c][k][h]; shut {
					all.waited, all.expected, all.found = all.waited+x.waited, all.expected+x.expected, all.found+x.found
				}
			}
		}
	}
	text := "requests"
	if from > 0 {
		text += " above " + events.FormatDuration(edges[from-1])
	}
	if to < classes {
		text += " up to " + events.FormatDuration(edges[to-1])
	}
	if all.waited == 0 {
		return fmt.Sprintf("%s do not start %s, as shorter ones; none waited", text, times(&e.closed[from], true))
	}
	return fmt.Sprintf("%s do not start %s: in %s of these hours such jobs waited with room for them, or started; %.0f "+
		"hours with starts would be "+
		"expected, there are %.0f", text, times(&e.closed[from], true), terminal.Thousands(int64(all.waited)), all.expected, all.found)
}

// slack is an edge in seconds and what requests may be above it.
func slack(edge int) int64 { return int64(edges[edge] / events.Second * 101 / 100) }
