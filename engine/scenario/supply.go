package scenario

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// supply is the processors that are there by an input series, as outages of the others that are not known in advance.
type supply struct {
	steps *events.Steps
	procs float64 // of the machine
	at    events.Time
}

// newSupply wants a series of at most the machine's processors.
func newSupply(steps *events.Steps, h Hardware) (engine.Outages, error) {
	n, whole := h.Machine.(engine.Processors)
	if !whole {
		return nil, &OptionError{"series-in", errors.New("capacity is for a machine of processors; on single machines a " +
			"table of machines says " +
			"when one of them is removed and added again (time_s, event)")}
	}
	for i := range steps.Len() {
		from, _, v := steps.Step(i)
		if !(v >= 0 && v <= float64(n)) || v != float64(int(v)) {
			return nil, &OptionError{"series-in", fmt.Errorf("the capacity is %g from %v on; want whole processors from 0 to "+
				"the machine's %d", v,
				from, n)}
		}
	}
	first, _ := steps.Span()
	return &supply{steps, float64(n), min(first, 0)}, nil
}

// Next implements engine.Outages.
func (s *supply) Next() (engine.Outage, bool) {
	for s.at != events.Never {
		x := engine.Outage{Start: s.at, Procs: s.procs - s.steps.At(s.at)}
		for x.End = s.at; x.End != events.Never && x.End-s.at < mostAhead && s.procs-s.steps.At(x.End) == x.Procs; {
			x.End = s.steps.Until(x.End)
		}
		if s.at = x.End; x.Procs > 0 {
			return x, true
		}
	}
	return engine.Outage{}, false
}

// mostAhead bounds one outage of a series that is periodic, and may never change.
const mostAhead = 366 * 24 * 3600 * events.Second

// Fork implements engine.Outages.
func (s *supply) Fork() engine.Outages {
	c := *s
	return &c
}

// seriesNotes say what of the input series is unusual in a replay that has ended.
func (p *Prepared) seriesNotes(sum *engine.Summary) (notes []traces.Note) {
	for _, s := range p.Config.Series {
		if known := usualUnits[s.Name] != "" && s.Name != "spot"; !known && !p.reads(s.Name) {
			notes = append(notes, traces.Note{What: "nothing looks at the series " + s.Name +
				": carbon, tariff and capacity have a meaning, and others where " +
				"a payment or a policy names them"})
		}
		from, to := s.Values.Span()
		if sum.First < from || sum.Last > to {
			notes = append(notes, traces.Note{What: fmt.Sprintf("the series %s is %s long, rows being %s apart, and was "+
				"extended: the replay is from %s to %s "+
				"after the log's zero", s.Name, (to - from).Short(), apart(s.Values).Short(), sum.First.Short(), sum.Last.Short())})
		}
		below := events.Time(0)
		for i := range s.Values.Len() {
			if a, b, v := s.Values.Step(i); v < 0 {
				below += b - a
			}
		}
		if below > 0 {
			notes = append(notes, traces.Note{What: fmt.Sprintf("the series %s is below 0 for %.2g %% of its time, when "+
				"running is rewarded", s.Name,
				100*below.Seconds()/(to-from).Seconds())})
		}
	}
	return notes
}

// reads reports whether a payment or the policy names a series.
func (p *Prepared) reads(name string) bool {
	if r, ok := policies.As[interface{ SeriesName() string }](p.Config.Policy); ok && r.SeriesName() == name {
		return true
	}
	m := p.Scenario.Market
	if strings.HasPrefix(m.Policy, "exec") || len(p.Scenario.Scripts()) > 0 {
		return true // what a program looks at is not known
	}
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(m.Payment + " " + m.Policy)
}

// apart is the length of the first step.
func apart(s *events.Steps) events.Time {
	from, to, _ := s.Step(0)
	return to - from
}

// mostSupplied is the most processors that are ever there by an input series, without bound if none says so: larger
// jobs could never start.
func (s Site) mostSupplied() float64 {
	list, _ := parseSeries(s.SeriesIn)
	for i := range list {
		x := &list[i]
		if x.name != "capacity" {
			continue
		}
		if steps, err := x.read(&traces.Header{Unix: true}); err == nil { // what is wrong with it will be found
			most := 0.0
			for k := range steps.Len() {
				_, _, v := steps.Step(k)
				most = max(most, v)
			}
			return most
		}
	}
	return math.Inf(1)
}
