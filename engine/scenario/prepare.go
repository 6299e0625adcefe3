package scenario

import (
	"cmp"
	"errors"
	"io"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
	"bourse/traces/formats"
	"bourse/traces/transform"
)

// Env is the environment in which a scenario is read.
type Env struct {
	// Stdin is the trace "-".
	Stdin io.Reader
	// Skipped, if not nil, is called for each malformed record that is left out. It is
	// called by the goroutine that reads.
	Skipped func(error)
	// Dropped, if not nil, is called for each record that is not replayed, and why. It is
	// called by the goroutine that reads.
	Dropped func(*traces.Job, traces.Reason)
	// Stop, if not nil, is asked now and then while a log is read whole; an error ends
	// it.
	Stop func() error
}

// Open opens the trace for reading, as it is.
func (s *Scenario) Open(env Env) (traces.Source, error) {
	src, err := formats.Open(s.Trace, traces.Options{
		Stdin: env.Stdin, SortWindow: s.SortWindow, Skip: s.OnError == "skip", OnError: env.Skipped, Stop: env.Stop,
		Attempts: traces.Attempts(s.Attempts), Censored: s.Censored == "keep",
	})
	if err != nil {
		return nil, err
	}
	h := src.Header()
	h.Ledger.Observer = env.Dropped
	if s.TimeZone != "" {
		if h.Calendar() == nil {
			return nil, errors.Join(&OptionError{"time-zone", &traces.UndatedError{For: s.TimeZone, Trace: h.Name}},
				traces.Close(src))
		}
		h.SetZone(s.TimeZone)
	}
	return src, nil
}

// Prepared is a replay that has not begun.
type Prepared struct {
	// Scenario has its defaults filled in.
	Scenario Scenario
	Hardware Hardware
	// Options are the changes made to the jobs.
	Options transform.Options
	// Source has the jobs as they are replayed; Span watches it.
	Source traces.Source
	Span   *traces.Span
	// Config is ready for the engine but for the sinks other than that of the records.
	Config engine.Config
}

// Prepare makes ready to replay src, the scenario's trace as Open returns it. also
// names further payment schemes that bill the same schedule. The trace is read by a
// goroutine of its own. The caller closes the source.
func (s Scenario) Prepare(src traces.Source, also ...string) (*Prepared, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	h, err := s.On(src)
	if err != nil {
		return nil, err
	}
	return s.prepareOn(h, func(o transform.Options) (traces.Source, error) {
		out, err := Apply(src, o)
		if err != nil {
			return nil, err
		}
		return traces.Ahead(out), nil
	}, func(o transform.Options) (traces.Source, error) { return s.again(o) }, also)
}

// PrepareOn is Prepare for jobs that the caller transforms, on a machine that is known.
func (s Scenario) PrepareOn(h Hardware, jobs func(transform.Options) (traces.Source, error),
	also ...string) (*Prepared, error) {
	return s.prepareOn(h, jobs, jobs, also)
}

// prepareOn is PrepareOn; again reads the jobs once more where prices are made of what they use.
func (s Scenario) prepareOn(h Hardware, jobs, again func(transform.Options) (traces.Source, error),
	also []string) (*Prepared, error) {
	p, err := s.build(h, also)
	if err != nil {
		return nil, err
	}
	if p.Options, err = p.Scenario.Transform(h, policies.NeedsOf(p.Config.Policy).Estimates); err != nil {
		return nil, err
	}
	src, err := jobs(p.Options)
	if err != nil {
		return nil, err
	}
	if err := s.rules(&p.Config, h, src.Header()); err != nil {
		return nil, errors.Join(err, traces.Close(src))
	}
	if err := p.apportion(func() (traces.Source, error) { return again(p.Options) }); err != nil {
		return nil, errors.Join(err, traces.Close(src))
	}
	p.watch(src)
	return p, nil
}

// Apply transforms a stream of jobs; what is wrong with the options is an OptionError.
func Apply(src traces.Source, o transform.Options) (traces.Source, error) {
	out, err := transform.Apply(src, o)
	if err != nil {
		return nil, &OptionError{"", err}
	}
	return out, nil
}

// build makes the parts of a replay on a machine.
func (s Scenario) build(h Hardware, also []string) (*Prepared, error) {
	p := &Prepared{Scenario: s, Hardware: h}
	var err error
	if s.Market, err = s.withSite(s.Market); err != nil {
		return nil, err
	}
	p.Scenario.Market = h.withDefaults(s.Market).Settled()
	p.Config, err = p.Scenario.config(h, also)
	return p, err
}

// config makes fresh parts for one replay.
func (s *Scenario) config(h Hardware, also []string) (engine.Config, error) {
	cfg := engine.Config{
		Machine: h.Machine, MigrationCost: events.Time(s.MigrationCost), StartCost: events.Time(s.StartCost),
		ResubmitKilled: s.ResubmitKilled, Check: s.Check, Bound: events.Time(s.Bound),
	}
	var err error
	if cfg.Restart, cfg.Checkpoint, err = preemption(cmp.Or(s.Preempted, "resume")); err != nil {
		return cfg, &OptionError{"preemption", err}
	}
	policy, pricer, bidder, err := s.names().Build()
	if err != nil {
		return cfg, &OptionError{"", err}
	}
	cfg.Pricer, cfg.Bidder = pricer, bidder
	if cfg.Speeds, err = s.speeds(); err != nil {
		return cfg, err
	}
	if s.Bids != "" {
		if cfg.Bidder, err = ReadBids(s.Bids); err != nil {
			return cfg, err
		}
	}
	if cfg.Budgets, err = s.budgets(policy); err != nil {
		return cfg, err
	}
	for _, name := range also {
		scheme, err := catalog.Payments.Make(name)
		if err == nil {
			pricer, err = scheme(policy)
		}
		if err != nil {
			return cfg, &OptionError{"", err}
		}
		cfg.Also = append(cfg.Also, pricer)
	}
	if cfg.Policy, err = h.place(policy, s.Seed); err != nil {
		return cfg, &OptionError{"", err}
	}
	return cfg, nil
}

// Transform returns the changes made to the jobs of a trace on a machine, for a policy
// that may need estimates.
func (s *Scenario) Transform(h Hardware, needsEstimates bool) (transform.Options, error) {
	o := transform.Options{
		Where: s.Where, From: s.From, Until: s.Until, LoadFactor: s.LoadFactor, Serial: s.Serial,
		QueueLimits: s.QueueLimits, Shake: events.Time(s.Shake), Seed: s.Seed,
		KillAtEstimate: s.KillAtEstimate && !s.ResubmitKilled,
	}
	h.limit(&o, min(s.mostUsable(h), s.mostSupplied()))
	var err error
	if o.Resample, err = resample(s.Resample); err != nil {
		return o, &OptionError{"resample", err}
	}
	if !s.Resampled() {
		o.Resample = nil
	}
	if o.Limit, o.Refuse, err = ParseLimit(s.Limit); err != nil {
		return o, &OptionError{"limit", err}
	}
	switch {
	case s.Estimates != "":
		if o.Estimates, err = transform.ParseEstimates(s.Estimates, s.Seed); err != nil {
			return o, &OptionError{"estimates", err}
		}
	case needsEstimates || s.Site.looks(): // the run time replaces a missing one, and is counted
		o.Estimates = transform.Estimates{Kind: transform.FromLog, Factor: 1}
	}
	return o, nil
}

// Window returns the filters that leave out unwanted records: all that is done to a
// trace before it is kept in memory for scenarios that differ in the rest.
func (s *Scenario) Window() transform.Options {
	return transform.Options{Where: s.Where, From: s.From, Until: s.Until}
}

// watch puts what depends on the replay before the jobs.
func (p *Prepared) watch(src traces.Source) {
	p.Span = traces.Watch(p.Scenario.react(src))
	p.Source = p.Span
}

// react lets users wait for their jobs, if they are to.
func (s *Scenario) react(src traces.Source) traces.Source {
	if s.Feedback {
		return transform.NewFeedback(src)
	}
	return src
}
