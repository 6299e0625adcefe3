package sweep

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"bourse/engine"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/reports/run"
	"bourse/reports/stats"
	"bourse/reports/studies/parallel"
	"bourse/traces"
	"bourse/traces/input"
	"bourse/traces/transform"
)

// Options say how a sweep is run.
type Options struct {
	Workers int
	Shard   Shard
	// Done, if not nil, is told after each schedule: how many of how many have
	// ended, and the last one's error.
	Done func(done, of int, err error)
}

// Outcome counts what a run of a sweep did.
type Outcome struct {
	Cells, Skipped int
	Failures       []error
}

// Run runs the cells of the shard that are not finished yet and writes each into
// its directory below dir. A cell that fails is reported and does not stop the
// others; the error returned is for what concerns all.
func Run(ctx context.Context, dir string, axes []Axis, inputs []Input, s Settings, o Options) (Outcome, error) {
	store, err := openStore(dir, axes, inputs, s)
	if err != nil {
		return Outcome{}, err
	}
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
	done := 0
	errs := parallel.Each(ctx, o.Workers, len(mine), func(i int) error { return store.replay(ctx, mine[i]) }, func(i int, err error) {
		if done++; o.Done != nil {
			o.Done(done, len(mine), err)
		}
	})
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

// replay runs one schedule and writes its cells.
func (s *store) replay(ctx context.Context, g group) (err error) {
	cfg, err := configure(g)
	if err != nil {
		return err
	}
	cfg.MigrationCost, cfg.ResubmitKilled = s.settings.Migration, s.settings.Resubmit
	src, aggregates, err := s.prepare(g, &cfg)
	if err != nil {
		return err
	}
	trim := run.NewTrim(aggregates, s.settings.Edges, src)
	sinks := []engine.Sink{aggregates}
	if s.settings.Edges != (traces.Edges{}) {
		sinks[0] = trim
	}
	runs, records, err := s.create(g, src.Header().Names)
	defer func() {
		for _, r := range runs {
			err = errors.Join(err, r.Abort())
		}
	}()
	if err != nil {
		return err
	}
	sum, err := engine.Run(ctx, cfg, src, run.Tee(append(sinks, records...)...))
	if err != nil {
		return err
	}
	if sum.Jobs == 0 {
		return errors.New("no job is left to replay")
	}
	for _, note := range policies.NotesOf(cfg.Policy) {
		src.Header().Ledger.Add(note)
	}
	if s.settings.Edges != (traces.Edges{}) {
		if err := trim.Finish(); err != nil {
			return err
		}
	}
	machine := run.NewMachine(&sum)
	for i, cell := range g.cells {
		summary := run.NewSummary(src.Header().Ledger, machine, aggregates.ResultOf(i))
		summary.Counts.Uncounted = trim.Left
		var run *run.Writer
		if s.settings.Records {
			run = runs[i]
		}
		if err := s.write(cell, summary, run); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes the source of a schedule and the collector of its figures. Where
// neighbouring cells can share draws and run-time groups they do.
func (s *store) prepare(g group, cfg *engine.Config) (*traces.Span, *stats.Collector, error) {
	treatment, err := s.treatment(g.input, g.cells[0], cfg.Policy)
	if err != nil {
		return nil, nil, err
	}
	treated, err := transform.Apply(g.input.Jobs.Source(), treatment)
	if err != nil {
		return nil, nil, err
	}
	if s.settings.Feedback {
		// Who comes when, and so who is counted, shows as the replay goes: it draws and
		// groups for itself, from the same streams.
		return traces.Watch(transform.NewFeedback(treated)), &stats.Collector{}, nil
	}
	jobs, err := s.jobsOf(g.input, g.cells[0], treatment)
	if err != nil {
		return nil, nil, err
	}
	cfg.Bidder, err = s.bidder(jobs, g.cells[0])
	return traces.Watch(treated), &stats.Collector{Groups: jobs.groups}, err
}

// create opens the files for the job records of each cell, if they are wanted,
// and the sinks that write to them.
func (s *store) create(g group, names traces.Names) (runs []*run.Writer, sinks []engine.Sink, err error) {
	if !s.settings.Records {
		return nil, nil, nil
	}
	for i, cell := range g.cells {
		run, err := run.Create(s.path(cell), run.Options{Names: names, Version: s.settings.Version, Overwrite: true})
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

// treatment is that of a cell's jobs.
func (s *store) treatment(in *Input, cell Cell, policy policies.Policy) (transform.Options, error) {
	t := transform.Options{
		Serial: s.settings.Serial, QueueLimits: s.settings.QueueLimits, Resample: s.settings.Resample,
		KillAtEstimate: s.settings.Kill && !s.settings.Resubmit,
	}
	in.hardware(cell).Limit(&t)
	var err error
	if t.LoadFactor, err = strconv.ParseFloat(cell.Get(Load), 64); err != nil {
		return t, fmt.Errorf("load factor: %w", err)
	}
	if t.Seed, err = strconv.ParseUint(cell.Get(Seed), 10, 64); err != nil {
		return t, fmt.Errorf("seed: %w", err)
	}
	if shake := cell.Get(Shake); shake != "" {
		if t.Shake, err = input.ParseDuration(shake); err != nil {
			return t, err
		}
	}
	switch estimates := cell.Get(Estimates); {
	case estimates != "":
		t.Estimates, err = transform.ParseEstimates(estimates, t.Seed)
	case policies.TraitsOf(policy).NeedsEstimates:
		// As in a replay: the run time stands in for a missing estimate, counted.
		t.Estimates = transform.Estimates{Kind: transform.FromLog, Factor: 1}
	}
	return t, err
}

// configure makes fresh policy, price schemes and bidder for a schedule.
func configure(g group) (engine.Config, error) {
	cell := g.cells[0]
	seed, err := strconv.ParseUint(cell.Get(Seed), 10, 64)
	if err != nil {
		return engine.Config{}, fmt.Errorf("seed: %w", err)
	}
	market := catalog.Market{Policy: cell.Get(Policy), Payment: cell.Get(Payment), Values: cell.Get(Values), Behaviour: cell.Get(Behaviour), Seed: seed}
	hardware := g.input.hardware(cell)
	cfg := hardware.Config()
	cfg.Restart = cell.Get(Preemption) == "restart"
	if cfg.Policy, cfg.Pricer, cfg.Bidder, err = market.Build(); err != nil {
		return cfg, err
	}
	if cfg.Policy, err = hardware.Place(cfg.Policy); err != nil {
		return cfg, err
	}
	for _, c := range g.cells[1:] {
		p, err := pricer(c.Get(Payment), cfg.Policy)
		if err != nil {
			return cfg, err
		}
		cfg.Also = append(cfg.Also, p)
	}
	return cfg, nil
}

func pricer(name string, p policies.Policy) (policies.Pricer, error) {
	scheme, err := catalog.Payments.Make(name)
	if err != nil {
		return nil, err
	}
	return scheme(p)
}
