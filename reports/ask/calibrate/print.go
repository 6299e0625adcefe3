package calibrate

import (
	"fmt"
	"math"
	"strings"

	"bourse/events"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Report is what the model says, how close it is to weeks that it was not fitted to, and the verdict.
func (r *Result) Report() *table.Report {
	judged := table.Structs(r.Judged)
	judged.Name = "judged"
	judged.Title = fmt.Sprintf("Waits of %s in %s that models were not fitted to, mean recorded wait %s:",
		terminal.Count(r.jobs, "job", "jobs"), terminal.Count(len(r.folds), "stretch of four weeks", "stretches of four weeks"),
		terminal.Seconds.Text(r.recorded))
	judged.Notes = []string{
		"each stretch is replayed under a model fitted to the 12 weeks before it, begun four weeks earlier with an empty " +
			"machine; median, " +
			"class_median (queue, class of requested time and width) of those 12 weeks; last_15: of the last starts of queue " +
			"and class before each " +
			"submission; all of the same jobs",
		"ranks: Spearman's correlation of waits; log error: mean of |log((wait + 1 min) / (recorded + 1 min))|; near: " +
			"within 10 minutes or a " +
			"factor of two; weeks: of the mean waits of weeks, mean absolute error over mean",
	}
	gains := table.Structs(r.Gains)
	gains.Name, gains.Title = "gains", "By how much the site's model is better, with 95 % intervals:"
	gains.Notes = []string{"weeks drawn with replacement 400 times; ranks stay those of all jobs"}
	tables := append([]*table.Table{judged, gains, r.rules()}, r.Why.Tables()...)
	return &table.Report{Tables: tables, Answers: r.answers()}
}

// rules is a table of the parts of the model.
func (r *Result) rules() *table.Table {
	type row struct {
		Part string `json:"part" head:"part" unit:"words" key:""`
		Rule string `json:"rule" head:"rule" unit:"words"`
		Why  string `json:"why"`
	}
	m := r.Model
	rows := []row{{"scheduler", m.Scheduler.Rule, m.Scheduler.Why}}
	for _, w := range m.Windows {
		rows = append(rows, row{"windows", w.Rule, w.Why})
	}
	for _, l := range m.Limits {
		rows = append(rows, row{"limits", l.Rule, l.Why})
	}
	if m.Capacity != nil {
		rows = append(rows, row{"capacity", "by hour", m.Capacity.Why})
	}
	t := table.Structs(rows)
	t.Name, t.Title = "rules", "The model of the whole log:"
	return t
}

func (r *Result) answers() (lines []string) {
	lines = append(lines, r.Why.Answer())
	for _, row := range r.rules().Rows {
		lines = append(lines, row.Cells[0].Text(terminal.Words)+": "+row.Cells[2].Text(terminal.Words))
	}
	lines = append(lines, r.changes()...)
	s := &r.Judged[site]
	if r.Model.Capacity != nil {
		lines = append(lines, fmt.Sprintf("the capacity of judged weeks is read from their own record, which is right for "+
			"the past under another policy and "+
			"not for a forecast; without it: ranks %.2f, log error %.2f, mean off by %+.0f "+
			"%%", r.bare.Rank, r.bare.LogError, r.bare.Off))
	}
	return append(lines, r.averages(s), r.single())
}

// changes says what has changed in the rules.
func (r *Result) changes() (lines []string) {
	for i := 1; i < len(r.eras); i++ {
		before, after := &r.eras[i-1], &r.eras[i]
		what, was, is := "changed", before.closed.count(), after.closed.count()
		if was > 0 && is == 0 {
			what = "given up or loosened"
		} else if was == 0 && is > 0 {
			what = "introduced"
		}
		lines = append(lines, fmt.Sprintf("the windows were %s after day %d (%s): of the closed hours with such jobs "+
			"%s %% had a start before it and %s %% after it", what, after.from/day, r.when(after.from),
			terminal.Share.Text(before.startsIn(after)), terminal.Share.Text(after.startsIn(before))))
	}
	return lines
}

// startsIn is the share of hours with starts in an era, among those that are closed in it or in another.
func (e *era) startsIn(other *era) float64 {
	var all evidence
	for c := range e.closed {
		for k := range e.closed[c] {
			for h, x := range e.grid[c][k] {
				if e.closed[c][k][h] || other.closed[c][k][h] {
					all.waited, all.found = all.waited+x.waited, all.found+x.found
				}
			}
		}
	}
	return all.found / max(all.waited, 1)
}

func (r *Result) when(t events.Time) string {
	if r.record.dated {
		return r.record.calendar.Text(t)
	}
	return t.Short()
}

// averages is the verdict on means.
func (r *Result) averages(s *Judged) string {
	verdict := "usable"
	if math.Abs(s.Off) > mostOff && s.WeekOff > mostOff {
		verdict = "not to be relied on"
	}
	return fmt.Sprintf("averages: %s: the mean wait is off by %+.0f %% (plain EASY %+.0f %%), those of weeks by %.0f "+
		"%%, their order agrees by %.2f",
		verdict, s.Off, r.Judged[easy].Off, s.WeekOff, s.WeekRank)
}

// mostOff is by how many percent an average may be off to be usable.
const mostOff = 20

// single is the verdict on single waits.
func (r *Result) single() string {
	worse, better := []string{}, []string{}
	for _, g := range r.Gains[1:] {
		name := map[string]string{modelNames[classMedian]: "a table of medians by " +
			"class", modelNames[last15]: "the median of the last 15 starts"}[g.Over]
		if g.LogError.High() < 0 {
			worse = append(worse, name+" is closer")
		} else if g.LogError.Low() <= 0 {
			worse = append(worse, name+" does as well")
		} else {
			better = append(better, name)
		}
	}
	text := "single waits: "
	switch e := r.Gains[0].LogError; {
	case e.Low() > 0:
		text += "closer than plain EASY"
	case e.High() < 0:
		text += "plain EASY is closer"
	default:
		text += "no closer than plain EASY, as far as the weeks can tell"
	}
	if len(better) > 0 {
		text += "; closer than " + strings.Join(better, " and ")
	}
	if len(worse) > 0 {
		text += "; " + strings.Join(worse, ", ")
	}
	return text
}
