package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bourse/reports/run"
	"bourse/reports/studies/sweep"
	"bourse/reports/terminal"
)

// compareRuns prints the summaries of finished runs side by side, or replays one
// trace under several policies and compares those, or prints a sweep with intervals
// over its seeds. A run is named by the settings in which the runs differ.
func compareRuns(a *app, args []string) error {
	var c comparison
	f := a.flags("compare DIR... | SWEEP | TRACE --policy A,B", "bourse compare out/hb-kth out/nphb-kth\nbourse compare log.swf.gz --policy 'fcfs,easy,easy(backfill=sjf),conservative'")
	c.define(f)
	if err := parse(f, args, 1, 10_000, "compare takes the directories of finished runs, or one trace and --policy"); err != nil {
		return err
	}
	if c.policies != "" {
		if f.NArg() > 1 {
			return usagef("compare --policy takes one trace; leave out --policy to compare the directories of finished runs")
		}
		return c.run(a, f)
	}
	if _, err := os.Stat(filepath.Join(f.Arg(0), sweep.PlanFile)); err == nil && f.NArg() == 1 {
		return compareSweep(a, f.Arg(0), c.by, c.json)
	}
	if c.by != "" {
		return usagef("--by groups the rows of a sweep; give the directory of one sweep")
	}
	if info, err := os.Stat(f.Arg(0)); f.NArg() == 1 && (err != nil && strings.Contains(f.Arg(0), ":") || err == nil && !info.IsDir()) {
		return usagef("%s is not the directory of a finished run; to replay it under several policies say which, as in --policy fcfs,easy", f.Arg(0))
	}
	runs := make([]*run.Finished, f.NArg())
	for i, dir := range f.Args() {
		var err error
		if runs[i], err = run.Open(dir); err != nil {
			return err
		}
	}
	for _, w := range warnings(runs) {
		fmt.Fprintln(a.stderr, "bourse: warning:", w)
	}
	differing := differences(runs)
	if c.json {
		rows := make([]jsonRow, len(runs))
		for i, r := range runs {
			rows[i] = jsonRow{Settings: map[string]string{"run": r.Dir}, Figures: figuresOf(&r.Summary.Jobs.Total, &r.Summary.Machine)}
			for _, key := range differing {
				rows[i].Settings[key] = setting(r, key)
			}
		}
		return run.WriteJSON(a.stdout, rows)
	}
	head := append(slices.Clone(differing), "jobs", "mean BSD", "p95 BSD", "SSJ %", "mean wait", "mean payment", "mean utility", "use %")
	t := terminal.NewTable(head...)
	for i := range differing {
		t.Left(i)
	}
	for _, r := range runs {
		var row []string
		for _, key := range differing {
			row = append(row, setting(r, key))
		}
		total := run.AggregateCells("", &r.Summary.Jobs.Total)[1:]
		t.Row(append(append(row, total...), fmt.Sprintf("%.1f", 100*r.Summary.Machine.Utilisation))...)
	}
	return t.Write(a.stdout)
}

// warnings say why runs may not be comparable: other traces, other versions.
func warnings(runs []*run.Finished) (out []string) {
	first := runs[0]
	for _, r := range runs {
		if v := r.Manifest.Bourse; v != Version {
			out = append(out, fmt.Sprintf("%s was made by bourse %s and this is %s; results may differ for that reason", r.Dir, v, Version))
		}
		if a, b := first.Manifest.Trace, r.Manifest.Trace; !a.Same(b) {
			out = append(out, fmt.Sprintf("%s and %s replay different traces (%s and %s)", first.Dir, r.Dir, filepath.Base(a.Name), filepath.Base(b.Name)))
		}
	}
	return out
}

// setting returns a run's value of one heading of the table.
func setting(r *run.Finished, key string) string {
	switch key {
	case "run":
		return r.Dir
	case "trace":
		return filepath.Base(r.Manifest.Trace.Name)
	}
	return r.Setting(key)
}

// differences lists the settings that are not the same in all runs, in the
// order of the first manifest; "run" if the runs differ in none.
func differences(runs []*run.Finished) []string {
	keys := []string{"trace"}
	for _, s := range run.Settings(runs[0].Manifest.Scenario) {
		if s.Key != "trace" && s.Key != "seed" {
			keys = append(keys, s.Key)
		}
	}
	keys = append(keys, "seed")
	keys = slices.DeleteFunc(keys, func(key string) bool {
		return !slices.ContainsFunc(runs, func(r *run.Finished) bool { return !strings.EqualFold(setting(r, key), setting(runs[0], key)) })
	})
	if len(keys) == 0 {
		return []string{"run"}
	}
	return keys
}
