package cli

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"

	"bourse/engine/scenario"
	"bourse/reports/ask/sweep"
	"bourse/reports/run"
	"bourse/reports/terminal"
	"bourse/traces"
	"bourse/traces/transform"
)

// sweepFlags are the flags of `bourse sweep`: the options of a scenario, lists where
// they are axes.
type sweepFlags struct {
	scenario.Scenario
	lists    map[string]*string // by axis
	seeds    string
	replicas int
	out      string
	shard    string
	workers  int
	records  bool
	tableFormat
	withLog bool // the log itself is replayed, too
	again   bool // by rerun, which says itself what became of it
}

func (s *sweepFlags) define(f *flags) {
	s.Scenario = scenario.Default()
	s.lists = map[string]*string{}
	var fixed []string
	for i := range scenario.Options {
		o := &scenario.Options[i]
		switch {
		case o.Name == sweep.Seed:
			f.StringVar(&s.seeds, "seeds", "1",
				"a number of seeds, 1 to N, or a list as in 3,5,8; of values, bids, and replicas by --resample and "+
					"--shake")
		default:
			axis, ok := sweep.Kind(o.Name)
			if !ok {
				fixed = append(fixed, o.Name)
				continue
			}
			line := o.Line
			if axis.Example != "" {
				line += "; a list, as in " + axis.Example
			}
			value := ""
			if !axis.Optional {
				value = o.Text(&s.Scenario)
			}
			s.lists[o.Name] = f.String(o.Name, value, line)
		}
	}
	f.IntVar(&s.replicas, "replicas", 0, "`N` replicas by --resample under seeds from 1 on, and the log itself as "+
		"seed 0; with --shake the log is shaken only")
	defineOptions(f, &s.Scenario, fixed...)
	f.StringVar(&s.out, "out", "", "directory of the dataset (needed)")
	f.BoolVar(&s.records, "records", false, "keep every cell's job records too")
	f.IntVar(&s.workers, "workers", runtime.NumCPU(), "replays at a time")
	f.StringVar(&s.shard, "shard", "",
		"run only part `i/n` of the cells (default: what a Slurm or Kubernetes job array says)")
	s.tableFormat.define(f)
}

func runSweep(a *app, f *flags) action {
	var s sweepFlags
	s.define(f)
	a.quietFlag(f)
	return func() error {
		if err := s.replicate(f); err != nil {
			return err
		}
		if s.out == "" {
			return usagef("a sweep is written into a directory; add --out DIR")
		}
		if *s.lists[sweep.Machines] != "" && f.Changed(sweep.Nodes) {
			return &scenario.ConflictError{One: sweep.Nodes, Other: sweep.Machines,
				Why: "both say what jobs run on; give one of them (nodes:N among the machines is the same)"}
		}
		shard, err := s.part()
		if err != nil {
			return err
		}
		axes, err := s.axes(f.Args())
		if err != nil {
			return &usageError{err}
		}
		settings := sweep.Settings{Base: s.Scenario, Records: s.records, Version: Version}
		if n := len(axes[slices.IndexFunc(axes,
			func(x sweep.Axis) bool { return x.Name == sweep.Seed })].Values); n > 1 && !settings.SeedsMatter(axes) {
			fmt.Fprintf(a.stderr, "bourse: note: seeds change nothing here: nothing random is drawn, and %d replays "+
				"of each will be alike; --replicas N makes replicas of the log\n", n)
		}
		inputs, err := s.load(a, f.Args(), settings, axes)
		if err != nil {
			return err
		}
		if err := s.run(a, axes, inputs, settings, shard); err != nil {
			return err
		}
		skipped := &traces.Ledger{}
		for _, in := range inputs {
			skipped.Dropped[traces.Malformed] += in.Jobs.Header().Ledger.Dropped[traces.Malformed]
		}
		return a.skipped(nil, skipped)
	}
}

// replicate spells --replicas out.
func (s *sweepFlags) replicate(f *flags) error {
	switch {
	case !f.Changed("replicas"):
		return nil
	case s.replicas < 2:
		return usagef("--replicas %d: want 2 or more, for there to be an interval", s.replicas)
	case f.Changed("seeds"):
		return usagef("--replicas is short for --seeds and --resample; leave one of them out")
	}
	s.seeds = strconv.Itoa(s.replicas)
	if s.Resample == "" && *s.lists[sweep.Shake] == "" {
		s.Resample = transform.Blocks
	}
	s.withLog = s.Resample != ""
	return nil
}

// run runs the shard's cells and, if it is the whole sweep, completes the
// dataset.
func (s *sweepFlags) run(a *app, axes []sweep.Axis, inputs []sweep.Input, settings sweep.Settings,
	shard sweep.Shard) error {
	dir, to, err := a.place(s.out)
	if err != nil {
		return err
	}
	line := a.cells()
	out, err := sweep.Run(a.ctx, dir, axes, inputs, settings, sweep.Options{Workers: s.workers, Shard: shard,
		Done: line.replayed, To: to})
	line.end()
	if err != nil {
		return err
	}
	a.notes(out.Unused.Lines())
	for _, failure := range out.Failures {
		fmt.Fprintln(a.stderr, "bourse: failed:", failure)
	}
	if !s.again {
		fmt.Fprintf(a.stderr, "%s: %s done, %s of them in an earlier run\n", s.out,
			terminal.Count(out.Cells, "replay", "replays"), terminal.Thousands(int64(out.Skipped)))
	}
	if n := len(out.Failures); n > 0 {
		return fmt.Errorf("%s failed; the others are in %s, and the same command tries the failed ones again",
			terminal.Count(n, "schedule", "schedules"), s.out)
	}
	if to != nil {
		if missing, err := sweep.Complete(a.ctx, dir, to); err != nil || missing > 0 || shard != sweep.Whole {
			return err
		}
	}
	if shard != sweep.Whole {
		return nil
	}
	if _, err = sweep.Merge(dir); err != nil || s.again {
		return err
	}
	q := question{answer: s.tableFormat}
	q.measure, err = run.FindMeasure(defaultMetric)
	return errors.Join(err, q.sweep(a, dir))
}

// part is the shard to run.
func (s *sweepFlags) part() (sweep.Shard, error) {
	shard, err := sweep.FromEnvironment(os.Getenv)
	if s.shard != "" {
		shard, err = sweep.ParseShard(s.shard)
	}
	if err != nil {
		return shard, &usageError{err}
	}
	return shard, nil
}

// axes reads the lists, in the order of sweep.Names.
func (s *sweepFlags) axes(specs []string) ([]sweep.Axis, error) {
	var axes []sweep.Axis
	for _, axis := range sweep.Kinds {
		name := axis.Name
		var values []string
		var err error
		if axis.Optional && *s.lists[name] == "" {
			continue
		}
		switch name {
		case sweep.Trace:
			for _, spec := range specs {
				values = append(values, sweep.Label(spec))
			}
		case sweep.Seed:
			if values, err = sweep.Seeds(s.seeds); err != nil {
				return nil, fmt.Errorf("--seeds %w", err)
			}
			if s.withLog {
				values = append([]string{strconv.Itoa(scenario.LogItself)}, values...)
			}
		default:
			if *s.lists[name] != "" { // else of the market, and not named
				values, err = sweep.Expand(*s.lists[name])
			}
		}
		if err != nil {
			return nil, fmt.Errorf("--%s %w", name, err)
		}
		axes = append(axes, sweep.Axis{Name: name, Values: values})
	}
	if err := sweep.Settle(axes, s.Market); err != nil {
		return nil, err
	}
	return axes, sweep.Check(axes)
}

// load reads each trace once into memory.
func (s *sweepFlags) load(a *app, specs []string, settings sweep.Settings, axes []sweep.Axis) ([]sweep.Input, error) {
	var inputs []sweep.Input
	for i, spec := range specs {
		// A cell is known by its trace's name: two of one name would be one.
		if j := slices.IndexFunc(specs[:i],
			func(other string) bool { return sweep.Label(other) == sweep.Label(spec) }); j >= 0 {
			return nil, usagef("%s and %s are both %q in the dataset; rename one, or sweep them into directories of "+
				"their own", specs[j], spec, sweep.Label(spec))
		}
		in, err := s.loadOne(a, spec, settings, axes)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

func (s *sweepFlags) loadOne(a *app, spec string, settings sweep.Settings, axes []sweep.Axis) (in sweep.Input,
	err error) {
	base := settings.Base
	base.Trace = spec
	err = a.reading(&base, nil, func(src traces.Source) (err error) {
		hash := run.HashFile(run.SourcePath(src))
		ref := sweep.TraceRef{TraceRef: run.TraceRef{Name: sweep.Label(spec)}, Spec: spec}
		if in, err = settings.Load(src, ref, axes); err == nil {
			in.Ref.SHA256, err = hash()
		}
		return err
	})
	return in, err
}

// merge completes the dataset of a sweep that was run in shards.
func merge(a *app, f *flags) action {
	return func() error {
		d, err := sweep.Merge(f.Arg(0))
		if err == nil {
			fmt.Fprintf(a.stderr, "%s: %s, none is missing\n", f.Arg(0), terminal.Count(len(d.Cells), "cell", "cells"))
		}
		return err
	}
}
