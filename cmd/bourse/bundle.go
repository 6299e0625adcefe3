package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"

	"bourse/reports/artifact"
	"bourse/traces/files"
)

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
