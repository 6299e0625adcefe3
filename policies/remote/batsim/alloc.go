//go:build !js

package batsim

import (
	"fmt"
	"strconv"
	"strings"
)

// alloc are the resources of a job, as intervals.
type alloc []interval

type interval struct{ first, last int }

func (a alloc) size() (n int) {
	for _, i := range a {
		n += i.last - i.first + 1
	}
	return n
}

// String writes intervals as Batsim does: 0-3 7.
func (a alloc) String() string {
	parts := make([]string, len(a))
	for k, i := range a {
		parts[k] = strconv.Itoa(i.first)
		if i.last > i.first {
			parts[k] += "-" + strconv.Itoa(i.last)
		}
	}
	return strings.Join(parts, " ")
}

// parseAlloc reads intervals, separated by blanks or commas, of resources below procs. What
// is named twice is found when it is given out.
func parseAlloc(text string, procs int) (a alloc, err error) {
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ',' }) {
		from, to, is := strings.Cut(part, "-")
		if !is {
			to = from
		}
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || first < 0 || last < first || last >= procs {
			return nil, fmt.Errorf("resources %q; want intervals of 0 to %d, as in 0-3 7", part, procs-1)
		}
		a = append(a, interval{first, last})
	}
	return a, nil
}
