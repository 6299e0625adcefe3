package catalog

import (
	"fmt"
	"strconv"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/fair"
	"bourse/policies/share"
)

// limited makes the mechanisms of a closed loop, for agents who want no more than
// their jobs need.
var limited = map[string]func(*policies.Args) (*share.Limited, int, error){
	"drf":         rule(share.LimitedDRF, 1),
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
			return nil, 0, fmt.Errorf("family:%d: in a replay resource 1 is CPU and 2 memory", r)
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
	Name: "lend", Paper: freeman,
	Line: "shares processors among users round by round, by a mechanism of bourse lend, as in lend:fl or lend(tperiod:2,every=600)",
	Params: []policies.Param{
		{Name: "mechanism", Doc: "static, smm, dmm, fl, tperiod:T or karma:A"},
		{Name: "every", Default: "300", Doc: "seconds a round lasts"},
		{Name: "rounds", Default: "288", Doc: "rounds of a season, after which nothing is owed"},
	},
	New: func(a *policies.Args) (policies.Policy, error) {
		every, _ := events.FromSeconds(a.Float("every", 1e-3, events.MaxSeconds))
		rounds := a.Int("rounds", 1, 1_000_000_000)
		if a.Err() != nil {
			return nil, a.Err()
		}
		m, err := Lenders.Make(a.Text("mechanism"))
		if err != nil {
			return nil, err
		}
		make := func(endow []float64, rounds int) (share.Joining, error) {
			l, err := m.New(endow, rounds)
			if err != nil {
				return nil, err
			}
			return l.(share.Joining), nil
		}
		if _, err := make([]float64{1}, rounds); err != nil {
			return nil, err
		}
		return fair.NewLend(make, every, rounds), nil
	},
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
			Name: m.Name, Paper: m.Paper, Params: m.Params,
			Line: "shares among users: " + m.Line + ", as far as their jobs need it",
			New: func(a *policies.Args) (policies.Policy, error) {
				mechanism, resources, err := loop(a)
				if err != nil {
					return nil, err
				}
				return fair.NewSharing(mechanism, resources), nil
			},
		})
	}
	return append(made, lend, Entry[policies.Policy]{
		Name: "hybrid", Paper: bei + ", Theorem 5.1", Line: "shares among users: hybrid-sw",
		New: func(*policies.Args) (policies.Policy, error) {
			return fair.NewSharing(share.LimitedHybrid(true), 2), nil
		},
	})
}
