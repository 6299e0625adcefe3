package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"

	"bourse/engine/scenario"
	"bourse/reports/ask/replay"
	"bourse/reports/record"
	"bourse/reports/table"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/suggest"
)

// replayFlags are the flags of `bourse replay`: the scenario, and where its records go.
type replayFlags struct {
	scenario.Scenario
	replay.Options
	json bool
	dry  bool
}

func (r *replayFlags) define(f *flags) {
	r.Scenario = scenario.Default()
	defineScenario(f, &r.Scenario)
	f.StringVar(&r.Out, "out", "", "write records to directory `DIR`, or to standard output with -")
	f.StringVar(&r.Format, "format", "", "of the records: parquet, arrow or csv (default parquet; arrow with --out -); "+
		"without --out of the summary: text, "+
		"markdown, latex, csv, parquet, json or html")
	f.StringVar(&r.SWF, "swf", "", "also write the simulated schedule as a log in SWF to `FILE` (.swf, .swf.gz, "+
		".swf.zst)")
	f.BoolVar(&r.Segments, "segments", false, "also write the intervals that bills are made of")
	f.StringVar(&r.Series, "series", "", "also write queue, use and price over time; with =TIME on a grid, as in =10m")
	f.Lookup("series").NoOptDefVal = replay.EveryChange
	f.BoolVar(&r.Causes, "causes", false,
		"say what jobs waited for, and add a column for each cause to the records (takes about a fifth more time)")
	f.StringVar(&r.Users, "users", "",
		"also write a row per user to `FILE`: jobs, slowdown, bill, and under sharing policies shares held, "+
			"shortfall and envy")
	f.StringVar(&r.Perfetto, "perfetto", "",
		"also write a timeline to `FILE`, which ui.perfetto.dev opens: jobs by processor and by user, queue, use "+
			"and price, who preempted whom")
	f.StringVar(&r.Timeline.Window, "perfetto-window", "",
		"only this time of the trace in the timeline, `FROM..UNTIL`, as 12d..14d")
	f.Int64Var(&r.Sample, "perfetto-sample", 0,
		"only one job in `N` in the timeline: those whose number N divides (0: all)")
	f.BoolVar(&r.Overwrite, "overwrite", false, "replace an earlier run in DIR, and existing FILEs")
	f.BoolVar(&r.json, "json", false, "print the summary as JSON, as in summary.json, instead of a table")
	f.BoolVar(&r.dry, "dry-run", false, "read the trace, report what would be replayed and written, and stop")
	f.check(func() error { return r.validate(f) })
}

// validate turns combinations that make no sense into sentences.
func (r *replayFlags) validate(f *flags) error {
	switch {
	case r.Format != "" && r.Out != "" && !slices.Contains(record.Formats(), r.Format):
		return usagef("--format %s is unknown%s", r.Format, suggest.Among(r.Format, record.Formats()))
	case r.SWF != "" && !formats.IsSWF(r.SWF):
		return usagef("--swf %s: want a file that ends in .swf, .swf.gz or .swf.zst", r.SWF)
	case r.SWF != "" && r.Serial:
		return usagef("--swf cannot distinguish the pieces made by --serial, which share a job number; use --out")
	case r.Out == "-" && r.Format == "parquet":
		return usagef("parquet cannot be written to standard output, its index is at the end; use --format arrow or " +
			"csv, or --out with a directory")
	case r.Out == "" && slices.Contains(record.Formats(), r.Format) && !slices.Contains(table.Formats, r.Format):
		return usagef("--format %s says how records are written, but none are without --out DIR", r.Format)
	case r.Out == "" && f.Changed("format") && !slices.Contains(table.Formats, r.Format):
		return usagef("--format %q%s", r.Format, suggest.Among(r.Format, table.Formats))
	case r.json && r.Out == "" && f.Changed("format") && r.Format != "json":
		return usagef("--json is short for --format json; leave out --format %s", r.Format)
	case r.Out == "" && (r.Segments || r.Series != ""):
		return usagef("--segments and --series are written next to the records; add --out DIR")
	case r.Out == "-" && (r.Segments || r.Series != ""):
		return usagef("only the job records fit on standard output; give --out a directory for --segments and --series")
	case r.Perfetto == "" && (r.Timeline.Window != "" || r.Sample != 0):
		return usagef("--perfetto-window and --perfetto-sample say what is in a timeline; add --perfetto FILE")
	case r.Sample < 0:
		return usagef("--perfetto-sample %d: want one job in so many, 1 or more", r.Sample)
	case r.Overwrite && (r.Out == "" || r.Out == "-") && r.Users == "" && r.SWF == "" && r.Perfetto == "":
		return usagef("--overwrite replaces an earlier run in a directory; add --out DIR")
	}
	return nil
}

// checkGiven refuses options that only make no sense because they are given.
func checkGiven(s *scenario.Scenario, f *flags) error {
	switch {
	case f.Changed("nodes") && s.Nodes == 0:
		return usagef("--nodes 0: a machine needs at least 1 processor")
	case s.Bids != "" && f.Changed("values"):
		return usagef("--bids brings its own values; leave out --values")
	case s.Bids != "" && f.Changed("behaviour"):
		return usagef("--bids brings its own bids; leave out --behaviour")
	}
	return nil
}

func replayTrace(a *app, f *flags) action {
	var r replayFlags
	r.define(f)
	a.quietFlag(f)
	return func() error {
		r.Trace = f.Arg(0)
		return r.run(a)
	}
}

// run is one replay from opening the trace to the summary table.
func (r *replayFlags) run(a *app) error {
	return a.reading(&r.Scenario, nil, func(src traces.Source) error { return r.replaySource(a, src) })
}

// replaySource replays a trace that is open.
func (r *replayFlags) replaySource(a *app, source traces.Source) (err error) {
	p, err := r.Prepare(source)
	if err != nil {
		return err
	}
	ledger := p.Source.Header().Ledger
	if r.dry {
		if err := p.Refuses(); err != nil {
			return err
		}
		report, err := replay.DryRun(r.Options, p, interruptible{p.Source, a})
		return a.skipped(cmp.Or(err, r.print(a, report)), ledger)
	}
	for _, path := range []string{r.Users, r.SWF, r.Perfetto} {
		if err := checkNotTrace(p.Source, path); err != nil {
			return err
		}
	}
	r.Stdout, r.Version = a.data, Version
	out, err := replay.Create(r.Options, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Abort()) }()
	line := a.progress(p.Source)
	report, err := out.Run(a.ctx, line.hook())
	line.end()
	if err != nil {
		return err
	}
	return a.skipped(r.print(a, report), ledger)
}

// print prints the summary: to standard output, or to standard error when the records go there.
// --format is of the records where there are any.
func (r *replayFlags) print(a *app, report *table.Report) error {
	answer := tableFormat{format: r.Format}
	switch {
	case report == nil:
		return nil
	case r.json:
		answer.format = "json"
	case r.Out != "":
		answer.format = "text"
	}
	if r.Out == replay.Stream && !r.dry {
		return (&table.Output{W: a.stderr, Format: answer.format}).Write(report)
	}
	return answer.print(a, report)
}

// checkNotTrace refuses to write a file over the trace that is being read.
func checkNotTrace(src traces.Source, path string) error {
	from, err := os.Stat(src.Header().Name)
	if err != nil {
		return nil // not a file
	}
	if to, err := os.Stat(path); err == nil && os.SameFile(from, to) {
		return fmt.Errorf("%s is the trace itself, which is still to be read; use another name", path)
	}
	return nil
}
