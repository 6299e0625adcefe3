package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
	"bourse/traces/suggest"
	"bourse/traces/table"
)

// Site is the rules of a site beside its scheduler.
type Site struct {
	// Outages is a table of when parts of the machine are away, Drain times of the week, events.Weekly, at
	// which all of it is, known in advance.
	Outages string `json:"outages"`
	Drain   string `json:"drain"`
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
}

// rules makes a site's rules for a log's jobs on a machine.
func (s *Scenario) rules(cfg *engine.Config, h Hardware, log *traces.Header) error {
	if err := s.Site.rules(cfg, h, log); err != nil {
		return err
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
	for _, x := range []struct{ text, option string }{{s.Drain, "drain"}, {s.Windows, "windows"}, {s.timesOfCap(), "power-cap"}} {
		if x.text != "" && calendar == nil {
			return &OptionError{x.option, &traces.UndatedError{For: x.text, Trace: log.Name}}
		}
	}
	all := &outages{}
	if s.Outages != "" {
		list, err := readOutages(s.Outages, h, log)
		if err != nil {
			return err
		}
		all.add(&outageList{list})
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
	if len(all.next) > 0 {
		cfg.Outages = all
	}
	cfg.Limits, err = s.limits(log)
	return err
}

// looks reports whether the rules look at requested times.
func (s Site) looks() bool {
	return s.Outages+s.Drain+s.Windows+s.PowerCap+s.SiteFile != "" || s.given != nil
}

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

// outageKinds are what a table may say of an outage.
var outageKinds = []string{"unplanned", "planned"}

// readOutages reads a table with the columns start and end, and perhaps processors and kind, CSV or Parquet by its
// name.
func readOutages(path string, h Hardware, log *traces.Header) (list []engine.Outage, err error) {
	rows, err := table.OpenSome(path, nil, []string{"start", "end"}, []string{"processors", "kind"})
	if err != nil {
		return nil, err
	}
	var lines []int64
	err = rows.Each(func() error {
		o, err := readOutage(rows, h, log)
		list, lines = append(list, o), append(lines, rows.Line())
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no outages; want rows of start, end and perhaps processors and kind", path)
	}
	for i, x := range list { // what is away at the start of each
		away := 0.0
		for _, y := range list {
			if y.Start <= x.Start && x.Start < y.End {
				away += y.Procs
			}
		}
		if most := h.Processors(); away > most {
			return nil, fmt.Errorf("%s:%d: %g processors are away when this outage begins, and the machine has %g", path, lines[i], away,
				most)
		}
	}
	slices.SortStableFunc(list, func(a, b engine.Outage) int { return cmp.Compare(a.Start, b.Start) })
	return list, nil
}

// Processors is how many there are, or CPUs.
func (h Hardware) Processors() float64 {
	if n, ok := h.Machine.(engine.Processors); ok {
		return float64(n)
	}
	return h.Total().CPU
}

func readOutage(rows *table.Rows, h Hardware, log *traces.Header) (o engine.Outage, err error) {
	for i, at := range []*events.Time{&o.Start, &o.End} {
		x, err := events.ParseInstant(rows.Text(i))
		if err != nil {
			return o, rows.Fault(err.Error(), "")
		}
		if *at = x.Since; x.Date == "" {
			continue
		}
		calendar := log.Calendar()
		if calendar == nil {
			return o, &traces.UndatedError{For: "an outage at " + x.Date, Trace: log.Name, Instead: "give seconds from its zero"}
		}
		if *at, err = calendar.Parse(x.Date); err != nil {
			return o, err
		}
	}
	if o.End <= o.Start {
		return o, rows.Fault("an outage that ends no later than it begins", "want start before end")
	}
	procs, known, err := rows.Known(2)
	_, cluster := h.Machine.(engine.Cluster)
	_, whole := h.Machine.(engine.Processors)
	switch {
	case err != nil:
		return o, err
	case known && cluster:
		return o, rows.Fault("an outage of some processors of single machines", "leave processors empty for an outage of all; "+
			"a table of machines says when one of them is removed and added again (time_s, event)")
	case known && (!(procs > 0 && procs <= h.Processors()) || whole && procs != float64(int(procs))):
		return o, rows.Fault(fmt.Sprintf("an outage of %g processors", procs), fmt.Sprintf("want above 0 and up to %g, or nothing for all",
			h.Processors()))
	case known:
		o.Procs = procs
	}
	kind := strings.ToLower(rows.Text(3))
	if kind != "" && !slices.Contains(outageKinds, kind) {
		return o, rows.Fault(fmt.Sprintf("kind %q", kind), "want planned or unplanned"+suggest.DidYouMean(kind, outageKinds))
	}
	o.Planned = kind == "planned"
	return o, nil
}
