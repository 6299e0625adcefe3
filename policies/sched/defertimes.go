package sched

import (
	"cmp"
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// times is when a job that arrives is best shown by the series.
func (d *Defer) times(now events.Time, j *policies.Job) []stretch {
	class := d.class(j)
	slack, length := d.Slack[class], d.Length[class]
	if d.Claim != nil {
		slack = events.Time(float64(slack) * d.Claim(j))
	}
	if m := d.runs[class]; d.Learned && m.count > 0 {
		length = m.sum / m.count
	}
	if length == 0 {
		length = max(j.Estimate, 1)
	}
	switch d.Rule {
	case "pieces":
		return d.pieces(now, length, slack)
	case "threshold":
		return d.below(now, length, slack)
	}
	return []stretch{{d.wish(now, length, slack), events.Never}}
}

// level is a stretch of one value.
type level struct {
	stretch
	value float64
}

// steps are those from one time to another, least value first.
func (d *Defer) steps(from, to events.Time) (list []level) {
	if last, ok := d.end(); ok {
		to = min(to, max(last, from+1))
	}
	for at := from; at < to; {
		next := min(to, d.series.Until(at))
		list = append(list, level{stretch{at, next}, d.series.At(at)})
		at = next
	}
	slices.SortStableFunc(list, func(a, b level) int { return cmp.Compare(a.value, b.value) })
	return list
}

// pieces are the times of least value, the earliest of equal ones. The last one is for what is left of the job.
func (d *Defer) pieces(now, length, slack events.Time) (times []stretch) {
	for _, s := range d.steps(now, now+length+slack) {
		if length <= 0 {
			break
		}
		s.to = min(s.to, s.from+length)
		length -= s.to - s.from
		times = append(times, s.stretch)
	}
	slices.SortFunc(times, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	return joined(times)
}

// joined makes one of stretches of which one ends where the next begins, and opens the last.
func joined(times []stretch) (list []stretch) {
	for _, t := range times {
		if n := len(list); n > 0 && list[n-1].to == t.from {
			list[n-1].to = t.to
		} else {
			list = append(list, t)
		}
	}
	list[len(list)-1].to = events.Never
	return list
}

// The share of the times of a day whose values count as low.
const lowShare, lowOf = .3, 24 * deferStep

// below are the times of low values until the slack is used up.
func (d *Defer) below(now, length, slack events.Time) (times []stretch) {
	limit, seen := math.Inf(1), events.Time(0)
	all := d.steps(now, now+lowOf)
	total := events.Time(0)
	for _, s := range all {
		total += s.to - s.from
	}
	for _, s := range all {
		if seen += s.to - s.from; float64(seen) > float64(lowShare*float64(total)) {
			limit = s.value
			break
		}
	}
	for at := now; length > 0; {
		next := d.series.Until(at)
		if last, ok := d.end(); slack <= 0 || ok && at >= last {
			times = append(times, stretch{at, events.Never})
			break
		}
		if d.series.At(at) < limit {
			next = min(next, at+length)
			times, length = append(times, stretch{at, next}), length-(next-at)
		} else {
			next = min(next, at+slack)
			slack -= next - at
		}
		at = next
	}
	return joined(times)
}

// wish is when a job that arrives would best start by the series.
func (d *Defer) wish(now, length, slack events.Time) events.Time {
	until := now + slack
	if last, ok := d.end(); ok { // beyond it nothing is known
		until = min(until, max(now, last-1))
		length = min(length, max(1, last-until))
	}
	best, least := now, math.Inf(1)
	switch d.Rule {
	case "slot":
		for at := now; at <= until; at = d.series.Until(at) {
			if v := d.series.At(at); v < least {
				best, least = at, v
			}
		}
	case "window":
		for at := now; at <= until; at += deferStep {
			if v := d.series.Integral(at, at+length); v < least {
				best, least = at, v
			}
		}
	default:
		all, most := d.series.Integral(now, now+length), 0.0
		for at := now; at <= until; at += deferStep {
			if v := (all - d.series.Integral(at, at+length)) / (at - now + length).Seconds(); v > most {
				best, most = at, v
			}
		}
	}
	return best
}

// end is that of the series, if it has one.
func (d *Defer) end() (events.Time, bool) {
	_, last := d.series.Span()
	return last, !d.series.Covers(last, last+1)
}
