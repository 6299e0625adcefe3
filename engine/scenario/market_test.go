package scenario

import (
	"testing"

	"bourse/engine"
)

// TestSettled wants what a command line names, and nothing else, to ask for a market;
// and a market once settled to stay as it is.
func TestSettled(t *testing.T) {
	for _, c := range []struct {
		named           Market
		policy, payment string
		asked           bool
	}{
		{Market{}, "easy", "none", false},
		{Market{Payment: "none"}, "easy", "none", false},
		{Market{Policy: "fcfs"}, "fcfs", "none", false},
		{Market{Policy: "drf"}, "drf", "none", false},
		{Market{Policy: "hb"}, "hb", "kth", true},
		{Market{Policy: "hb", Payment: "none"}, "hb", "none", true},
		{Market{Policy: "nphb"}, "nphb", "kth", true},
		{Market{Policy: "wspt"}, "wspt", "kth", true},
		{Market{Policy: "price-anticipating"}, "price-anticipating", "bids", true},
		{Market{Payment: "first"}, "hb", "first", true},
		{Market{Behaviour: "srg"}, "hb", "kth", true},
		{Market{Behaviour: "truthful"}, "hb", "kth", true},
		{Market{Values: "bimodal"}, "hb", "kth", true},
		{Market{Bids: "bids.csv"}, "hb", "kth", true},
		{Market{Policy: "fcfs", Behaviour: "srg"}, "fcfs", "kth", true},
		{Market{Policy: "easy", Behaviour: "srg"}, "easy", "kth", true},
		{Market{Policy: "easy", Payment: "posted:2"}, "easy", "posted:2", true},
	} {
		got := c.named.Settled()
		if got.Policy != c.policy || got.Payment != c.payment || got.Asked() != c.asked {
			t.Errorf("%+v: %s, %s, asked %v; want %s, %s, %v", c.named, got.Policy, got.Payment, got.Asked(), c.policy,
				c.payment, c.asked)
		}
		if got.Values == "" || got.Behaviour == "" || got.Settled() != got {
			t.Errorf("%+v is not settled: %+v", c.named, got)
		}
	}
}

// TestUsualPolicy wants a policy that plans on the machine where none is named.
func TestUsualPolicy(t *testing.T) {
	pool, cluster := Hardware{Machine: engine.Pool{}}, Hardware{Machine: engine.Cluster{}}
	for _, c := range []struct {
		on    Hardware
		named Market
		want  string
	}{
		{Hardware{Machine: engine.Processors(4)}, Market{}, "easy"},
		{pool, Market{}, "fcfs"}, {pool, Market{Payment: "kth"}, "hb"}, {pool, Market{Policy: "drf"}, "drf"},
		{cluster, Market{}, "fcfs(fit=skip)"}, {cluster, Market{Payment: "kth"}, "nphb"}, {cluster, Market{Policy: "sjf"}, "sjf"},
	} {
		if got := c.on.withDefaults(c.named).Settled().Policy; got != c.want {
			t.Errorf("%+v on %T: %s, want %s", c.named, c.on.Machine, got, c.want)
		}
	}
}
