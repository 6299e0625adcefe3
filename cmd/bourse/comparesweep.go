package main

import (
	"fmt"
	"slices"
	"strings"

	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/studies/compare"
	"bourse/reports/studies/sweep"
	"bourse/reports/terminal"
	"bourse/traces/suggest"
)

// compareSweep prints a row for each combination of settings of a sweep, averaged
// over its seeds with 95 % intervals. If the rows leave out more than the seed,
// their means are over settings that change results, and that is said.
func compareSweep(a *app, dir, by string, asJSON bool) error {
	d, err := sweep.Read(dir)
	if err != nil {
		return err
	}
	if n := len(d.Missing); n > 0 {
		return fmt.Errorf("%s: %d of %d cells are missing, the first is %v; run the sweep to its end", dir, n, len(d.Cells), d.Missing[0])
	}
	wanted, err := axesOf(d.Plan.Axes, by)
	if err != nil {
		return err
	}
	t := compare.Group(d, wanted)
	for _, x := range t.Over {
		if x.Name != sweep.Seed {
			fmt.Fprintf(a.stderr, "bourse: warning: these are means over %s (%s), which changes results; --by %s keeps its values apart\n",
				x.Name, strings.Join(x.Values, ", "), strings.Join(append(slices.Clone(wanted), x.Name), ","))
		}
	}
	if asJSON {
		return jsonSweep(a, t)
	}
	return printSweep(a, t)
}

// axesOf reads --by: the axes by which rows differ.
func axesOf(all []sweep.Axis, by string) ([]string, error) {
	if by == "" {
		return compare.Varying(all), nil
	}
	var names []string
	for _, x := range all {
		names = append(names, x.Name)
	}
	wanted := strings.Split(by, ",")
	for _, w := range wanted {
		if !slices.Contains(names, w) {
			return nil, usagef("--by %s: the sweep has no such axis%s; it has %s", w, suggest.DidYouMean(w, names), strings.Join(names, ", "))
		}
	}
	return wanted, nil
}

func printSweep(a *app, rows *compare.Rows) error {
	var head []string
	for _, x := range rows.Axes {
		head = append(head, x.Name)
	}
	replicas := rows.Replicas()
	t := terminal.NewTable(append(head, "cells", "mean wait s", "mean BSD", "SSJ %", "use %", "wait - "+rows.Reference())...)
	for i := range head {
		t.Left(i)
	}
	wait := func(s *run.Summary) float64 { return s.Jobs.Total.MeanWait }
	for _, g := range rows.Rows {
		row := append(slices.Clone(g.Settings), fmt.Sprint(len(g.Summaries)))
		for _, x := range []struct {
			form string
			of   func(*run.Summary) float64
		}{
			{"%.0f", wait},
			{"%.2f", func(s *run.Summary) float64 { return s.Jobs.Total.MeanBSD }},
			{"%.1f", func(s *run.Summary) float64 { return s.Jobs.Total.SSJ }},
			{"%.1f", func(s *run.Summary) float64 { return 100 * s.Machine.Utilisation }},
		} {
			row = append(row, interval(x.form, g.Samples(x.of), replicas))
		}
		difference := "-"
		if paired := rows.Differences(g, wait); paired != nil {
			difference = interval("%+.0f", paired, replicas)
		}
		t.Row(append(row, difference)...)
	}
	if err := t.Write(a.stdout); err != nil {
		return err
	}
	if replicas && len(rows.Over) == 1 {
		_, err := fmt.Fprintf(a.stdout, "\n± is half of a 95 %% interval over the %d seeds; differences are paired by seed\n", len(rows.Over[0].Values))
		return err
	}
	return nil
}

// jsonSweep is printSweep for programs.
func jsonSweep(a *app, t *compare.Rows) error {
	var rows []jsonRow
	for _, g := range t.Rows {
		row := jsonRow{Settings: map[string]string{}, Cells: len(g.Summaries), Figures: map[string]estimate{}}
		for i, x := range t.Axes {
			row.Settings[x.Name] = g.Settings[i]
		}
		samples := map[string][]float64{}
		for _, s := range g.Summaries {
			for name, figure := range figuresOf(&s.Jobs.Total, &s.Machine) {
				samples[name] = append(samples[name], figure.Value)
			}
		}
		for name := range samples {
			row.Figures[name] = estimateOf(samples[name], t.Replicas())
		}
		rows = append(rows, row)
	}
	return run.WriteJSON(a.stdout, rows)
}

// interval formats a mean, with its interval where the samples are replicas.
func interval(form string, samples []float64, replicas bool) string {
	mean, half, ok := stats.Interval(samples)
	if !ok || !replicas {
		return fmt.Sprintf(form, mean)
	}
	return fmt.Sprintf(form+" ± "+strings.Replace(form, "+", "", 1), mean, half)
}
