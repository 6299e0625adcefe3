package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/files"
	"bourse/traces/formats"
	"bourse/traces/google/model"
	"bourse/traces/swf"
)

// traceSynth writes a synthetic workload as SWF, to a file or standard output, or
// a synthetic Google trace to a folder.
func traceSynth(a *app, args []string) (err error) {
	f := a.flags("trace synth MODEL [FILE]", "bourse trace synth 'lublin?jobs=10000&procs=128&seed=1' log.swf.gz\nbourse trace synth 'google2011?machines=12500&days=29&tasks=25e6&seed=1' DIR")
	if err := parse(f, args, 1, 2, "trace synth takes a model and, if not to standard output, a file"); err != nil {
		return err
	}
	if model, query, _ := strings.Cut(strings.TrimPrefix(f.Arg(0), "synth:"), "?"); model == "google2011" {
		return synthGoogle(a, query, f.Arg(1))
	}
	src, err := formats.Open("synth:"+strings.TrimPrefix(f.Arg(0), "synth:"), traces.Options{})
	if err != nil {
		return &usageError{err}
	}
	defer func() { closing(src, &err) }()
	if f.NArg() == 1 {
		_, err := swf.Write(a.data, interruptible{src, a})
		return err
	}
	write, err := formats.Writer(f.Arg(1))
	if err != nil {
		return &usageError{err}
	}
	return writeTrace(a, f.Arg(1), src, write)
}

// synthGoogle writes a Google trace into a new folder.
func synthGoogle(a *app, query, dir string) error {
	o, err := model.Parse(query)
	if err != nil {
		return &usageError{fmt.Errorf("synth:google2011: %w", err)}
	}
	if dir == "" {
		return usagef("trace synth google2011 writes a folder of tables; name one after the model")
	}
	o.Workers, o.Stop = runtime.GOMAXPROCS(0), a.ctx.Err
	n, err := model.WriteNew(dir, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stderr, "%s: %s tasks in %s task events, %s job events, %s machine events, %d parts\n", dir,
		terminal.Thousands(n.Tasks), terminal.Thousands(n.TaskRows), terminal.Thousands(n.JobRows), terminal.Thousands(n.MachineRows), n.Parts)
	return nil
}

// writeTrace writes a whole trace under its final name only when complete, and
// says how many jobs it holds.
func writeTrace(a *app, path string, src traces.Source, write func(io.Writer, traces.Source) (int64, error)) error {
	var n int64
	err := files.Write(path, func(w io.Writer) error {
		var err error
		n, err = write(w, interruptible{src, a})
		return err
	})
	if err == nil {
		fmt.Fprintf(a.stderr, "%s: %s jobs\n", path, terminal.Thousands(n))
	}
	return err
}

// interruptible ends a stream when the command is interrupted.
type interruptible struct {
	traces.Source
	a *app
}

// Next looks at the context before every job; a look is a lock-free load.
func (s interruptible) Next(j *traces.Job) error {
	if err := s.a.ctx.Err(); err != nil {
		return err
	}
	return s.Source.Next(j)
}

// Unwrap keeps optional interfaces reachable.
func (s interruptible) Unwrap() traces.Source { return s.Source }
