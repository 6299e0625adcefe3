package compare

import (
	"io"
	"slices"
	"strings"

	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// Print writes the table in one of terminal.Formats: a row for each entry, the metric and
// its difference first, then what else varies; what does not is said once below. The last
// lines are the answer.
func (t *Table) Print(w io.Writer, format string) error {
	shown, constant := t.columns()
	against := "vs " + t.Baseline
	table := terminal.NewTable(slices.Concat([]string{""}, t.Keys, []string{t.Metric.Heading, against}, run.Headings(shown))...)
	for i := range t.Keys {
		table.Left(i + 1)
	}
	var last []string
	for _, block := range t.blocks() {
		if row := t.recorded(block, shown); row != nil && !slices.Equal(row, last) {
			table.Row(row...)
			last = row
		}
		for _, e := range block {
			own := t.estimate(e, t.Metric)
			row := append(append([]string{marks[e.Verdict]}, e.Settings...), t.Metric.Estimate(own.Mean, own.Half), "")
			if e.Base != e {
				row[len(row)-1] = t.Metric.Difference(e.Difference.Mean, e.Difference.Half)
			}
			for _, m := range shown {
				row = append(row, m.Text(e.Value(m)))
			}
			table.Row(row...)
		}
	}
	if err := table.WriteAs(w, format); err != nil {
		return err
	}
	for _, line := range append([]string{t.constants(constant), t.legend(), t.fairness(shown)}, t.Answers()...) {
		if line == "" {
			continue
		}
		if err := terminal.WriteLine(w, format, line); err != nil {
			return err
		}
	}
	return nil
}

// columns are the measures that differ between rows as they are printed, and the others.
func (t *Table) columns() (shown, constant []run.Measure) {
	market := slices.ContainsFunc(t.Entries, func(e *Entry) bool { return e.Market })
	all := run.Shown(market, true)
	if market {
		all = append(all, run.MeasuresNamed("sum_payment")...)
	}
	for _, m := range run.MeasuresNamed("efficiency", "realised", "in_time") {
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
func (t *Table) Known(m run.Measure) bool {
	return !slices.ContainsFunc(t.Entries, func(e *Entry) bool { return e.Value(m) == 0 })
}

// recorded is the row of what the log itself says of the jobs of a block; nil if it says
// nothing.
func (t *Table) recorded(block []*Entry, shown []run.Measure) []string {
	times := block[0].Recorded
	if times == nil || slices.ContainsFunc(block, func(e *Entry) bool { return e.Recorded == nil || *e.Recorded != *times }) {
		return nil
	}
	f := run.Figures{Aggregate: &stats.Aggregate{Times: *times}}
	row := make([]string, 1+len(t.Keys), len(shown)+len(t.Keys)+3)
	row[1] = "recorded"
	cell := func(m run.Measure) string {
		if m.Recorded {
			return m.Text(m.Of(f))
		}
		return "-"
	}
	row = append(row, cell(t.Metric), "")
	for _, m := range shown {
		row = append(row, cell(m))
	}
	return row
}

// constants says once what all rows have in common.
func (t *Table) constants(of []run.Measure) string {
	var parts []string
	for _, m := range of {
		text := m.Text(t.Entries[0].Value(m))
		switch {
		case m.Name == "jobs":
			text += " jobs"
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

func (t *Table) fairness(shown []run.Measure) string {
	if slices.ContainsFunc(shown, func(m run.Measure) bool { return m.Name == "left_percent" }) {
		var why []string
		for _, e := range t.Entries {
			for _, f := range e.Cells {
				if because := f.Machine.LeftBecause; because != "" && !slices.Contains(why, because) {
					why = append(why, because)
				}
			}
		}
		return "left: jobs that ran elsewhere, as " + strings.Join(why, ", or ") + "; they count with a wait as long as they ran"
	}
	if slices.ContainsFunc(shown, func(m run.Measure) bool { return m.Name == "fairness" }) {
		return "fairness is Jain's index of the users' mean bounded slowdowns, 1 if all are alike"
	}
	return ""
}

// estimate is an entry's mean of a measure, with an interval where its cells are replicas:
// copies of one number, which no seed changes, are not.
func (t *Table) estimate(e *Entry, m run.Measure) stats.Estimate {
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
