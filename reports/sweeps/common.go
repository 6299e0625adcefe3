package sweeps

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"bourse/engine/sweep"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/bidding"
	"bourse/policies/catalog"
	"bourse/reports/stats"
	"bourse/traces"
)

// common keeps what cells share: the run-time groups and numbers of the jobs of
// each trace and machine size, since run times do not depend on who runs when,
// and the last draws, since cells of one seed stand together.
type common struct {
	mu    sync.Mutex
	jobs  map[jobsKey]*jobTable
	of    drawKey // of drawn: 24 bytes a job, so only the last are kept
	drawn *bidding.Drawn
}

type jobsKey struct {
	input *Input
	procs int
}

type drawKey struct {
	jobs   *jobTable
	values string
	seed   uint64
}

// jobTable tells of the jobs that a machine replays, in trace order.
type jobTable struct {
	groups stats.Groups
	ids    []int64
}

// jobsOf returns the table of a trace and machine, made at the first call.
func (s *store) jobsOf(in *Input, procs int) (*jobTable, error) {
	s.common.mu.Lock()
	defer s.common.mu.Unlock()
	key := jobsKey{in, procs}
	if t, ok := s.common.jobs[key]; ok {
		return t, nil
	}
	src, err := traces.Treat(in.Jobs.Source(), traces.Treatment{Serial: s.settings.Serial, Procs: procs})
	if err != nil {
		return nil, err
	}
	var runs []events.Time
	t := &jobTable{}
	var j traces.Job
	for {
		err := src.Next(&j)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		runs, t.ids = append(runs, j.Run), append(t.ids, j.ID)
	}
	t.groups = stats.GroupsOf(runs)
	if s.common.jobs == nil {
		s.common.jobs = map[jobsKey]*jobTable{}
	}
	s.common.jobs[key] = t
	return t, nil
}

// bidder makes the bidder of a cell from draws that its neighbours share.
func (s *store) bidder(t *jobTable, cell sweep.Cell) (policies.Bidder, error) {
	seed, err := strconv.ParseUint(cell.Get(Seed), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("seed: %w", err)
	}
	values, err := catalog.Values.Make(cell.Get(Values))
	if err != nil {
		return nil, err
	}
	behaviour, err := catalog.Behaviours.Make(cell.Get(Behaviour))
	if err != nil {
		return nil, err
	}
	s.common.mu.Lock()
	defer s.common.mu.Unlock()
	key := drawKey{t, cell.Get(Values), seed}
	if s.common.drawn == nil || s.common.of != key {
		s.common.of, s.common.drawn = key, bidding.Draw(t.ids, values, seed)
	}
	return s.common.drawn.Bidder(behaviour), nil
}
