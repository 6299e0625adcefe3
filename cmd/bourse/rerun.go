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

	"bourse/engine/scenario"
	"bourse/reports/run"
	"bourse/reports/studies"
	"bourse/reports/studies/sweep"
	"bourse/reports/terminal"
)

// repeat is a finished piece of work that is done once more, into a folder of its own.
type repeat struct {
	a      *app
	dir    string   // of what is repeated; files that are not there are known by their hashes
	traces []string // as --trace names them
	fresh  string   // the folder of the repetition
	quiet  bool
}

// rerun repeats a finished run, sweep or study from its manifest and says "same bytes"
// or what differs.
func rerun(a *app, args []string) (err error) {
	f := a.flags("rerun DIR|manifest.json", "bourse rerun out\nbourse rerun cells --trace /data/log.swf.gz")
	r := &repeat{a: a}
	f.StringArrayVar(&r.traces, "trace", nil, "the trace's `PATH` here; once for each trace of a sweep (default: where it was)")
	keep := f.String("out", "", "keep the files of the repetition in directory `DIR`")
	f.BoolVarP(&r.quiet, quietFlag, "q", false, quietHelp)
	if err := parse(f, args, 1, 1, "rerun takes the directory of a finished run, sweep or study, or its manifest"); err != nil {
		return err
	}
	if r.dir = f.Arg(0); filepath.Base(r.dir) == run.ManifestFile || filepath.Base(r.dir) == sweep.PlanFile {
		r.dir = filepath.Dir(r.dir)
	}
	if r.fresh = *keep; r.fresh == "" {
		if r.fresh, err = os.MkdirTemp("", "bourse-rerun-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(r.fresh)) }()
	} else if err := vacant(r.fresh, false); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(r.dir, sweep.PlanFile)); err == nil {
		return r.sweep()
	}
	path := filepath.Join(r.dir, run.ManifestFile)
	m, err := studies.ReadManifest(path)
	switch {
	case err != nil:
		return err
	case m != nil:
		return r.study(m)
	}
	old, err := run.ReadManifest(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s holds no manifest: it is not a finished run, sweep or study", r.dir)
	}
	if err != nil {
		return err
	}
	return r.replay(old)
}

// replay repeats one run.
func (r *repeat) replay(m *run.Manifest) error {
	s, err := scenario.Parse(m.Scenario)
	if err != nil {
		return fmt.Errorf("%s: %w; a program of version %s reads it", filepath.Join(r.dir, run.ManifestFile), err, m.Bourse)
	}
	if s.Trace, err = r.trace(s.Trace, m.Trace); err != nil {
		return err
	}
	x := replayFlags{Scenario: s, quiet: r.quiet, written: written{out: filepath.Join(r.fresh, "run"), format: m.Written.Format, segments: m.Written.Segments, series: m.Written.Series}}
	if err := x.run(r.silent()); err != nil && !errors.Is(err, errSkipped) {
		return err
	}
	files := map[string]string{}
	for _, d := range m.Datasets {
		files[d.File] = d.SHA256
	}
	files[run.SummaryFile] = ""
	return r.compare(x.out, files)
}

// sweep repeats a sweep, all of its cells.
func (r *repeat) sweep() error {
	plan, err := sweep.ReadPlan(r.dir)
	if err != nil {
		return err
	}
	s := sweepFlags{Scenario: plan.Scenario, out: filepath.Join(r.fresh, "cells"), workers: runtime.NumCPU(), records: plan.Records, quiet: r.quiet}
	settings := sweep.Settings{Base: plan.Scenario, Records: plan.Records, Version: plan.Bourse}
	var inputs []sweep.Input
	for _, ref := range plan.Traces {
		spec, err := r.trace(ref.Spec, ref.TraceRef)
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
	files := map[string]string{}
	err = filepath.WalkDir(s.out, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != sweep.PlanFile && d.Name() != run.ManifestFile {
			name, _ := filepath.Rel(s.out, path)
			files[name] = ""
		}
		return err
	})
	if err != nil {
		return err
	}
	return r.compare(s.out, files)
}

// study repeats the reproduction of a paper.
func (r *repeat) study(m *studies.Manifest) error {
	args := []string{"reproduce", m.Study, "--out", filepath.Join(r.fresh, "study")}
	for _, f := range m.Flags {
		if f.SHA256 != "" {
			var err error
			if f.Value, err = r.trace(f.Value, run.TraceRef{Name: f.Value, SHA256: f.SHA256}); err != nil {
				return err
			}
		}
		args = append(args, "--"+f.Name+"="+f.Value)
	}
	if err := r.silent().dispatch(args); err != nil {
		return err
	}
	files := map[string]string{}
	for _, f := range m.Files {
		files[f.File] = f.SHA256
	}
	return r.compare(args[3], files)
}

// silent is the app without what it prints of the repetition.
func (r *repeat) silent() *app {
	return &app{ctx: r.a.ctx, stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard}
}

// trace finds a trace: as --trace says, by its name if there are several, else where it
// was. Its bytes have to be the same.
func (r *repeat) trace(spec string, ref run.TraceRef) (string, error) {
	for _, given := range r.traces {
		if len(r.traces) == 1 || traceLabel(given) == traceLabel(spec) {
			spec = given
		}
	}
	if spec == "-" {
		return "", errors.New("the run read its trace from standard input; --trace PATH says where that is now")
	}
	if ref.SHA256 == "" {
		return spec, nil
	}
	path := spec
	if _, err := os.Stat(path); err != nil {
		if _, rest, ok := strings.Cut(spec, ":"); ok {
			path = rest
		}
		path, _, _ = strings.Cut(path, "?")
	}
	sum, err := run.HashFile(path)()
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s does not exist; --trace PATH says where the trace is now", path)
	}
	if err != nil {
		return "", err
	}
	if sum != ref.SHA256 {
		return "", fmt.Errorf("%s is not the trace of that run: its SHA-256 is %.12s..., and was %.12s...; --trace PATH names another file", path, sum, ref.SHA256)
	}
	return spec, nil
}

// errDiffers ends a rerun that did not give the same bytes.
var errDiffers = errors.New("the repetition differs")

// compare says whether the files of the second time are those of the first. files maps
// their names to hashes, empty where a manifest does not tell.
func (r *repeat) compare(fresh string, files map[string]string) error {
	same, differing, err := run.Repeated(r.a.stdout, r.dir, fresh, files)
	switch {
	case err != nil:
		return err
	case differing > 0:
		return fmt.Errorf("%d of %d files: %w", differing, same+differing, errDiffers)
	case same == 0:
		return fmt.Errorf("%s has no files to compare", r.dir)
	}
	_, err = fmt.Fprintf(r.a.stdout, "same bytes: %s\n", terminal.Count(same, "file", "files"))
	return err
}
