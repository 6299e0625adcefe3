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

// common keeps what cells share, whatever becomes of their jobs: the jobs of a replica of
// the log, run-time groups and numbers, draws, and the bound on their total weighted flow
// time.
type common struct {
	replicas kept[replicaKey, *traces.Memory]
	tables   kept[jobsKey, *jobTable]
	drawn    kept[drawKey, *bidding.Drawn] // 24 bytes a job
}

func newCommon() *common {
	c := &common{}
	c.replicas.most, c.tables.most, c.drawn.most = 2, 16, 1
	return c
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

func keyOf(in *Input, x *scenario.Scenario, o transform.Options) jobsKey {
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

// replicaKey is what a replica depends on: all axes that are not the market's.
type replicaKey struct {
	jobsKey
	estimates transform.Estimates // where they are drawn
	load      float64
}

type drawKey struct {
	jobs   *jobTable
	values string
	seed   uint64
}

type boundKey struct {
	drawKey
	load float64
}

// source is a stream of the jobs of a cell. Where replicas of the log or estimates are
// drawn, cells that differ in nothing but the market share them.
func (s *store) source(in *Input, x *scenario.Scenario, o transform.Options) (traces.Source, error) {
	jobs := in.Jobs
	once, each, drawn := o.Split()
	if drawn {
		var err error
		key := replicaKey{keyOf(in, x, o), once.Estimates, o.LoadFactor}
		if jobs, err = s.common.replicas.get(key,
			func() (*traces.Memory, error) { return scenario.Transformed(in.Jobs, once) }); err != nil {
			return nil, err
		}
	}
	return scenario.Apply(jobs.Source(), each)
}

// jobTable tells of the jobs that a machine replays, in trace order, and keeps the bounds
// on their total weighted flow time that cells have worked out.
type jobTable struct {
	groups stats.Groups
	keys   []bidding.Key

	mu     sync.Mutex
	bounds map[boundKey]float64
}

// jobsOf returns the table of a trace as it is replayed.
func (s *store) jobsOf(in *Input, x *scenario.Scenario, o transform.Options) (*jobTable, error) {
	return s.common.tables.get(keyOf(in, x, o), func() (*jobTable, error) {
		src, err := s.source(in, x, o)
		if err != nil {
			return nil, err
		}
		return tableOf(src, x.Edges())
	})
}

func tableOf(src traces.Source, edges traces.Edges) (*jobTable, error) {
	var runs, submits []events.Time
	table := &jobTable{bounds: map[boundKey]float64{}}
	err := traces.Each(src, func(j *traces.Job) error {
		runs, submits, table.keys = append(runs, j.Run), append(submits, j.Submit), append(table.keys, bidding.KeyOf(j))
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Groups are those of the jobs counted, which follow each other.
	from, until := edges.Counted(len(submits), func(i int) events.Time { return submits[i] })
	table.groups = make(stats.Groups, len(runs))
	copy(table.groups[from:], stats.GroupsOf(runs[from:until]))
	return table, nil
}

// bidder makes the bidder of a cell from draws that its neighbours share.
func (s *store) bidder(key drawKey, x *scenario.Scenario) (policies.Bidder, error) {
	values, err := catalog.Values.Make(x.Values)
	if err != nil {
		return nil, err
	}
	behaviour, err := catalog.Behaviours.Make(x.Behaviour)
	if err != nil {
		return nil, err
	}
	drawn, err := s.common.drawn.get(key,
		func() (*bidding.Drawn, error) { return bidding.Draw(key.jobs.keys, values, x.Seed), nil })
	if err != nil {
		return nil, err
	}
	return drawn.Bidder(behaviour), nil
}

// bound returns the bound of a cell's jobs and whether a neighbour has worked it out;
// otherwise it is to be told of the jobs. A key of no jobs is of none that are known.
func (k boundKey) bound() (b *stats.Bound, known bool) {
	if k.jobs == nil {
		return &stats.Bound{}, false
	}
	k.jobs.mu.Lock()
	defer k.jobs.mu.Unlock()
	if x, known := k.jobs.bounds[k]; known {
		return stats.BoundOf(x), true
	}
	return &stats.Bound{}, false
}

func (k boundKey) keep(b *stats.Bound) {
	if k.jobs == nil {
		return
	}
	k.jobs.mu.Lock()
	defer k.jobs.mu.Unlock()
	k.jobs.bounds[k] = b.Value()
}
