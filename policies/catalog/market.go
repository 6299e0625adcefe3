package catalog

import (
	"cmp"

	"bourse/policies"
	"bourse/policies/bidding"
)

// Market names everything that can be plugged into a replay.
type Market struct {
	Policy, Payment   string
	Values, Behaviour string
	Seed              uint64
}

// Defaults are the market where nothing else is asked for.
var Defaults = Market{Policy: "hb", Payment: "kth", Values: "bimodal", Behaviour: "truthful", Seed: 1}

// Build makes fresh instances for one replay.
func (m Market) Build() (policies.Policy, policies.Pricer, policies.Bidder, error) {
	p, err := Policies.Make(m.Policy)
	scheme, noScheme := Payments.Make(m.Payment)
	if err := cmp.Or(err, noScheme); err != nil {
		return nil, nil, nil, err
	}
	pricer, err := scheme(p)
	values, noValues := Values.Make(m.Values)
	behaviour, noBehaviour := Behaviours.Make(m.Behaviour)
	if err := cmp.Or(err, noValues, noBehaviour); err != nil {
		return nil, nil, nil, err
	}
	return p, pricer, bidding.NewModel(values, behaviour, m.Seed), nil
}
