package model

import (
	"sort"

	"bourse/events"
	"bourse/traces/google"
	"bourse/traces/rng"
)

// draft is a job that comes: when, of which tier, how large.
type draft struct {
	number int64
	at     events.Time
	tier   int
	size   int64
}

// arrivals hands out jobs in order of time. Job k's tier and size are the first
// draws of its own stream, so how many jobs make up the tasks asked for is known
// by drawing them once more than needed.
type arrivals struct {
	of      *rng.Rand // a job's own stream
	gap     *rng.Rand
	chances []float64 // of tiers, summed up
	number  int64
	left    int64   // tasks
	clock   float64 // sum of gaps so far, in units of all of them
	unit    float64
	warp    warp
}

// newArrivals prepares jobs with so many tasks in all.
func newArrivals(o *Options, tasks int64) *arrivals {
	a := &arrivals{of: rng.New(o.Seed, "google2011/job"), left: tasks, warp: newWarp(o)}
	sum := 0.0
	for i := range measured().Tiers {
		sum += measured().Tiers[i].Arriving.Jobs
		a.chances = append(a.chances, sum)
	}
	gap := rng.New(o.Seed, "google2011/gap")
	all := 0.0
	for left, k := tasks, int64(0); left > 0; k++ {
		_, size := a.draw(k)
		left -= size
		all += measured().Gaps.draw(gap, valueGrid[:])
	}
	a.unit = 1 / (all + 1) // the last job does not come at the very end
	a.gap = rng.New(o.Seed, "google2011/gap")
	return a
}

// draw sets the stream to job k and returns its tier and size.
func (a *arrivals) draw(k int64) (tier int, size int64) {
	a.of.Key(uint64(k))
	u := a.of.Float64() * a.chances[len(a.chances)-1]
	tier = min(sort.SearchFloat64s(a.chances, u), tiers-1)
	return tier, int64(measured().Tiers[tier].Arriving.Size.draw(a.of, sizeGrid[:]) + 0.5)
}

// next returns the next job and leaves the stream at its further draws; false
// after the last.
func (a *arrivals) next() (draft, bool) {
	if a.left <= 0 {
		return draft{}, false
	}
	d := draft{number: a.number}
	d.tier, d.size = a.draw(a.number)
	d.size = min(d.size, a.left)
	a.clock += float64(measured().Gaps.draw(a.gap, valueGrid[:]) * a.unit)
	d.at = a.warp.time(min(1, a.clock))
	a.left -= d.size
	a.number++
	return d, true
}

// warp maps shares of a window's jobs to times in it: the rhythm of the day.
type warp struct {
	hours []float64 // jobs up to each hour, summed up, in units of all
	end   events.Time
}

const hour = 3600 * events.Second

func newWarp(o *Options) warp {
	w := warp{hours: []float64{0}, end: o.end()}
	for at := google.WindowStart; at < w.end; at += hour {
		part := float64(min(hour, w.end-at)) / float64(hour)
		k := len(w.hours) - 1
		w.hours = append(w.hours, w.hours[k]+float64(part*measured().Hours[k%24]))
	}
	all := w.hours[len(w.hours)-1]
	for i := range w.hours {
		w.hours[i] /= all
	}
	return w
}

func (w *warp) time(share float64) events.Time {
	i := min(max(1, sort.SearchFloat64s(w.hours, share)), len(w.hours)-1)
	part := (share - w.hours[i-1]) / (w.hours[i] - w.hours[i-1])
	from := google.WindowStart + events.Time(i-1)*hour
	return from + events.Time(part*float64(min(hour, w.end-from)))
}
