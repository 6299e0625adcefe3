package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"bourse/engine/scenario"
	"bourse/reports/ask/calibrate"
	"bourse/reports/inspect"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/files"
	"bourse/traces/formats"
	"bourse/traces/google/model"
	"bourse/traces/swf"
	"bourse/traces/transform"
)

// traceInspect prints what a trace holds and what is odd about it.
func traceInspect(a *app, f *flags) action {
	s, answer := scenario.Default(), tableFormat{}
	answer.define(f)
	why := f.Bool("why", false, "also say why the jobs waited, from the recorded schedule")
	other := f.String("compare", "", "compare the trace with `TRACE`: quantiles, shares and their differences")
	defineOptions(f, &s, slices.Concat(readingOptions, []string{"machines", "time-zone"})...)
	f.check(func() error {
		if *why && (*other != "" || f.Arg(0) == "-") {
			return usagef("--why is about one trace, which is read twice; leave out --compare, and name a file")
		}
		return nil
	})
	return func() (err error) {
		s.Trace = f.Arg(0)
		if *other != "" {
			return compareTraces(a, s, *other, &answer)
		}
		var waited *calibrate.Waiting
		if *why {
			if waited, err = whyWaited(a, s); err != nil {
				return err
			}
		}
		return a.reading(&s, nil, func(src traces.Source) error {
			against, err := machinesOf(&s, src)
			if err != nil {
				return err
			}
			found, err := inspect.Inspect(interruptible{src, a})
			if err == nil {
				found.Against = against
				report := found.Report()
				if waited != nil {
					report.Tables, report.Answers = append(report.Tables, waited.Tables()...), append(report.Answers, waited.Answer())
				}
				err = answer.print(a, report)
			}
			return a.skipped(err, src.Header().Ledger)
		})
	}
}

// whyWaited says why the jobs of a trace waited.
func whyWaited(a *app, s scenario.Scenario) (*calibrate.Waiting, error) {
	jobs, err := a.load(&s, "easy")
	if err != nil {
		return nil, err
	}
	return calibrate.Why(jobs)
}

// machinesOf is what --machines says there is of each resource.
func machinesOf(s *scenario.Scenario, src traces.Source) (m inspect.Machines, err error) {
	if s.Machines == "" {
		return m, nil
	}
	h, err := s.On(src)
	if err != nil {
		return m, err
	}
	total := h.Total()
	for r := range m.Total {
		m.Total[r] = total.At(r)
	}
	m.Models = h.GPUs()
	return m, nil
}

// compareTraces prints a trace and another side by side.
func compareTraces(a *app, s scenario.Scenario, other string, answer *tableFormat) error {
	var both []*inspect.Profile
	for _, s.Trace = range []string{s.Trace, other} {
		err := a.reading(&s, nil, func(src traces.Source) error {
			p, err := inspect.Profiled(interruptible{src, a})
			both = append(both, p)
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := answer.print(a, both[0].Compare(both[1])); err != nil {
		return err
	}
	return cmp.Or(a.skipped(nil, both[0].Header.Ledger), a.skipped(nil, both[1].Header.Ledger))
}

// traceConvert writes any trace as workload Parquet or SWF, filtered if the
// user likes, but not serialised: pieces of a job are made when it is replayed.
func traceConvert(a *app, f *flags) action {
	s := scenario.Default()
	defineOptions(f, &s, slices.Concat(windowOptions, replicaOptions, readingOptions)...)
	return func() error {
		write, err := formats.Writer(f.Arg(1))
		if err != nil {
			return &usageError{err}
		}
		s.Trace = f.Arg(0)
		return a.reading(&s, nil, func(src traces.Source) error {
			if err := checkNotTrace(src, f.Arg(1)); err != nil {
				return err
			}
			how, err := s.Transform(scenario.Hardware{}, false)
			if err != nil {
				return err
			}
			if src, err = transform.Apply(src, how); err != nil {
				return &usageError{err}
			}
			return a.skipped(convert(a, f.Arg(1), src, write), src.Header().Ledger)
		})
	}
}

// convert writes a trace and says what of it is not in the file.
func convert(a *app, path string, src traces.Source, write func(io.Writer, traces.Source) (int64, error)) error {
	out := &swf.Beyond{Wrapped: traces.Wrapped{Inner: src}}
	if err := writeTrace(a, path, out, write); err != nil {
		return err
	}
	var lines []string
	l := src.Header().Ledger
	if n := l.DroppedTotal(); n > 0 {
		lines = append(lines, fmt.Sprintf("%s of %s records are left out: %s", terminal.Thousands(n),
			terminal.Thousands(l.Read), l.DroppedText()))
	}
	var lost []traces.Note
	if u, ok := traces.As[traces.Unkept](src); ok {
		lost = u.Unkept()
	}
	if formats.IsSWF(path) {
		lost = append(lost, out.Notes()...)
	}
	for _, n := range lost {
		lines = append(lines, fmt.Sprintf("not kept: %s, of %s", n.What, terminal.Count(int(n.Count), "record", "records")))
	}
	for _, n := range l.Notes() {
		lines = append(lines, fmt.Sprintf("%s (%s)", n.What, terminal.Thousands(n.Count)))
	}
	a.notes(lines)
	return nil
}

// traceSynth writes a synthetic workload as SWF, to a file or standard output, or
// a synthetic Google trace to a folder.
func traceSynth(a *app, f *flags) action {
	return func() (err error) {
		if model, query, _ := strings.Cut(strings.TrimPrefix(f.Arg(0), "synth:"), "?"); model == "google2011" {
			return synthGoogle(a, query, f.Arg(1))
		}
		src, err := formats.Open("synth:"+strings.TrimPrefix(f.Arg(0), "synth:"), traces.Options{})
		if err != nil {
			return &usageError{err}
		}
		defer func() { err = errors.Join(err, traces.Close(src)) }()
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
		terminal.Thousands(n.Tasks), terminal.Thousands(n.TaskRows), terminal.Thousands(n.JobRows),
		terminal.Thousands(n.MachineRows), n.Parts)
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
