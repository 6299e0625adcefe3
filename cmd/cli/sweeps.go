//go:build !js

package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bourse/reports/artifact"
	"bourse/reports/ask/game"
	"bourse/reports/ask/plot"
	"bourse/reports/ask/sweep"
	"bourse/reports/page"
	"bourse/reports/run"
)

// solveGame prints payoff matrices and equilibria of finished sweeps.
func solveGame(a *app, f *flags) action {
	at := f.StringArray("at", nil, "pick `axis=value` where the sweep has several, as in nodes=105")
	drop := f.StringSlice("without", nil, "leave these policies out")
	var out outFile
	var answer tableFormat
	answer.define(f)
	out.define(f, "also write the matrices "+alsoLine)
	return func() error {
		picks := map[string]string{}
		for _, p := range *at {
			axis, value, ok := strings.Cut(p, "=")
			if !ok {
				return usagef("--at %s: want axis=value", p)
			}
			if err := among("at", axis, sweep.Names()); err != nil {
				return err
			}
			if _, twice := picks[axis]; twice {
				return usagef("--at names %s twice; a game has one value of it", axis)
			}
			picks[axis] = value
		}
		var sets []*sweep.Dataset
		for _, dir := range f.Args() {
			d, err := sweep.Read(dir)
			if err != nil {
				return err
			}
			sets = append(sets, d)
		}
		games, err := sweep.Games(sets, picks)
		if err != nil {
			return err
		}
		for i, g := range games {
			games[i] = g.Without(func(row string) bool { return slices.Contains(*drop, row) })
			if len(games[i].Rows) == 0 {
				return usagef("--without leaves no policy to choose from")
			}
		}
		report := game.Report(games)
		if err := out.writeAlso(a, out.path, report.Data); err != nil {
			return err
		}
		return answer.print(a, report)
	}
}

// plotFlags are the flags of `bourse plot`.
type plotFlags struct {
	x, y, series, panels, out string
	overwrite, measured       bool
}

// plotFigure draws a figure for a paper of a sweep or of finished runs.
func plotFigure(a *app, f *flags) action {
	var p plotFlags
	f.StringVar(&p.x, "x", "", "of a sweep: the `AXIS` along which a measure is drawn (default the one with most "+
		"values); of runs: the `COLUMN` of jobs whose distribution is drawn (default wait_s)")
	f.StringVar(&p.y, "y", "bounded_slowdown",
		"the measure, as wait, p95, bounded_slowdown, utilisation, payment (any figure of summary.json)")
	f.StringVar(&p.series, "series", "",
		"the `AXIS` with a line for each value (default policy, or another that varies)")
	f.StringVar(&p.panels, "panels", "", "the `AXIS` with a panel for each value")
	f.StringVar(&p.out, "out", "plot", "write `FILE`.svg, .pdf, .png, the data as .csv and a LaTeX snippet as .tex")
	f.BoolVar(&p.overwrite, "overwrite", false, "replace existing files")
	return func() error {
		if err := checkFigure(p.out, p.overwrite, ".csv", ".tex"); err != nil {
			return err
		}
		p.measured = f.Changed("y")
		figure, err := p.draw(a, f.Args())
		if err != nil {
			return err
		}
		names, err := figure.Save(p.out)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.stdout, "%s\n%s\n", figure.Caption, strings.Join(names, "\n"))
		return err
	}
}

// checkFigure wants the files of a figure, and others of these endings, not to be there.
func checkFigure(name string, overwrite bool, others ...string) error {
	for _, ending := range append([]string{".svg", ".pdf", ".png"}, others...) {
		if err := run.CheckNew(name+ending, overwrite); err != nil {
			return err
		}
	}
	return nil
}

func (p *plotFlags) draw(a *app, dirs []string) (*plot.Figure, error) {
	if len(dirs) == 1 && artifact.IsSweep(dirs[0]) {
		return p.sweep(a, dirs[0])
	}
	if p.series != "" || p.panels != "" {
		return nil, usagef("--series and --panels are axes of a sweep, and %s holds none; runs are lines of their own",
			dirs[0])
	}
	column := cmp.Or(p.x, "wait_s")
	if p.measured {
		a.notes([]string{"--y " + p.y + " changed nothing: of runs the distribution of one column of the jobs is drawn, " +
			column + "; --x COLUMN draws another"})
	}
	runs, err := page.Open(dirs, true) // which names each by what distinguishes it
	if err != nil {
		return nil, err
	}
	var finished []*run.Finished
	var names []string
	for _, r := range runs {
		if err := r.Verify(); err != nil {
			return nil, err
		}
		finished, names = append(finished, r.Finished), append(names, r.Label)
	}
	return plot.Records(finished, names, column)
}

func (p *plotFlags) sweep(a *app, dir string) (*plot.Figure, error) {
	y, err := run.FindMeasure(p.y)
	if err != nil {
		return nil, usagef("--y: %v", err)
	}
	d, err := sweep.ReadWhole(dir)
	if err != nil {
		return nil, err
	}
	axes := plot.Choose(d.Plan.Axes, plot.Axes{X: p.x, Series: p.series, Panels: p.panels})
	for _, name := range []string{axes.X, axes.Series, axes.Panels} {
		if name == "" {
			continue
		}
		if _, err := axesOf(d.Plan.Axes, name); err != nil {
			return nil, err
		}
	}
	figure, over := plot.Sweep(d, axes, y)
	if len(over) > 0 {
		fmt.Fprintf(a.stderr, "bourse: warning: points are means over %s, which changes results; --panels keeps its "+
			"values apart\n", strings.Join(slices.Compact(over), ", "))
	}
	return figure, nil
}
