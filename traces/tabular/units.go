package tabular

import (
	"fmt"

	"bourse/events"
	"bourse/traces"
)

// units is what tells that times of a table are no seconds, as nothing in it says so.
type units struct {
	jobs, fractions int64
	first, last     events.Time // submissions
	run             float64     // the sum, in seconds
	longest         events.Time
}

// fewest is how many jobs it takes to say anything.
const fewest = 20

func (u *units) add(j *traces.Job) {
	if !j.Run.Known() {
		return
	}
	if u.jobs++; u.jobs == 1 {
		u.first, u.last = j.Submit, j.Submit
	}
	u.first, u.last = min(u.first, j.Submit), max(u.last, j.Submit)
	u.run, u.longest = u.run+j.Run.Seconds(), max(u.longest, j.Run)
	if j.Run%events.Second != 0 {
		u.fractions++
	}
}

// doubt notes times that look like another unit's, once all jobs have been read.
func (u *units) doubt(l *traces.Ledger) {
	if u.jobs < fewest {
		return
	}
	mean, _ := events.FromSeconds(u.run / float64(u.jobs))
	switch span := u.last - u.first; {
	case span > 0 && (mean > span || u.longest > 10*span):
		l.Odd(fmt.Sprintf("table whose jobs run for up to %s and are all submitted within %s: if the times of submission "+
			"are hours and not seconds, say time=h (ms, min, d)", u.longest.Short(), span.Short()))
	case 2*u.fractions > u.jobs && mean < 60*events.Second:
		l.Odd(fmt.Sprintf("table whose run times are mostly fractions of seconds, %.3g s on average: if they are hours, say "+
			"duration=h (ms, min, d), and time=h of submissions", mean.Seconds()))
	}
}
