package lending

import "testing"

// TestAccountByHand works two rounds of flexible lending out.
func TestAccountByHand(t *testing.T) {
	endow := []float64{1, 1, 1}
	a := NewAccount(endow)
	m := NewFL(endow, 2)
	alloc := make([]float64, 3)
	for _, demand := range [][]float64{{2, 0, 0}, {3, 1, 0}} { // {2, .5, .5}, then {0, 1.5, 1.5}
		m.Round(demand, alloc)
		a.Add(demand, alloc)
	}
	welfare, static := a.Welfare(2, .5)
	// Agent 1 gets 2 wanted units, agent 2 one wanted and one not, agent 3 two
	// unwanted; endowments give 2 wanted, 1 and 1, and 2 unwanted.
	if !near(welfare, 4+2.5+1) || !near(static, 4+2.5+1) {
		t.Errorf("welfare %v, static %v", welfare, static)
	}
	if got := a.Indices(); len(got) != 2 || !near(got[0], 1) || !near(got[1], 1) {
		t.Errorf("sharing indices %v", got)
	}
	if _, ok := a.SharingIndex(2); ok {
		t.Error("an agent that demands nothing has no sharing index")
	}
	for i := range endow {
		if !near(a.Alloc[i], 2) {
			t.Errorf("agent %d has got %v of its 2 units", i, a.Alloc[i])
		}
	}
}

// TestAccountAgainstUtility compares with the sum over kept rounds.
func TestAccountAgainstUtility(t *testing.T) {
	endow, truth := threePeriod(1, 0, 5)
	for name, m := range lenders(endow, len(truth)) {
		alloc := Allocations(m, truth)
		a := NewAccount(endow)
		for r := range truth {
			a.Add(truth[r], alloc[r])
		}
		for i := range endow {
			if want := Utility(alloc, truth, i, .3); !near(a.Utility(i, 1, .3), want) {
				t.Errorf("%s: agent %d has utility %v, want %v", name, i, a.Utility(i, 1, .3), want)
			}
		}
	}
}
