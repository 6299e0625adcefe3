package compare

import (
	"slices"
	"strings"

	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Report is the comparison for readers, a row for each entry, the metric and its difference
// first, then what else varies; what does not is in a note. CSV and Parquet have a row for
// each replica, or where jobs are grouped for each entry and group; JSON has all figures.
func (t *Ranking) Report() *table.Report {
	shown, constant := t.columns()
	main := &table.Table{Method: t.legend()}
	for _, key := range t.Keys {
		main.Columns = append(main.Columns, table.Column{Heading: key, Unit: terminal.Words, Key: true})
	}
	main.Columns = append(main.Columns, t.Metric.Head(), table.Column{Heading: "vs " + t.Baseline, Unit: t.Metric.Unit})
	if t.replicated() {
		main.Columns = append(main.Columns, table.Column{Heading: "replicas / log", Unit: terminal.Ratio})
	}
	for _, m := range shown {
		main.Columns = append(main.Columns, m.Head())
	}
	var last []any
	for _, block := range t.blocks() {
		if row := t.recorded(block, shown); row != nil && !slices.Equal(row, last) {
			main.Add(row...)
			last = row
		}
		for _, e := range block {
			main.Add(t.row(e, shown)...)
			main.Rows[len(main.Rows)-1].Mark = marks[e.Verdict]
		}
	}
	for _, note := range []string{t.constants(constant), t.fairness(shown)} {
		if note != "" {
			main.Notes = append(main.Notes, note)
		}
	}
	r := &table.Report{Tables: []*table.Table{main}, Data: t.replicas(), Document: t.document(), Answers: t.Answers()}
	if sure := t.evidence(); sure != nil {
		sure.Method, main.Method = main.Method, ""
		r.Tables = append(r.Tables, sure)
	}
	t.addWho(r)
	if t.Without != nil {
		r.Tables = append(r.Tables, t.siteTable())
	}
	return r
}

// row is an entry's.
func (t *Ranking) row(e *Entry, shown []run.Measure) (row []any) {
	for _, s := range e.Settings {
		row = append(row, s)
	}
	row = append(row, t.estimate(e, t.Metric), table.Word(""))
	if e.Base != e {
		row[len(row)-1] = table.Change(stats.Exactly(e.Difference.Mean))
	}
	if t.replicated() {
		row = append(row, t.overLog(e))
	}
	for _, m := range shown {
		row = append(row, e.Value(m))
	}
	return row
}

// replicated reports whether the log itself is known of all entries.
func (t *Ranking) replicated() bool {
	return !slices.ContainsFunc(t.Entries, func(e *Entry) bool { return e.Log == nil })
}

// columns are the measures that differ between rows as they are printed, and the others.
func (t *Ranking) columns() (shown, constant []run.Measure) {
	market := slices.ContainsFunc(t.Entries, func(e *Entry) bool { return e.Market })
	all := run.Shown(market, true)
	if market {
		all = append(all, run.MeasuresNamed("sum_payment")...)
	}
	for _, m := range run.MeasuresNamed("energy_kwh", "carbon_g", "tariff_cost", "efficiency", "realised", "in_time") {
		if t.Known(m) {
			all = append(all, m)
		}
	}
	for _, m := range append(all, t.More...) {
		text := func(e *Entry) string { return m.Text(e.Value(m)) }
		differs := func(e *Entry) bool { return text(e) != text(t.Entries[0]) }
		switch {
		case m.Name == t.Metric.Name:
		case slices.ContainsFunc(t.Entries, differs):
			shown = append(shown, m)
		case m.Of != nil || text(t.Entries[0]) != m.Text(0):
			constant = append(constant, m)
		}
	}
	return shown, constant
}

// Known reports whether every entry has a figure above 0.
func (t *Ranking) Known(m run.Measure) bool {
	return !slices.ContainsFunc(t.Entries, func(e *Entry) bool { return e.Value(m) == 0 })
}

// recorded is the row of what the log itself says of the jobs of a block; nil if it says
// nothing.
func (t *Ranking) recorded(block []*Entry, shown []run.Measure) (row []any) {
	times := block[0].Recorded
	if times == nil || slices.ContainsFunc(block,
		func(e *Entry) bool { return e.Recorded == nil || *e.Recorded != *times }) {
		return nil
	}
	row = append(row, "recorded")
	for range t.Keys[1:] {
		row = append(row, "")
	}
	cell := func(m run.Measure) any {
		if m.Recorded {
			return m.Of(run.Figures{Aggregate: &stats.Aggregate{Times: *times}})
		}
		return table.Missing
	}
	row = append(row, cell(t.Metric), "")
	if t.replicated() {
		row = append(row, "")
	}
	for _, m := range shown {
		row = append(row, cell(m))
	}
	return row
}

// constants says once what all rows have in common.
func (t *Ranking) constants(of []run.Measure) string {
	var parts []string
	for _, m := range of {
		text := m.Text(t.Entries[0].Value(m))
		switch {
		case m.Name == "jobs":
			text += terminal.Plural(int(t.Entries[0].Value(m)), " job", " jobs")
		case m.Unit == terminal.Percent || m.Unit == terminal.Share:
			text = m.Words() + " " + text + " %"
		default:
			text = m.Words() + " " + text
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	return "all: " + strings.Join(parts, ", ")
}

func (t *Ranking) fairness(shown []run.Measure) string {
	if slices.ContainsFunc(shown, func(m run.Measure) bool { return m.Name == "left_percent" }) {
		var why []string
		for _, e := range t.Entries {
			for _, f := range e.Cells {
				if because := f.Machine.LeftBecause; because != "" && !slices.Contains(why, because) {
					why = append(why, because)
				}
			}
		}
		return "left: jobs that ran elsewhere, as " + strings.Join(why, ", or ") +
			"; they count with a wait as long as they ran"
	}
	if t.Metric.Name == "fairness" || slices.ContainsFunc(shown, func(m run.Measure) bool { return m.Name == "fairness" }) {
		return "fairness is Jain's index of the users' mean bounded slowdowns, 1 if all are alike"
	}
	return ""
}

// estimate is an entry's mean of a measure, with an interval where its cells are replicas:
// copies of one number, which no seed changes, are not.
func (t *Ranking) estimate(e *Entry, m run.Measure) stats.Estimate {
	if m.Of == nil || len(e.Cells) < 2 || e.Samples == nil {
		return stats.Exactly(e.Value(m))
	}
	return estimate(e.values(m))
}

// estimate is the mean of replicas, with an interval unless they are copies.
func estimate(samples []float64) stats.Estimate {
	if len(samples) > 0 && slices.Min(samples) == slices.Max(samples) {
		return stats.Exactly(samples[0])
	}
	return stats.EstimateOf(samples)
}
