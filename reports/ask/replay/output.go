// Package replay replays one scenario into files, all of which appear together, and sums it up.
package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"bourse/engine"
	"bourse/engine/causes"
	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/table"
	"bourse/traces"
	"bourse/traces/files"
)

// Options say which records a replay keeps, where and how; without any it is summed up only.
type Options struct {
	Out      string // a directory, or Stream
	Format   string // of the records; empty is the usual one
	Segments bool
	Series   string // EveryChange, or the time between samples
	Causes   bool
	SWF      string // the schedule as a log
	Users    string // the table of users
	Timeline
	Overwrite bool
	// Stdout is where a stream goes, and Version is the program's.
	Stdout  io.Writer
	Version string
}

// Stream as a directory is standard output.
const Stream = "-"

// EveryChange is the value of Series without a time.
const EveryChange = "changes"

// Output is a replay in progress: its records go always into aggregates, and into files or a
// stream if that is wanted.
type Output struct {
	Options
	prepared   *scenario.Prepared
	aggregates stats.Collector
	files      *files.Set             // all that is written, and appears together
	run        *run.Writer            // nil without Out
	schedule   *run.Schedule          // nil without SWF
	users      *run.Users             // nil without Users
	waits      *run.Waits             // nil without Causes
	charges    *run.Charges           // nil where there are none, or no folder
	hash, bids func() (string, error) // of the trace and the table of bids, computed during the replay; with a directory
}

// Create prepares what is written, before any time is spent on replaying.
func Create(options Options, p *scenario.Prepared) (o *Output, err error) {
	o = &Output{Options: options, prepared: p, files: &files.Set{}}
	o.aggregates.AsRecorded = p.Scenario.KeepsTimes()
	defer func() {
		if err != nil {
			err = errors.Join(err, o.Abort())
		}
	}()
	if err := o.recover(); err != nil {
		return o, err
	}
	for _, path := range []string{o.Users, o.SWF} {
		if err := run.CheckOut(path, o.Overwrite); err != nil {
			return o, err
		}
	}
	if o.Out != "" {
		if err := o.create(); err != nil {
			return o, err
		}
	}
	header := p.Source.Header()
	if o.Users != "" {
		o.users = run.NewUsers(header.Names.Users)
	}
	if o.SWF != "" {
		procs, _ := p.Hardware.Machine.(engine.Processors)
		if o.schedule, err = run.CreateSchedule(o.files, o.SWF, header, int(procs), o.note()); err != nil {
			return o, err
		}
	}
	return o, o.Timeline.create(o.files, header, p.Config.Outages != nil, o.Overwrite)
}

func (o *Output) isStream() bool { return o.Out == Stream }

func (o *Output) isFolder() bool { return o.Out != "" && !o.isStream() }

// recover clears what a killed program left: any of these directories may hold the journal of
// the files in all of them.
func (o *Output) recover() error {
	if o.isFolder() {
		if err := files.Recover(o.Out); err != nil {
			return err
		}
	}
	return files.RecoverAt(o.Users, o.SWF, o.Perfetto)
}

// create opens the run, a directory or a stream.
func (o *Output) create() (err error) {
	grid, err := o.grid()
	if err != nil {
		return err
	}
	p := o.prepared
	header := p.Source.Header()
	options := run.Options{
		Format: o.Format, Names: header.Names, Asks: header.Asks, Total: p.Hardware.Total(),
		Placed: p.Places(), Segments: o.Segments, Series: o.Series != "",
		SeriesEvery: grid, Causes: o.Causes, Power: p.Config.Power != nil, Outages: p.Config.Outages != nil,
		Overwrite: o.Overwrite, Version: o.Version,
	}
	for kind, c := range p.Config.Charges {
		options.Charges[kind] = c != nil
	}
	if o.isStream() {
		if options.Format == "" {
			options.Format = "arrow"
		}
		o.run, err = run.Stream(o.Stdout, options)
		return err
	}
	o.hash, o.bids = run.HashFile(run.SourcePath(p.Source)), run.HashFile(p.Scenario.Bids)
	if o.run, err = run.Create(o.Out, options); err == nil {
		o.files = o.run.Files()
	}
	return err
}

// note says in the header of an SWF what made the schedule.
func (o *Output) note() string {
	s := &o.prepared.Scenario
	return fmt.Sprintf("bourse %s, policy %s, payment %s, behaviour %s, values %s, seed %d", o.Version, s.Policy,
		s.Payment, s.Behaviour, s.Values, s.Seed)
}

// grid reads the time between samples; 0 is every change.
func (o *Options) grid() (events.Time, error) {
	if o.Series == "" || o.Series == EveryChange {
		return 0, nil
	}
	every, err := events.ParseDuration(o.Series)
	if err != nil || every == 0 {
		return 0, &scenario.OptionError{Option: "series", Err: fmt.Errorf("%s: want the time between samples, as in "+
			"=600 or =10m, or nothing for every change", o.Series)}
	}
	return every, nil
}

// Run replays, completes the files and sums up.
func (o *Output) Run(ctx context.Context, progress func(engine.Progress)) (*table.Report, error) {
	p := o.prepared
	p.Config.Progress = progress
	counted, all := o.sinks(&p.Config)
	began := time.Now()
	result, err := p.Run(ctx, counted, all...)
	if err != nil {
		return nil, err
	}
	return o.commit(result, time.Since(began).Seconds())
}

// sinks are where outcomes go: to what counts them, and to files.
func (o *Output) sinks(c *engine.Config) (counted engine.Sink, all []engine.Sink) {
	if o.schedule != nil {
		all = append(all, o.schedule)
	}
	if o.run != nil {
		all = append(all, o.run)
		if o.Segments {
			c.Segments = o.run
		}
		if o.Series != "" {
			c.Samples = o.run
		}
	}
	if o.users != nil {
		all = append(all, o.users)
		if s, ok := policies.As[policies.Sharer](c.Policy); ok {
			s.KeepAccount()
		}
	}
	counted = &o.aggregates
	if o.Causes {
		o.waits = &run.Waits{}
		counted, c.Causes = engine.Tee(counted, o.waits), causes.New(c.Policy)
	}
	if o.isFolder() {
		if o.charges = run.NewCharges(c, o.prepared.Source.Header()); o.charges != nil {
			counted = engine.Tee(counted, o.charges)
		}
	}
	if o.prepared.Scenario.Asked() && o.prepared.Stays() {
		o.aggregates.Bound = &stats.Bound{}
		c.Arrivals = o.aggregates.Bound
	}
	return counted, o.attach(c, all)
}

// writeUsers writes the table of users.
func (o *Output) writeUsers() (*files.File, error) {
	if o.users == nil {
		return nil, nil
	}
	var shares []policies.UserShare
	if s, ok := policies.As[policies.Sharer](o.prepared.Config.Policy); ok {
		shares = s.Users()
	}
	return run.Add(o.files, o.Users, o.Stdout, o.Overwrite, o.Version, o.users.Table(shares, o.prepared.Scenario.Asked()).Values())
}

// commit completes the files and returns the summary.
func (o *Output) commit(result scenario.Outcome, seconds float64) (*table.Report, error) {
	if o.run != nil {
		if err := o.run.End(); err != nil {
			return nil, err
		}
	}
	if o.trace != nil && o.trace.Empty() {
		result.Notes = append(result.Notes, traces.Note{What: "no job is in the timeline: none of those numbers is in that " +
			"window"})
	}
	summary := run.NewSummary(o.prepared.Source.Header().Ledger, result.Notes, run.NewMachine(&result.Summary),
		o.aggregates.Result())
	summary.Uncount(result.Uncounted)
	if o.waits != nil {
		summary.Waits = o.waits.Result()
	}
	if o.charges != nil {
		summary.ChargedBy = o.charges.Result()
	}
	summary.Conclude(&result.Summary, result.Strict, o.prepared.Scenario.Asked())
	return summary.Report(o.prepared.Scenario.Policy, float64(result.Summary.Events)/seconds), o.finish(summary)
}

// finish completes all files, with summary and manifest where there is a directory.
func (o *Output) finish(summary *run.Summary) error {
	if o.schedule != nil {
		if err := o.schedule.Finish(); err != nil {
			return err
		}
	}
	users, err := o.writeUsers()
	if err == nil {
		err = o.Timeline.finish()
	}
	switch {
	case err != nil:
		return err
	case o.run == nil:
		return o.files.Commit()
	case o.isStream():
		return errors.Join(o.run.Commit(nil, nil), o.files.Commit())
	}
	m, err := o.manifest(users)
	if err != nil {
		return err
	}
	return o.run.Commit(summary, m)
}

// manifest says what was done, and pins inputs and the files written with the records.
func (o *Output) manifest(users *files.File) (m *run.Manifest, err error) {
	scenario, header := &o.prepared.Scenario, o.prepared.Source.Header()
	m = &run.Manifest{Trace: run.TraceRef{Name: scenario.Trace, Format: header.Format, Start: header.Start},
		Seed: scenario.Seed, Written: run.Written{Format: o.Format, Segments: o.Segments, Series: o.Series, Causes: o.Causes}}
	if m.Scenario, err = json.Marshal(scenario); err != nil {
		return nil, err
	}
	if m.Trace.SHA256, err = o.hash(); err != nil {
		return nil, err
	}
	if m.Bids, err = o.bids(); err != nil {
		return nil, err
	}
	if m.Scripts, err = run.PinAll(scenario.Files()); err != nil {
		return nil, err
	}
	if o.schedule != nil {
		if m.Written.SWF, err = o.schedule.Pin(); err != nil {
			return nil, err
		}
	}
	if m.Written.Perfetto, err = o.pin(); err != nil {
		return nil, err
	}
	if users != nil {
		m.Written.Users, err = run.Pin(o.Users, users.Path())
	}
	return m, err
}

// Abort removes what is not complete.
func (o *Output) Abort() error {
	err := o.files.Abort()
	if o.run != nil {
		err = errors.Join(err, o.run.Abort())
	}
	return err
}
