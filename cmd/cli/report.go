package cli

import (
	"fmt"
	"io"
	"path/filepath"

	"bourse/reports/artifact"
	"bourse/reports/ask/compare"
	"bourse/reports/ask/replay"
	"bourse/reports/ask/sweep"
	"bourse/reports/page"
	"bourse/reports/run"
	"bourse/traces/files"
)

// report makes one HTML page of finished runs.
func report(a *app, f *flags) action {
	out := f.String("out", "",
		"write the page to `FILE` (default report.html in the first folder, of a sweep in _sweep)")
	anyTrace := f.Bool("any-trace", false, "show runs of different traces side by side")
	gantt := f.String("gantt", "", "the time that the Gantt chart shows, `FROM..UNTIL` on the trace's clock, as "+
		"12d..14d (default all)")
	overwrite := f.Bool("overwrite", false, "replace FILE even if it is not a page of bourse")
	return func() error {
		from, until, err := replay.ParseWindow("gantt", *gantt)
		if err != nil {
			return err
		}
		path, oneSweep := *out, f.NArg() == 1 && artifact.IsSweep(f.Arg(0))
		if path == "" {
			path = f.Arg(0)
			if oneSweep {
				path = filepath.Join(path, run.SweepFolder) // the directory itself is a data frame
			}
			path = filepath.Join(path, "report.html")
		}
		if !*overwrite {
			if err := page.Replaceable(path); err != nil {
				return err
			}
		}
		if oneSweep {
			return reportSweep(a, f.Arg(0), path)
		}
		runs, err := page.Open(f.Args(), *anyTrace)
		if err != nil {
			return err
		}
		for _, r := range runs {
			if _, err := artifact.ScenarioOf(r.Dir, r.Manifest, Version); err != nil {
				return err
			}
		}
		for _, w := range page.Warnings(runs, Version) {
			fmt.Fprintln(a.stderr, "bourse: warning:", w)
		}
		answer, err := compare.PageAnswer(runs)
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
}

// reportSweep makes the page of a sweep.
func reportSweep(a *app, dir, path string) error {
	d, err := sweep.ReadWhole(dir)
	if err != nil {
		return err
	}
	s, err := compare.PageOf(d)
	if err != nil {
		return err
	}
	if err := files.Write(path, func(w io.Writer) error { return page.WriteSweep(w, s, Version) }); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.stdout, path)
	return err
}
