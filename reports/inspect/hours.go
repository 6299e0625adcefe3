package inspect

import (
	"fmt"
	"strings"

	"bourse/events"
	"bourse/reports/table"
	"bourse/reports/terminal"
	"bourse/traces"
)

// hours is what comes and runs by hour of the week, in the log's time zone; nothing where it has no dates.
type hours struct {
	calendar *events.Calendar
	jobs     [7 * 24]int64
	work     [7 * 24]float64 // processor-seconds
	there    [7 * 24]float64 // seconds of the log
}

// each calls do with every hour of the week from one time to another, and how long it lasts of that.
func (h *hours) each(from, until events.Time, do func(hour int, seconds float64)) {
	for from < until {
		at := h.calendar.At(from)
		rest := events.Time(3600-at.Minute()*60-at.Second()) * events.Second
		next := min(from+rest, until)
		do((int(at.Weekday())+6)%7*24+at.Hour(), (next - from).Seconds())
		from = next
	}
}

// add counts a job: its submission, and its run if its start is known.
func (h *hours) add(j *traces.Job) {
	if h.calendar == nil {
		return
	}
	h.each(j.Submit, j.Submit+1, func(hour int, _ float64) { h.jobs[hour]++ })
	if j.Wait.Known() {
		h.each(j.Submit+j.Wait, j.Submit+j.Wait+j.Run, func(hour int, seconds float64) {
			h.work[hour] += float64(seconds * float64(j.Procs))
		})
	}
}

// end counts how often each hour was there.
func (h *hours) end(first, last events.Time) {
	if h.calendar != nil {
		h.each(first, last, func(hour int, seconds float64) { h.there[hour] += seconds })
	}
}

// sum adds up the hours of the week that are of a class, which is of 24 hours or 7 days.
func (h *hours) sum(classes int, of func(hour int) int) (jobs, work, there []float64) {
	jobs, work, there = make([]float64, classes), make([]float64, classes), make([]float64, classes)
	for hour := range h.jobs {
		c := of(hour)
		jobs[c] += float64(h.jobs[hour])
		work[c] += h.work[hour]
		there[c] += h.there[hour]
	}
	return jobs, work, there
}

var weekdays = [...]string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}

// hourRows says when jobs come and when the machine is in use, of logs with dates and a week or more.
func (in *Inspection) hourRows(row func(string, string, ...any)) {
	h := &in.hours
	if h.calendar == nil || max(in.Last, in.LastEnd)-in.First < 7*24*3600*events.Second {
		return // no dates, or too short to say
	}
	jobs, work, there := h.sum(24, func(hour int) int { return hour % 24 })
	row("by hour", "%s  0 to 23 h (%s): submissions", strip(jobs), h.calendar.Zone())
	used := in.Header.Procs > 0 && in.Work > 0 && in.NoWait < in.Jobs
	use := func(work, there []float64) []float64 {
		parts := make([]float64, len(work))
		for i := range work {
			if there[i] > 0 {
				parts[i] = work[i] / there[i] / float64(in.Header.Procs)
			}
		}
		return parts
	}
	if used {
		parts := use(work, there)
		most, least := extremes(parts)
		row("", "%s  in use: %s at %d h, %s at %d h", strip(parts), terminal.PercentOf(parts[most], 1), most,
			terminal.PercentOf(parts[least], 1), least)
	}
	jobs, work, there = h.sum(7, func(hour int) int { return hour / 24 })
	var days, busy []string
	for d, part := range use(work, there) {
		days = append(days, fmt.Sprintf("%s %.0f %%", weekdays[d], 100*jobs[d]/float64(max(in.Jobs, 1))))
		busy = append(busy, fmt.Sprintf("%s %.0f %%", weekdays[d], 100*part))
	}
	row("by weekday", "submitted: %s", strings.Join(days, ", "))
	if !used {
		return
	}
	row("", "in use:    %s", strings.Join(busy, ", "))
	parts := use(h.work[:], h.there[:])
	most, least := extremes(parts)
	row("fullest", "%s %d h, %s in use; emptiest %s %d h, %s", weekdays[most/24], most%24, terminal.PercentOf(parts[most], 1),
		weekdays[least/24], least%24, terminal.PercentOf(parts[least], 1))
}

// hourTable is the hours for programs.
func (in *Inspection) hourTable() *table.Table {
	t := table.Data("weekday", "hour", "jobs", "in_use")
	t.Name = "hours"
	for hour, n := range in.hours.jobs {
		if in.hours.calendar == nil {
			break
		}
		row := []any{hour/24 + 1, hour % 24, n}
		if there := in.hours.there[hour]; there > 0 && in.Header.Procs > 0 && in.NoWait < in.Jobs {
			row = append(row, in.hours.work[hour]/there/float64(in.Header.Procs))
		}
		t.Add(row...)
	}
	return t
}

// strip draws figures from 0 to the greatest.
func strip(figures []float64) string {
	top, text := 0.0, ""
	for _, x := range figures {
		top = max(top, x)
	}
	for _, x := range figures {
		text += string([]rune("▁▁▂▃▄▅▆▇█")[int(8*x/max(top, 1e-300))])
	}
	return text
}

// extremes are the places of the greatest and the least figure.
func extremes(figures []float64) (most, least int) {
	for i, x := range figures {
		if x > figures[most] {
			most = i
		}
		if x < figures[least] {
			least = i
		}
	}
	return most, least
}
