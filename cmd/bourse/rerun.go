package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"bourse/engine/scenario"
	"bourse/reports/ask/sweep"
	"bourse/reports/papers"
	"bourse/reports/run"
	"bourse/traces/files"
)

// repeat is a finished piece of work that is done once more, into a folder of its own.
type repeat struct {
	a      *app
	dir    string            // of what is repeated
	traces []string          // as --trace names them
	bids   string            // as --bids names it
	fresh  string            // the folder of the repetition
	hashes map[string]string // of inputs, by path

	absent    bool    // files that are not there count by their hashes
	tolerance float64 // by which figures may differ, as a part of the larger
}

// rerun repeats a finished run, sweep or study from its manifest and says "same bytes"
// or what differs.
func rerun(a *app, args []string) (err error) {
	f := a.flags("rerun DIR|manifest.json", "bourse rerun out\nbourse rerun cells --trace /data/log.swf.gz")
	r := &repeat{a: a, hashes: map[string]string{}}
	r.define(f)
	f.BoolVar(&r.absent, "hashes", false, "let files that are not there count by their hashes in the manifest")
	f.Float64Var(&r.tolerance, "tolerance", 0, "let figures of tables and JSON differ by this `PART` of the larger one, as in 1e-9 (0: the same bytes)")
	keep := f.String("out", "", "keep the files of the repetition in directory `DIR`")
	a.quietFlag(f)
	if err := a.parse(f, args, 1, 1, "rerun takes the directory of a finished run, sweep or study, or its manifest"); err != nil {
		return err
	}
	if !(r.tolerance >= 0 && r.tolerance < 1) {
		return usagef("--tolerance %g: want 0 or more, and less than 1", r.tolerance)
	}
	r.dir = folderOf(f.Arg(0))
	if r.fresh = *keep; r.fresh == "" {
		fresh, err := files.NewFolder(os.TempDir())
		if err != nil {
			return err
		}
		defer func() { _ = fresh.Remove() }()
		r.fresh = fresh.Path
	} else if err := vacant(r.fresh); err != nil {
		return err
	}
	return r.open(r.sweep, r.study, r.replay)
}

// open reads what the directory holds, for whichever does what with it.
func (r *repeat) open(swept func(*sweep.Plan) error, studied func(*papers.Manifest) error, replayed func(*run.Manifest) error) error {
	if isSweep(r.dir) {
		plan, err := sweep.ReadPlan(r.dir)
		if err != nil {
			return err
		}
		return swept(plan)
	}
	m, err := papers.ReadManifest(filepath.Join(r.dir, run.ManifestFile))
	switch {
	case err != nil:
		return err
	case m != nil:
		return studied(m)
	}
	old, err := r.manifestOfRun()
	if err != nil {
		return err
	}
	return replayed(old)
}

// manifestOfRun reads the manifest of a single run.
func (r *repeat) manifestOfRun() (*run.Manifest, error) {
	m, err := run.ReadManifest(filepath.Join(r.dir, run.ManifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no manifest: it is not a finished run, sweep or study", r.dir)
	}
	return m, err
}

// define says where inputs are now.
func (r *repeat) define(f *pflag.FlagSet) {
	f.StringArrayVar(&r.traces, "trace", nil, "the trace's `PATH` here; once for each trace of a sweep or study (default: where it was)")
	f.StringVar(&r.bids, "bids", "", "the table of bids' `FILE` here (default: where it was)")
}

// scenario is that of a run, with its inputs where they are now.
func (r *repeat) scenario(m *run.Manifest) (s scenario.Scenario, err error) {
	if s, err = scenarioOf(r.dir, m); err != nil {
		return s, err
	}
	if s.Trace, err = r.trace(s.Trace, m.Trace.SHA256, false); err != nil {
		return s, err
	}
	if s.Bids, err = r.table(s.Bids, m.Bids); err != nil {
		return s, err
	}
	return s, r.scripts(m.Scripts)
}

// folderOf is the directory of results that a path names, by itself or by a manifest in it.
func folderOf(path string) string {
	if name := filepath.Base(path); name == run.ManifestFile || name == filepath.Base(sweep.PlanFile) {
		path = filepath.Dir(path)
	}
	if filepath.Base(path) == run.SweepFolder {
		path = filepath.Dir(path)
	}
	return path
}

// scenarioOf reads the scenario of a run, and says which file is wrong if it cannot.
func scenarioOf(dir string, m *run.Manifest) (scenario.Scenario, error) {
	s, err := scenario.Parse(m.Scenario)
	if err == nil {
		return s, nil
	}
	by := ""
	if m.Bourse != Version {
		by = fmt.Sprintf("; bourse %s wrote it, and this is %s", m.Bourse, Version)
	}
	// The fault is in the file, not in an option that was given.
	return s, fmt.Errorf("%s: %v%s", filepath.Join(dir, run.ManifestFile), err, by)
}

// replay repeats one run.
func (r *repeat) replay(m *run.Manifest) error {
	s, err := r.scenario(m)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.fresh, 0o777); err != nil {
		return err
	}
	x := replayFlags{Scenario: s, written: written{out: filepath.Join(r.fresh, "run"), format: m.Written.Format, segments: m.Written.Segments, series: m.Written.Series, causes: m.Written.Causes}}
	files := r.expected(x.out, m.Datasets, run.SummaryFile)
	x.swf, files = r.beside(m.Written.SWF, files)
	x.users, files = r.beside(m.Written.Users, files)
	if t := m.Written.Perfetto; t != nil {
		x.window, x.sample = t.Window, t.Sample
		x.perfetto, files = r.beside(&t.FileRef, files)
	}
	if err := x.run(r.silent()); err != nil && !errors.Is(err, errSkipped) {
		return err
	}
	return r.compare(files, "run", run.ManifestFile)
}

// sweep repeats a sweep, all of its cells.
func (r *repeat) sweep(plan *sweep.Plan) (err error) {
	if plan.Scenario.Bids, err = r.table(plan.Scenario.Bids, plan.Bids); err != nil {
		return err
	}
	if err := r.scripts(plan.Scripts); err != nil {
		return err
	}
	s := sweepFlags{Scenario: plan.Scenario, out: filepath.Join(r.fresh, "cells"), workers: runtime.NumCPU(), records: plan.Records, again: true}
	settings := sweep.Settings{Base: plan.Scenario, Records: plan.Records, Version: plan.Bourse}
	var inputs []sweep.Input
	for _, ref := range plan.Traces {
		spec, err := r.trace(ref.Spec, ref.SHA256, len(plan.Traces) > 1)
		if err != nil {
			return err
		}
		in, err := s.loadOne(r.a, spec, settings, plan.Axes)
		if err != nil {
			return err
		}
		in.Ref, in.Label = ref, ref.Name
		inputs = append(inputs, in)
	}
	if err := s.run(r.silent(), plan.Axes, inputs, settings, sweep.Whole); err != nil {
		return err
	}
	files, err := r.cells(plan, s.out)
	if err != nil {
		return err
	}
	return r.compare(files, "sweep", filepath.FromSlash(sweep.PlanFile))
}

// study repeats the reproduction of a paper.
func (r *repeat) study(m *papers.Manifest) error {
	if r.bids != "" {
		return usagef("--bids %s: a study has no table of bids", r.bids)
	}
	args := []string{"reproduce", m.Study, "--out", filepath.Join(r.fresh, "study")}
	pinned := 0
	for _, f := range m.Flags {
		if f.SHA256 != "" {
			pinned++
		}
	}
	for _, f := range m.Flags {
		if f.SHA256 != "" {
			var err error
			if f.Value, err = r.trace(f.Value, f.SHA256, pinned > 1); err != nil {
				return err
			}
		}
		args = append(args, "--"+f.Name+"="+f.Value)
	}
	if r.a.quiet {
		args = append(args, "--"+quietFlag)
	}
	if err := r.silent().dispatch(args); err != nil {
		return err
	}
	var files []run.Repeated
	for _, f := range m.Files {
		files = append(files, run.Repeated{Name: f.File, Was: filepath.Join(r.dir, f.File), Is: filepath.Join(args[3], f.File), SHA256: f.SHA256, Away: r.absent})
	}
	return r.compare(files, "study", run.ManifestFile, papers.PageFile)
}

// silent is the app without the results that the repetition prints; progress and
// warnings are shown.
func (r *repeat) silent() *app {
	return &app{ctx: r.a.ctx, stdin: strings.NewReader(""), stdout: io.Discard, data: io.Discard, stderr: r.a.stderr, line: r.a.line, quiet: r.a.quiet}
}
