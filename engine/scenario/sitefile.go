package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"bourse/engine"
	"bourse/events"
	"bourse/policies/catalog"
	"bourse/traces"
	"bourse/traces/suggest"
)

// SiteModel is what is known of a site: its scheduler, and rules that hold under any. It is a TOML file that people
// read and change; bourse calibrate writes one from a log.
type SiteModel struct {
	// Log is the log it was made from; without it the model is taken for any.
	Log *SiteLog `toml:"log,omitempty"`
	// Scheduler is the site's own, a policy.
	Scheduler SiteRule `toml:"scheduler"`
	// Windows and Limits are rules as the options windows and running-limits have them.
	Windows []SiteRule `toml:"windows,omitempty"`
	Limits  []SiteRule `toml:"limits,omitempty"`
	// Capacity is how many processors there were.
	Capacity *SiteCapacity `toml:"capacity,omitempty"`
	// Judged is how near the model is to what it was not made from; for readers only.
	Judged []SiteJudged `toml:"judged,omitempty"`
}

// SiteJudged is how close a model is to recorded waits that it was not made from: Spearman's correlation, the mean of
// the absolute logarithm of the ratio of waits, each with a minute more, the mean absolute error in seconds, how far
// the mean wait is off, and the share of waits within ten minutes or a factor of two.
type SiteJudged struct {
	Model    string  `toml:"model"`
	Rank     float64 `toml:"rank"`
	LogError float64 `toml:"log_error"`
	Error    float64 `toml:"mean_error_s"`
	Off      float64 `toml:"mean_off_percent"`
	Near     float64 `toml:"near"`
}

// SiteLog says which log a model is of.
type SiteLog struct {
	Name       string `toml:"name"`
	Start      int64  `toml:"start"` // Unix time of its zero
	Processors int    `toml:"processors"`
}

// SiteRule is a rule and the evidence for it, in words.
type SiteRule struct {
	Rule string `toml:"rule"`
	Why  string `toml:"why,omitempty"`
}

// SiteCapacity is a list of HOUR PROCESSORS, one a line or divided by semicolons: from that hour after the log's zero
// on there were so many processors.
type SiteCapacity struct {
	Hours string `toml:"hours"`
	Why   string `toml:"why"`
}

// ClockOfLog is a calendar for logs without dates: their time 0 is taken for a Monday's midnight.
func ClockOfLog() *events.Calendar { return events.NewCalendar(4*24*3600, time.UTC) }

// ReadSite reads a model.
func ReadSite(path string) (*SiteModel, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &SiteModel{}
	meta, err := toml.Decode(string(text), m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0].String()
		return nil, fmt.Errorf("%s has the key %s, which is none of a site model%s", path, key,
			suggest.Then(suggest.DidYouMean(key, siteKeys), "there are "+strings.Join(siteKeys, ", ")))
	}
	return m, nil
}

var siteKeys = []string{"log.name", "log.start", "log.processors", "scheduler.rule", "scheduler.why", "windows.rule", "windows.why",
	"limits.rule", "limits.why", "capacity.hours", "capacity.why"}

// Text is the model as a file, after comments.
func (m *SiteModel) Text(intro ...string) (string, error) {
	var b strings.Builder
	for _, line := range intro {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	b.WriteByte('\n')
	bare := *m
	bare.Capacity = nil // in lines, which the encoder would put into one
	out := toml.NewEncoder(&b)
	out.Indent = ""
	err := out.Encode(bare)
	if c := m.Capacity; c != nil {
		fmt.Fprintf(&b, "\n[capacity]\nwhy = %q\nhours = \"\"\"\n%s\"\"\"\n", c.Why, c.Hours)
	}
	return b.String(), err
}

// model is the site's model, nil if there is none.
func (s Site) model() (*SiteModel, error) {
	if s.given != nil || s.SiteFile == "" {
		return s.given, nil
	}
	return ReadSite(s.SiteFile)
}

// withSite is a market under the site's own scheduler, if none is named and the site has one.
func (s Site) withSite(m Market) (Market, error) {
	if m.Policy != "" || m.Asks() {
		return m, nil
	}
	model, err := s.model()
	if err != nil || model == nil || model.Scheduler.Rule == "" {
		return m, err
	}
	if _, err := catalog.Policies.Make(model.Scheduler.Rule); err != nil {
		return m, &OptionError{"site", fmt.Errorf("scheduler: %w", err)}
	}
	m.Policy = model.Scheduler.Rule
	return m, nil
}

// ofLog refuses the model of another log.
func (m *SiteModel) ofLog(log *traces.Header) error {
	l := m.Log
	if l == nil || l.Start == log.Start && l.Processors == log.Procs {
		return nil
	}
	return &OptionError{"site", fmt.Errorf("is a model of %s, with %d processors and times from Unix time %d on, and "+
		"%s has %d and %d; "+
		"leave [log] and [capacity] out of the model if it is meant for this "+
		"log", l.Name, l.Processors, l.Start, log.Name, log.Procs,
		log.Start)}
}

// rules makes the engine's rules of a model.
func (m *SiteModel) rules(cfg *engine.Config, s *Scenario, h Hardware, log *traces.Header) error {
	if err := m.ofLog(log); err != nil {
		return err
	}
	calendar := cmp.Or(log.Calendar(), ClockOfLog())
	for _, r := range m.Windows {
		w, err := newWindow(r.Rule, log, calendar)
		if err != nil {
			return &OptionError{"site", fmt.Errorf("windows: %w", err)}
		}
		cfg.Limits = append(cfg.Limits, w)
	}
	for _, r := range m.Limits {
		l, err := newRunningLimit(r.Rule, log.Names)
		if err != nil {
			return &OptionError{"site", fmt.Errorf("limits: %w", err)}
		}
		cfg.Limits = append(cfg.Limits, l...)
	}
	if m.Capacity == nil {
		return nil
	}
	if !s.KeepsTimes() {
		return &OptionError{"site", errors.New("has a capacity by hour, which is of the log as recorded; leave [capacity] " +
			"out of the " +
			"model for jobs at other times")}
	}
	list, err := m.Capacity.outages(h.Processors())
	if err == nil && len(list) > 0 {
		cfg.Capacity = &outageList{list}
	}
	return err
}

// outages are the hours in which there is less than the whole machine.
func (c *SiteCapacity) outages(whole float64) (list []engine.Outage, err error) {
	fields := strings.FieldsFunc(c.Hours, func(r rune) bool { return r == ';' || r == '\n' })
	last := events.Time(-1)
	for _, field := range fields {
		if field = strings.TrimSpace(field); field == "" {
			continue
		}
		var hour int64
		var procs float64
		if _, err := fmt.Sscanf(field, "%d %g", &hour, &procs); err != nil || procs < 0 {
			return nil, &OptionError{"site", fmt.Errorf("capacity: %q is no hour and number of processors, as in 24 100", field)}
		}
		at := events.Time(hour) * 3600 * events.Second
		if at <= last {
			return nil, &OptionError{"site", fmt.Errorf("capacity: hour %d is not behind the one before it", hour)}
		}
		last = at
		if n := len(list); n > 0 && list[n-1].End == events.Never {
			list[n-1].End = at
		}
		if procs < whole {
			list = append(list, engine.Outage{Start: at, End: events.Never, Procs: whole - procs, Capped: true})
		}
	}
	return list, nil
}
