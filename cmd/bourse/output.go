package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces"
)

// output is where a replay's records go: always into aggregates, and into
// files or a stream if the user wants them.
type output struct {
	aggregates stats.Collector
	trim       *run.Trim     // between replay and aggregates, nil without warm-up and cool-down
	run        *run.Writer   // nil without --out
	schedule   *run.Schedule // nil without --swf
	users      *run.Users    // nil without --users
	stream     bool
	hash       func() (string, error) // of the trace, made beside the replay; nil without --out DIR
}

// output prepares what --out asks for, before any time is spent on replaying.
func (r *replayFlags) output(a *app, src *traces.Span, procs int) (o *output, err error) {
	o = &output{}
	if edges := r.trace.edges(); edges != (traces.Edges{}) {
		o.trim = run.NewTrim(&o.aggregates, edges, src)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, o.abort())
		}
	}()
	if r.users != "" {
		if err := cmp.Or(notOnto(src, r.users), run.CheckOut(r.users, r.overwrite)); err != nil {
			return o, err
		}
	}
	if r.swf != "" {
		if err := cmp.Or(notOnto(src, r.swf), run.CheckNew(r.swf, r.overwrite)); err != nil {
			return o, err
		}
		if o.schedule, err = run.CreateSchedule(r.swf, src.Header(), procs, r.note()); err != nil {
			return o, err
		}
	}
	if r.out == "" {
		return o, nil
	}
	grid, err := r.grid()
	if err != nil {
		return o, err
	}
	options := run.Options{
		Format: r.format, Names: src.Header().Names, Segments: r.segments, Series: r.series != "",
		SeriesEvery: grid, Overwrite: r.overwrite, Version: Version,
	}
	if o.stream = r.out == "-"; o.stream {
		if options.Format == "" {
			options.Format = "arrow"
		}
		o.run, err = run.Stream(a.stdout, options)
		return o, err
	}
	if path := tracePath(src); path != "" {
		o.hash = run.HashFile(path)
	}
	o.run, err = run.Create(r.out, options)
	return o, err
}

// note says in the header of an SWF what made the schedule.
func (r *replayFlags) note() string {
	return fmt.Sprintf("bourse %s, policy %s, payment %s, behaviour %s, values %s, seed %d", Version, r.market.Policy, r.market.Payment, r.market.Behaviour, r.market.Values, r.market.Seed)
}

// grid reads --series=SECONDS; 0 is every change.
func (r *replayFlags) grid() (events.Time, error) {
	if r.series == "" || r.series == "changes" {
		return 0, nil
	}
	s, err := strconv.ParseFloat(r.series, 64)
	every, ok := events.FromSeconds(s)
	if err != nil || !ok || every <= 0 {
		return 0, usagef("--series=%s: the seconds between samples were expected, or nothing for every change", r.series)
	}
	return every, nil
}

// replay runs the engine into the output and returns the seconds it took.
func (o *output) replay(a *app, r *replayFlags, cfg engine.Config, src traces.Source) (engine.Summary, float64, error) {
	sinks := []engine.Sink{&o.aggregates}
	if o.trim != nil {
		sinks[0] = o.trim
	}
	if o.schedule != nil {
		sinks = append(sinks, o.schedule)
	}
	if o.run != nil {
		sinks = append(sinks, o.run)
		if r.segments {
			cfg.Segments = o.run
		}
		if r.series != "" {
			cfg.Samples = o.run
		}
	}
	if o.users != nil {
		sinks = append(sinks, o.users)
	}
	sink := sinks[0]
	if len(sinks) > 1 {
		sink = run.Tee(sinks...)
	}
	began := time.Now()
	sum, err := engine.Run(a.ctx, cfg, src, sink)
	if o.trim != nil && err == nil {
		err = o.trim.Finish()
	}
	return sum, time.Since(began).Seconds(), err
}

// writeUsers writes the table of users.
func (o *output) writeUsers(a *app, r *replayFlags, policy policies.Policy) error {
	if o.users == nil {
		return nil
	}
	var shares []policies.UserShare
	if s, ok := policies.As[policies.Sharer](policy); ok {
		shares = s.Users()
	}
	return run.Write(r.users, a.stdout, r.overwrite, Version, o.users.Table(shares))
}

// commit completes the files and prints the summary: to standard output, or to
// standard error when the records go there.
func (o *output) commit(a *app, r *replayFlags, f *pflag.FlagSet, src traces.Source, sum engine.Summary, seconds float64) error {
	machine := run.NewMachine(&sum)
	summary := run.NewSummary(src.Header().Ledger, machine, o.aggregates.Result())
	if o.trim != nil {
		summary.Counts.Uncounted = o.trim.Left
	}
	if o.schedule != nil {
		if err := o.schedule.Commit(); err != nil {
			return err
		}
	}
	if o.run != nil {
		manifest, err := o.manifest(r, f, src)
		if err != nil {
			return err
		}
		if o.stream {
			err = o.run.Commit(nil, nil)
		} else {
			err = o.run.Commit(summary, manifest)
		}
		if err != nil {
			return err
		}
	}
	table := a.stdout
	if o.stream {
		table = a.stderr
	}
	if r.json {
		err := run.WriteJSON(table, summary)
		return errors.Join(err, skipped(a.stderr, src.Header().Ledger))
	}
	if err := run.WriteSummary(table, summary, float64(sum.Events)/seconds); err != nil {
		return err
	}
	return skipped(a.stderr, src.Header().Ledger)
}

// manifest lists the configuration, flag by flag: those of the outcome, not
// those of where and how it is written.
func (o *output) manifest(r *replayFlags, f *pflag.FlagSet, src traces.Source) (*run.Manifest, error) {
	h := src.Header()
	m := &run.Manifest{Seed: r.market.Seed, Trace: run.TraceRef{Name: f.Arg(0), Format: h.Format}}
	f.VisitAll(func(g *pflag.Flag) {
		switch g.Name {
		case "out", "swf", "users", "overwrite", "quiet", "check", "seed", "help", "json", "dry-run", configFlag:
			return
		}
		m.Configuration = append(m.Configuration, run.Setting{Key: g.Name, Value: g.Value.String()})
	})
	if o.hash == nil {
		return m, nil
	}
	var err error
	m.Trace.SHA256, err = o.hash()
	return m, err
}

func (o *output) abort() (err error) {
	if o.schedule != nil {
		err = o.schedule.Abort()
	}
	if o.run != nil {
		err = errors.Join(err, o.run.Abort())
	}
	return err
}

// notOnto refuses to write a file over the trace that is being read.
func notOnto(src traces.Source, path string) error {
	from, err := os.Stat(src.Header().Name)
	if err != nil {
		return nil // not a file
	}
	if to, err := os.Stat(path); err == nil && os.SameFile(from, to) {
		return fmt.Errorf("%s is the trace itself, which is still to be read; use another name", path)
	}
	return nil
}

// tracePath is the file a trace is read from, empty if it is not a file.
func tracePath(src traces.Source) string {
	name := src.Header().Name
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return name
}
