package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/fields"
)

// calendarKey is the calendar's among what a script's thread keeps.
const calendarKey = "calendar"

// readCalendar is policies.CalendarReader's: whether the script needs dates shows when it asks for
// one.
func (m *module) readCalendar(c *events.Calendar) (needs string) {
	m.thread.SetLocal(calendarKey, c)
	return ""
}

// ReadCalendar implements policies.CalendarReader.
func (k *Rank) ReadCalendar(c *events.Calendar) (needs string) { return k.m.readCalendar(c) }

// ReadCalendar implements policies.CalendarReader.
func (p *Predict) ReadCalendar(c *events.Calendar) (needs string) { return p.m.readCalendar(c) }

// ReadCalendar implements policies.CalendarReader.
func (p *Plan) ReadCalendar(c *events.Calendar) (needs string) { return p.m.readCalendar(c) }

// ReadCalendar implements policies.CalendarReader.
func (p *Price) ReadCalendar(c *events.Calendar) (needs string) { return p.m.readCalendar(c) }

// ReadCalendar implements policies.CalendarReader.
func (b *Bid) ReadCalendar(c *events.Calendar) (needs string) { return b.m.readCalendar(c) }

// siteKey is the site's among what a script's thread keeps.
const siteKey = "site"

// site is what labels are called, and how many processors or machines there are.
type site struct {
	names traces.Names
	size  float64
}

func (m *module) readSite(n traces.Names, size float64) {
	m.site = &site{n, size}
	m.thread.SetLocal(siteKey, m.site)
}

// ReadSite implements policies.SiteReader.
func (k *Rank) ReadSite(n traces.Names, size float64) { k.m.readSite(n, size) }

// ReadSite implements policies.SiteReader.
func (p *Plan) ReadSite(n traces.Names, size float64) { p.m.readSite(n, size) }

// ReadSite implements policies.SiteReader.
func (p *Predict) ReadSite(n traces.Names, size float64) { p.m.readSite(n, size) }

// ReadSite implements policies.SiteReader.
func (p *Price) ReadSite(n traces.Names, size float64) { p.m.readSite(n, size) }

// ReadSite implements policies.SiteReader.
func (b *Bid) ReadSite(n traces.Names, size float64) { b.m.readSite(n, size) }

// processors is the size of the machine.
var processors = starlark.NewBuiltin("processors", func(thread *starlark.Thread, b *starlark.Builtin,
	args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 0); err != nil {
		return nil, err
	}
	s, told := thread.Local(siteKey).(*site)
	if !told {
		return nil, errors.New("processors: the machine is known to functions that a replay calls, once it has begun")
	}
	return starlark.MakeInt(int(s.size)), nil
})

// seriesKey is the input series' among what a script's thread keeps.
const seriesKey = "series"

func (m *module) readSeries(all []policies.Series) error {
	m.thread.SetLocal(seriesKey, all)
	return nil
}

// ReadSeries implements policies.SeriesReader.
func (k *Rank) ReadSeries(all []policies.Series) error { return k.m.readSeries(all) }

// ReadSeries implements policies.SeriesReader.
func (p *Predict) ReadSeries(all []policies.Series) error { return p.m.readSeries(all) }

// ReadSeries implements policies.SeriesReader.
func (p *Plan) ReadSeries(all []policies.Series) error { return p.m.readSeries(all) }

// ReadSeries implements policies.SeriesReader.
func (p *Price) ReadSeries(all []policies.Series) error { return p.m.readSeries(all) }

// ReadSeries implements policies.SeriesReader.
func (b *Bid) ReadSeries(all []policies.Series) error { return b.m.readSeries(all) }

// series is series(name, t) of an input series, its value at a time in seconds, announced ones ahead included, and
// series(name, t, until), its mean from one time to another.
var series = starlark.NewBuiltin("series", func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
	kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	var times [2]starlark.Value
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 2, &name, &times[0], &times[1]); err != nil {
		return nil, err
	}
	all, known := thread.Local(seriesKey).([]policies.Series)
	if !known {
		return nil, errors.New("series: input series are known to functions that a replay calls, once it has begun")
	}
	s, err := policies.FindSeries(all, name, "the script")
	if err != nil {
		return nil, err
	}
	var at [2]events.Time
	for i, x := range times {
		if x == nil {
			at[1] = at[0]
			break
		}
		seconds, ok := starlark.AsFloat(x)
		if at[i], known = events.FromSeconds(seconds); !ok || !known {
			return nil, fmt.Errorf("series: got %s, want a time in seconds, as in series(%q, now)", brief(x), name)
		}
	}
	if first, last := s.Values.Span(); at[1] < at[0] || !s.Values.Covers(at[0], at[1]) {
		return nil, fmt.Errorf("series: %s is from %g to %g s, and the script asks for %g to %g", name, first.Seconds(), last.Seconds(),
			at[0].Seconds(), at[1].Seconds())
	}
	if at[0] == at[1] {
		return starlark.Float(s.Values.At(at[0])), nil
	}
	return starlark.Float(s.Values.Integral(at[0], at[1]) / (at[1] - at[0]).Seconds()), nil
})

// withDates adds hour(t), weekday(t), date(t) and week(t), of a time in seconds.
func withDates(names starlark.StringDict) starlark.StringDict {
	for i := range fields.Dates {
		d := &fields.Dates[i]
		names[d.Name] = starlark.NewBuiltin(d.Name, func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple) (starlark.Value, error) {
			var x starlark.Value
			if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &x); err != nil {
				return nil, err
			}
			seconds, ok := starlark.AsFloat(x)
			at, fine := events.FromSeconds(seconds)
			if !ok || !fine {
				return nil, fmt.Errorf("%s: got %s, want a time in seconds, as in %s(job.submit)", b.Name(), brief(x), b.Name())
			}
			calendar, told := thread.Local(calendarKey).(*events.Calendar)
			switch {
			case !told:
				return nil, errors.New(b.Name() + ": dates are known to functions that a replay calls, once it has begun")
			case calendar == nil:
				return nil, &traces.UndatedError{For: b.Name(), Trace: "the log"}
			}
			return starlark.MakeInt(d.At(calendar, at)), nil
		})
	}
	return names
}
