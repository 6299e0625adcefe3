package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"bourse/events"
	"bourse/policies/catalog"
	"bourse/reports/run"
	"bourse/reports/studies/sweep"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/transform"
)

// sweepFlags are the flags of `bourse sweep`: lists where replay takes one.
type sweepFlags struct {
	lists     map[string]*string // by axis
	seeds     string
	replicas  int
	migration float64
	resubmit  bool
	feedback  bool
	trace     traceFlags
	out       string
	shard     string
	workers   int
	records   bool
	quiet     bool
}

func (s *sweepFlags) define(f *pflag.FlagSet) {
	list := func(axis, value, usage string) {
		s.lists[axis] = f.String(axis, value, usage)
	}
	s.lists = map[string]*string{}
	list(sweep.Policy, catalog.Defaults.Policy, "policies, as in hb,nphb")
	list(sweep.Payment, catalog.Defaults.Payment, "payments, as in first,kth; they share a replay")
	list(sweep.Behaviour, catalog.Defaults.Behaviour, "behaviours, as in 'truthful,srg(beta={.05,.5,.9})'")
	list(sweep.Values, catalog.Defaults.Values, "models of private values")
	list(sweep.Nodes, "0", "processors of the machine (0: what the trace says)")
	list(sweep.Machines, "", "what jobs run on, as in 'pool,trace(fit=best),trace(fit=worst)' (default: what the trace says)")
	list(sweep.Load, "1", "factors that divide the times between submissions")
	list(sweep.Estimates, "", "requested times, as in 'log,exact,scale:2,tsafrir' (default: log where a policy needs them)")
	list(sweep.Preemption, "", "what preempted jobs do later, as in resume,restart")
	list(sweep.Shake, "", "move submissions by up to these times, as in 0,60,5min, under each seed")
	f.StringVar(&s.seeds, "seeds", "1", "a number of seeds, 1 to N, or a list as in 3,5,8; of values, bids, and replicas by --resample and --shake")
	f.IntVar(&s.replicas, "replicas", 0, "short for --seeds `N` --resample; with --shake the log is shaken only")
	f.StringVar(&s.trace.resample, "resample", "", "deal users anew in whole weeks, under each seed; with =weeks=N,users=FACTOR,long=WEEKS another length or load")
	f.Lookup("resample").NoOptDefVal = "users"
	f.BoolVar(&s.trace.kill, "kill-at-estimate", false, "end jobs when their estimate is up")
	f.BoolVar(&s.resubmit, "resubmit-killed", false, resubmitHelp)
	f.BoolVar(&s.feedback, "feedback", false, feedbackHelp)
	s.trace.defineQueues(f)
	s.trace.defineEdges(f)
	f.StringVar(&s.trace.where, "where", "", "replay only the records for which `EXPR` holds")
	f.Float64Var(&s.trace.from, "from", 0, "replay only records submitted at this second or later")
	f.Float64Var(&s.trace.until, "until", 0, "replay only records submitted before this second (0: all)")
	f.BoolVar(&s.trace.serial, "serial", false, "split each p-processor job into p one-processor jobs")
	f.Float64Var(&s.migration, "migration-cost", 0, "seconds of lost work each time a preempted job resumes")
	s.trace.defineReading(f)
	f.StringVar(&s.out, "out", "", "directory of the dataset (needed)")
	f.BoolVar(&s.records, "records", false, "keep every cell's job records too")
	f.IntVar(&s.workers, "workers", runtime.NumCPU(), "replays at a time")
	f.StringVar(&s.shard, "shard", "", "run only part `i/n` of the cells (default: what a Slurm or Kubernetes job array says)")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "no progress line")
}

func runSweep(a *app, args []string) error {
	var s sweepFlags
	f := a.flags("sweep TRACE...", "bourse sweep log.swf.gz --nodes 105 --serial --policy hb,nphb,wspt --payment first,kth \\\n  --behaviour 'srg(beta={.05,.25,.5,.9})' --seeds 10 --out cells")
	s.define(f)
	if err := parse(f, args, 1, 1000, "sweep takes one trace or more"); err != nil {
		return err
	}
	if err := s.replicate(f); err != nil {
		return err
	}
	if s.out == "" {
		return usagef("a sweep is written into a directory; add --out DIR")
	}
	migration, ok := events.FromSeconds(s.migration)
	if !ok || migration < 0 {
		return usagef("--migration-cost %g: seconds of 0 or more were expected", s.migration)
	}
	if err := s.trace.validate(f); err != nil {
		return err
	}
	if err := s.trace.validateResubmit(s.resubmit); err != nil {
		return err
	}
	shard, err := s.part()
	if err != nil {
		return err
	}
	axes, err := s.axes(f.Args())
	if err != nil {
		return &usageError{err}
	}
	machines, err := s.machines(f)
	if err != nil {
		return err
	}
	inputs, err := s.load(a, f.Args(), machines)
	if err != nil {
		return err
	}
	t := s.trace.treatment(0, 0)
	settings := sweep.Settings{Where: t.Where, From: t.From, Until: t.Until, Serial: t.Serial, Migration: migration,
		Resample: t.Resample, QueueLimits: t.QueueLimits, Kill: t.KillAtEstimate, Resubmit: s.resubmit, Feedback: s.feedback,
		Edges: s.trace.edges(), Records: s.records, Version: Version}
	return s.run(a, axes, inputs, settings, shard)
}

// replicate spells --replicas out.
func (s *sweepFlags) replicate(f *pflag.FlagSet) error {
	switch {
	case !f.Changed("replicas"):
		return nil
	case s.replicas < 2:
		return usagef("--replicas %d: 2 or more were expected, for there to be an interval", s.replicas)
	case f.Changed("seeds"):
		return usagef("--replicas is short for --seeds and --resample; leave one of them out")
	}
	s.seeds = strconv.Itoa(s.replicas)
	if s.trace.resample == "" && *s.lists[sweep.Shake] == "" {
		s.trace.resample = "users"
	}
	return nil
}

// run runs the shard's cells and, if it is the whole sweep, completes the
// dataset.
func (s *sweepFlags) run(a *app, axes []sweep.Axis, inputs []sweep.Input, settings sweep.Settings, shard sweep.Shard) error {
	// Most of the heap is the trace, which stays: a collector that waits for the
	// heap to double would hold as much again for nothing.
	debug.SetGCPercent(50)
	line := newCellLine(a.stderr, s.quiet)
	out, err := sweep.Run(a.ctx, s.out, axes, inputs, settings, sweep.Options{Workers: s.workers, Shard: shard, Done: line.draw})
	line.end()
	if err != nil {
		return err
	}
	for _, failure := range out.Failures {
		fmt.Fprintln(a.stderr, "bourse: failed:", failure)
	}
	fmt.Fprintf(a.stderr, "%s: %d cells, %d of them finished before\n", s.out, out.Cells, out.Skipped)
	if n := len(out.Failures); n > 0 {
		what := "1 schedule"
		if n > 1 {
			what = fmt.Sprintf("%d schedules", n)
		}
		return fmt.Errorf("%s failed; the others are in %s, and the same command tries the failed ones again", what, s.out)
	}
	if shard != sweep.Whole {
		return nil
	}
	_, err = sweep.Merge(s.out)
	return err
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

// axes reads the lists, in the order of sweeps.Names.
func (s *sweepFlags) axes(specs []string) ([]sweep.Axis, error) {
	var axes []sweep.Axis
	for _, name := range sweep.Names() {
		var values []string
		var err error
		if sweep.Optional(name) && *s.lists[name] == "" {
			continue
		}
		switch name {
		case sweep.Trace:
			for _, spec := range specs {
				values = append(values, traceLabel(spec))
			}
		case sweep.Seed:
			if values, err = seeds(s.seeds); err != nil {
				return nil, fmt.Errorf("--seeds %w", err)
			}
		default:
			values, err = sweep.Expand(*s.lists[name])
		}
		if err != nil {
			return nil, fmt.Errorf("--%s %w", name, err)
		}
		if name == sweep.Nodes || name == sweep.Load {
			err = numbers(name, values)
		}
		if err != nil {
			return nil, err
		}
		axes = append(axes, sweep.Axis{Name: name, Values: values})
	}
	return axes, sweep.Check(axes)
}

// traceLabel is a trace's value on its axis: the file's name without endings, or
// the specification.
func traceLabel(spec string) string {
	if strings.HasPrefix(spec, "synth:") {
		return spec
	}
	label, _, _ := strings.Cut(spec, "?")
	label = strings.TrimRight(label, `/\`)
	label = label[strings.LastIndexAny(label, `/\`)+1:]
	if name, rest, forced := strings.Cut(label, ":"); forced && name != "" {
		label = rest
	}
	for _, ending := range traceEndings() {
		label = strings.TrimSuffix(label, ending)
	}
	return label
}

// traceEndings lists what a trace's name may end in, compression first.
func traceEndings() []string {
	endings := []string{".gz", ".zst", ".bz2"}
	for _, f := range formats.All {
		endings = append(endings, f.Extensions...)
	}
	return endings
}

func seeds(text string) ([]string, error) {
	if n, err := strconv.Atoi(text); err == nil {
		if n < 1 {
			return nil, fmt.Errorf("%q: 1 seed or more was expected", text)
		}
		values := make([]string, n)
		for i := range values {
			values[i] = strconv.Itoa(i + 1)
		}
		return values, nil
	}
	values, err := sweep.Expand(text)
	for _, v := range values {
		if _, bad := strconv.ParseUint(v, 10, 64); bad != nil && err == nil {
			err = fmt.Errorf("%q is not a seed; numbers of 0 or more were expected", v)
		}
	}
	return values, err
}

func numbers(name string, values []string) error {
	for _, v := range values {
		x, err := strconv.ParseFloat(v, 64)
		whole := x == float64(int(x)) && x >= 0
		if err != nil || name == sweep.Nodes && !whole || name == sweep.Load && !(x > 0 && x <= 1e6) {
			return fmt.Errorf("--%s %s: a number was expected, whole for nodes and above 0 for load factors", name, v)
		}
	}
	return nil
}

// machines reads the values of --machines; "" is what the trace says. There are none
// where --nodes tells some cells their processors.
func (s *sweepFlags) machines(f *pflag.FlagSet) ([]machineFlags, error) {
	text := *s.lists[sweep.Machines]
	switch {
	case text == "" && *s.lists[sweep.Nodes] != "0":
		return nil, nil
	case text == "":
		return []machineFlags{{}}, nil
	}
	if f.Changed(sweep.Nodes) {
		return nil, usagef("--nodes and --machines both say what jobs run on; give one of them (--machines nodes:N is --nodes)")
	}
	specs, err := sweep.Expand(text)
	if err != nil {
		return nil, usagef("--machines %w", err)
	}
	machines := make([]machineFlags, len(specs))
	for i, spec := range specs {
		machines[i].machines = spec
		if err := machines[i].validate(f); err != nil {
			return nil, err
		}
	}
	return machines, nil
}

// load reads each trace once into memory.
func (s *sweepFlags) load(a *app, specs []string, machines []machineFlags) ([]sweep.Input, error) {
	var inputs []sweep.Input
	for i, spec := range specs {
		// A cell is known by its trace's name: two of one name would be one.
		if j := slices.IndexFunc(specs[:i], func(other string) bool { return traceLabel(other) == traceLabel(spec) }); j >= 0 {
			return nil, usagef("%s and %s are both %q in the dataset; rename one, or sweep them into directories of their own", specs[j], spec, traceLabel(spec))
		}
		in, err := s.loadOne(a, spec, machines)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

func (s *sweepFlags) loadOne(a *app, spec string, machines []machineFlags) (in sweep.Input, err error) {
	source, err := s.trace.open(a, spec)
	if err != nil {
		return in, err
	}
	defer func() { err = errors.Join(err, traces.Close(source)) }()
	in.Hardware = map[string]sweep.Hardware{}
	for _, m := range machines {
		if in.Hardware[m.machines], err = m.on(source); err != nil {
			return in, err
		}
	}
	hash := func() (string, error) { return "", nil }
	if path := tracePath(source); path != "" {
		hash = run.HashFile(path)
	}
	t := s.trace.treatment(0, 0)
	t.Serial, t.LoadFactor, t.Resample, t.KillAtEstimate, t.QueueLimits = false, 1, nil, false, "" // cells see to these
	treated, err := transform.Apply(source, t)
	if err != nil {
		return in, &usageError{err}
	}
	if in.Jobs, err = traces.Load(traces.Ahead(treated)); err != nil {
		return in, s.trace.advise(err)
	}
	in.Label = traceLabel(spec)
	in.Ref = run.TraceRef{Name: in.Label, Format: source.Header().Format}
	in.Ref.SHA256, err = hash()
	return in, err
}

// cellLine is the progress line of a sweep.
type cellLine struct {
	w       io.Writer
	began   time.Time
	written bool
}

func newCellLine(w io.Writer, quiet bool) *cellLine {
	if quiet || !isTerminal(w) {
		return &cellLine{}
	}
	return &cellLine{w: w, began: time.Now()}
}

func (l *cellLine) draw(done, of int, _ error) {
	if l.w == nil {
		return
	}
	l.written = true
	elapsed := time.Since(l.began)
	left := time.Duration(float64(elapsed) / float64(done) * float64(of-done))
	fmt.Fprintf(l.w, "\r\x1b[K%d of %d schedules  %3d%%  %s to go", done, of, 100*done/of, left.Round(time.Second))
}

func (l *cellLine) end() {
	if l.written {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
}

// merge completes the dataset of a sweep that was run in shards.
func merge(a *app, args []string) error {
	f := a.flags("merge DIR", "bourse merge cells")
	if err := parse(f, args, 1, 1, "merge takes the directory of a sweep"); err != nil {
		return err
	}
	d, err := sweep.Merge(f.Arg(0))
	if err == nil {
		fmt.Fprintf(a.stderr, "%s: all %d cells are there\n", f.Arg(0), len(d.Cells))
	}
	return err
}
