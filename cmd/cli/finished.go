package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"bourse/engine/scenario"
	"bourse/reports/artifact"
	"bourse/reports/ask/replay"
	"bourse/reports/ask/sweep"
	"bourse/reports/run"
	"bourse/traces/files"
)

// defineFinder defines the flags that say where inputs of finished work are now.
func defineFinder(f *flags, w *artifact.Finder) {
	f.StringArrayVar(&w.Traces, "trace", nil,
		"the trace's `PATH` here; once for each trace of a sweep or study (default: where it was)")
	f.StringVar(&w.Bids, "bids", "", "the table of bids' `FILE` here (default: where it was)")
}

// programsFlag defines the flag by which a folder that may be another person's starts programs.
func (f *flags) programsFlag() *bool {
	return f.Bool("programs", false, "start the programs that the manifest names as policies (exec:), with your rights")
}

// openFinished reads finished work, and says which programs it starts if it may.
func (a *app) openFinished(dir string, programs bool) (artifact.Finished, error) {
	work, err := artifact.Open(dir, Version, programs)
	if err != nil {
		return nil, err
	}
	for _, p := range artifact.Programs(work) {
		fmt.Fprintf(a.stderr, "starts the program of policy %s\n", p)
	}
	return work, nil
}

// find finds the inputs of finished work.
func find(w *artifact.Finder, f artifact.Finished) ([]string, error) {
	inputs := f.Inputs()
	bids := slices.ContainsFunc(inputs, func(in artifact.Input) bool { return in.Role == artifact.BidsInput })
	switch {
	case w.Bids != "" && f.Kind() == "study":
		return nil, usagef("--bids %s: a study has no table of bids", w.Bids)
	case w.Bids != "" && !bids:
		return nil, usagef("--bids %s: there was no table of bids", w.Bids)
	}
	return w.Find(inputs)
}

// rerun repeats a finished replay, sweep or study and compares the results.
func rerun(a *app, f *flags) action {
	var where artifact.Finder
	var how artifact.Comparison
	defineFinder(f, &where)
	programs := f.programsFlag()
	f.BoolVar(&how.Absent, "hashes", false, "let files that are not there count by their hashes in the manifest")
	f.Float64Var(&how.Tolerance, "tolerance", 0,
		"let figures of tables and JSON differ by this `PART` of the larger one, as in 1e-9 (0: the same bytes)")
	out := f.String("out", "", "keep the files of the repetition in directory `DIR`")
	a.quietFlag(f)
	return func() error {
		if !(how.Tolerance >= 0 && how.Tolerance < 1) {
			return usagef("--tolerance %g: want 0 or more, and less than 1", how.Tolerance)
		}
		if err := vacant(*out); err != nil {
			return err
		}
		work, err := a.openFinished(artifact.Folder(f.Arg(0)), *programs)
		if err != nil {
			return err
		}
		at, err := find(&where, work)
		if err != nil {
			return err
		}
		return a.repeat(&how, work, at, *out)
	}
}

// repeat repeats finished work in a folder that is gone afterwards, or is the new folder out.
func (a *app) repeat(how *artifact.Comparison, work artifact.Finished, at []string, out string) error {
	parent := os.TempDir()
	if out != "" {
		parent = filepath.Dir(filepath.Clean(out))
	}
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	fresh, err := files.NewFolder(parent)
	if err != nil {
		return err
	}
	defer func() { _ = fresh.Remove() }()
	if err = how.Repeat(a.stdout, work, a.program(), at, fresh.Path); out == "" {
		return err
	}
	if err == nil || errors.Is(err, artifact.ErrDiffers) {
		_ = os.Remove(out) // it is empty, if it is there
		err = cmp.Or(fresh.Publish(out), err)
	}
	return err
}

// program repeats what commands do. Progress and warnings are shown, and what is printed is not.
func (a *app) program() *artifact.Program {
	silent := *a
	silent.stdin, silent.stdout, silent.data, silent.raw = strings.NewReader(""), io.Discard, io.Discard, io.Discard
	return &artifact.Program{Version: Version, Replay: silent.replayAgain, Sweep: silent.sweepAgain,
		Study: silent.studyAgain, Table: a.sweepTable}
}

func (a *app) replayAgain(s scenario.Scenario, w run.Written, dir string) error {
	r := replayFlags{Scenario: s, Options: replay.Options{Out: dir, Format: w.Format, Segments: w.Segments,
		Series: w.Series, Causes: w.Causes}}
	if w.SWF != nil {
		r.SWF = w.SWF.File
	}
	if w.Users != nil {
		r.Users = w.Users.File
	}
	if t := w.Perfetto; t != nil {
		r.Timeline = replay.Timeline{Perfetto: t.File, Window: t.Window, Sample: t.Sample}
	}
	if err := r.run(a); !errors.Is(err, errSkipped) {
		return err
	}
	return nil
}

func (a *app) sweepAgain(plan *sweep.Plan, at []string, dir string) error {
	s := sweepFlags{Scenario: plan.Scenario, out: dir, workers: runtime.NumCPU(), records: plan.Records, again: true}
	settings := sweep.Settings{Base: plan.Scenario, Records: plan.Records, Version: plan.Bourse}
	var inputs []sweep.Input
	for i, ref := range plan.Traces {
		in, err := s.loadOne(a, at[i], settings, plan.Axes)
		if err != nil {
			return err
		}
		in.Ref, in.Label = ref, ref.Name
		inputs = append(inputs, in)
	}
	return s.run(a, plan.Axes, inputs, settings, sweep.Whole)
}

func (a *app) studyAgain(words []string) error {
	if a.quiet {
		words = append(words, "--"+quietFlag)
	}
	return a.dispatch(words)
}

func (a *app) sweepTable(dir string) (string, error) {
	var text strings.Builder
	b := *a
	b.stdin, b.stdout, b.data, b.raw, b.quiet = strings.NewReader(""), &text, &text, &text, true
	err := b.dispatch([]string{"compare", dir})
	return text.String(), err
}

// self is the path of the program.
var self = os.Executable

// makeBundle makes one folder of a finished replay, sweep or study, to be handed over.
func makeBundle(a *app, f *flags) action {
	var b artifact.Bundle
	var where artifact.Finder
	out := f.String("out", "", "write folder `BOX` (default: DIR-bundle)")
	copied := f.Bool("copy-traces", false,
		"put the traces in, whatever their terms; with =false leave them out (default: those whose licence allows it)")
	inputs := f.Bool("copy-inputs", false, "put in scripts and tables that are named by paths outside of this folder, too")
	defineFinder(f, &where)
	programs := f.programsFlag()
	f.StringVar(&b.Licence, "license", "", "publish the bundle under this licence, by its `SPDX` name, as in CC-BY-4.0")
	a.quietFlag(f)
	return func() error {
		if !f.Changed("copy-traces") {
			copied = nil
		}
		dir := artifact.Folder(f.Arg(0))
		to := cmp.Or(*out, filepath.Clean(dir)+"-bundle")
		if _, err := os.Lstat(to); err == nil {
			return usagef("%s is there already; --out names another folder", to)
		}
		work, err := a.openFinished(dir, *programs)
		if err != nil {
			return err
		}
		at, err := find(&where, work)
		if err != nil {
			return err
		}
		folder, err := files.NewFolder(filepath.Dir(to))
		if err != nil {
			return err
		}
		defer func() { _ = folder.Remove() }()
		path, err := self()
		if err != nil {
			return err
		}
		info, _ := debug.ReadBuildInfo()
		b.Program = "bourse " + Version + built(info)
		err = b.Make(a.ctx, folder.Path, work, artifact.Making{
			Program: a.program(), At: at, Copied: copied, Outside: *inputs, Self: path, Quiet: a.quiet, Differences: a.stdout,
			Talk: a.line,
		})
		if errors.Is(err, syscall.ENOSPC) {
			return fmt.Errorf("there is no room left for %s; make some, or name a folder on another disk with --out",
				to)
		}
		if err == nil {
			err = folder.Publish(to)
		}
		if err != nil {
			return err
		}
		return describeBundle(a, &b, to)
	}
}

// describeBundle says what is in a bundle and what is left to do.
func describeBundle(a *app, b *artifact.Bundle, to string) error {
	fmt.Fprintf(a.stdout, "%s: %d files, %.1f MB; repeated from it with the same bytes in %s\n",
		to, len(b.Files), float64(b.Size())/1e6, b.Took())
	for _, t := range b.Traces {
		switch {
		case t.Copied:
			fmt.Fprintf(a.stdout, "%s is in it: %s\n", t.Spec, t.Why)
		case t.SHA256 != "":
			fmt.Fprintf(a.stdout, "%s is not in it: %s; --copy-traces puts it in\n", t.Spec, t.Why)
		}
	}
	_, err := fmt.Fprintf(a.stdout, "next: fill in what ARTIFACT.md leaves to the authors; sh %s verifies\n",
		filepath.Join(to, "verify.sh"))
	return err
}
