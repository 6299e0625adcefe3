package main

import (
	"errors"
	"slices"

	"bourse/engine/scenario"
	"bourse/reports/record"
	"bourse/reports/run"
	"bourse/reports/table"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/suggest"
)

// replayFlags are the flags of `bourse replay`: the scenario, and where its records go.
type replayFlags struct {
	scenario.Scenario
	written
	swf       string
	users     string
	overwrite bool
	json      bool
	dry       bool
}

// written says which records a run keeps, and how. Manifests have it in addition to the
// scenario.
type written struct {
	out      string
	format   string
	segments bool
	series   string
	causes   bool
	timeline
}

func (r *replayFlags) define(f *flags) {
	r.Scenario = scenario.Default()
	defineScenario(f, &r.Scenario)
	f.StringVar(&r.out, "out", "", "write records to directory `DIR`, or to standard output with -")
	f.StringVar(&r.format, "format", "", "of the records: parquet, arrow or csv (default parquet; arrow with --out -); "+
		"without --out of the summary: text, "+
		"markdown, latex, csv, parquet, json or html")
	f.StringVar(&r.swf, "swf", "", "also write the simulated schedule as a log in SWF to `FILE` (.swf, .swf.gz, "+
		".swf.zst)")
	f.BoolVar(&r.segments, "segments", false, "also write the intervals that bills are made of")
	f.StringVar(&r.series, "series", "", "also write queue, use and price over time; with =TIME on a grid, as in =10m")
	f.Lookup("series").NoOptDefVal = everyChange
	f.BoolVar(&r.causes, "causes", false,
		"say what jobs waited for, and add a column for each cause to the records (takes about a fifth more time)")
	f.StringVar(&r.users, "users", "",
		"also write a row per user to `FILE`: jobs, slowdown, bill, and under sharing policies shares held, "+
			"shortfall and envy")
	f.StringVar(&r.perfetto, "perfetto", "",
		"also write a timeline to `FILE`, which ui.perfetto.dev opens: jobs by processor and by user, queue, use "+
			"and price, who preempted whom")
	f.StringVar(&r.window, "perfetto-window", "",
		"only this time of the trace in the timeline, `FROM..UNTIL`, as 12d..14d")
	f.Int64Var(&r.sample, "perfetto-sample", 0,
		"only one job in `N` in the timeline: those whose number N divides (0: all)")
	f.BoolVar(&r.overwrite, "overwrite", false, "replace an earlier run in DIR, and existing FILEs")
	f.BoolVar(&r.json, "json", false, "print the summary as JSON, as in summary.json, instead of a table")
	f.BoolVar(&r.dry, "dry-run", false, "read the trace, report what would be replayed and written, and stop")
	f.check(func() error { return r.validate(f) })
}

// validate turns combinations that make no sense into sentences.
func (r *replayFlags) validate(f *flags) error {
	switch {
	case r.format != "" && r.out != "" && !slices.Contains(record.Formats(), r.format):
		return usagef("--format %s is unknown%s", r.format, suggest.Among(r.format, record.Formats()))
	case r.swf != "" && !formats.IsSWF(r.swf):
		return usagef("--swf %s: want a file that ends in .swf, .swf.gz or .swf.zst", r.swf)
	case r.swf != "" && r.Serial:
		return usagef("--swf cannot distinguish the pieces made by --serial, which share a job number; use --out")
	case r.out == "-" && r.format == "parquet":
		return usagef("parquet cannot be written to standard output, its index is at the end; use --format arrow or " +
			"csv, or --out with a directory")
	case r.out == "" && slices.Contains(record.Formats(), r.format) && !slices.Contains(table.Formats, r.format):
		return usagef("--format %s says how records are written, but none are without --out DIR", r.format)
	case r.out == "" && f.Changed("format") && !slices.Contains(table.Formats, r.format):
		return usagef("--format %q%s", r.format, suggest.Among(r.format, table.Formats))
	case r.json && r.out == "" && f.Changed("format") && r.format != "json":
		return usagef("--json is short for --format json; leave out --format %s", r.format)
	case r.out == "" && (r.segments || r.series != ""):
		return usagef("--segments and --series are written beside the records; add --out DIR")
	case r.out == "-" && (r.segments || r.series != ""):
		return usagef("only the job records fit on standard output; give --out a directory for --segments and --series")
	case r.perfetto == "" && (r.window != "" || r.sample != 0):
		return usagef("--perfetto-window and --perfetto-sample say what is in a timeline; add --perfetto FILE")
	case r.sample < 0:
		return usagef("--perfetto-sample %d: want one job in so many, 1 or more", r.sample)
	case r.overwrite && (r.out == "" || r.out == "-") && r.users == "" && r.swf == "" && r.perfetto == "":
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

func replay(a *app, f *flags) action {
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
	r.Scenario = p.Scenario
	if r.dry {
		if err := p.Refuses(); err != nil {
			return err
		}
		return r.dryRun(a, p)
	}
	out, err := r.output(a, p)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.abort()) }()
	line := a.progress(p.Source)
	p.Config.Progress = line.hook()
	if r.users != "" {
		out.users = run.NewUsers(p.Source.Header().Names.Users)
	}
	result, seconds, err := out.replay(a, r, p)
	line.end()
	if err != nil {
		return err
	}
	return out.commit(a, r, p, result, seconds)
}
