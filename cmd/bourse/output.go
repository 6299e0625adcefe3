package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
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

// output is where a replay's records go: always into aggregates, and into
// files or a stream if the user wants them.
type output struct {
	aggregates stats.Collector
	files      *files.Set    // all that is written, and appears together
	run        *run.Writer   // nil without --out
	schedule   *run.Schedule // nil without --swf
	users      *run.Users    // nil without --users
	waits      *run.Waits    // nil without --causes
	stream     bool
	hash, bids func() (string, error) // of the trace and the table of bids, computed during the replay; with --out DIR
}

// output prepares what --out asks for, before any time is spent on replaying.
func (r *replayFlags) output(a *app, p *scenario.Prepared) (o *output, err error) {
	o = &output{files: &files.Set{}}
	o.aggregates.AsRecorded = r.KeepsTimes()
	src := p.Source
	defer func() {
		if err != nil {
			err = errors.Join(err, o.abort())
		}
	}()
	if r.out != "" && r.out != "-" {
		if err := files.Recover(r.out); err != nil { // it may have left the files named below
			return o, err
		}
	}
	for _, path := range []string{r.users, r.swf} {
		if err := cmp.Or(checkNotTrace(src, path), run.CheckOut(path, r.overwrite)); err != nil {
			return o, err
		}
	}
	if r.out != "" {
		if err := o.create(a, r, src, p); err != nil {
			return o, err
		}
	}
	if r.swf != "" {
		procs, _ := p.Hardware.Machine.(engine.Processors)
		if o.schedule, err = run.CreateSchedule(o.files, r.swf, src.Header(), int(procs), r.note()); err != nil {
			return o, err
		}
	}
	return o, r.timeline.create(o.files, src, r.overwrite)
}

// create opens the run, a directory or a stream.
func (o *output) create(a *app, r *replayFlags, src traces.Source, p *scenario.Prepared) (err error) {
	grid, err := r.grid()
	if err != nil {
		return err
	}
	options := run.Options{
		Format: r.format, Names: src.Header().Names, Asks: src.Header().Asks, Total: p.Hardware.Total(),
		Placed: !p.Stays(), Segments: r.segments, Series: r.series != "",
		SeriesEvery: grid, Causes: r.causes, Overwrite: r.overwrite, Version: Version,
	}
	if o.stream = r.out == "-"; o.stream {
		if options.Format == "" {
			options.Format = "arrow"
		}
		o.run, err = run.Stream(a.data, options)
		return err
	}
	o.hash, o.bids = run.HashFile(tracePath(src)), run.HashFile(r.Bids)
	if o.run, err = run.Create(r.out, options); err == nil {
		o.files = o.run.Files()
	}
	return err
}

// note says in the header of an SWF what made the schedule.
func (r *replayFlags) note() string {
	return fmt.Sprintf("bourse %s, policy %s, payment %s, behaviour %s, values %s, seed %d", Version, r.Policy,
		r.Payment, r.Behaviour, r.Values, r.Seed)
}

// everyChange is the value of --series without a time.
const everyChange = "changes"

// grid reads --series=TIME; 0 is every change.
func (w *written) grid() (events.Time, error) {
	if w.series == "" || w.series == everyChange {
		return 0, nil
	}
	every, err := events.ParseDuration(w.series)
	if err != nil || every == 0 {
		return 0, usagef("--series=%s: want the time between samples, as in =600 or =10m, or nothing for every change",
			w.series)
	}
	return every, nil
}

// replay runs the engine into the output and returns the seconds it took.
func (o *output) replay(a *app, r *replayFlags, p *scenario.Prepared) (scenario.Outcome, float64, error) {
	var all []engine.Sink
	if o.schedule != nil {
		all = append(all, o.schedule)
	}
	if o.run != nil {
		all = append(all, o.run)
		if r.segments {
			p.Config.Segments = o.run
		}
		if r.series != "" {
			p.Config.Samples = o.run
		}
	}
	if o.users != nil {
		all = append(all, o.users)
		if s, ok := policies.As[policies.Sharer](p.Config.Policy); ok {
			s.KeepAccount()
		}
	}
	counted := engine.Sink(&o.aggregates)
	if r.causes {
		o.waits = &run.Waits{}
		counted, p.Config.Causes = engine.Tee(counted, o.waits), causes.New(p.Config.Policy)
	}
	if p.Scenario.Asked() && p.Stays() {
		o.aggregates.Bound = &stats.Bound{}
		p.Config.Arrivals = o.aggregates.Bound
	}
	all = r.attach(&p.Config, all)
	began := time.Now()
	result, err := p.Run(a.ctx, counted, all...)
	return result, time.Since(began).Seconds(), err
}

// writeUsers writes the table of users.
func (o *output) writeUsers(a *app, r *replayFlags, policy policies.Policy) (*files.File, error) {
	if o.users == nil {
		return nil, nil
	}
	var shares []policies.UserShare
	if s, ok := policies.As[policies.Sharer](policy); ok {
		shares = s.Users()
	}
	return run.Add(o.files, r.users, a.data, r.overwrite, Version, o.users.Table(shares).Values())
}

// commit completes the files and prints the summary: to standard output, or to
// standard error when the records go there.
func (o *output) commit(a *app, r *replayFlags, p *scenario.Prepared, result scenario.Outcome, seconds float64) error {
	if o.run != nil {
		if err := o.run.End(); err != nil {
			return err
		}
	}
	ledger := p.Source.Header().Ledger
	summary := run.NewSummary(ledger, result.Notes, run.NewMachine(&result.Summary), o.aggregates.Result())
	summary.Uncount(result.Uncounted)
	if o.waits != nil {
		summary.Waits = o.waits.Result()
	}
	summary.Conclude(&result.Summary, result.Strict, r.Asked())
	if err := o.finish(a, r, p, summary); err != nil {
		return err
	}
	report := summary.Report(float64(result.Summary.Events) / seconds)
	if o.stream {
		return a.skipped((&table.Output{W: a.stderr, Format: r.answerFormat(true)}).Write(report), ledger)
	}
	return a.skipped((&tableFormat{format: r.answerFormat(r.out != "")}).print(a, report), ledger)
}

// answerFormat is that of the summary: --format is of the records where there are any.
func (r *replayFlags) answerFormat(records bool) string {
	switch {
	case r.json:
		return "json"
	case records:
		return "text"
	}
	return r.format
}

// finish completes all files, with summary and manifest where there is a directory.
func (o *output) finish(a *app, r *replayFlags, p *scenario.Prepared, summary *run.Summary) error {
	if o.schedule != nil {
		if err := o.schedule.Finish(); err != nil {
			return err
		}
	}
	users, err := o.writeUsers(a, r, p.Config.Policy)
	if err == nil {
		err = r.timeline.finish()
	}
	switch {
	case err != nil:
		return err
	case o.run == nil:
		return o.files.Commit()
	case o.stream:
		return errors.Join(o.run.Commit(nil, nil), o.files.Commit())
	}
	m, err := o.manifest(r, p, users)
	if err != nil {
		return err
	}
	return o.run.Commit(summary, m)
}

// manifest says what was done, and pins inputs and the files written with the records.
func (o *output) manifest(r *replayFlags, p *scenario.Prepared, users *files.File) (m *run.Manifest, err error) {
	m = &run.Manifest{Trace: run.TraceRef{Name: r.Trace, Format: p.Source.Header().Format,
		Start: p.Source.Header().Start}, Seed: r.Seed,
		Written: run.Written{Format: r.format, Segments: r.segments, Series: r.series, Causes: r.causes}}
	if m.Scenario, err = json.Marshal(&r.Scenario); err != nil {
		return nil, err
	}
	if m.Trace.SHA256, err = o.hash(); err != nil {
		return nil, err
	}
	if m.Bids, err = o.bids(); err != nil {
		return nil, err
	}
	if m.Scripts, err = run.PinAll(r.Files()); err != nil {
		return nil, err
	}
	if o.schedule != nil {
		if m.Written.SWF, err = o.schedule.Pin(); err != nil {
			return nil, err
		}
	}
	if m.Written.Perfetto, err = r.pin(); err != nil {
		return nil, err
	}
	if users != nil {
		m.Written.Users, err = run.Pin(r.users, users.Path())
	}
	return m, err
}

func (o *output) abort() error {
	err := o.files.Abort()
	if o.run != nil {
		err = errors.Join(err, o.run.Abort())
	}
	return err
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

// tracePath is the file or folder a trace is read from, empty if it is a stream.
func tracePath(src traces.Source) string {
	name := src.Header().Name
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return ""
	}
	return name
}
