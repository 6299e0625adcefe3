package order

import (
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Notes are those of the keys of a policy's rankings, equal ones together.
func Notes(rankers ...*Ranker) (all []traces.Note) {
	for _, k := range rankers {
		noter, ok := k.Keys.(policies.Noter)
		if !ok {
			continue
		}
	next:
		for _, n := range noter.Notes() {
			for i := range all {
				if all[i].What == n.What {
					all[i].Count += n.Count
					continue next
				}
			}
			all = append(all, n)
		}
	}
	return all
}

// Failers are those of the rankings that can fail.
func Failers(rankers ...*Ranker) (list []policies.Failer) {
	for _, k := range rankers {
		if f, ok := k.Keys.(policies.Failer); ok {
			list = append(list, f)
		}
	}
	return list
}

// labels are the fields that are labels.
var labels = map[string]func(*policies.Job) traces.Label{
	"user":      func(j *policies.Job) traces.Label { return j.User },
	"group":     func(j *policies.Job) traces.Label { return j.Group },
	"queue":     func(j *policies.Job) traces.Label { return j.Queue },
	"partition": func(j *policies.Job) traces.Label { return j.Partition },
}

// Base is the part of policies with one ranking that follows from it.
type Base struct{ Rank Ranker }

// Needs are those of the ranking.
func (b *Base) Needs() policies.Needs { return b.Rank.Needs() }

// Notes implements policies.Noter.
func (b *Base) Notes() []traces.Note { return Notes(&b.Rank) }

// Failers implements policies.Fallible.
func (b *Base) Failers() []policies.Failer { return Failers(&b.Rank) }

// NamedRank implements policies.LabelRanker.
func (b *Base) NamedRank(j *policies.Job) string { return NamedRank(j, &b.Rank) }

// ReadCalendar implements policies.CalendarReader.
func (b *Base) ReadCalendar(c *events.Calendar) (needs string) { return ReadCalendar(c, &b.Rank) }

// ReadSite implements policies.SiteReader.
func (b *Base) ReadSite(n traces.Names, size float64) { readSite(n, size, &b.Rank) }

// ReadSeries implements policies.SeriesReader.
func (b *Base) ReadSeries(all []policies.Series) error { return readSeries(all, &b.Rank) }

func readSeries(all []policies.Series, rankers ...*Ranker) (err error) {
	for _, k := range rankers {
		if r, ok := k.Keys.(policies.SeriesReader); ok && err == nil {
			err = r.ReadSeries(all)
		}
	}
	return err
}

func readSite(n traces.Names, size float64, rankers ...*Ranker) {
	for _, k := range rankers {
		if r, ok := k.Keys.(policies.SiteReader); ok {
			r.ReadSite(n, size)
		}
	}
}

// Pair is the part of policies that backfill that follows from the rankings of their queue and of the jobs behind
// those with reservations.
type Pair struct{ Queue, Others Ranker }

// NewPair returns both without any state yet.
func NewPair(queue, others Ranking) Pair { return Pair{NewRanker(queue), NewRanker(others)} }

// Started and Ended are called by the policy when it starts a job, and when one has ended.
func (p *Pair) Started(now events.Time, j *policies.Job) {
	p.Queue.Started(now, j)
	p.Others.Started(now, j)
}

// Ended is Started's counterpart.
func (p *Pair) Ended(now events.Time, j *policies.Job) {
	p.Queue.Ended(now, j)
	p.Others.Ended(now, j)
}

// Notes implements policies.Noter.
func (p *Pair) Notes() []traces.Note { return Notes(&p.Queue, &p.Others) }

// Failers implements policies.Fallible.
func (p *Pair) Failers() []policies.Failer { return Failers(&p.Queue, &p.Others) }

// NamedRank implements policies.LabelRanker.
func (p *Pair) NamedRank(j *policies.Job) string { return NamedRank(j, &p.Queue, &p.Others) }

// ReadCalendar implements policies.CalendarReader.
func (p *Pair) ReadCalendar(c *events.Calendar) (needs string) {
	return ReadCalendar(c, &p.Queue, &p.Others)
}

// ReadSite implements policies.SiteReader.
func (p *Pair) ReadSite(n traces.Names, size float64) { readSite(n, size, &p.Queue, &p.Others) }

// ReadSeries implements policies.SeriesReader.
func (p *Pair) ReadSeries(all []policies.Series) error { return readSeries(all, &p.Queue, &p.Others) }

// Clone returns an independent copy.
func (p *Pair) Clone() Pair { return Pair{p.Queue.Clone(), p.Others.Clone()} }

// ReadCalendar is policies.CalendarReader's of these rankings together.
func ReadCalendar(c *events.Calendar, rankers ...*Ranker) (needs string) {
	for _, k := range rankers {
		if r, ok := k.Keys.(policies.CalendarReader); ok && needs == "" {
			needs = r.ReadCalendar(c)
		}
	}
	return needs
}

// NamedRank is policies.LabelRanker's of these rankings together.
func NamedRank(j *policies.Job, rankers ...*Ranker) string {
	for _, k := range rankers {
		if k.Keys == nil {
			if k.Order == ByPriority && j.Priority < 0 && j.Queue.Named() {
				return "queue"
			}
			continue
		}
		used, ok := k.Keys.(labeller)
		if !ok {
			continue
		}
		for _, name := range used.Labels() {
			if of := labels[name]; of != nil && of(j).Named() {
				return name
			}
		}
	}
	return ""
}
