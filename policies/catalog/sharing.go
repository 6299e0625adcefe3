package catalog

import (
	"fmt"
	"math"
	"strconv"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/fair"
	"bourse/policies/lending"
	"bourse/policies/share"
)

// limited makes the mechanisms of a closed loop, for agents who want no more than
// their jobs need.
var limited = map[string]func(*policies.Args) (*share.Limited, int, error){
	"drf":         rule(share.LimitedDRF, 1),
	"nash":        rule(share.LimitedNash, 2),
	"unb":         rule(share.LimitedUNB, 1),
	"bal":         rule(share.LimitedBAL, 2),
	"bal*":        rule(share.LimitedBALStar, 2),
	"hybrid-sw":   rule(func() *share.Limited { return share.LimitedHybrid(true) }, 2),
	"hybrid-util": rule(func() *share.Limited { return share.LimitedHybrid(false) }, 2),
	"family":      limitedFamily,
}

func rule(make func() *share.Limited, resources int) func(*policies.Args) (*share.Limited, int, error) {
	return func(*policies.Args) (*share.Limited, int, error) { return make(), resources, nil }
}

func limitedFamily(a *policies.Args) (*share.Limited, int, error) {
	text := a.Text("g")
	if r, err := strconv.Atoi(text); err == nil {
		if r < 1 || r > policies.Resources {
			return nil, 0, fmt.Errorf("family:%d: resources are numbered from 1 to %d, in the order CPU, memory, GPUs, disk "+
				"of those that the machine has", r, policies.Resources)
		}
		m, err := share.LimitedFamily(share.Coordinate(r))
		return m, r, err
	}
	g, err := monotone(text)
	if err != nil {
		return nil, 0, err
	}
	m, err := share.LimitedFamily(g)
	return m, max(1, g.Resources), err
}

// lend is the closed loop of the round-based mechanisms.
var lend = Entry[policies.Policy]{
	Name: "lend", Paper: freeman, Example: "lend:fl",
	Line: "shares processors among users round by round, by a lending mechanism, as in lend:fl or " +
		"lend(tperiod:2,every=600)",
	Params: []policies.Param{
		{Name: "mechanism", Doc: "static, smm, dmm, fl, tperiod:T or karma:A"},
		{Name: "every", Default: "300", Doc: "length of a round: seconds, or as in 5m"},
		{Name: "rounds", Default: "288", Doc: "rounds of a season, after which debts are cancelled"},
	},
	New: func(a *policies.Args) (policies.Policy, error) {
		every := a.Duration("every", 1e-3, events.MaxSeconds)
		rounds := a.Int("rounds", 1, 1_000_000_000)
		m, err := Lenders.Make(a.Text("mechanism"))
		if err != nil {
			return nil, err
		}
		make := func(endow []float64, rounds int) (lending.Joining, error) {
			l, err := m.New(endow, rounds)
			if err != nil {
				return nil, err
			}
			return l.(lending.Joining), nil
		}
		if _, err := make([]float64{1}, rounds); err != nil {
			return nil, err
		}
		return fair.NewLend(make, every, rounds), nil
	},
}

// anticipating is the closed loop of the price-anticipating market.
var anticipating = Entry[policies.Policy]{
	Name: "price-anticipating", Paper: feldman,
	Line: "users spread a budget over divisible machines and respond to each other's bids; shares in proportion to bids",
	Params: []policies.Param{
		{Name: "machines", Default: "10", Doc: "equal machines the processors are divided into"},
		{Name: "weights", Default: "alike", Doc: "alike, or uniform: each user's speed on each machine is drawn, 1 on the " +
			"best"},
		{Name: "income", Default: "1", Doc: "money a user earns a second while it has work"},
		{Name: "ceiling", Default: "86400", Doc: "time whose income may be saved: seconds, or as in 1d"},
		{Name: "horizon", Default: "3600", Doc: "time over which savings are spent: seconds, or as in 1h"},
		{Name: "sweeps", Default: "4", Doc: "sweeps of responses per round"},
		{Name: "every", Default: "300", Doc: "longest time between rounds: seconds, or as in 5m"},
		{Name: "seed", Default: "1", Doc: "seed of the weights"},
	},
	New: func(a *policies.Args) (policies.Policy, error) {
		every := a.Duration("every", 1e-3, events.MaxSeconds)
		rules := fair.BiddingRules{
			Machines: a.Int("machines", 1, 100_000), Income: a.Float("income", 1e-9, 1e9),
			Ceiling: a.Seconds("ceiling", 0, 1e12),
			Horizon: a.Seconds("horizon", 1e-3, 1e12), Sweeps: a.Int("sweeps", 1, 1000), Every: every,
			Seed: uint64(a.Int("seed", 0, math.MaxInt32)),
		}
		switch w := a.Text("weights"); {
		case w == "alike":
			rules.Alike = true
		case w != "uniform":
			return nil, fmt.Errorf("price-anticipating: weights=%s: want alike or uniform", w)
		}
		if rules.Horizon < every.Seconds() {
			return nil, fmt.Errorf("price-anticipating: horizon=%g is shorter than every=%g: savings would be spent twice",
				rules.Horizon, every.Seconds())
		}
		return fair.NewBidding(rules), nil
	},
}

// finishing is the closed loop of finish-time fairness.
var finishing = Entry[policies.Policy]{
	Name: "ftf", Paper: "Mahajan et al., Themis, NSDI 2020",
	Line: "finish-time fairness: shares processors among users so that the largest quotient of finish time here and " +
		"with an equal part alone is least",
	Params: []policies.Param{
		{Name: "every", Default: "360", Doc: "longest time between rounds while work waits: seconds, or as in 6m"},
		{Name: "by", Default: "runtime", Doc: "what work is planned by: runtime, the true one, or estimate"},
	},
	New: fromArgs(func(a *policies.Args) policies.Policy {
		return fair.NewFinish(a.Duration("every", 1e-3, events.MaxSeconds),
			a.Choice("by", "runtime", "estimate") == "estimate")
	}),
}

// sharing makes a policy of each mechanism that knows limits: agents are the
// trace's users.
func sharing() []Entry[policies.Policy] {
	var made []Entry[policies.Policy]
	for _, m := range Mechanisms.Entries {
		loop, ok := limited[m.Name]
		if !ok {
			continue
		}
		made = append(made, Entry[policies.Policy]{
			Name: m.Name, Paper: m.Paper, Params: m.Params, Example: m.Example,
			Line: "shares among users: " + m.Line + ", up to the needs of their jobs",
			New: func(a *policies.Args) (policies.Policy, error) {
				mechanism, resources, err := loop(a)
				if err != nil {
					return nil, err
				}
				return fair.NewSharing(mechanism, resources), nil
			},
		})
	}
	return append(made, lend, anticipating, finishing, Entry[policies.Policy]{
		Name: "hybrid", Paper: bei + ", Theorem 5.1", Line: "shares among users: hybrid-sw",
		New: withoutArgs(func() policies.Policy { return fair.NewSharing(share.LimitedHybrid(true), 2) }),
	})
}
