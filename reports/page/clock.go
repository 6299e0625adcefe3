package page

import (
	"time"

	"bourse/reports/terminal"
	"bourse/traces"
)

// clock is what a page's time axes show: dates, where the logs have them, or the time since
// the trace's zero.
type clock struct {
	per   float64 // seconds in the unit
	zero  float64 // Unix time of the trace's zero
	dates bool
	name  string // of the unit
}

// clockFor chooses the unit for a time of so many seconds.
func clockFor(span float64) clock {
	switch {
	case span >= 3*86400:
		return clock{per: 86400, name: "days"}
	case span >= 3*3600:
		return clock{per: 3600, name: "hours"}
	case span >= 3*60:
		return clock{per: 60, name: "minutes"}
	}
	return clock{per: 1, name: "seconds"}
}

// settleClock chooses the axes' clock. Dates are those of the log, so they are shown only where
// submissions are as recorded.
func (p *input) settleClock() {
	p.clock = clockFor(p.grid.last - p.grid.first)
	start := p.runs[0].Manifest.Trace.Start
	for _, r := range p.runs {
		if r.Manifest.Trace.Start != start || r.Setting("resample") != "" || r.Setting("load-factor") != "1" {
			return
		}
	}
	if start > 0 || p.grid.first > traces.UnixFrom {
		p.clock = clock{per: 1, zero: float64(start), dates: true, name: "UTC"}
	}
}

// axisTime converts seconds since the trace's zero to the axis.
func (c clock) axisTime(s float64) float64 { return (c.zero + s) / c.per }

func (c clock) title() string {
	if c.dates {
		return "date (UTC)"
	}
	return "time since the trace's zero (" + c.name + ")"
}

// day names the day of an instant.
func (c clock) day(s float64) string {
	if c.dates {
		return time.Unix(int64(c.zero+s), 0).UTC().Format("2006-01-02")
	}
	return terminal.Seconds.Text(s)
}

// axis is a channel of time; Vega takes dates in milliseconds.
func (c clock) axis(field string) object {
	name := "time-seconds"
	if c.dates {
		name = "time-dates"
	}
	return document(name, object{"field": field, "title": c.title()})
}

// value is a time as Vega takes it.
func (c clock) value(s float64) float64 {
	if c.dates {
		return 1000 * c.axisTime(s)
	}
	return c.axisTime(s)
}

// figureAxis is a linear axis of a measure, of durations if that is in seconds.
func figureAxis(title string, seconds bool) object {
	if seconds {
		return document("axis-spans", object{"title": title})
	}
	return document("axis-figures", object{"title": title})
}

// waits is a log axis of durations, which people read in minutes, hours and days.
func waits(title string) object { return document("axis-waits", object{"title": title}) }
