package learn

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"bourse/engine/scenario"
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
	"bourse/traces/rng"
)

// Group is the name of the aggressive group as an agent.
const Group = "group"

// FewJobsError says that no user has enough jobs to learn from.
type FewJobsError struct{ Least, Most int }

func (e *FewJobsError) Error() string {
	if e.Most == 0 {
		return "the log names no users, and nobody can learn"
	}
	return fmt.Sprintf("no user has %d jobs or more to learn from: the most that one has is %d", e.Least, e.Most)
}

// OneWeekError says that the log is too short to learn from in weeks.
type OneWeekError struct{}

func (*OneWeekError) Error() string {
	return "all jobs come within one week, and a week is an epoch: want two or more"
}

// agents lists who learns: users with enough jobs, in order of their labels, or the group.
func (c *Config) agents(jobs *scenario.Loaded) (list []traces.Label, err error) {
	if c.Group {
		return []traces.Label{traces.NoLabel}, nil
	}
	count := map[traces.Label]int{}
	most := 0
	for i := range jobs.Memory.Len() {
		if j := jobs.Memory.Job(i); j.User != traces.NoLabel && j.Task == 0 {
			count[j.User]++
			most = max(most, count[j.User])
		}
	}
	for user, n := range count {
		if n >= c.Least {
			list = append(list, user)
		}
	}
	if len(list) == 0 {
		return nil, &FewJobsError{c.Least, most}
	}
	slices.Sort(list)
	return list, nil
}

// cell is an agent's jobs submitted in one epoch.
type cell struct {
	agent, epoch, jobs int
	asked              bool // what all actions would pay
}

// field is the jobs of one replay, divided into cells and epochs.
type field struct {
	jobs   *scenario.Loaded
	offers []policies.Offer // by row in the trace, as are the next two
	cell   []int32          // -1 for jobs of nobody who learns
	epoch  []int32          // from 0
	first  int              // the number of epoch 0
	epochs int
	cells  []cell
	comes  []events.Time // when the first job of each cell does
}

// divide makes a field of the jobs, one epoch from first on or one for each week.
func (c *Config) divide(jobs *scenario.Loaded, agents []traces.Label, first int) (*field, error) {
	n := jobs.Memory.Len()
	f := &field{jobs: jobs, offers: make([]policies.Offer, n), cell: make([]int32, n), epoch: make([]int32, n),
		first: first, epochs: 1}
	market := jobs.Scenario.Market
	market.Payment = "none"
	p, err := jobs.Replay(market)
	if err != nil {
		return nil, err
	}
	if err := c.defined(p); err != nil {
		return nil, err
	}
	known := map[[2]int]int32{} // by agent and epoch
	for i := range n {
		j := jobs.Memory.Job(i)
		if f.offers[i], err = p.Config.Bidder.Bid(&j); err != nil {
			return nil, err
		}
		if f.offers[i].Shape != nil {
			return nil, errors.New("what an epoch pays is defined for jobs whose worth falls evenly with time, not for " +
				"deadlines and steps")
		}
		if c.Weeks {
			f.epoch[i] = int32((j.Submit - jobs.Memory.Job(0).Submit) / events.Week)
			f.epochs = int(f.epoch[i]) + 1
		}
		agent, learns := slices.BinarySearch(agents, j.User)
		if c.Group {
			agent, learns = 0, f.offers[i].Aggressive
		}
		if f.cell[i] = -1; learns {
			at := [2]int{agent, int(f.epoch[i])}
			k, ok := known[at]
			if !ok {
				k = int32(len(f.cells))
				known[at], f.cells, f.comes = k, append(f.cells, cell{agent: agent, epoch: at[1]}), append(f.comes, j.Submit)
			}
			f.cell[i] = k
			f.cells[k].jobs++
		}
	}
	if c.Weeks && f.epochs < 2 {
		return nil, &OneWeekError{}
	}
	if c.Group && len(f.cells) == 0 {
		return nil, errors.New("nobody is of an aggressive group: a behaviour such as srg makes one")
	}
	c.choose(f, agents)
	return f, nil
}

// choose draws whom to ask in each epoch.
func (c *Config) choose(f *field, agents []traces.Label) {
	if c.Rule != Hedge {
		return
	}
	by := make([][]*cell, f.epochs)
	for i := range f.cells {
		by[f.cells[i].epoch] = append(by[f.cells[i].epoch], &f.cells[i])
	}
	for _, list := range by {
		slices.SortFunc(list, func(a, b *cell) int {
			return cmp.Compare(c.key(agents[a.agent], f.first+a.epoch), c.key(agents[b.agent], f.first+b.epoch))
		})
		for _, x := range list[:min(c.Ask, len(list))] {
			x.asked = true
		}
	}
}

// key names a user's draws in an epoch.
func (c *Config) key(user traces.Label, epoch int) uint64 {
	return rng.SplitMix64(uint64(user)+c.Scenario.Seed<<40, uint64(epoch)+1)
}

// defined refuses scenarios in which there is nothing to learn.
func (c *Config) defined(p *scenario.Prepared) error {
	_, spends := policies.As[policies.Spender](p.Config.Policy)
	switch {
	case p.Scenario.Bids != "":
		return errors.New("a table of bids says what owners bid, and leaves nothing to learn")
	case p.Scenario.Feedback:
		return errors.New("with feedback jobs come when others have ended, and what an action pays is not of the same jobs")
	case spends:
		return fmt.Errorf("under %s users spend a budget: there is no multiple of the value to learn", p.Scenario.Policy)
	case !policies.TraitsOf(p.Config.Policy).RanksByBid && !chooses(p.Config.Policy):
		return fmt.Errorf("owners learn under policies that start jobs in order of their bids, as hb, or at a time that "+
			"they choose, as menu, and %s is none",
			p.Scenario.Policy)
	}
	return nil
}

// chooses reports whether jobs choose their starts by their bids.
func chooses(p policies.Policy) bool {
	_, ok := policies.As[policies.FeeSeller](p)
	return ok
}
