package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"bourse/reports/artifact"
	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/traces/files"
)

// bundling is a bundle on its way.
type bundling struct {
	*repeat
	artifact.Bundle
	box         string   // where it grows
	copy, asked bool     // traces are copied, or not, whatever their terms
	words       []string // of the command
	at          []string // the traces' specifications on this machine
	moved       []string // paths that differ in the bundle, each followed by the other
}

// makeBundle makes one folder of a finished run, sweep or study, to be handed over.
func makeBundle(a *app, args []string) error {
	b := &bundling{repeat: &repeat{a: a, hashes: map[string]string{}}}
	f := a.flags("bundle DIR", "bourse bundle out --out artifact\nsh artifact/verify.sh")
	out := f.String("out", "", "write folder `BOX` (default: DIR-bundle)")
	f.BoolVar(&b.copy, "copy-traces", false, "put the traces in, whatever their terms; with =false leave them out (default: those whose licence allows it)")
	b.define(f)
	f.StringVar(&b.Licence, "license", "", "publish the bundle under this licence, by its `SPDX` name, as in CC-BY-4.0")
	a.quietFlag(f)
	if err := a.parse(f, args, 1, 1, "bundle takes the directory of a finished run, sweep or study"); err != nil {
		return err
	}
	b.asked, b.dir = f.Changed("copy-traces"), folderOf(f.Arg(0))
	to := cmp.Or(*out, filepath.Clean(b.dir)+"-bundle")
	if _, err := os.Lstat(to); err == nil {
		return usagef("%s is there already; --out names another folder", to)
	}
	folder, err := files.NewFolder(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer func() { _ = folder.Remove() }()
	b.box = folder.Path
	for _, step := range []func() error{b.gather, b.describe, b.measure, func() error { return b.Write(b.box) }} {
		if err := step(); errors.Is(err, syscall.ENOSPC) {
			return fmt.Errorf("there is no room left for %s; make some, or name a folder on another disk with --out", to)
		} else if err != nil {
			return err
		}
	}
	if err := folder.Publish(to); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s: %d files, %.1f MB; repeated from it with the same bytes in %s\n", to, len(b.Files), float64(b.Size())/1e6, b.Took())
	for _, t := range b.Traces {
		if t.SHA256 != "" {
			fmt.Fprintf(a.stdout, "%s is %s\n", t.Spec, map[bool]string{true: "in it: " + t.Why, false: "not in it: " + t.Why + "; --copy-traces puts it in"}[t.Copied])
		}
	}
	_, err = fmt.Fprintf(a.stdout, "next: fill in what ARTIFACT.md leaves to the authors; sh %s verifies\n", filepath.Join(to, "verify.sh"))
	return err
}

// describe says what program this is, when the work was done, and what came out.
func (b *bundling) describe() (err error) {
	info, _ := debug.ReadBuildInfo()
	b.Version, b.Program = Version, "bourse "+Version+built(info)
	if b.Date, err = b.date(); err != nil {
		return err
	}
	var text bytes.Buffer
	switch expected := filepath.Join(b.box, artifact.Expected); b.Kind {
	case "replay":
		summary, err := run.ReadSummary(filepath.Join(expected, run.SummaryFile))
		if err != nil {
			return err
		}
		err = table.Print(&text, summary.Report(0))
		b.Results = text.String()
		return err
	case "sweep":
		quiet := b.silent()
		quiet.stdout, quiet.data, quiet.raw, quiet.quiet = &text, &text, &text, true
		err = compareRuns(quiet, []string{expected})
	}
	b.Results = text.String()
	return err
}

// date is the day of publication: that of SOURCE_DATE_EPOCH, or else the day on which the
// manifest was written, so that the same folder gives the same bundle on any day.
func (b *bundling) date() (string, error) {
	at := time.Time{}
	for _, name := range []string{run.ManifestFile, run.PlanFile} {
		if st, err := os.Stat(filepath.Join(b.dir, name)); err == nil {
			at = st.ModTime()
		}
	}
	if text := os.Getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return "", fmt.Errorf("SOURCE_DATE_EPOCH is %q; want seconds since 1970, or leave it unset", text)
		}
		at = time.Unix(seconds, 0)
	}
	return at.UTC().Format(time.DateOnly), nil
}

// self is the program.
var self = os.Executable

// measure repeats the work in the box, as verify.sh does, and says what that took.
func (b *bundling) measure() error {
	path, err := self()
	if err != nil {
		return err
	}
	again := filepath.Join(b.box, ".again")
	args := []string{"rerun", "../expected", "--hashes", "--out", "../.again", "--quiet=" + strconv.FormatBool(b.a.quiet)}
	for i, t := range b.Traces {
		if t.SHA256 != "" && !t.Copied {
			args = append(args, "--trace", b.at[i])
		}
	}
	var said bytes.Buffer
	c := exec.CommandContext(b.a.ctx, path, args...)
	c.Dir, c.Stdout, c.Stderr = filepath.Join(b.box, artifact.Inputs), &said, b.a.line
	began := time.Now()
	err = c.Run()
	if cause := b.a.ctx.Err(); cause != nil {
		return cause
	}
	if errors.As(err, new(*exec.ExitError)) {
		fmt.Fprint(b.a.stdout, said.String())
		return fmt.Errorf("%s cannot be repeated from a bundle, so none is made; see above what is wrong; if results name files by paths of this machine, make them anew with other names", b.dir)
	}
	if err != nil {
		return err
	}
	b.Seconds, b.Machine = time.Since(began).Seconds(), fmt.Sprintf("%d cores, %s/%s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	if runtime.GOOS == "linux" { // elsewhere it has other units, or none
		b.Memory = reflect.ValueOf(c.ProcessState.SysUsage()).Elem().FieldByName("Maxrss").Int() << 10
	}
	list, err := artifact.List(again)
	b.Bytes = artifact.Size(list)
	return errors.Join(err, os.RemoveAll(again))
}
