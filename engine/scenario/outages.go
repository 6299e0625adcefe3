package scenario

import (
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
)

// Site is the rules of a site beside its scheduler.
type Site struct {
	// Outages is a table of when parts of the machine are away, or kept for some jobs, Drain times of the week,
	// events.Weekly, at which all of it is away, known in advance.
	Outages string `json:"outages"`
	Drain   string `json:"drain"`
	// Evict is which jobs an outage stops first, one of evictions.
	Evict string `json:"evict"`
	// Windows says which jobs may start at which times of the week only, and RunningLimits how many jobs or
	// processors of a user, group, queue or partition may run.
	Windows       string `json:"windows"`
	RunningLimits string `json:"running_limits"`
	// Power is what the machine draws, idle=W,busy=W per processor or a table by model, and PowerCap what it may.
	Power    string `json:"power"`
	PowerCap string `json:"power_cap"`
	// SiteFile is a model of the site, a SiteModel, in addition to the other rules.
	SiteFile string     `json:"site"`
	given    *SiteModel // instead of a file
	// SeriesIn are input series, NAME=TABLE or NAME=TABLE(how it is read), divided by semicolons.
	SeriesIn string `json:"series_in"`
}

// rules makes a site's rules for a log's jobs on a machine.
func (s *Scenario) rules(cfg *engine.Config, h Hardware, log *traces.Header) error {
	if err := s.Site.rules(cfg, h, log); err != nil {
		return err
	}
	if owners, err := s.submission(h); err != nil {
		return err
	} else if owners != nil {
		cfg.Limits = append(cfg.Limits, owners)
	}
	m, err := s.model()
	if err != nil || m == nil {
		return err
	}
	return m.rules(cfg, s, h, log)
}

// rules makes the rules that are options.
func (s Site) rules(cfg *engine.Config, h Hardware, log *traces.Header) (err error) {
	calendar := log.Calendar()
	for _, x := range []struct{ text, option string }{{s.Drain, "drain"}, {timesOfWindows(s.Windows), "windows"}, {s.timesOfCap(), "power-cap"}} {
		if x.text != "" && calendar == nil {
			return &OptionError{x.option, &traces.UndatedError{For: x.text, Trace: log.Name}}
		}
	}
	cfg.Evict = engine.Evict(max(0, slices.Index(evictions, s.Evict)))
	all := &outages{}
	if s.Outages != "" {
		t, err := readOutages(s.Outages, h, log)
		if err != nil {
			return err
		}
		all.add(&outageList{t.outages})
		if cfg.Limits = t.reservations; len(t.machines) > 0 {
			if cfg.Machine, err = t.without(h.Machine.(engine.Cluster), s.Outages, cfg.Policy); err != nil {
				return err
			}
		}
	}
	if s.Drain != "" {
		times, err := events.ParseWeekly(s.Drain)
		if err != nil {
			return &OptionError{"drain", err}
		}
		all.add(&weekly{times: times, calendar: calendar})
	}
	if cfg.Power, err = s.power(h); err != nil {
		return err
	}
	if c, err := s.cap(cfg.Power, h, calendar); err != nil {
		return err
	} else if c != nil {
		all.add(c)
	}
	if size, err := s.readSeries(cfg, h, log); err != nil {
		return err
	} else if size != nil {
		all.add(size)
	}
	if len(all.next) > 0 {
		cfg.Outages = all
	}
	limits, err := s.limits(log)
	cfg.Limits = append(cfg.Limits, limits...)
	return err
}

// looks reports whether the rules look at requested times.
func (s Site) looks() bool {
	return s.Outages+s.Drain+s.Windows+s.PowerCap+s.SiteFile != "" || s.given != nil || s.supplied()
}

// supplied reports whether the machine's size is an input series.
func (s Site) supplied() bool {
	list, _ := parseSeries(s.SeriesIn)
	return slices.ContainsFunc(list, func(x inputSeries) bool { return x.name == "capacity" })
}

// evictions are the rules of engine.Evict, in its order.
var evictions = []string{"newest", "cheapest", "least-lost"}

// outages are those of several sources in order of start, an engine.Outages.
type outages struct {
	from []engine.Outages
	next []engine.Outage // of each
}

// add adds a source, unless it has none.
func (o *outages) add(from engine.Outages) {
	if x, ok := from.Next(); ok {
		o.from, o.next = append(o.from, from), append(o.next, x)
	}
}

// Next implements engine.Outages.
func (o *outages) Next() (x engine.Outage, ok bool) {
	if len(o.next) == 0 {
		return x, false
	}
	first := 0
	for i := range o.next {
		if o.next[i].Start < o.next[first].Start {
			first = i
		}
	}
	x = o.next[first]
	if o.next[first], ok = o.from[first].Next(); !ok {
		o.from, o.next = slices.Delete(o.from, first, first+1), slices.Delete(o.next, first, first+1)
	}
	return x, true
}

// Fork implements engine.Outages.
func (o *outages) Fork() engine.Outages {
	c := &outages{slices.Clone(o.from), slices.Clone(o.next)}
	for i := range c.from {
		c.from[i] = c.from[i].Fork()
	}
	return c
}

// outageList are outages of a table.
type outageList struct{ list []engine.Outage }

// Next implements engine.Outages.
func (o *outageList) Next() (x engine.Outage, ok bool) {
	if len(o.list) == 0 {
		return x, false
	}
	x, o.list = o.list[0], o.list[1:]
	return x, true
}

// Fork implements engine.Outages.
func (o *outageList) Fork() engine.Outages {
	c := *o
	return &c
}

// weekly are planned outages that return every week.
type weekly struct {
	times    *events.Weekly
	calendar *events.Calendar
	after    events.Time // of the next
}

// Next implements engine.Outages.
func (o *weekly) Next() (engine.Outage, bool) {
	from, to := o.times.Next(o.calendar, o.after)
	x := engine.Outage{Start: max(from, o.after), End: to, Planned: true}
	o.after = to
	return x, from != events.Never
}

// Fork implements engine.Outages.
func (o *weekly) Fork() engine.Outages {
	c := *o
	return &c
}

// Processors is how many there are, or CPUs.
func (h Hardware) Processors() float64 {
	if n, ok := h.Machine.(engine.Processors); ok {
		return float64(n)
	}
	return h.Total().CPU
}
