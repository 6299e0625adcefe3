package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// change is what an entry does to a group of jobs, compared with the baseline.
type change struct {
	From       string         `json:"from"`
	To         string         `json:"to"`
	Group      string         `json:"group"`
	Jobs       int64          `json:"jobs"`
	Before     float64        `json:"before"`
	After      float64        `json:"after"`
	Difference stats.Estimate `json:"difference"`
	P          *float64       `json:"p_value,omitempty"` // corrected; of groups with enough jobs
	gain       float64        // the difference, above 0 if it is for the better
}

// sure reports whether the change is beyond chance.
func (c *change) sure() bool { return c.P != nil && *c.P <= alpha }

// CanGroup says why jobs cannot be grouped, nil if they can.
func (t *Ranking) CanGroup() error {
	switch {
	case t.by == "" || t.grouped():
		return nil
	case t.Metric.Column == "":
		return fmt.Errorf("%s is no mean over jobs, so it cannot be given by %s", t.Metric.Words(), t.by)
	case t.Unsure != "":
		return errors.New(t.Unsure)
	}
	return fmt.Errorf("want two runs or more of the same jobs, to compare them by %s", t.by)
}

// OneGroup says that all jobs are of one group, "" if they are not or are not grouped.
func (t *Ranking) OneGroup() string {
	if !t.grouped() || len(t.log.names) != 1 {
		return ""
	}
	if t.log.names[0] == "" {
		return fmt.Sprintf("by %s: no job of the log has a %s, so all are one group", t.by, t.by)
	}
	return fmt.Sprintf("by %s: all jobs are of one, %s", t.by, t.log.names[0])
}

// grouped reports whether it is known what groups jobs are of.
func (t *Ranking) grouped() bool { return t.log != nil && t.log.group != nil }

// changes lists what every entry but the baseline does to each group.
func (t *Ranking) changes() (all []change) {
	if !t.grouped() {
		return nil
	}
	for _, e := range t.Entries {
		if e != e.Base {
			all = append(all, t.changesOf(e)...)
		}
	}
	return all
}

// changesOf lists those of one entry, the greatest gain first.
func (t *Ranking) changesOf(e *Entry) []change {
	list := make([]change, len(t.log.names))
	before, jobs := t.log.means(e.Base.schedule, true)
	after, _ := t.log.means(e.schedule, true)
	stretches := t.log.differences(e.Base.schedule, e.schedule, true)
	for g := range list {
		c := &list[g]
		times := 1.
		if t.Metric.Sum {
			times = float64(jobs[g])
		}
		*c = change{From: e.Base.Name, To: e.Name, Group: cmp.Or(t.log.names[g], "unknown"), Jobs: jobs[g],
			Before: float64(times * before[g]), After: float64(times * after[g])}
		c.Difference = stats.Exactly(c.After - c.Before)
		if c.gain = c.Difference.Mean; !t.Metric.High {
			c.gain = -c.gain
		}
	}
	t.testGroups(list, stretches)
	slices.SortStableFunc(list,
		func(a, b change) int { return cmp.Or(cmp.Compare(b.gain, a.gain), cmp.Compare(a.Group, b.Group)) })
	return list
}

// testGroups tests the changes of groups that differ in enough stretches. The signs of a stretch are
// flipped for all groups at once, so that the correction is none too large for groups that wait
// together; to keep memory small, they are drawn twice.
func (t *Ranking) testGroups(list []change, stretches [][]stretch) {
	var most [stats.Draws]float64
	each := func(do func(c *change, e *Evidence)) {
		for g := range list {
			if len(stretches[g]) >= leastEffective {
				do(&list[g], t.log.evidence(stretches[g], list[g].Jobs, t.Metric.Sum, true))
			}
		}
	}
	each(func(_ *change, e *Evidence) { e.flips.RaiseMost(&most) })
	each(func(c *change, e *Evidence) {
		e.correct(e.flips.PAmong(&most))
		c.P, c.Difference = &e.P, c.Difference.Between(e.interval(e.alpha))
	})
}

// mostShown is how many winners and losers are shown.
const mostShown = 10

// addWho adds, for each entry but the baseline, who gains and who loses most, how the change
// is distributed, and how many gain and lose; the rows for programs are then those of groups.
func (t *Ranking) addWho(r *table.Report) {
	if !t.grouped() {
		return
	}
	for _, e := range t.Entries {
		if e == e.Base {
			continue
		}
		list := t.changesOf(e)
		gain, lose := 0, len(list)
		for gain < lose && list[gain].gain > 0 {
			gain++
		}
		for lose > gain && list[lose-1].gain != 0 {
			lose--
		}
		losers := slices.Clone(list[lose:])
		slices.Reverse(losers)
		for _, part := range [][]change{list[:gain], losers} {
			slices.SortStableFunc(part, func(a, b change) int { return cmp.Compare(rank(&a), rank(&b)) })
		}
		lines := t.winners(list, gain, lose)
		r.Answers = append(r.Answers, lines[1:]...)
		var tables []*table.Table
		for i, some := range [][]change{list[:gain], losers} {
			if len(some) > 0 {
				tables = append(tables, t.changesTable("that "+[]string{"gain", "lose"}[i]+" most",
					some[:min(len(some), mostShown)]))
			}
		}
		if len(tables) > 0 {
			tables[len(tables)-1].Notes = lines[:1]
		}
		r.Tables = append(r.Tables, tables...)
	}
	r.Data = t.changesData()
}

// rank is 0 of a change beyond chance, which is listed before others.
func rank(c *change) int {
	if c.sure() {
		return 0
	}
	return 1
}

// changesTable is a table of groups for readers.
func (t *Ranking) changesTable(head string, list []change) *table.Table {
	unit := t.Metric.Unit
	out := table.Of(list,
		table.NewField(table.Column{Heading: t.by + "s " + head, Unit: terminal.Words, Key: true},
			func(c *change) any { return c.Group }),
		table.NewField(table.Column{Heading: "jobs"}, func(c *change) any { return c.Jobs }),
		table.NewField(table.Column{Heading: list[0].From, Unit: unit}, func(c *change) any { return c.Before }),
		table.NewField(table.Column{Heading: list[0].To, Unit: unit}, func(c *change) any { return c.After }),
		table.NewField(table.Column{Heading: "change", Unit: unit},
			func(c *change) any { return table.Change(stats.Exactly(c.Difference.Mean)) }),
		table.NewField(table.Column{Heading: "p", Unit: terminal.Small}, func(c *change) any { return c.P }))
	out.Title = fmt.Sprintf("from %s to %s, those beyond chance first", list[0].From, list[0].To)
	return out
}

// winners sums up in words: the last line is the answer. The list is in order of gains, from
// lose on those that lose, between the two those for which nothing changes.
func (t *Ranking) winners(list []change, gain, lose int) []string {
	sorted := make([]float64, len(list))
	for i := range list {
		sorted[i] = list[i].Difference.Mean
	}
	slices.Sort(sorted)
	var quantiles []string
	for _, q := range []float64{.05, .25, .5, .75, .95} {
		quantiles = append(quantiles, fmt.Sprintf("p%.0f %s", 100*q, t.Metric.Change(stats.Quantile(sorted, q))))
	}
	tested, sure := 0, [2]int{}
	for i := range list {
		if list[i].P == nil {
			continue
		}
		if tested++; list[i].sure() {
			sure[map[bool]int{true: 0, false: 1}[i < gain]]++
		}
	}
	lines := []string{fmt.Sprintf("change of %s, %s by %s: %s", t.Metric.Words(), t.by, t.by,
		strings.Join(quantiles, ", "))}
	answer := fmt.Sprintf("from %s to %s: %d of %s %s, %s, %s", list[0].From, list[0].To, gain,
		terminal.Count(len(list), t.by, t.by+"s"),
		terminal.Plural(gain, "gains", "gain"), terminal.Count(len(list)-lose, "loses", "lose"),
		terminal.Count(lose-gain, "sees no change", "see no change"))
	if tested > 0 {
		answer += fmt.Sprintf("; beyond chance %d gain and %d lose, of the %d that differ in %d stretches or more (corrected "+
			"for their number)", sure[0], sure[1], tested, leastEffective)
	}
	return append(lines, answer)
}

// changesData has a row for each entry and group.
func (t *Ranking) changesData() *table.Table {
	out := &table.Table{Columns: table.Named("from", "to", t.by, "jobs", "metric", "before", "after", "difference",
		"p_value")}
	for _, c := range t.changes() {
		out.Add(c.From, c.To, c.Group, c.Jobs, t.Metric.Name, c.Before, c.After, c.Difference, c.P)
	}
	return out
}
