package sched

import (
	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
	"bourse/traces"
)

// rankings is the part of EASY that follows from its two rankings.
type rankings struct{ order, backfill order.Ranker }

// Notes implements policies.Noter.
func (p *rankings) Notes() []traces.Note { return order.Notes(&p.order, &p.backfill) }

// Failers implements policies.Fallible.
func (p *rankings) Failers() []policies.Failer { return order.Failers(&p.order, &p.backfill) }

// NamedRank implements policies.LabelRanker.
func (p *rankings) NamedRank(j *policies.Job) string {
	return order.NamedRank(j, &p.order, &p.backfill)
}

// ReadCalendar implements policies.CalendarReader.
func (p *rankings) ReadCalendar(c *events.Calendar) (needs string) {
	return order.ReadCalendar(c, &p.order, &p.backfill)
}

func (p *rankings) clone() rankings { return rankings{p.order.Clone(), p.backfill.Clone()} }
