package main

import (
	"fmt"
	"slices"
	"strings"

	"bourse/reports/run"
	"bourse/reports/stats"
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
	var rows, over []sweep.Axis
	wanted, err := axesOf(d.Plan.Axes, by)
	if err != nil {
		return err
	}
	for _, x := range d.Plan.Axes {
		switch {
		case slices.Contains(wanted, x.Name):
			rows = append(rows, x)
		case len(x.Values) > 1:
			over = append(over, x)
		}
	}
	for _, x := range over {
		if x.Name != sweep.Seed {
			fmt.Fprintf(a.stderr, "bourse: warning: these are means over %s (%s), which changes results; --by %s keeps its values apart\n",
				x.Name, strings.Join(x.Values, ", "), strings.Join(append(slices.Clone(wanted), x.Name), ","))
		}
	}
	if asJSON {
		return jsonSweep(a, groupCells(d, rows), rows, over)
	}
	return printSweep(a, groupCells(d, rows), rows, over)
}

// axesOf names the axes that rows tell apart.
func axesOf(all []sweep.Axis, by string) ([]string, error) {
	var names, varying []string
	for _, x := range all {
		names = append(names, x.Name)
		if len(x.Values) > 1 && x.Name != sweep.Seed {
			varying = append(varying, x.Name)
		}
	}
	if by == "" {
		if len(varying) == 0 {
			return []string{sweep.Policy}, nil
		}
		return varying, nil
	}
	wanted := strings.Split(by, ",")
	for _, w := range wanted {
		if !slices.Contains(names, w) {
			return nil, usagef("--by %s: the sweep has no such axis%s; it has %s", w, suggest.DidYouMean(w, names), strings.Join(names, ", "))
		}
	}
	return wanted, nil
}

// cellGroup is a row of the table: the cells of one combination of settings, each
// with the settings it is averaged over as its name.
type cellGroup struct {
	head    []string
	rest    []string
	results []*run.Summary
}

func groupCells(d *sweep.Dataset, rows []sweep.Axis) []*cellGroup {
	var groups []*cellGroup
	at := map[string]*cellGroup{}
	for i, c := range d.Cells {
		var head, rest []string
		for _, s := range c {
			if slices.ContainsFunc(rows, func(x sweep.Axis) bool { return x.Name == s.Name }) {
				head = append(head, s.Value)
			} else {
				rest = append(rest, s.Value)
			}
		}
		key := strings.Join(head, "\x00")
		g := at[key]
		if g == nil {
			g = &cellGroup{head: head}
			at[key] = g
			groups = append(groups, g)
		}
		g.rest, g.results = append(g.rest, strings.Join(rest, "\x00")), append(g.results, d.Summaries[i])
	}
	return groups
}

// samples returns a figure of each cell of a group.
func (g *cellGroup) samples(of func(*run.Summary) float64) []float64 {
	out := make([]float64, len(g.results))
	for i, s := range g.results {
		out[i] = of(s)
	}
	return out
}

// reference is the row to which another one is compared: that of the first policy
// with the same other settings, or the first one.
func reference(groups []*cellGroup, g *cellGroup, policy int) *cellGroup {
	if policy < 0 {
		return groups[0]
	}
	for _, r := range groups {
		same := true
		for i := range r.head {
			same = same && (i == policy || r.head[i] == g.head[i])
		}
		if same {
			return r
		}
	}
	return groups[0]
}

func printSweep(a *app, groups []*cellGroup, rows, over []sweep.Axis) error {
	var head []string
	policy := -1
	for i, x := range rows {
		head = append(head, x.Name)
		if x.Name == sweep.Policy {
			policy = i
		}
	}
	replicas := seedsOnly(over)
	t := terminal.NewTable(append(head, "cells", "mean wait s", "mean BSD", "SSJ %", "use %", "wait - "+first(groups, policy))...)
	for i := range head {
		t.Left(i)
	}
	wait := func(s *run.Summary) float64 { return s.Jobs.Total.MeanWait }
	for _, g := range groups {
		row := append(slices.Clone(g.head), fmt.Sprint(len(g.results)))
		for _, x := range []struct {
			form string
			of   func(*run.Summary) float64
		}{
			{"%.0f", wait},
			{"%.2f", func(s *run.Summary) float64 { return s.Jobs.Total.MeanBSD }},
			{"%.1f", func(s *run.Summary) float64 { return s.Jobs.Total.SSJ }},
			{"%.1f", func(s *run.Summary) float64 { return 100 * s.Machine.Utilisation }},
		} {
			row = append(row, interval(x.form, g.samples(x.of), replicas))
		}
		r, difference := reference(groups, g, policy), "-"
		if r != g && slices.Equal(r.rest, g.rest) {
			mine, other := g.samples(wait), r.samples(wait)
			for i := range mine {
				mine[i] -= other[i]
			}
			difference = interval("%+.0f", mine, replicas)
		}
		t.Row(append(row, difference)...)
	}
	if err := t.Write(a.stdout); err != nil {
		return err
	}
	if replicas && len(over) == 1 {
		_, err := fmt.Fprintf(a.stdout, "\n± is half of a 95 %% interval over the %d seeds; differences are paired by seed\n", len(over[0].Values))
		return err
	}
	return nil
}

// jsonSweep is printSweep for programs.
func jsonSweep(a *app, groups []*cellGroup, axes, over []sweep.Axis) error {
	var rows []jsonRow
	for _, g := range groups {
		row := jsonRow{Settings: map[string]string{}, Cells: len(g.results), Figures: map[string]estimate{}}
		for i, x := range axes {
			row.Settings[x.Name] = g.head[i]
		}
		for name := range figuresOf(&g.results[0].Jobs.Total, &g.results[0].Machine) {
			row.Figures[name] = estimateOf(g.samples(func(s *run.Summary) float64 {
				return figuresOf(&s.Jobs.Total, &s.Machine)[name].Value
			}), seedsOnly(over))
		}
		rows = append(rows, row)
	}
	return run.WriteJSON(a.stdout, rows)
}

// seedsOnly reports whether rows are means over nothing but seeds.
func seedsOnly(over []sweep.Axis) bool {
	return len(over) == 0 || len(over) == 1 && over[0].Name == sweep.Seed
}

// first names what differences refer to.
func first(groups []*cellGroup, policy int) string {
	if policy < 0 {
		return "the first row's"
	}
	return groups[0].head[policy]
}

// interval formats a mean, with its interval where the samples are replicas.
func interval(form string, samples []float64, replicas bool) string {
	mean, half, ok := stats.Interval(samples)
	if !ok || !replicas {
		return fmt.Sprintf(form, mean)
	}
	return fmt.Sprintf(form+" ± "+strings.Replace(form, "+", "", 1), mean, half)
}
