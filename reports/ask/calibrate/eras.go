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

// eras are the stretches of the record between changes of its windows.
func (r *record) eras() []era { return r.erasOf(0, events.Never) }

// erasOf divides a stretch at its most certain change, and both parts again.
func (r *record) erasOf(from, until events.Time) []era {
	whole := []era{r.era(from, until)}
	at := r.change(max(from, r.first), min(until, r.last+1))
	if at == 0 || r.era(from, at).closed == r.era(at, until).closed {
		return whole
	}
	return append(r.erasOf(from, at), r.erasOf(at, until)...)
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

// change is when the windows change in a stretch, 0 if they do not: the week before and after which the share of
// closed hours with starts differs most, if it differs as much in fewer than one of a hundred random orders of the
// weeks. Hours count as closed that are so in the moving window of twelve weeks with most of them.
func (r *record) change(first, until events.Time) events.Time {
	if !r.asks || until-first <= fitted+judgedFor {
		return 0
	}
	var most closed
	n := 0
	for at := first; at+fitted < until; at += judgedFor {
		x := r.grid(at, at+fitted).closed()
		if k := x.count(); k > n {
			n, most = k, x
		}
	}
	if n == 0 {
		return 0
	}
	weeks := r.weekly(&most, first, until)
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
	return first + events.Time(at)*week
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

// weekly is what happens in closed hours by week of a stretch.
func (r *record) weekly(x *closed, first, until events.Time) []weekOf {
	weeks := make([]weekOf, (until-1-first)/week+1)
	for i := range weeks {
		from := first + events.Time(i)*week
		g := r.grid(from, min(from+week, until))
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
