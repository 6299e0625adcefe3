package scenario

import (
	"errors"

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
}

// Load reads the jobs of src, the scenario's trace as Open returns it. A policy that
// needs estimates, here or among those, makes all see the log's.
func (s Scenario) Load(src traces.Source, those ...string) (*Loaded, error) {
	needs := false
	s.Market = s.Market.Settled()
	for _, name := range append([]string{s.Policy}, those...) {
		p, err := catalog.Policies.Make(name)
		if err != nil {
			return nil, &OptionError{"policy", err}
		}
		needs = needs || policies.TraitsOf(p).NeedsEstimates
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	h, err := s.On(src)
	if err != nil {
		return nil, err
	}
	o, err := s.Transform(h, needs)
	if err != nil {
		return nil, err
	}
	out, err := apply(src, o)
	if err != nil {
		return nil, err
	}
	l := &Loaded{Scenario: s, Hardware: h}
	if l.Memory, err = traces.Load(traces.Ahead(out)); err != nil {
		return nil, err
	}
	if l.Memory.Len() == 0 {
		return nil, &NothingLeftError{src.Header().Name, src.Header().Ledger}
	}
	return l, nil
}

// Transformed returns what becomes of jobs in memory.
func Transformed(jobs *traces.Memory, o transform.Options) (*traces.Memory, error) {
	src := jobs.Source()
	names := &src.Header().Names
	names.Users = names.Users.Clone() // where copies of users get names of their own
	out, err := apply(src, o)
	if err != nil {
		return nil, err
	}
	return traces.Load(out)
}

// Read opens the scenario's trace and loads its jobs.
func (s Scenario) Read(those ...string) (l *Loaded, err error) {
	src, err := s.Open(Env{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, traces.Close(src)) }()
	return s.Load(src, those...)
}

// Replay makes ready to replay the loaded jobs once more under another market, billed
// under further schemes as well.
func (l *Loaded) Replay(market Market, also ...string) (*Prepared, error) {
	s := l.Scenario
	s.Market = market
	p, err := s.on(l.Hardware, also)
	if err != nil {
		return nil, err
	}
	p.watch(l.Memory.Source())
	return p, nil
}

// Source is a stream of the jobs, with users who react if they are to. Its position
// can be copied.
func (l *Loaded) Source() traces.Source { return l.Scenario.react(l.Memory.Source()) }
