package dynamicsharing

import (
	"fmt"
	"slices"

	"bourse/events"
	"bourse/policies/lending"
	"bourse/policies/share"
	"bourse/traces/demand"
	"bourse/traces/rng"
)

// instance is a series of demands in memory: by round, those above 0.
type instance struct {
	name   string
	agents int
	rounds [][]entry
	endow  []float64 // given; nil: by a rule
}

type entry struct {
	agent  int32
	demand float64
}

// add adds a round of a trace.
func (x *instance) add(r *demand.Round) error {
	row := make([]entry, len(r.Agents))
	for k, i := range r.Agents {
		row[k] = entry{int32(i), r.Demand[k]}
		x.agents = max(x.agents, i+1)
	}
	x.rounds = append(x.rounds, row)
	return nil
}

// rule is a way to set endowments where none are published.
type rule struct {
	name, line string
	endow      func(x *instance) []float64
}

var rules = []rule{
	{"mean", "mean demand over all rounds", (*instance).meanDemand},
	{"equal", "equal parts of the sum of mean demands", func(x *instance) []float64 {
		e := x.meanDemand()
		sum := share.Welfare(e)
		for i := range e {
			e[i] = sum / float64(len(e))
		}
		return e
	}},
	{"active", "mean demand over the rounds with any", func(x *instance) []float64 {
		e, n := x.meanDemand(), make([]float64, x.agents)
		for _, row := range x.rounds {
			for _, d := range row {
				n[d.agent]++
			}
		}
		for i := range e {
			e[i] *= float64(len(x.rounds)) / n[i]
		}
		return e
	}},
}

func (x *instance) meanDemand() []float64 {
	e := make([]float64, x.agents)
	for _, row := range x.rounds {
		for _, d := range row {
			e[d.agent] += d.demand / float64(len(x.rounds))
		}
	}
	return e
}

// mean is the mean demand of all agents.
func (x *instance) mean() float64 { return share.Welfare(x.meanDemand()) }

// trim leaves out agents that demand nothing in any round: their endowments
// would be 0. It wants some to share among; path and the length of a round say where
// they are from.
func (x *instance) trim(path string, every events.Time) error {
	e := x.meanDemand()
	number, n := make([]int32, x.agents), int32(0)
	for i, v := range e {
		if v > 0 {
			number[i] = n
			n++
		}
	}
	for _, row := range x.rounds {
		for k := range row {
			row[k].agent = number[row[k].agent]
		}
	}
	if x.agents = int(n); len(x.rounds) == 0 || x.agents < 2 {
		return fmt.Errorf("%s: %d users in %d rounds of %v; want at least 2 users and 1 round", path, x.agents, len(x.rounds),
			every)
	}
	return nil
}

// endowments are the given ones, or those of the rule.
func (x *instance) endowments(r rule) []float64 {
	if x.endow != nil {
		return slices.Clone(x.endow)
	}
	return r.endow(x)
}

// run shares the whole series.
func (x *instance) run(m mechanism, r rule) (*lending.Account, error) {
	endow := x.endowments(r)
	lender, err := m.make(endow, len(x.rounds))
	if err != nil {
		return nil, err
	}
	account := lending.NewAccount(endow)
	demand, alloc := make([]float64, x.agents), make([]float64, x.agents)
	for _, row := range x.rounds {
		clear(demand)
		for _, d := range row {
			demand[d.agent] = d.demand
		}
		lender.Round(demand, alloc)
		account.Add(demand, alloc)
	}
	return account, nil
}

// random draws an instance of the synthetic benchmark. The paper says "random
// agent populations and random number of rounds"; here 2 to 100 agents, 10 to
// 1000 rounds if none are given, endowments from 1 to 10 and demands of a law whose
// means are the endowments.
func random(r *rng.Rand, law func(*rng.Rand) float64, rounds int) *instance {
	x := &instance{agents: 2 + r.IntN(99)}
	if rounds == 0 {
		rounds = 10 + r.IntN(991)
	}
	for range x.agents {
		x.endow = append(x.endow, 1+float64(9*r.Float64()))
	}
	for range rounds {
		row := make([]entry, x.agents)
		for i, e := range x.endow {
			row[i] = entry{int32(i), float64(e * law(r))}
		}
		x.rounds = append(x.rounds, row)
	}
	return x
}
