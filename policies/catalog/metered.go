package catalog

import (
	"fmt"
	"slices"
	"strings"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
)

// metered are the schemes whose prices do not depend on who runs at the time.
var metered = []Entry[Scheme]{
	{
		Name: "metered", Params: []policies.Param{{Name: "series", Doc: "the name of an input series"}},
		Example: "metered:tariff", Yours: true,
		Line: "what an input series says a processor-second costs, as a tariff, also in addition to another: " +
			"kth+metered:tariff",
		New: fromArgs(func(a *policies.Args) Scheme {
			name := a.Text("series")
			return func(policies.Policy) (policies.Pricer, error) { return payment.NewMetered(name), nil }
		}),
	},
	{
		Name: "shapley", Paper: "Fair-CO2, ISCA 2025", Example: "shapley(cost=1000)", Yours: true,
		Params: []policies.Param{
			{Name: "levels", Default: "3d/8h/1h/5m", Doc: "lengths of the blocks of time, each divided into the next"},
			{Name: "cost", Doc: "what all bills add up to"},
			{Name: "demand", Default: ownDemand, Doc: "what prices are made of: what the jobs of the replay use, or the name " +
				"of an input series"},
		},
		Line: "a fixed cost, as of the machine, divided over time by the Shapley value of demand: peaks pay more",
		New: func(a *policies.Args) (Scheme, error) {
			levels, err := ParseLevels(strings.Split(a.Text("levels"), "/"))
			cost, demand := a.Float("cost", 0, policies.MostMoney), strings.TrimPrefix(a.Text("demand"), ownDemand)
			return func(policies.Policy) (policies.Pricer, error) {
				return &payment.Shapley{Levels: levels, Cost: cost, Demand: demand}, nil
			}, err
		},
	},
}

// ownDemand means the demand of the replay itself.
const ownDemand = "own"

// ParseLevels reads lengths of time, each shorter than the one before it.
func ParseLevels(texts []string) (levels []events.Time, err error) {
	for _, text := range texts {
		t, err := events.ParseDuration(strings.TrimSpace(text))
		if err == nil && t == 0 {
			err = fmt.Errorf("%q: want a duration above 0", text)
		}
		if n := len(levels); err == nil && n > 0 && t >= levels[n-1] {
			err = fmt.Errorf("%q: want each level shorter than the one before it, as in 3d, 8h, 1h", text)
		}
		if err != nil {
			return nil, fmt.Errorf("levels: %w", err)
		}
		levels = append(levels, t)
	}
	return levels, nil
}

// Schemes is the list of price schemes, of which a text may name several with + in between.
type Schemes struct{ List[Scheme] }

// Make builds what text asks for; several schemes together charge what each does.
func (l *Schemes) Make(text string) (Scheme, error) {
	var all []Scheme
	for _, part := range l.split(text) {
		s, err := l.List.Make(part)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return func(p policies.Policy) (policies.Pricer, error) {
		var joint payment.Joint
		for _, scheme := range all {
			one, err := scheme(p)
			if err != nil {
				return nil, err
			}
			joint = append(joint, one)
		}
		return joint, nil
	}, nil
}

// split divides a text at each + behind which the name of a scheme is: others are part of a number.
func (l *Schemes) split(text string) (parts []string) {
	for i, part := range strings.Split(text, "+") {
		spec, _ := policies.ParseSpec(part)
		if i == 0 || slices.Contains(l.Names(), spec.Name) {
			parts = append(parts, part)
		} else {
			parts[len(parts)-1] += "+" + part
		}
	}
	return parts
}
