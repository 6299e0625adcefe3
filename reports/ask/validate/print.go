package validate

import (
	"fmt"
	"math"
	"slices"

	"bourse/reports/ask/calibrate"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// Report is a table of the schedules and one of their worst parts, with the answers below, and why jobs waited where
// that is known.
func Report(all []*Schedule, why *calibrate.Waiting) *table.Report {
	var rows []Row
	var worst []PartRow
	for _, s := range all {
		rows = append(rows, s.Row)
		for _, by := range []string{byQueue, byWidth, byWeeks} {
			if p := s.worstPart(by); p != nil {
				worst = append(worst, *p)
			}
		}
	}
	near, parts := table.Structs(rows), table.Structs(worst).Readers()
	parts.Title = "Of each kind the part that has most more of the error than of the jobs:"
	parts.Notes = notes(all)
	r := &table.Report{Tables: []*table.Table{near, parts}, Answers: Answers(all)}
	if why != nil {
		r.Tables, r.Answers = append(r.Tables, why.Tables()...), append(r.Answers, why.Answer())
	}
	r.Answers = append(r.Answers, caveats...)
	return r
}

// Weeks is a table of all schedules by week.
func Weeks(all []*Schedule) *table.Table {
	var rows []WeekRow
	for _, s := range all {
		rows = append(rows, s.Weeks...)
	}
	return table.Structs(rows)
}

// Parts is a table of all schedules by queue, width and time.
func Parts(all []*Schedule) *table.Table {
	var rows []PartRow
	for _, s := range all {
		rows = append(rows, s.Parts...)
	}
	return table.Structs(rows)
}

// notes say what the columns are.
func notes(all []*Schedule) []string {
	r := &all[0].Row
	lines := []string{
		"difference: simulated less recorded wait, quantiles over " + terminal.Count(r.Jobs, "job", "jobs") +
			"; mean error: of absolute differences; " +
			"of a guess: that of taking the recorded median for every wait; near: within a minute or a tenth of the recorded " +
			"wait; ranks: Spearman's " +
			"correlation of waits, 1 if in the same order; use off by: mean absolute difference of the machine's use by week, " +
			"in points. " +
			"Weeks are counted from 0 at the trace's time 0"}
	if r.Unknown > 0 {
		lines = append(lines, terminal.Count(r.Unknown, "job was replayed whose wait is unknown; it is",
			"jobs were replayed whose waits are unknown; they are")+" in none of the figures")
	}
	return lines
}

// caveats say what no simulation of a log can know.
var caveats = []string{
	"Logs do not have priorities, reservations, limits of users, nodes that were down or drained, and the order in " +
		"which users would have come under another schedule: what they caused is in the recorded waits and in none simulated",
}

// Answers say in plain words how near the schedules are, the nearest first.
func Answers(all []*Schedule) (lines []string) {
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b *Schedule) int {
		switch {
		case a.Row.Error < b.Row.Error:
			return -1
		case a.Row.Error > b.Row.Error:
			return 1
		}
		return 0
	})
	order = slices.DeleteFunc(order, func(s *Schedule) bool { return s.log })
	if len(order) > 1 {
		lines = append(lines, fmt.Sprintf("the nearest to the log is %s, the furthest %s", order[0].Policy,
			order[len(order)-1].Policy))
	}
	for _, s := range append(order, slices.DeleteFunc(slices.Clone(all), func(s *Schedule) bool { return !s.log })...) {
		lines = append(lines, s.answer()...)
	}
	return lines
}

func (s *Schedule) answer() []string {
	r := &s.Row
	if r.Error == 0 {
		return []string{s.Policy + ": every wait is the recorded one"}
	}
	if s.log {
		return []string{s.Policy + ": the log itself on this machine; waits are off by " + terminal.Seconds.Text(r.Error) +
			" on average, where it holds more than fits"}
	}
	verdict := "nearer than"
	if r.Error >= r.Guess {
		verdict = "no nearer than"
	}
	lines := []string{fmt.Sprintf("%s: waits are off by %s on average, %s the %s of taking the recorded median for all; "+
		"half are between", s.Policy,
		terminal.Seconds.Text(r.Error), verdict, terminal.Seconds.Text(r.Guess)),
		fmt.Sprintf("  %s and %s off, their order agrees by %s, and the mean wait is %s %s than recorded",
			terminal.Seconds.Change(r.P25), terminal.Seconds.Change(r.P75), rank(r),
			terminal.Seconds.Text(math.Abs(r.Simulated-r.Recorded)),
			map[bool]string{true: "longer", false: "shorter"}[r.Simulated >= r.Recorded])}
	var best *PartRow
	for _, by := range []string{byQueue, byWidth, byWeeks} {
		if p := s.worstPart(by); p != nil && (best == nil || p.OfError-p.OfJobs > best.OfError-best.OfJobs) {
			best = p
		}
	}
	if best != nil {
		lines = append(lines, fmt.Sprintf("  most of it for its size comes from %s %s: %s of the error with %s of the jobs",
			best.By, best.Part, percent(best.OfError), percent(best.OfJobs)))
	}
	return lines
}

func percent(x float64) string { return terminal.Share.Text(x) + " %" }

func rank(r *Row) string {
	if r.Rank == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", *r.Rank)
}
