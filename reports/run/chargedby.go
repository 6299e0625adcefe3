package run

import (
	"cmp"
	"slices"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/stats"
	"bourse/traces"
)

// ChargedPart is what some of the jobs drew and were charged by input series.
type ChargedPart struct {
	Name   string  `json:"name"`
	Jobs   int64   `json:"jobs"`
	Energy float64 `json:"energy_kwh,omitempty"`
	Carbon float64 `json:"carbon_g,omitempty"`
	Tariff float64 `json:"tariff_cost,omitempty"`
}

// ChargedBy are the parts of groups, and of jobs by the hour of the day at which they started, that of the log's zone
// or, where it has no dates, since its zero.
type ChargedBy struct {
	Groups []ChargedPart `json:"groups,omitempty"`
	Hours  []ChargedPart `json:"hours"`
}

// chargedSum is a part in the making: joules, and charges by kind.
type chargedSum struct {
	jobs   int64
	energy policies.Sum
	of     [engine.NumCharges]policies.Sum
}

func (c *chargedSum) add(o *engine.Outcome) {
	c.jobs++
	c.energy.Add(o.Energy)
	for kind, charged := range o.Charged {
		c.of[kind].Add(charged)
	}
}

func (c *chargedSum) part(name string) ChargedPart {
	return ChargedPart{name, c.jobs, c.energy.Value() / 3.6e6, c.of[engine.Carbon].Value(), c.of[engine.Tariff].Value()}
}

// Charges gathers them. It is an engine.Sink.
type Charges struct {
	names  *traces.Words
	dates  *events.Calendar
	groups map[traces.Label]*chargedSum
	hours  [24]chargedSum
}

// NewCharges makes a gatherer for a log, nil where nothing is drawn or charged.
func NewCharges(c *engine.Config, log *traces.Header) *Charges {
	if c.Power == nil && c.Charges == [engine.NumCharges]*engine.Charge{} {
		return nil
	}
	return &Charges{names: log.Names.Groups, dates: log.Calendar(), groups: map[traces.Label]*chargedSum{}}
}

// Record implements engine.Sink.
func (c *Charges) Record(o *engine.Outcome) error {
	g := c.groups[o.Job.Group]
	if g == nil {
		g = &chargedSum{}
		c.groups[o.Job.Group] = g
	}
	g.add(o)
	c.hours[stats.Hour(o.Start, c.dates)].add(o)
	return nil
}

// Result lists the groups in order of their numbers, if the log has any, and the hours.
func (c *Charges) Result() *ChargedBy {
	by := &ChargedBy{}
	var labels []traces.Label
	for label := range c.groups {
		if label != traces.NoLabel {
			labels = append(labels, label)
		}
	}
	slices.SortFunc(labels, cmp.Compare)
	for _, label := range labels {
		name, _ := c.names.Text(label)
		by.Groups = append(by.Groups, c.groups[label].part(name))
	}
	for hour := range c.hours {
		by.Hours = append(by.Hours, c.hours[hour].part(stats.HourText(hour)))
	}
	return by
}
