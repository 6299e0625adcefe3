package scenario

import "testing"

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
			t.Errorf("%+v: %s, %s, asked %v; want %s, %s, %v", c.named, got.Policy, got.Payment, got.Asked(), c.policy, c.payment, c.asked)
		}
		if got.Values == "" || got.Behaviour == "" || got.Settled() != got {
			t.Errorf("%+v is not settled: %+v", c.named, got)
		}
	}
}
