package atlas

import (
	"fmt"
	"math"
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
		table.Col("load", "load", terminal.Ratio), table.Col("users", "users", terminal.Number),
		table.Col("requests", "requests %", terminal.Share), table.Col("waits_with_room", "waits with room %", terminal.Share),
		table.Col("caution", "caution", terminal.Words),
		table.Col("", "replicas", terminal.Number), table.Col("", "wait, replicas / log", terminal.Ratio))
	for _, l := range r.logs {
		_, replicas := r.samples(l.name, policies[0].name, 0)
		over := table.Missing
		if k := slices.IndexFunc(r.by[1].logs, func(x log) bool { return x.name == l.name }); k >= 0 {
			over = table.Number(r.by[1].overLog(k, place("easy")))
		}
		roomy := table.Missing
		if l.roomy >= 0 {
			roomy = table.Number(l.roomy)
		}
		t.Add(l.name, l.sha256, l.jobs, l.processors, rounded(l.weeks), rounded(l.load), l.users, rounded(l.requests), roomy,
			l.caution, len(replicas), over)
	}
	r.Show(t)
	for _, l := range r.by[0].silent {
		r.Printf("\n%s is in none of the ranks: it has no eight whole weeks to make replicas of, or under all "+
			"schedulers all jobs start\nat once.\n", l.name)
	}
	r.Printf("\nLoad is the work of all jobs by what the machine could do. Requests are the jobs that ask for a time; others " +
		"are\nscheduled by their run time. Waits with room are the part of the recorded waiting during which the machine had " +
		"room for\nthe job: a rule of the site kept it waiting, which no replay without that rule shows. Logs without a figure " +
		"record no\nwaits, and cannot be compared with what happened. Replicas / log is EASY's mean wait over replicas by that " +
		"in the log\nitself: above 2 or below 1/2 there is no verdict.\n")
	_ = r.Keep("logs", t)
	return r.Keep("figures", figuresTable(r.figures))
}

// table is the standings by each measure.
func (r *reporter) table() error {
	all := table.New(table.Named("measure", "policy", "needs", "mean_rank", "lowest_without_one", "highest_without_one",
		"mean_rank_of_full_logs", "ratio_to_least", "unbeaten_on", "logs")...)
	for m, c := range r.by {
		r.Heading("Ranks by %s", measures[m].Words())
		t := table.New(table.Col("", "policy", terminal.Words), table.Col("", "mean rank", terminal.Percent),
			table.Col("", "without one log", terminal.Words), table.Col("", "on full logs", terminal.Percent),
			table.Col("", "ratio to least", terminal.Significant(3)),
			table.Col("", "unbeaten on", terminal.Number), table.Col("", "beats EASY on", terminal.Number),
			table.Col("", "loses on", terminal.Number), table.Col("", "needs", terminal.Words))
		for _, s := range c.ranked {
			p := c.pair(place(s.name), place("easy"))
			t.Add(s.name, s.rank, terminal.Percent.Text(s.low)+" to "+terminal.Percent.Text(s.high), s.full, s.ratio,
				fmt.Sprintf("%d of %d", s.best, len(c.logs)), p.better, p.worse, s.needs)
			all.Add(measures[m].Name, s.name, s.needs, s.rank, s.low, s.high, s.full, s.ratio, s.best, len(c.logs))
		}
		r.Show(t)
		r.Printf("\nRank 1 is the least; these logs are no sample of others, so what one of them does to a rank is said "+
			"instead of an interval.\nFull logs are of one machine, without a caution, with users, and with requests of half of their "+
			"jobs or more. Ratio to least is the\ngeometric mean over logs of the policy's mean by the least. Kendall's W, the "+
			"agreement of the logs on the ranks (1: all the same, 0: none): "+
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
		cells := &figures.Cells{Limit: 2, Format: "%.0f",
			Title: "EASY's " + measures[m].Words() + " by the policy's (colour, base 10 logarithm) and rank"}
		for _, l := range c.logs {
			cells.ColumnNames = append(cells.ColumnNames, nickname(l.name))
		}
		for _, s := range slices.Backward(all) { // the first is on top
			colours := make([]float64, len(s.toEasy))
			for k, x := range s.toEasy {
				colours[k] = -math.Log10(x)
			}
			cells.RowNames, cells.Z = append(cells.RowNames, s.name), append(cells.Z, colours)
			cells.Texts = append(cells.Texts, s.ranks)
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
