package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"bourse/reports/page"
	"bourse/reports/run"
	"bourse/reports/studies/compare"
	"bourse/reports/studies/sweep"
	"bourse/traces/files"
)

// report makes one HTML page of finished runs.
func report(a *app, args []string) error {
	f := a.flags("report DIR... | SWEEP", "bourse report out\nbourse report out/hb out/wspt out/fcfs --out policies.html")
	out := f.String("out", "", "write the page to `FILE` (default report.html in the first folder, of a sweep in _sweep)")
	anyTrace := f.Bool("any-trace", false, "show runs of different traces beside each other")
	gantt := f.String("gantt", "", "the time that the Gantt chart shows, `FROM..UNTIL` on the trace's clock, as 12d..14d (default all)")
	overwrite := f.Bool("overwrite", false, "replace FILE even if it is not a page of bourse")
	if err := parse(f, args, 1, 1000, "report takes the folders of finished runs"); err != nil {
		return err
	}
	from, until, err := windowOf("gantt", *gantt)
	if err != nil {
		return err
	}
	path := *out
	if path == "" {
		path = f.Arg(0)
		if isSweep(f.Args()) {
			path = filepath.Join(path, run.SweepFolder) // the directory itself is a data frame
		}
		path = filepath.Join(path, "report.html")
	}
	if !*overwrite {
		if err := page.Replaceable(path); err != nil {
			return err
		}
	}
	if isSweep(f.Args()) {
		return reportSweep(a, f.Arg(0), path)
	}
	runs, err := page.Open(f.Args(), *anyTrace)
	if err != nil {
		return err
	}
	for _, r := range runs {
		if _, err := scenarioOf(r.Dir, r.Manifest); err != nil {
			return err
		}
	}
	for _, w := range page.Warnings(runs, Version) {
		fmt.Fprintln(a.stderr, "bourse: warning:", w)
	}
	answer, err := answerOf(runs)
	if err != nil {
		return err
	}
	if err := files.Write(path, func(w io.Writer) error {
		return page.Write(w, runs, answer, page.Window{From: from.Seconds(), Until: until.Seconds()}, Version)
	}); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, path)
	return err
}

// isSweep reports whether the arguments are the directory of a sweep.
func isSweep(dirs []string) bool {
	_, err := os.Stat(filepath.Join(dirs[0], sweep.PlanFile))
	return err == nil && len(dirs) == 1
}

// reportSweep makes the page of a sweep.
func reportSweep(a *app, dir, path string) error {
	d, err := wholeSweep(dir)
	if err != nil {
		return err
	}
	t := compare.Group(d, compare.Varying(d.Plan.Axes))
	s := &page.Sweep{Title: filepath.Base(filepath.Clean(dir)) + ": a sweep", Seeds: len(t.Rows[0].Summaries)}
	for _, x := range t.Axes {
		s.Axes = append(s.Axes, page.Axis{Name: x.Name, Values: x.Values})
	}
	for _, r := range t.Rows {
		s.Market = s.Market || slices.ContainsFunc(r.Summaries, func(s *run.Summary) bool { return s.Market })
		var p page.Point
		for i, v := range r.Settings {
			p.At = append(p.At, slices.Index(t.Axes[i].Values, v))
		}
		for _, m := range run.Measures {
			e := t.Estimate(r, m)
			p.Means, p.Lows, p.Highs = append(p.Means, e.Mean), append(p.Lows, e.Low()), append(p.Highs, e.High())
		}
		s.Points = append(s.Points, p)
	}
	table := t.Table(run.MeasuresNamed("mean_bounded_slowdown")[0])
	if err := table.Judge(""); err != nil {
		return err
	}
	s.Answers = table.Answers()
	if err := files.Write(path, func(w io.Writer) error { return page.WriteSweep(w, s, Version) }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, path)
	return err
}
