package sweep

import (
	"context"
	"errors"
	"fmt"

	"bourse/engine"
	"bourse/engine/scenario"
	"bourse/reports/experiment"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/traces"
	"bourse/traces/transform"
)

// Options say how a sweep is run.
type Options struct {
	Workers int
	Shard   Shard
	// To, if not nil, keeps finished cells elsewhere, too.
	To Store
	// Done, if not nil, is called after each schedule: how many of how many have
	// ended, and the last one's error.
	Done func(done, of int, err error)
}

// Outcome counts what a run of a sweep did.
type Outcome struct {
	Cells, Skipped int
	Failures       []error
	Unused         scenario.UnusedBy // settings, in the replays of this run
}

// Run runs the cells of the shard that are not finished yet and writes each into
// its directory below dir. A cell that fails is reported and does not stop the
// others; the error returned is for what concerns all.
func Run(ctx context.Context, dir string, axes []Axis, inputs []Input, s Settings, o Options) (Outcome, error) {
	store, err := openStore(dir, axes, inputs, s)
	if err != nil {
		return Outcome{}, err
	}
	store.to = o.To
	all, err := s.groups(Cells(axes), inputs)
	if err != nil {
		return Outcome{}, err
	}
	var mine []group
	var out Outcome
	for i, g := range all {
		if !o.Shard.Has(i) {
			continue
		}
		out.Cells += len(g.cells)
		if store.finished(g) {
			out.Skipped += len(g.cells)
			continue
		}
		mine = append(mine, g)
	}
	out.Unused = make(scenario.UnusedBy, len(mine))
	errs := experiment.Each(ctx, o.Workers, len(mine), func(i int) (err error) {
		out.Unused[i].Policy = mine[i].cells[0].Get(Policy)
		out.Unused[i].Notes, err = store.replay(ctx, mine[i])
		return err
	}, o.Done)
	for i, err := range errs {
		if errors.Is(err, context.Canceled) {
			return out, err
		}
		if err != nil {
			out.Failures = append(out.Failures, fmt.Errorf("%v: %w", mine[i].cells[0], err))
		}
	}
	return out, nil
}

// billed passes outcomes on with the bill of one of several price schemes.
type billed struct {
	engine.Sink
	index int // in Outcome.Also
}

func (b billed) Record(o *engine.Outcome) error {
	own := o.Payment
	o.Payment = o.Also[b.index]
	err := b.Sink.Record(o)
	o.Payment = own
	return err
}

// replay runs one schedule and writes its cells. It returns the notes on it.
func (s *store) replay(ctx context.Context, g group) (notes []traces.Note, err error) {
	p, aggregates, key, err := s.prepare(g)
	if err != nil {
		return nil, err
	}
	header := p.Source.Header()
	runs, records, err := s.create(g, header)
	defer func() {
		for _, r := range runs {
			err = errors.Join(err, r.Abort())
		}
	}()
	if err != nil {
		return nil, err
	}
	known := true
	if p.Scenario.Asked() && p.Stays() {
		if aggregates.Bound, known = key.bound(); !known {
			p.Config.Arrivals = aggregates.Bound
		}
	}
	base := &s.settings.Base // the records that it leaves out are not in memory
	p.Scenario.Where, p.Scenario.From, p.Scenario.Until = base.Where, base.From, base.Until
	out, err := p.Run(ctx, aggregates, records...)
	if err != nil {
		return nil, err
	}
	if !known {
		key.keep(aggregates.Bound)
	}
	machine := run.NewMachine(&out.Summary)
	for i, cell := range g.cells {
		summary := run.NewSummary(header.Ledger, out.Notes, machine, aggregates.ResultOf(i))
		summary.Uncount(out.Uncounted)
		x, err := s.settings.scenario(cell)
		if err != nil {
			return nil, err
		}
		summary.Conclude(&out.Summary, out.Strict, x.Asked())
		var records *run.Writer
		if s.settings.Records {
			records = runs[i]
		}
		if err := s.write(g.input, cell, summary, records); err != nil {
			return nil, err
		}
		if err := s.keep(ctx, cell); err != nil {
			return nil, err
		}
	}
	return out.Notes, nil
}

// prepare makes a schedule and the collector of its figures ready. Where neighbouring
// cells can share jobs, draws, run-time groups and the bound, they do: key is that of the
// last.
func (s *store) prepare(g group) (p *scenario.Prepared, c *stats.Collector, key boundKey, err error) {
	x, err := s.settings.scenario(g.cells[0])
	if err != nil {
		return nil, nil, key, err
	}
	var also []string
	for _, c := range g.cells[1:] {
		also = append(also, c.Get(Payment))
	}
	p, err = x.PrepareOn(g.input.Hardware[x.Machine],
		func(o transform.Options) (traces.Source, error) { return s.source(g.input, &x, o) }, also...)
	if err != nil {
		return nil, nil, key, err
	}
	c = &stats.Collector{AsRecorded: x.KeepsTimes()}
	if x.Feedback {
		// Which jobs arrive when, and so which are counted, is known as the replay runs: it draws and
		// groups for itself, from the same streams.
		return p, c, key, nil
	}
	jobs, err := s.jobsOf(g.input, &x, p.Options)
	if err != nil {
		return nil, nil, key, err
	}
	c.Groups, key = jobs.groups, boundKey{drawKey{jobs, x.Values, x.Seed}, x.LoadFactor}
	if x.Bids == "" {
		p.Config.Bidder, err = s.bidder(key.drawKey, &x)
	}
	return p, c, key, err
}

// create opens the files for the job records of each cell, if they are wanted,
// and the sinks that write to them.
func (s *store) create(g group, h *traces.Header) (runs []*run.Writer, sinks []engine.Sink, err error) {
	if !s.settings.Records {
		return nil, nil, nil
	}
	for i, cell := range g.cells {
		run, err := run.Create(s.path(cell), run.Options{Names: h.Names, Asks: h.Asks, Version: s.settings.Version,
			Overwrite: true})
		if err != nil {
			return runs, nil, err
		}
		runs = append(runs, run)
		if i == 0 {
			sinks = append(sinks, run)
		} else {
			sinks = append(sinks, billed{run, i - 1})
		}
	}
	return runs, sinks, nil
}
