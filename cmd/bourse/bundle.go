package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"bourse/reports/run"
	"bourse/reports/studies/bundle"
	"bourse/traces/files"
)

// bundling is a bundle on its way.
type bundling struct {
	*repeat
	bundle.Bundle
	box   string   // where it grows
	at    []string // the traces' specifications on this machine
	copy  bool     // traces, whatever their terms
	never bool     // nor any
}

// makeBundle makes one folder of a finished run, sweep or study, to be handed over.
func makeBundle(a *app, args []string) error {
	b := &bundling{repeat: &repeat{a: a, hashes: map[string]string{}}}
	f := a.flags("bundle DIR", "bourse bundle out --out artifact\nsh artifact/verify.sh")
	out := f.String("out", "", "write folder `BOX` (default: DIR-bundle)")
	f.BoolVar(&b.copy, "copy-traces", false, "put the traces in, whatever their terms; with =false leave them out (default: those whose licence allows it)")
	f.StringArrayVar(&b.traces, "trace", nil, "the trace's `PATH` here; once for each trace of a sweep or study (default: where it was)")
	f.StringVar(&b.bids, "bids", "", "the table of bids' `FILE` here (default: where it was)")
	f.StringVar(&b.Licence, "license", "", "publish the bundle under this licence, by its `SPDX` name, as in CC-BY-4.0")
	a.quietFlag(f)
	if err := a.parse(f, args, 1, 1, "bundle takes the directory of a finished run, sweep or study"); err != nil {
		return err
	}
	b.never = f.Changed("copy-traces") && !b.copy
	b.dir = folderOf(f.Arg(0))
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
	if err := b.fill(); err != nil {
		return err
	}
	if err := folder.Publish(to); err != nil {
		return err
	}
	return b.tell(to)
}

// fill puts everything into the box, and repeats the work in it.
func (b *bundling) fill() error {
	for _, name := range []string{bundle.Inputs, bundle.Expected} {
		if err := os.Mkdir(filepath.Join(b.box, name), 0o777); err != nil {
			return err
		}
	}
	if err := b.gather(); err != nil {
		return err
	}
	if err := b.describe(); err != nil {
		return err
	}
	if err := b.measure(); err != nil {
		return err
	}
	return b.Write(b.box)
}

// describe says what program this is, when the work was done, and what came out.
func (b *bundling) describe() (err error) {
	info, _ := debug.ReadBuildInfo()
	b.Version, b.Program = Version, "bourse "+Version+built(info)
	if b.Date, err = b.date(); err != nil {
		return err
	}
	var text bytes.Buffer
	expected := filepath.Join(b.box, bundle.Expected)
	switch b.Kind {
	case "replay":
		summary, err := run.ReadSummary(filepath.Join(expected, run.SummaryFile))
		if err == nil {
			err = run.WriteSummary(&text, summary, 0)
		}
		if err != nil {
			return err
		}
	case "sweep":
		quiet := &app{ctx: b.a.ctx, stdin: strings.NewReader(""), stdout: &text, data: &text, stderr: io.Discard, line: io.Discard, quiet: true}
		if err := compareRuns(quiet, []string{expected}); err != nil {
			return err
		}
	default:
		return nil
	}
	b.Results = text.String()
	return nil
}

// date is the day of publication: that of SOURCE_DATE_EPOCH, or else the day on which the
// manifest was written, so that the same folder gives the same bundle on any day.
func (b *bundling) date() (string, error) {
	at := time.Time{}
	if text := os.Getenv("SOURCE_DATE_EPOCH"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return "", fmt.Errorf("SOURCE_DATE_EPOCH is %q; want seconds since 1970, or leave it unset", text)
		}
		at = time.Unix(seconds, 0)
	} else {
		for _, name := range []string{run.ManifestFile, run.PlanFile} {
			if st, err := os.Stat(filepath.Join(b.dir, filepath.FromSlash(name))); err == nil {
				at = st.ModTime()
			}
		}
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
	args := []string{"rerun", filepath.Join("..", bundle.Expected), "--hashes", "--out", filepath.Join("..", ".again")}
	for i := range b.Traces {
		if t := &b.Traces[i]; t.Read() && !t.Copied {
			args = append(args, "--trace", b.at[i])
		}
	}
	if b.a.quiet {
		args = append(args, "-q")
	}
	var said bytes.Buffer
	c := exec.CommandContext(b.a.ctx, path, args...)
	c.Dir, c.Stdout, c.Stderr = filepath.Join(b.box, bundle.Inputs), &said, b.a.line
	began := time.Now()
	err = c.Run()
	b.Seconds = time.Since(began).Seconds()
	if cause := b.a.ctx.Err(); cause != nil {
		return cause
	}
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		fmt.Fprint(b.a.stdout, said.String())
		return fmt.Errorf("%s cannot be repeated from the bundle, so none is made; see above what is wrong", b.dir)
	}
	if err != nil {
		return err
	}
	b.Memory, b.Cores, b.System = peakMemory(c.ProcessState), runtime.NumCPU(), runtime.GOOS+"/"+runtime.GOARCH
	if b.Bytes, err = bundle.Size(again); err != nil {
		return err
	}
	return os.RemoveAll(again)
}

// tell says what was made.
func (b *bundling) tell(to string) error {
	var size int64
	list, err := bundle.Files(to)
	for _, f := range list {
		size += f.Bytes
	}
	fmt.Fprintf(b.a.stdout, "%s: %d files, %.1f MB; repeated from it with the same bytes in %s\n", to, len(list), float64(size)/1e6, b.Took())
	for _, t := range b.Traces {
		if t.Read() {
			in, then := "in it", ""
			if !t.Copied {
				in, then = "not in it", "; --copy-traces puts it in"
			}
			fmt.Fprintf(b.a.stdout, "%s is %s: %s%s\n", t.Spec, in, t.Why, then)
		}
	}
	fmt.Fprintf(b.a.stdout, "next: fill in what ARTIFACT.md leaves to the authors; sh %s verifies\n", filepath.Join(to, "verify.sh"))
	return err
}

// result copies a result of DIR, or notes it where it is too large.
func (b *bundling) result(name, sum string) error {
	from := filepath.Join(b.dir, name)
	st, err := os.Stat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist) && sum != "":
		b.Left = append(b.Left, run.FileRef{File: name, SHA256: sum})
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is missing; make %s anew", from, b.dir)
	case err != nil:
		return err
	case st.Size() > bundle.Limit && sum != "":
		b.Left = append(b.Left, run.FileRef{File: name, SHA256: sum})
		return nil
	}
	return bundle.Copy(from, filepath.Join(b.box, bundle.Expected, name))
}
