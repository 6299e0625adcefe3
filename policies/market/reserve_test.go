package market

import "testing"

// TestSetReserve wants a machine's only user to bid less on it where the reserve is less, and
// reserves that are none refused.
func TestSetReserve(t *testing.T) {
	m := made(t, [][]float64{{1, 0}, {.5, .5}}, nil)
	last := 1.0
	for _, reserve := range []float64{1e-3, 1e-5, 1e-7} {
		if err := m.SetReserve(reserve); err != nil || m.Reserve() != reserve {
			t.Fatalf("%v, a reserve of %v", err, m.Reserve())
		}
		run(t, m, Search{Rule: best, Until: BidGap, Tolerance: 1e-12, Limit: 1000})
		if x := m.Bids(1)[1]; x >= last/5 {
			t.Errorf("reserve %v: a bid of %v after %v", reserve, x, last)
		} else {
			last = x
		}
	}
	if m.SetReserve(0) == nil || m.SetReserve(-1) == nil || m.Reserve() != 1e-7 {
		t.Errorf("a reserve of 0 is taken: %v", m.Reserve())
	}
}
