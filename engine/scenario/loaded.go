package scenario

import (
	"errors"

	"bourse/engine"
	"bourse/policies"
	"bourse/policies/catalog"
	"bourse/traces"
	"bourse/traces/transform"
)

// Loaded is the jobs of a scenario in memory, transformed: many replays of the same
// jobs.
type Loaded struct {
	Scenario Scenario
	Hardware Hardware
	Memory   *traces.Memory
	rules    engine.Config // those of the site
}

// Load reads the jobs of src, the scenario's trace as Open returns it. A policy that
// needs estimates, here or among those, makes all see the log's.
func (s Scenario) Load(src traces.Source, those ...string) (*Loaded, error) {
	h, needs, err := s.loads(src, those)
	if err != nil {
		return nil, err
	}
	return s.load(h, src, needs)
}

// loads settles what jobs to be loaded run on, and whether some policy needs estimates.
func (s *Scenario) loads(src traces.Source, those []string) (h Hardware, needs bool, err error) {
	if s.Market, err = s.withSite(s.Market); err != nil {
		return h, false, err
	}
	s.Market = s.Market.Settled()
	for _, name := range append([]string{s.Policy}, those...) {
		p, err := catalog.Policies.Make(name)
		if err != nil {
			return h, false, &OptionError{"policy", err}
		}
		needs = needs || policies.NeedsOf(p).Estimates
	}
	if err := s.Validate(); err != nil {
		return h, false, err
	}
	h, err = s.On(src)
	return h, needs, err
}

func (s Scenario) load(h Hardware, src traces.Source, needs bool) (*Loaded, error) {
	o, err := s.Transform(h, needs)
	if err != nil {
		return nil, err
	}
	out, err := Apply(src, o)
	if err != nil {
		return nil, err
	}
	l := &Loaded{Scenario: s, Hardware: h}
	if l.Memory, err = traces.Load(traces.Ahead(out)); err != nil {
		return nil, err
	}
	if l.Memory.Len() == 0 {
		return nil, &NothingLeftError{src.Header()}
	}
	return l, s.rules(&l.rules, h, l.Memory.Header())
}

// Under returns some of the loaded jobs, on the same machine, under a model of the site instead of the one they have, if
// any.
func (l *Loaded) Under(m *SiteModel, jobs *traces.Memory) (*Loaded, error) {
	c := &Loaded{Scenario: l.Scenario, Hardware: l.Hardware, Memory: jobs}
	c.Scenario.SiteFile, c.Scenario.given = "", m
	return c, c.Scenario.rules(&c.rules, c.Hardware, jobs.Header())
}

// Killed returns the same jobs, those that are longer than they asked for ended then.
func (l *Loaded) Killed() (*Loaded, error) {
	c := *l
	var err error
	c.Memory, err = Transformed(l.Memory, transform.Options{KillAtEstimate: true})
	return &c, err
}

// Transformed returns jobs in memory as a scenario changes them.
func Transformed(jobs *traces.Memory, o transform.Options) (*traces.Memory, error) {
	out, err := Apply(own(jobs), o)
	if err != nil {
		return nil, err
	}
	return traces.Load(out)
}

// ReadReplicas opens the scenario's trace once and loads its jobs, and then n replicas of them in
// blocks of weeks, under the seeds that follow; where how is empty these differ in what is drawn only.
func (s Scenario) ReadReplicas(n int, how string, those ...string) (all []*Loaded, err error) {
	src, err := s.Open(Env{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, traces.Close(src)) }()
	h, needs, err := s.loads(src, those)
	if err != nil {
		return nil, err
	}
	log, err := traces.Load(traces.Ahead(src))
	if err != nil {
		return nil, err
	}
	for k := range n + 1 {
		c := s
		if c.Seed += uint64(k); k > 0 {
			c.Resample = how
		}
		l, err := c.load(h, own(log), needs)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// own is a stream of jobs in which copies of users may get their own names.
func own(jobs *traces.Memory) traces.Source {
	src := jobs.Source()
	names := &src.Header().Names
	names.Users = names.Users.Clone()
	return src
}

// Replay makes ready to replay the loaded jobs once more under another market, billed
// under further schemes as well.
func (l *Loaded) Replay(market Market, also ...string) (*Prepared, error) {
	s := l.Scenario
	s.Market = market
	p, err := s.build(l.Hardware, also)
	if err != nil {
		return nil, err
	}
	p.Config.Outages, p.Config.Capacity, p.Config.Limits = l.rules.Outages, l.rules.Capacity, l.rules.Limits
	p.Config.Power = l.rules.Power
	p.Config.Series, p.Config.Charges, p.Config.Evict = l.rules.Series, l.rules.Charges, l.rules.Evict
	if err := p.apportion(func() (traces.Source, error) { return l.Memory.Source(), nil }); err != nil {
		return nil, err
	}
	p.watch(l.Memory.Source())
	return p, nil
}

// Source is a stream of the jobs, with users who react if they are to. Its position
// can be copied.
func (l *Loaded) Source() traces.Source { return l.Scenario.react(l.Memory.Source()) }
