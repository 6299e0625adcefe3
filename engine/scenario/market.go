package scenario

import (
	"cmp"

	"bourse/policies"
	"bourse/policies/catalog"
)

// Market names the policy, the payment, and the models of values and bids. An empty field
// is what Settled fills in.
type Market struct {
	Policy    string `json:"policy"`
	Payment   string `json:"payment"`
	Values    string `json:"values"`
	Behaviour string `json:"behaviour"`
	Bids      string `json:"bids"`   // a table of values and bids instead
	Budget    string `json:"budget"` // of users, as AMOUNT/PERIOD or a table; empty: without limits
	Seed      uint64 `json:"seed"`
}

// defaultPolicy is the policy where none is named and no market is asked for.
const defaultPolicy = "easy"

// Asked reports whether bids or money matter in a market, settled or not: its policy
// ranks by bid, somebody pays, or values and bids are not the usual draws.
func (m Market) Asked() bool {
	d := catalog.Defaults
	p, err := catalog.Policies.Make(m.Policy)
	if err == nil {
		_, spends := policies.As[policies.Spender](p)
		_, sells := policies.As[policies.Seller](p)
		if spends || sells || policies.TraitsOf(p).RanksByBid {
			return true
		}
	}
	return cmp.Or(m.Payment, free) != free || m.Bids != "" || m.Budget != "" ||
		cmp.Or(m.Values, d.Values) != d.Values || cmp.Or(m.Behaviour, d.Behaviour) != d.Behaviour
}

const free = "none"

// Asks reports whether what is named asks for a market, be it only its own default.
func (m Market) Asks() bool { return m.Asked() || m.Values != "" || m.Behaviour != "" }

// Settled fills in what is not named: EASY without payments, or where a market is
// asked for the policy hb, and as payment kth where jobs compete by bid.
func (m Market) Settled() Market {
	d, market := catalog.Defaults, m.Asks()
	if m.Policy == "" {
		m.Policy = defaultPolicy
		if market {
			m.Policy = d.Policy
		}
	}
	m.Values, m.Behaviour = cmp.Or(m.Values, d.Values), cmp.Or(m.Behaviour, d.Behaviour)
	if m.Payment != "" {
		return m
	}
	m.Payment = free
	if p, err := catalog.Policies.Make(m.Policy); err == nil && market {
		if _, ok := policies.As[policies.Spender](p); ok {
			m.Payment = "bids"
		} else if _, ok := policies.As[policies.Seller](p); ok {
			m.Payment = "asked"
		} else if _, ok := policies.As[policies.Market](p); ok {
			m.Payment = d.Payment
		}
	}
	return m
}

// Scripts lists the files that the market's parts are made of.
func (m Market) Scripts() []string {
	return catalog.Scripts(m.Policy, m.Payment, m.Values, m.Behaviour)
}

func (m Market) names() catalog.Market {
	return catalog.Market{Policy: m.Policy, Payment: m.Payment, Values: m.Values, Behaviour: m.Behaviour, Seed: m.Seed}
}
