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
}

// rules makes a site's rules for a log's jobs on a machine.
func (s Site) rules(cfg *engine.Config, h Hardware, log *traces.Header) (err error) {
	calendar := log.Calendar()
	for _, x := range []struct{ text, option string }{{s.Drain, "drain"}, {s.Windows, "windows"}} {
		if x.text != "" && calendar == nil {
			return &OptionError{x.option, &traces.UndatedError{For: x.text, Trace: log.Name}}
		}
	}
	o := &outages{calendar: calendar}
	if s.Outages != "" {
		if o.listed, err = readOutages(s.Outages, h, log); err != nil {
			return err
		}
	}
	if s.Drain != "" {
		if o.weekly, err = events.ParseWeekly(s.Drain); err != nil {
			return &OptionError{"drain", err}
		}
		o.advance(0)
	}
	if cfg.Outages = o; s.Outages+s.Drain == "" {
		cfg.Outages = nil
	}
	cfg.Limits, err = s.limits(log)
	return err
}

// looks reports whether the rules look at requested times.
func (s Site) looks() bool { return s.Outages+s.Drain+s.Windows != "" }

// outages are those of a table and those of every week, an engine.Outages.
type outages struct {
	listed   []engine.Outage // in order of start
	weekly   *events.Weekly  // nil if there are none
	calendar *events.Calendar
	next     engine.Outage // of the weekly ones
}

// advance finds the next weekly outage that ends after an instant.
func (o *outages) advance(after events.Time) {
	from, to := o.weekly.Next(o.calendar, after)
	o.next = engine.Outage{Start: max(from, after), End: to, Planned: true}
}

// Next implements engine.Outages.
func (o *outages) Next() (x engine.Outage, ok bool) {
	weekly := o.weekly != nil && o.next.Start != events.Never
	if len(o.listed) > 0 && !(weekly && o.next.Start < o.listed[0].Start) {
		x, o.listed = o.listed[0], o.listed[1:]
		return x, true
	}
	if x = o.next; weekly {
		o.advance(x.End)
	}
	return x, weekly
}

// Fork implements engine.Outages.
func (o *outages) Fork() engine.Outages {
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
