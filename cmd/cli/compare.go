package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"bourse/engine/scenario"
	"bourse/reports/artifact"
	"bourse/reports/ask/compare"
	"bourse/reports/ask/sweep"
	"bourse/reports/run"
	"bourse/traces/named"
	"bourse/traces/suggest"
)

// compareRuns prints the summaries of finished runs side by side, or replays one
// trace under several policies and compares those, or prints a sweep with intervals
// over its seeds. A run is named by the settings in which the runs differ.
func compareRuns(a *app, f *flags) action {
	var c comparison
	c.define(f)
	a.quietFlag(f)
	return func() error {
		if c.policies != "" {
			if f.NArg() > 1 {
				return usagef("compare --policy takes one trace; leave out --policy to compare the directories of " +
					"finished runs")
			}
			return c.run(a, f)
		}
		if name := replayFlag(f); name != "" {
			return usagef("--%s is about a replay, and compare makes none of what is finished; leave it out, or "+
				"give one trace and --policy", name)
		}
		if f.NArg() == 1 && artifact.IsSweep(f.Arg(0)) {
			return c.sweep(a, f.Arg(0))
		}
		if info, err := os.Stat(f.Arg(0)); f.NArg() == 1 &&
			(err != nil && (strings.Contains(f.Arg(0), ":") || slices.Contains(named.Names(), f.Arg(0))) ||
				err == nil && !info.IsDir()) {
			return usagef("%s is not the directory of a finished run; to replay it under several policies say "+
				"which, as in --policy fcfs,easy", f.Arg(0))
		}
		return c.finished(a, f.Args())
	}
}

// finished compares finished runs.
func (c *comparison) finished(a *app, dirs []string) error {
	if err := c.checkBy(); err != nil {
		return err
	}
	runs := make([]*run.Finished, len(dirs))
	for i, dir := range dirs {
		var err error
		if runs[i], err = run.Open(dir); err != nil {
			return err
		}
		if _, err := artifact.ScenarioOf(dir, runs[i].Manifest, Version); err != nil {
			return err
		}
		if err := runs[i].Verify(); err != nil {
			return err
		}
	}
	if len(dirs) == 1 && c.by == "" {
		return usagef("%s is one run, so there is nothing to compare it with; name two or more", dirs[0])
	}
	for _, w := range compare.Warnings(runs, Version) {
		fmt.Fprintln(a.stderr, "bourse: warning:", w)
	}
	return c.print(a, compare.Finished(runs, c.measure, c.by))
}

// replayFlag is the first flag given that says how a trace is replayed; "" if none is.
func replayFlag(f *flags) (name string) {
	f.Visit(func(g *pflag.Flag) {
		if name == "" && (scenario.Find(g.Name) != nil || g.Name == "workers") {
			name = g.Name
		}
	})
	return name
}

// sweep prints a row for each combination of settings of a sweep, averaged
// over its seeds with 95 % intervals. If the rows leave out more than the seed,
// their means are over settings that change results, and that is said.
func (c *question) sweep(a *app, dir string) error {
	d, err := sweep.ReadWhole(dir)
	if err != nil {
		return err
	}
	wanted, err := axesOf(d.Plan.Axes, c.by)
	if err != nil {
		return err
	}
	rows := compare.Group(d, wanted)
	for _, x := range rows.Over {
		if x.Name != sweep.Seed {
			fmt.Fprintf(a.stderr, "bourse: warning: these are means over %s (%s), which changes results; --by %s "+
				"keeps its values apart\n",
				x.Name, strings.Join(x.Values, ", "), strings.Join(append(slices.Clone(wanted), x.Name), ","))
		}
	}
	return c.print(a, rows.Table(c.measure))
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
			return nil, usagef("--by %s: the sweep has no such axis%s", w,
				suggest.Then(suggest.DidYouMean(w, names), "it has "+strings.Join(names, ", ")))
		}
	}
	return wanted, nil
}
