package calibrate

import (
	"fmt"
	"slices"
	"strings"

	"bourse/engine/scenario"
	"bourse/events"
)

// reach is how far around an hour the greatest use is looked for.
const reach = 6

// capacities are the processors that were there in each hour of the record: the greatest number in use within six
// hours, at most the machine's. What was in use was there; what nobody used in half a day was perhaps not.
type capacities struct {
	from  events.Time
	procs []int64
	above events.Time // for how long the record has more in use than the machine has
	most  int64       // in use at once
}

func (r *record) capacity() *capacities {
	c := &capacities{from: r.first / hour * hour}
	most := make([]int64, (r.end-c.from)/hour+1)
	raise := func(from, to events.Time, used int64) {
		for h := from / hour; h <= (to-1)/hour; h++ {
			if i := h - c.from/hour; i >= 0 && int(i) < len(most) {
				most[i] = max(most[i], used)
			}
		}
	}
	var used int64
	at, b, e := c.from, 0, 0
	for e < len(r.byEnd) {
		next := r.jobs[r.byEnd[e]].end
		if b < len(r.byStart) {
			next = min(next, r.jobs[r.byStart[b]].start)
		}
		if next > at {
			raise(at, next, used)
			if used > r.procs {
				c.above += next - at
			}
			at = next
		}
		for ; e < len(r.byEnd) && r.jobs[r.byEnd[e]].end <= at; e++ {
			if j := &r.jobs[r.byEnd[e]]; j.start < j.end {
				used -= int64(j.procs)
			}
		}
		for ; b < len(r.byStart) && r.jobs[r.byStart[b]].start <= at; b++ {
			if j := &r.jobs[r.byStart[b]]; j.start < j.end {
				used += int64(j.procs)
			}
		}
		c.most = max(c.most, used)
	}
	c.procs = make([]int64, len(most))
	for i := range most {
		for k := max(0, i-reach); k <= min(len(most)-1, i+reach); k++ {
			c.procs[i] = max(c.procs[i], min(most[k], r.procs))
		}
	}
	return c
}

// at is the capacity at an instant.
func (c *capacities) at(t events.Time) int64 {
	return c.procs[min(max(0, int((t-c.from)/hour)), len(c.procs)-1)]
}

// rule is the capacity as a site's model has it: the hours at which it changes.
func (c *capacities) rule(r *record) *scenario.SiteCapacity {
	var b strings.Builder
	last := r.procs
	least, below := r.procs, 0
	for i, n := range append(slices.Clone(c.procs), r.procs) {
		if n != last {
			fmt.Fprintf(&b, "%d %d\n", int64(c.from/hour)+int64(i), n)
		}
		if last = n; n < r.procs {
			least, below = min(least, n), below+1
		}
	}
	return &scenario.SiteCapacity{Hours: b.String(), Why: fmt.Sprintf("the most that was in use within %d hours of "+
		"each hour: less than the "+
		"machine's %d in %d of %d hours, at the least %d", reach, r.procs, below, len(c.procs), least)}
}
