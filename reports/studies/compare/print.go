package compare

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/terminal"
)

// PrintPolicies writes a row per policy; the last column compares waits, job by job,
// with the first policy's.
func PrintPolicies(w io.Writer, contenders []*Contender) error {
	money := slices.ContainsFunc(contenders, func(c *Contender) bool { return c.Market.Payment != "none" })
	columns := []string{"policy", "jobs", "mean wait", "mean BSD", "mean bsld10", "SSJ %", "use %", "preempted", "lost %"}
	if money {
		columns = append(columns[:6:6], "use %", "fairness", "revenue", "mean utility")
	}
	t := terminal.NewTable(append(columns, "wait - "+contenders[0].Name)...)
	t.Left(0)
	for i, c := range contenders {
		total := c.Stats.Result().Total
		difference := "-"
		if i > 0 {
			difference = text(c.LongerWait(contenders[0]), "%+.0f", " s")
		}
		row := []string{c.Name, terminal.Thousands(total.Jobs), fmt.Sprintf("%.0f s", total.MeanWait), fmt.Sprintf("%.2f", total.MeanBSD), fmt.Sprintf("%.2f", total.MeanBsld10),
			fmt.Sprintf("%.1f", total.SSJ), fmt.Sprintf("%.1f", 100*c.Summary.Utilisation())}
		if money {
			row = append(row, fmt.Sprintf("%.3f", c.Users.Fairness()), terminal.Figure(total.SumPayment), terminal.Figure(total.MeanUtility))
		} else {
			lost := 0.0
			if c.Summary.Work > 0 {
				lost = 100 * c.Summary.Lost / c.Summary.Work
			}
			row = append(row, terminal.Thousands(c.Summary.Preemptions), fmt.Sprintf("%.1f", lost))
		}
		t.Row(append(row, difference)...)
	}
	if err := t.Write(w); err != nil || !money {
		return err
	}
	_, err := fmt.Fprintln(w, "fairness is Jain's index of the users' mean bounded slowdowns, 1 if all are alike")
	return err
}

// Print writes a row for each combination of settings, with 95 % intervals where there
// are replicas.
func (t *Rows) Print(w io.Writer) error {
	var head []string
	for _, x := range t.Axes {
		head = append(head, x.Name)
	}
	replicas := t.Replicas()
	table := terminal.NewTable(append(head, "cells", "mean wait s", "mean BSD", "SSJ %", "use %", "wait - "+t.Reference())...)
	for i := range head {
		table.Left(i)
	}
	for _, g := range t.Rows {
		row := append(slices.Clone(g.Settings), fmt.Sprint(len(g.Summaries)))
		for _, x := range []struct {
			form string
			of   func(*run.Summary) float64
		}{
			{"%.0f", meanWait},
			{"%.2f", func(s *run.Summary) float64 { return s.Jobs.Total.MeanBSD }},
			{"%.1f", func(s *run.Summary) float64 { return s.Jobs.Total.SSJ }},
			{"%.1f", func(s *run.Summary) float64 { return 100 * s.Machine.Utilisation }},
		} {
			row = append(row, text(t.estimate(g.Samples(x.of)), x.form, ""))
		}
		difference := "-"
		if paired := t.Differences(g, meanWait); paired != nil {
			difference = text(t.estimate(paired), "%+.0f", "")
		}
		table.Row(append(row, difference)...)
	}
	if err := table.Write(w); err != nil {
		return err
	}
	if replicas && len(t.Over) == 1 {
		_, err := fmt.Fprintf(w, "\n± is half of a 95 %% interval over the %d seeds; differences are paired by seed\n", len(t.Over[0].Values))
		return err
	}
	return nil
}

// estimate is the mean of a row's samples, with an interval where they are replicas.
func (t *Rows) estimate(samples []float64) stats.Estimate {
	e := stats.EstimateOf(samples)
	if !t.Replicas() {
		e = stats.Exactly(e.Mean)
	}
	return e
}

// text writes a mean with its unit and, if there is one, half of its interval.
func text(e stats.Estimate, form, unit string) string {
	mean := fmt.Sprintf(form, e.Mean) + unit
	if !e.Known() {
		return mean
	}
	return mean + " ± " + fmt.Sprintf(strings.Replace(form, "+", "", 1), e.Half)
}
