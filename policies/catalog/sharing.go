package catalog

import (
	"fmt"
	"strconv"

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
	return append(made, Entry[policies.Policy]{
		Name: "hybrid", Paper: bei + ", Theorem 5.1", Line: "shares among users: hybrid-sw",
		New: func(*policies.Args) (policies.Policy, error) {
			return fair.NewSharing(share.LimitedHybrid(true), 2), nil
		},
	})
}
