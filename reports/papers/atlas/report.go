package atlas

import (
	"fmt"
	"slices"
	"strings"

	"bourse/reports/figures"
	"bourse/reports/papers"
	"bourse/reports/table"
	"bourse/reports/terminal"
)

// reporter writes an atlas.
type reporter struct {
	*papers.Study
	*atlas
	by [ranked]*comparison
}

// replays keeps the figures and says what they are of.
func (r *reporter) replays() error {
	if err := r.complete(); err != nil {
		return err
	}
	for m := range r.by {
		r.by[m] = r.compare(m)
	}
	r.Heading("The logs")
	t := table.New(table.Col("log", "log", terminal.Words), table.Col("sha256", "", terminal.Words),
		table.Col("jobs", "jobs", terminal.Number),
		table.Col("processors", "processors", terminal.Number), table.Col("weeks", "weeks", terminal.Percent),
		table.Col("load", "load", terminal.Ratio),
		table.Col("", "replicas", terminal.Number))
	for _, l := range r.logs {
		replicas := len(r.samples(l.name, policies[0].name, 0))
		if replicas == 1 {
			replicas = 0
		}
		t.Add(l.name, l.sha256, l.jobs, l.processors, rounded(l.weeks), rounded(l.load), replicas)
	}
	r.Show(t)
	for _, l := range r.by[0].silent {
		r.Printf("\n%s decides nothing: under all schedulers all jobs start at once. It is in none of the ranks.\n", l.name)
	}
	r.Printf("\nLoad is the work of all jobs by what the machine could do from the first submission to the last. Jobs " +
		"that log no\nestimate are scheduled by their run time. In a market values are drawn at random; slowdown and wait " +
		"count all jobs alike.\n")
	_ = r.Keep("logs", t)
	return r.Keep("figures", figuresTable(r.figures))
}

// table is the standings by each measure.
func (r *reporter) table() error {
	all := table.New(table.Named("measure", "policy", "needs", "mean_rank", "rank_half", "ratio_to_least", "unbeaten_on",
		"logs")...)
	for m, c := range r.by {
		r.Heading("Ranks by %s", measures[m].Words())
		t := table.New(table.Col("", "policy", terminal.Words), table.Col("", "mean rank", terminal.Percent),
			table.Col("", "ratio to least", terminal.Significant(3)),
			table.Col("", "unbeaten on", terminal.Number), table.Col("", "beats EASY on", terminal.Number),
			table.Col("", "loses on", terminal.Number), table.Col("", "needs", terminal.Words))
		for _, s := range c.ranked {
			p := c.pair(place(s.name), place("easy"))
			t.Add(s.name, s.rank, s.ratio, fmt.Sprintf("%d of %d", s.best, len(c.logs)), p.better, p.worse, s.needs)
			all.Add(measures[m].Name, s.name, s.needs, s.rank.Mean, s.rank.Half, s.ratio, s.best, len(c.logs))
		}
		r.Show(t)
		r.Printf("\nRank 1 is the least. Kendall's W, the agreement of the logs on the ranks (1: all the same, 0: none): "+
			"%.2f.\n", concordance(c.ranked))
	}
	return r.Keep("ranks", all)
}

// pairs keeps how each policy does beside each other one.
func (r *reporter) pairs() error {
	rows := table.New(table.Named("measure", "policy", "other", "better_on", "worse_on", "lower_on", "logs",
		"better_for_one", "worse_for_one")...)
	for m, c := range r.by {
		for _, p := range c.all {
			turns := append(slices.Clone(p.turns), "", "")
			rows.Add(measures[m].Name, p.a, p.b, p.better, p.worse, p.lower, p.logs, turns[0], turns[1])
		}
	}
	return r.Keep("pairs", rows)
}

// figure is a map of ranks by log, the policies in order of mean rank.
func (r *reporter) figure() error {
	for m, c := range r.by {
		all := c.ranked
		cells := &figures.Cells{Title: "rank by " + measures[m].Words(), Limit: float64(len(policies)), Format: "%.0f"}
		for _, l := range c.logs {
			cells.ColumnNames = append(cells.ColumnNames, nickname(l.name))
		}
		for _, s := range slices.Backward(all) { // the first is on top
			cells.RowNames, cells.Z = append(cells.RowNames, s.name), append(cells.Z, s.ranks)
		}
		if err := r.Draw("ranks-"+measures[m].Name, []figures.Drawing{cells}); err != nil {
			return err
		}
	}
	return nil
}

// nickname is the first part of a log's name.
func nickname(log string) string {
	name, rest, _ := strings.Cut(log, "-")
	if second, _, more := strings.Cut(rest, "-"); more && len(name) <= 4 && len(second) <= 7 {
		return name + "-" + second
	}
	return name
}
