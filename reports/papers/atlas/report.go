package atlas

import (
	"fmt"
	"slices"
	"strings"

	"bourse/reports/figures"
	"bourse/reports/papers"
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
	t := terminal.NewTable("log", "jobs", "processors", "weeks", "load", "replicas")
	for _, l := range r.logs {
		replicas := len(r.samples(l.name, policies[0].name, 0))
		if replicas == 1 {
			replicas = 0
		}
		t.Row(l.name, terminal.Thousands(int64(l.jobs)), terminal.Thousands(int64(l.processors)), fmt.Sprintf("%.1f", l.weeks), fmt.Sprintf("%.2f", l.load), fmt.Sprint(replicas))
	}
	r.Table(t)
	for _, l := range r.by[0].silent {
		r.Printf("\n%s decides nothing: under all schedulers all jobs start at once. It is in none of the ranks.\n", l.name)
	}
	r.Printf("\nLoad is the work of all jobs by what the machine could do from the first submission to the last. Jobs that log no\nestimate are scheduled by their run time. In a market values are drawn at random; slowdown and wait count all jobs alike.\n")
	_ = r.Keep("logs", logRows(r.logs))
	return r.Keep("figures", figureRows(r.figures))
}

// table is the standings by each measure.
func (r *reporter) table() error {
	rows := papers.Columns("measure", "policy", "needs", "mean_rank", "rank_half", "ratio_to_least", "unbeaten_on", "logs")
	for m, c := range r.by {
		all := c.ranked
		r.Heading("Ranks by %s", measures[m].Words())
		t := terminal.NewTable("policy", "mean rank", "ratio to least", "unbeaten on", "beats EASY on", "loses on", "needs")
		t.Left(6)
		for _, s := range all {
			p := c.pair(place(s.name), place("easy"))
			t.Row(s.name, papers.Interval(s.rank, func(x float64) string { return fmt.Sprintf("%.1f", x) }), fmt.Sprintf("%.3g", s.ratio),
				fmt.Sprintf("%d of %d", s.best, len(c.logs)), fmt.Sprint(p.better), fmt.Sprint(p.worse), s.needs)
			rows.Add(measures[m].Name, s.name, s.needs, s.rank.Mean, s.rank.Half, s.ratio, s.best, len(c.logs))
		}
		r.Table(t)
		r.Printf("\nRank 1 is the least. Kendall's W, the agreement of the logs on the ranks (1: all the same, 0: none): %.2f.\n", concordance(all))
	}
	return r.Keep("ranks", rows)
}

// pairs keeps how each policy does beside each other one.
func (r *reporter) pairs() error {
	rows := papers.Columns("measure", "policy", "other", "better_on", "worse_on", "lower_on", "logs", "better_for_one", "worse_for_one")
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
