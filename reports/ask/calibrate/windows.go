package calibrate

import (
	"bourse/events"
)

// The kinds of days that rules are looked for on.
const (
	workdays = iota // Monday to Thursday
	friday
	saturday
	sunday
	dayKinds
)

// evidence is what the record says of a class of requested times in an hour of a kind of day: in how many such hours
// jobs of the class waited with room for them, or started after a wait; in how many starts would be expected if the
// class started as readily as in all hours; and in how many there were any. An hour of a date counts once, for all
// that wait in it may do so for one reason.
type evidence struct{ waited, expected, found float64 }

// grid is the evidence by class, kind of day and hour.
type grid [classes][dayKinds][24]evidence

// closed marks the hours in which a class does not start.
type closed [classes][dayKinds][24]bool

// The least evidence for an hour to be closed. Single hours are found by chance in logs without windows: 16 to 39 of
// 1,848.
const (
	leastWaited   = 6
	leastExpected = 3
	mostFound     = .05 // of the expected starts, or one
	leastRun      = 3   // hours in a row
)

// dwell is how long a job has waited whose start says something of the hour.
const dwell = 600 * events.Second

// place is where an hour is among the cells of a grid.
func (r *record) place(t events.Time) (kind, h int) {
	return max(0, r.calendar.Weekday(t)-4), r.calendar.Hour(t)
}

// slot is what happens in an hour of the log: the classes of which jobs wait with room for them at its begin or end,
// and those of which jobs start that have waited.
type slot struct{ waits, starts [classes]bool }

// slots are the hours from that of the first submission on.
func (r *record) readSlots() {
	r.slots = make([]slot, r.end/hour-r.first/hour+1)
	at := func(t events.Time) *slot { return &r.slots[t/hour-r.first/hour] }
	r.hourly(func(s *instant) {
		for _, i := range s.waiting {
			j := &r.jobs[i]
			if int64(j.procs) > r.procs-s.used {
				continue
			}
			at(s.at).waits[j.class] = true
			if s.at-j.submit >= dwell { // also the hour that ends
				at(max(s.at-hour, r.first)).waits[j.class] = true
			}
		}
	})
	for i := range r.jobs {
		if j := &r.jobs[i]; j.start-j.submit > dwell {
			at(j.start).starts[j.class] = true
		}
	}
}

// grid gathers the evidence of a stretch of the record.
func (r *record) grid(from, until events.Time) *grid {
	g := &grid{}
	for i := range r.slots {
		t := (events.Time(i) + r.first/hour) * hour
		if t < from/hour*hour || t >= until {
			continue
		}
		kind, h := r.place(t + hour/2)
		for c := range g {
			if e, s := &g[c][kind][h], &r.slots[i]; s.waits[c] || s.starts[c] {
				if e.waited++; s.starts[c] {
					e.found++
				}
			}
		}
	}
	g.expect()
	return g
}

// expect works out the expected starts.
func (g *grid) expect() {
	for c := range g {
		var all evidence
		for k := range g[c] {
			for _, e := range g[c][k] {
				all.waited, all.found = all.waited+e.waited, all.found+e.found
			}
		}
		for k := range g[c] {
			for h := range g[c][k] {
				g[c][k][h].expected = g[c][k][h].waited * all.found / max(1, all.waited)
			}
		}
	}
}

// closed finds the hours in which a class does not start. Where there is too little evidence, with no start, a class
// does as the class below it does at that hour, and on Fridays as on Mondays to Thursdays: sites limit what is longer
// than something.
func (g *grid) closed() (out closed) {
	for c := range g {
		for k := range g[c] {
			for h, e := range g[c][k] {
				out[c][k][h] = e.waited >= leastWaited && e.expected >= leastExpected && e.empty()
			}
			g.keepRuns(&out[c][k], c, k)
		}
		for k := range friday + 1 {
			for h, e := range g[c][k] {
				if e.expected < leastExpected && e.found == 0 {
					out[c][k][h] = out[c][k][h] || k == friday && out[c][workdays][h] || c > 0 && out[c-1][k][h]
				}
			}
		}
		for k := range g[c] {
			row := out[c][k]
			for h, e := range g[c][k] { // next to closed ones, or a lone hour between two
				before, after := row[(h+23)%24], row[(h+1)%24]
				out[c][k][h] = row[h] || before && after && e.empty() || (before || after) && e.found == 0 && e.waited >= leastWaited
			}
		}
	}
	return out
}

// empty reports whether there are hardly any starts.
func (e *evidence) empty() bool { return e.found <= max(1, mostFound*e.expected) }

// keepRuns opens what is closed for fewer hours in a row, past midnight as well, or has too many starts altogether.
func (g *grid) keepRuns(row *[24]bool, c, k int) {
	shut := *row
	for h := range shut {
		var run evidence
		n := 0
		for i := h; n < 24 && shut[i%24]; i++ {
			e := g[c][k][i%24]
			run.expected, run.found, n = run.expected+e.expected, run.found+e.found, n+1
		}
		for i := h + 23; n < 24 && shut[h] && shut[i%24]; i-- {
			e := g[c][k][i%24]
			run.expected, run.found, n = run.expected+e.expected, run.found+e.found, n+1
		}
		row[h] = n >= leastRun && run.empty()
	}
}
