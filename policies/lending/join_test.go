package lending

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestJoin lets agents join at random rounds and wants every round to hand out E
// all the same, what is saved to stay the mechanism's promise, and FL to give each
// agent exactly its endowments over the rounds it was there.
func TestJoin(t *testing.T) {
	const machine = 12.0
	r := rand.New(rand.NewPCG(5, 1))
	equal := func(n int) []float64 {
		e := make([]float64, n)
		for i := range e {
			e[i] = machine / float64(n)
		}
		return e
	}
	for range 500 {
		rounds := 2 + r.IntN(12)
		tperiod, err := NewTPeriod(equal(1), 1+r.IntN(3), 0)
		if err != nil {
			t.Fatal(err)
		}
		fl, dmm := NewFL(equal(1), rounds), NewDMM(equal(1))
		for name, m := range map[string]Joining{"static": NewStatic(equal(1)), "smm": NewSMM(equal(1)), "dmm": dmm, "fl": fl,
			"tperiod": tperiod} {
			n := 1
			for round := range rounds {
				for n < 6 && r.IntN(3) == 0 {
					n++
					m.Join(equal(n), rounds-round)
				}
				demand, alloc := make([]float64, n), make([]float64, n)
				for i := range demand {
					demand[i] = float64(r.IntN(10))
				}
				m.Round(demand, alloc)
				if sum := total(alloc); math.Abs(sum-machine) > 1e-9 {
					t.Fatalf("%s round %d hands out %g of %g", name, round+1, sum, machine)
				}
				if left := total(fl.tokens); name == "fl" && math.Abs(left-machine*float64(rounds-round-1)) > 1e-9 {
					t.Fatalf("fl: %g tokens are left after round %d of %d", left, round+1, rounds)
				}
				if got := total(dmm.total); name == "dmm" && math.Abs(got-machine*float64(round+1)) > 1e-9 {
					t.Fatalf("dmm has given %g after round %d", got, round+1)
				}
			}
			if name == "fl" && total(fl.tokens) > 1e-9 {
				t.Fatalf("fl ends with tokens %v", fl.tokens)
			}
		}
	}
}

func total(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

// TestKarmaJoin: a newcomer brings the credits that everybody began with.
func TestKarmaJoin(t *testing.T) {
	m, err := NewKarma([]float64{4}, .5, 10)
	if err != nil {
		t.Fatal(err)
	}
	m.Join([]float64{2, 2}, 0)
	alloc := make([]float64, 2)
	m.Round([]float64{4, 0}, alloc)
	if alloc[0] != 4 || alloc[1] != 0 {
		t.Errorf("%v, want all to the one who demands it", alloc)
	}
	// 40 + 1 for the common part - 3 borrowed; 20 + 1 + 1 donated.
	if c := m.credits; c[0] != 38 || c[1] != 22 {
		t.Errorf("credits %v, want 38 and 22", c)
	}
}
