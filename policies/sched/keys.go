package sched

import (
	"bourse/policies"
	"bourse/traces"
)

// What the keys of a policy's rankings note, fail of and take for numbers is the policy's.

// notes are those of a policy with these rankings, like ones together.
func notes(rankers ...*ranker) (all []traces.Note) {
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

// failers are those of the rankings that can fail.
func failers(rankers ...*ranker) (list []policies.Failer) {
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

// namedRank is policies.LabelRanker's of these rankings together.
func namedRank(j *policies.Job, rankers ...*ranker) string {
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

// Notes implements policies.Noter.
func (p *List) Notes() []traces.Note { return notes(&p.rank) }

// Failers implements policies.Fallible.
func (p *List) Failers() []policies.Failer { return failers(&p.rank) }

// NamedRank implements policies.LabelRanker.
func (p *List) NamedRank(j *policies.Job) string { return namedRank(j, &p.rank) }

// Notes implements policies.Noter.
func (p *Easy) Notes() []traces.Note { return notes(&p.order, &p.backfill) }

// Failers implements policies.Fallible.
func (p *Easy) Failers() []policies.Failer { return failers(&p.order, &p.backfill) }

// NamedRank implements policies.LabelRanker.
func (p *Easy) NamedRank(j *policies.Job) string { return namedRank(j, &p.order, &p.backfill) }

// Notes implements policies.Noter.
func (p *EasyScan) Notes() []traces.Note { return notes(&p.order, &p.backfill) }

// Failers implements policies.Fallible.
func (p *EasyScan) Failers() []policies.Failer { return failers(&p.order, &p.backfill) }

// NamedRank implements policies.LabelRanker.
func (p *EasyScan) NamedRank(j *policies.Job) string { return namedRank(j, &p.order, &p.backfill) }

// Notes implements policies.Noter.
func (p *Preemptive) Notes() []traces.Note { return notes(&p.rank) }

// Failers implements policies.Fallible.
func (p *Preemptive) Failers() []policies.Failer { return failers(&p.rank) }

// NamedRank implements policies.LabelRanker.
func (p *Preemptive) NamedRank(j *policies.Job) string { return namedRank(j, &p.rank) }

// Notes implements policies.Noter.
func (p *Placed) Notes() []traces.Note { return notes(&p.rank) }

// Failers implements policies.Fallible.
func (p *Placed) Failers() []policies.Failer { return failers(&p.rank) }

// NamedRank implements policies.LabelRanker.
func (p *Placed) NamedRank(j *policies.Job) string { return namedRank(j, &p.rank) }
