package script

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"bourse/events"
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
