package sweep

import (
	"sync"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/policies/catalog"
	"bourse/reports/stats"
	"bourse/traces"
	"bourse/traces/transform"
)

// common keeps what cells share: the run-time groups and numbers of the jobs of
// each trace and machine size, since run times do not depend on who runs when,
// and the last draws, since cells of one seed stand together.
type common struct {
	mu    sync.Mutex
	jobs  map[jobsKey]*jobTable
	order []jobsKey // of jobs, oldest first
	of    drawKey   // of drawn: 24 bytes a job, so only the last are kept
	drawn *bidding.Drawn
}

// jobsKey is what the jobs, their run times and the range of those counted depend
// on. A load factor changes the last only.
type jobsKey struct {
	input     *Input
	machine   scenario.Machine    // what is too large for it is left out
	estimates transform.Estimates // where jobs are killed at them
	shake     events.Time
	seed      uint64  // where anything is drawn
	load      float64 // where not all are counted
}

func (s *store) keyOf(in *Input, x *scenario.Scenario, o transform.Options) jobsKey {
	k := jobsKey{input: in, machine: x.Machine, shake: o.Shake}
	if o.KillAtEstimate {
		k.estimates = o.Estimates // with the seed of a model
	}
	if o.Shake > 0 || o.Resample != nil {
		k.seed = o.Seed
	}
	if x.Edges() != (traces.Edges{}) {
		k.load = o.LoadFactor
	}
	return k
}

// jobTables is how many tables are kept: replicas have one each, and those of a
// seed stand together.
const jobTables = 16

type drawKey struct {
	jobs   *jobTable
	values string
	seed   uint64
}

// jobTable tells of the jobs that a machine replays, in trace order.
type jobTable struct {
	groups stats.Groups
	keys   []bidding.Key
}

// jobsOf returns the table of a trace as it is replayed, made at the first call.
func (s *store) jobsOf(in *Input, x *scenario.Scenario, o transform.Options) (*jobTable, error) {
	s.common.mu.Lock()
	defer s.common.mu.Unlock()
	key := s.keyOf(in, x, o)
	if known, ok := s.common.jobs[key]; ok {
		return known, nil
	}
	if !o.KillAtEstimate {
		o.Estimates = transform.Estimates{} // they change no run time
	}
	src, err := transform.Apply(in.Jobs.Source(), o)
	if err != nil {
		return nil, err
	}
	var runs, submits []events.Time
	table := &jobTable{}
	err = traces.Each(src, func(j *traces.Job) error {
		runs, submits, table.keys = append(runs, j.Run), append(submits, j.Submit), append(table.keys, bidding.KeyOf(j))
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Groups are those of the jobs counted, which follow each other.
	edges := x.Edges()
	from, until := edges.Counted(len(submits), func(i int) events.Time { return submits[i] })
	table.groups = make(stats.Groups, len(runs))
	copy(table.groups[from:], stats.GroupsOf(runs[from:until]))
	if s.common.jobs == nil {
		s.common.jobs = map[jobsKey]*jobTable{}
	}
	s.common.jobs[key] = table
	if s.common.order = append(s.common.order, key); len(s.common.order) > jobTables {
		delete(s.common.jobs, s.common.order[0])
		s.common.order = s.common.order[1:]
	}
	return table, nil
}

// bidder makes the bidder of a cell from draws that its neighbours share.
func (s *store) bidder(t *jobTable, x *scenario.Scenario) (policies.Bidder, error) {
	values, err := catalog.Values.Make(x.Values)
	if err != nil {
		return nil, err
	}
	behaviour, err := catalog.Behaviours.Make(x.Behaviour)
	if err != nil {
		return nil, err
	}
	s.common.mu.Lock()
	defer s.common.mu.Unlock()
	key := drawKey{t, x.Values, x.Seed}
	if s.common.drawn == nil || s.common.of != key {
		s.common.of, s.common.drawn = key, bidding.Draw(t.keys, values, x.Seed)
	}
	return s.common.drawn.Bidder(behaviour), nil
}
