package share

import (
	"math"
	"testing"

	"bourse/traces/rng"
)

// TestRoundsByHand walks each mechanism through rounds computed by hand.
func TestRoundsByHand(t *testing.T) {
	one := []float64{1, 1}
	period := func(t, rounds int) Lender { m, _ := NewTPeriod(one, t, rounds); return m }
	karma, _ := NewKarma(one, .5, 0)
	for _, c := range []struct {
		name            string
		m               Lender
		demands, shares [][]float64
	}{
		{"static", NewStatic(one), [][]float64{{2, 0}, {0, 0}}, [][]float64{{1, 1}, {1, 1}}},
		{"smm", NewSMM(one), // the second round's spare unit goes half and half on top of floors 1.5 and 0
			[][]float64{{2, 0}, {1.5, 0}, {2, 2}, {0, 0}, {.5, 3}}, [][]float64{{2, 0}, {1.5, .5}, {1, 1}, {1, 1}, {.5, 1.5}}},
		{"smm by endowment", NewSMM([]float64{1, 3}), [][]float64{{9, 9}, {9, 1}}, [][]float64{{1, 3}, {3, 1}}},
		{"dmm", NewDMM(one), // agent 2 is owed what agent 1 took in the first round
			[][]float64{{2, 0}, {2, 2}, {2, 2}}, [][]float64{{2, 0}, {0, 2}, {1, 1}}},
		{"fl", NewFL(one, 2), // agent 1 has spent its tokens
			[][]float64{{2, 0}, {2, 2}}, [][]float64{{2, 0}, {0, 2}}},
		{"fl, nobody wants", NewFL(one, 3), // unwanted units are charged, too
			[][]float64{{0, 0}, {2, 0}, {2, 2}}, [][]float64{{1, 1}, {2, 0}, {0, 2}}},
		{"tperiod:1", period(1, 4), [][]float64{{2, 0}, {9, 9}, {0, 2}, {9, 9}}, [][]float64{{2, 0}, {0, 2}, {0, 2}, {2, 0}}},
		{"tperiod:1 with a tail", period(1, 3), [][]float64{{2, 0}, {9, 9}, {2, 0}}, [][]float64{{2, 0}, {0, 2}, {1, 1}}},
		{"tperiod:2", period(2, 4), [][]float64{{2, 0}, {2, 0}, {9, 9}, {9, 9}}, [][]float64{{2, 0}, {2, 0}, {0, 2}, {0, 2}}},
		{"karma:0.5", karma, // half a credit each a round; agent 2 earns by donating, then borrows
			[][]float64{{2, 0}, {0, 2}}, [][]float64{{1, 0}, {0, 2}}},
	} {
		for r, got := range Allocations(c.m, c.demands) {
			for i := range got {
				if math.Abs(got[i]-c.shares[r][i]) > 1e-12 {
					t.Errorf("%s, round %d: %v for demands %v, want %v", c.name, r+1, got, c.demands[r], c.shares[r])
					break
				}
			}
		}
	}
}

// randomInstance draws a small instance with agents of different endowments.
func randomInstance(r *rng.Rand) (endow []float64, truth [][]float64) {
	n := 2 + r.IntN(3)
	for range n {
		endow = append(endow, float64(1+r.IntN(3)))
	}
	for range 2 + r.IntN(5) {
		d := make([]float64, n)
		for i := range d {
			if r.IntN(3) > 0 {
				d[i] = float64(r.IntN(9))
			}
		}
		truth = append(truth, d)
	}
	return endow, truth
}

// TestStrategyProofness searches 10,000 random instances for profitable lies:
// none under static, FL and T <= 2 whatever the low value; some under DMM; under
// SMM only if units beyond the demand are worth something.
func TestStrategyProofness(t *testing.T) {
	instances := 10_000
	if testing.Short() {
		instances = 500
	}
	tperiod := func(half int) func([]float64, int) Lender {
		return func(endow []float64, rounds int) Lender { m, _ := NewTPeriod(endow, half, rounds); return m }
	}
	for _, c := range []struct {
		name  string
		make  func(endow []float64, rounds int) Lender
		low   float64
		found bool
	}{
		{"static", func(e []float64, _ int) Lender { return NewStatic(e) }, .3, false},
		{"fl", func(e []float64, n int) Lender { return NewFL(e, n) }, 0, false},
		{"fl, L=.3", func(e []float64, n int) Lender { return NewFL(e, n) }, .3, false},
		{"tperiod:1", tperiod(1), 0, false},
		{"tperiod:2", tperiod(2), 0, false},
		{"dmm", func(e []float64, _ int) Lender { return NewDMM(e) }, 0, true},
		{"smm, L=0", func(e []float64, _ int) Lender { return NewSMM(e) }, 0, false},
		{"smm, L=.3", func(e []float64, _ int) Lender { return NewSMM(e) }, .3, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			draw := rng.New(7, "instances")
			violations, worst := 0, Lie{}
			for k := range instances {
				draw.Key(uint64(k))
				endow, truth := randomInstance(draw)
				agent := k % len(endow)
				lie := BestLie(func() Lender { return c.make(endow, len(truth)) }, truth, agent, endow[agent], c.low)
				if lie.Gain > 1e-6 {
					violations++
					if lie.Gain > worst.Gain {
						worst = lie
					}
				}
			}
			if (violations > 0) != c.found {
				t.Errorf("%d of %d instances have a profitable lie, the best gains %.4f: %v", violations, instances, worst.Gain, worst.Reported)
			}
			t.Logf("%d of %d instances have a profitable lie, the best gains %.3f", violations, instances, worst.Gain)
		})
	}
}

// BenchmarkLend is 1,000 agents; a round is one iteration.
func BenchmarkLend(b *testing.B) {
	const n = 1000
	r := rng.New(1, "bench")
	endow, demand, alloc := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range endow {
		endow[i] = 1 + r.Float64()
	}
	for _, c := range []struct {
		name string
		m    Lender
	}{{"smm", NewSMM(endow)}, {"dmm", NewDMM(endow)}, {"fl", NewFL(endow, 1<<40)}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range demand {
					demand[i] = 3 * r.Float64() * r.Float64() * endow[i]
				}
				c.m.Round(demand, alloc)
			}
		})
	}
}
