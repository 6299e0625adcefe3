package compare

import (
	"fmt"
	"io"
	"slices"

	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// PrintPolicies writes a row per policy; the last column compares waits, job by job,
// with the first policy's.
func PrintPolicies(w io.Writer, contenders []*Contender) error {
	market := slices.ContainsFunc(contenders, func(c *Contender) bool { return c.Market.Asked() })
	shown, more := run.Shown(market, true), []string{"preempted", "lost %"}
	if market {
		more = []string{"fairness"}
	}
	t := terminal.NewTable(slices.Concat([]string{"policy"}, run.Headings(shown), more, []string{"wait - " + contenders[0].Name})...)
	for i, c := range contenders {
		row := append([]string{c.Name}, run.Cells(shown, c.figures())...)
		if market {
			row = append(row, fmt.Sprintf("%.3f", c.Users.Fairness()))
		} else {
			row = append(row, terminal.Thousands(c.Summary.Preemptions), terminal.Share.Text(c.Summary.Lost/max(c.Summary.Work, 1e-9)))
		}
		longer := "-"
		if i > 0 {
			longer = difference(c.LongerWait(contenders[0]))
		}
		t.Row(append(row, longer)...)
	}
	if err := t.Write(w); err != nil || !market {
		return err
	}
	_, err := fmt.Fprintln(w, "fairness is Jain's index of the users' mean bounded slowdowns, 1 if all are alike")
	return err
}

// figures are what became of the contender's jobs.
func (c *Contender) figures() run.Figures {
	machine := run.NewMachine(&c.Summary)
	return run.Figures{Aggregate: &c.Stats.Result().Total, Machine: &machine}
}

// Print writes a row for each combination of settings, with 95 % intervals where there
// are replicas.
func (t *Rows) Print(w io.Writer) error {
	var head []string
	for _, x := range t.Axes {
		head = append(head, x.Name)
	}
	market := slices.ContainsFunc(t.Rows, func(g *Row) bool {
		return slices.ContainsFunc(g.Summaries, func(s *run.Summary) bool { return s.Market })
	})
	shown := run.Shown(market, true)
	table := terminal.NewTable(slices.Concat(head, []string{"cells"}, run.Headings(shown), []string{"wait - " + t.Reference()})...)
	for i := range head {
		table.Left(i)
	}
	for _, g := range t.Rows {
		row := append(slices.Clone(g.Settings), terminal.Thousands(int64(len(g.Summaries))))
		for _, m := range shown {
			e := t.estimate(g.Samples(m.Of))
			row = append(row, m.Estimate(e.Mean, e.Half))
		}
		longer := "-"
		if paired := t.Differences(g, meanWait); paired != nil {
			longer = difference(t.estimate(paired))
		}
		table.Row(append(row, longer)...)
	}
	if err := table.Write(w); err != nil {
		return err
	}
	if t.Replicas() && len(t.Over) == 1 {
		_, err := fmt.Fprintf(w, "\n± is half of a 95 %% interval over the %d seeds; differences are paired by seed\n", len(t.Over[0].Values))
		return err
	}
	return nil
}

func difference(e stats.Estimate) string { return terminal.Seconds.Difference(e.Mean, e.Half) }

// estimate is the mean of a row's samples, with an interval where they are replicas:
// copies of one number, which no seed changes, are not.
func (t *Rows) estimate(samples []float64) stats.Estimate {
	e := stats.EstimateOf(samples)
	switch {
	case len(samples) > 0 && slices.Min(samples) == slices.Max(samples):
		return stats.Exactly(samples[0])
	case !t.Replicas():
		return stats.Exactly(e.Mean)
	}
	return e
}
