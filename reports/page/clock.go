package page

import (
	"time"

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

// at converts seconds since the trace's zero to the axis.
func (c clock) at(s float64) float64 { return (c.zero + s) / c.per }

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
	return duration(s)
}

// axis is a channel of time; Vega takes dates in milliseconds.
func (c clock) axis(field string, more ...any) object {
	if c.dates {
		return with(object{"field": field, "type": "temporal", "title": c.title(), "scale": object{"type": "utc", "nice": false}, "axis": axis(c.title(), "labelOverlap", "greedy")}, more)
	}
	return positional(field, c.title(), append([]any{"scale", object{"nice": false, "zero": false}}, more...)...)
}

// value is a time as Vega takes it.
func (c clock) value(s float64) float64 {
	if c.dates {
		return 1000 * c.at(s)
	}
	return c.at(s)
}

// figureAxis is a linear axis of a measure, of durations if that is in seconds.
func figureAxis(title string, seconds bool, more ...any) object {
	if seconds {
		more = append(more, "labelExpr", spanLabel)
	}
	return axis(title, more...)
}

const spanLabel = "datum.value < 120 ? datum.value + ' s' : datum.value < 7200 ? format(datum.value / 60, '.3~g') + ' min' : datum.value < 172800 ? format(datum.value / 3600, '.3~g') + ' h' : format(datum.value / 86400, '.3~g') + ' d'"

// waits is a log axis of durations, which people read in minutes, hours and days.
func waits(title string) object {
	return axis(title, "grid", true, "values", []int{1, 10, 60, 600, 3600, 36000, 86400, 604800, 2592000}, "labelOverlap", "greedy", "gridOpacity", .4, "labelExpr", waitLabel)
}

const waitLabel = "datum.value < 60 ? datum.value + ' s' : datum.value < 3600 ? datum.value / 60 + ' min' : datum.value < 86400 ? datum.value / 3600 + ' h' : datum.value / 86400 + ' d'"
