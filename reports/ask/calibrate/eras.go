package calibrate

import (
	"math"

	"bourse/events"
	"bourse/traces/rng"
)

// era is a stretch of the record in which the same windows hold.
type era struct {
	from, until events.Time
	grid        *grid
	closed      closed
}

// eras are the stretches of the record between changes of its windows, of which one at most is looked for.
func (r *record) eras() []era {
	at := r.change()
	if at == 0 {
		return []era{r.era(0, events.Never)}
	}
	both := []era{r.era(0, at), r.era(at, events.Never)}
	if both[0].closed == both[1].closed {
		return []era{r.era(0, events.Never)}
	}
	return both
}

func (r *record) era(from, until events.Time) era {
	if !r.asks {
		return era{from: from, until: until, grid: &grid{}}
	}
	g := r.grid(from, until)
	return era{from, until, g, g.closed()}
}

// isClosed reports whether a job waits outside of the windows.
func (r *record) isClosed(eras []era, j *job, at events.Time) bool {
	kind, h := r.place(at)
	for i := range eras {
		if e := &eras[i]; at >= e.from && at < e.until {
			return e.closed[j.class][kind][h]
		}
	}
	return false
}

// weekOf is what happens in a week in the hours that are closed: in how many of them jobs waited with room or
// started, and in how many any started.
type weekOf struct{ waited, found float64 }

// How sure a change is to be, in how many orders of the weeks.
const (
	changeAt = .01
	shuffles = 999
	leastEra = 4 // weeks
)

// change is when the windows of the record change, 0 if they do not: the week before and after which the share of
// closed hours with starts differs most, if it differs as much in fewer than one of a hundred random orders of the
// weeks. Hours count as closed that are so in the moving window of twelve weeks with most of them.
func (r *record) change() events.Time {
	if !r.asks || r.last-r.first < fitted+judgedFor {
		return 0
	}
	var most closed
	n := 0
	for at := r.first; at+fitted <= r.last; at += judgedFor {
		x := r.grid(at, at+fitted).closed()
		if k := x.count(); k > n {
			n, most = k, x
		}
	}
	if n == 0 {
		return 0
	}
	weeks := r.weekly(&most)
	best, at := split(weeks)
	draw, beyond := rng.New(0, "change of windows"), 1
	for range shuffles {
		draw.Shuffle(len(weeks), func(i, j int) { weeks[i], weeks[j] = weeks[j], weeks[i] })
		if g, _ := split(weeks); g >= best {
			beyond++
		}
	}
	if float64(beyond)/(shuffles+1) >= changeAt {
		return 0
	}
	return r.first + events.Time(at)*week
}

func (x *closed) count() (n int) {
	for c := range x {
		for k := range x[c] {
			for _, shut := range x[c][k] {
				if shut {
					n++
				}
			}
		}
	}
	return n
}

// weekly is what happens in closed hours by week of the record.
func (r *record) weekly(x *closed) []weekOf {
	weeks := make([]weekOf, (r.last-r.first)/week+1)
	for i := range weeks {
		from := r.first + events.Time(i)*week
		g := r.grid(from, from+week)
		for c := range g {
			for k := range g[c] {
				for h, e := range g[c][k] {
					if x[c][k][h] {
						weeks[i].waited, weeks[i].found = weeks[i].waited+e.waited, weeks[i].found+e.found
					}
				}
			}
		}
	}
	return weeks
}

// split is where weeks are divided best in two parts with a share each, and by how much more likely that makes them
// (the logarithm).
func split(weeks []weekOf) (gain float64, at int) {
	likely := func(w weekOf) float64 {
		if w.found == 0 || w.found == w.waited {
			return 0
		}
		p := w.found / w.waited
		return float64(w.found*math.Log(p)) + float64((w.waited-w.found)*math.Log(1-p))
	}
	var all, left weekOf
	for _, w := range weeks {
		all.waited, all.found = all.waited+w.waited, all.found+w.found
	}
	for i, w := range weeks {
		if i >= leastEra && i <= len(weeks)-leastEra {
			right := weekOf{all.waited - left.waited, all.found - left.found}
			if g := likely(left) + likely(right) - likely(all); g > gain {
				gain, at = g, i
			}
		}
		left.waited, left.found = left.waited+w.waited, left.found+w.found
	}
	return gain, at
}
