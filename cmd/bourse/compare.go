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
		return usagef("--by says what rows of the table of a sweep tell apart; give the directory of one sweep")
	}
	if info, err := os.Stat(f.Arg(0)); f.NArg() == 1 && (err != nil && strings.Contains(f.Arg(0), ":") || err == nil && !info.IsDir()) {
		return usagef("%s is not the directory of a finished run; to replay it under several policies say which, as in --policy fcfs,easy", f.Arg(0))
	}
	runs := make([]finished, f.NArg())
	for i, dir := range f.Args() {
		var err error
		if runs[i], err = readFinished(dir); err != nil {
			return err
		}
	}
	for _, w := range doubts(runs) {
		fmt.Fprintln(a.stderr, "bourse: warning:", w)
	}
	differing := differences(runs)
	if c.json {
		rows := make([]jsonRow, len(runs))
		for i, r := range runs {
			rows[i] = jsonRow{Settings: map[string]string{"run": r.dir}, Figures: figuresOf(&r.summary.Jobs.Total, &r.summary.Machine)}
			for _, key := range differing {
				rows[i].Settings[key] = r.setting(key)
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
			row = append(row, r.setting(key))
		}
		total := run.AggregateCells("", &r.summary.Jobs.Total)[1:]
		t.Row(append(append(row, total...), fmt.Sprintf("%.1f", 100*r.summary.Machine.Utilisation))...)
	}
	return t.Write(a.stdout)
}

// finished is a run read back from its directory.
type finished struct {
	dir      string
	manifest *run.Manifest
	summary  *run.Summary
}

func readFinished(dir string) (finished, error) {
	if _, err := os.Stat(filepath.Join(dir, sweep.PlanFile)); err == nil {
		return finished{}, fmt.Errorf("%s holds a sweep; bourse compare %s prints it, alone", dir, dir)
	}
	m, err := run.ReadManifest(filepath.Join(dir, run.ManifestFile))
	if err != nil {
		return finished{}, fmt.Errorf("%s does not hold a finished run: %w", dir, err)
	}
	s, err := run.ReadSummary(filepath.Join(dir, run.SummaryFile))
	if err != nil {
		return finished{}, fmt.Errorf("%s is incomplete: %w; replay again with --overwrite", dir, err)
	}
	return finished{dir, m, s}, nil
}

// doubts says why runs may not be comparable: other traces, other versions.
func doubts(runs []finished) (out []string) {
	first := runs[0]
	for _, r := range runs {
		if v := r.manifest.Bourse; v != Version {
			out = append(out, fmt.Sprintf("%s was made by bourse %s and this is %s; differences may come from that", r.dir, v, Version))
		}
		if a, b := first.manifest.Trace, r.manifest.Trace; !a.Same(b) {
			out = append(out, fmt.Sprintf("%s and %s replay different traces (%s and %s)", first.dir, r.dir, filepath.Base(a.Name), filepath.Base(b.Name)))
		}
	}
	return out
}

// setting returns a run's value of one heading of the table.
func (r finished) setting(key string) string {
	switch key {
	case "run":
		return r.dir
	case "trace":
		return filepath.Base(r.manifest.Trace.Name)
	}
	return r.manifest.Setting(key)
}

// differences lists the settings that are not the same in all runs, in the
// order of the first manifest; "run" if the runs differ in none.
func differences(runs []finished) []string {
	keys := []string{"trace"}
	for _, s := range run.Settings(runs[0].manifest.Scenario) {
		if s.Key != "trace" && s.Key != "seed" {
			keys = append(keys, s.Key)
		}
	}
	keys = append(keys, "seed")
	keys = slices.DeleteFunc(keys, func(key string) bool {
		return !slices.ContainsFunc(runs, func(r finished) bool { return !strings.EqualFold(r.setting(key), runs[0].setting(key)) })
	})
	if len(keys) == 0 {
		return []string{"run"}
	}
	return keys
}
