package priceanticipating

import (
	"fmt"
	"math"
	"time"

	"bourse/policies/market"
	"bourse/traces/rng"
)

// timed are the numbers of machines at which best responses are timed; answers is how many users
// answer at each.
var timed = []int{100, 1_000, 10_000, 100_000}

const answers = 8

// timing shows how the time of a best response grows with the machines: "O(n log n), dominated by the
// sorting" (section 4.1). It is of the clock, so that it is printed and not kept, and no claim.
func (s *study) timing() error {
	before := 0.0
	for k, n := range timed {
		m, err := market.Of(market.Uniform(rng.Stream(s.Seed, "price-anticipating timing", uint64(n)), answers, n), nil)
		if err != nil {
			return err
		}
		if err := m.SetReserve(s.reserve); err != nil {
			return err
		}
		least := math.Inf(1)
		for range 3 {
			fresh := m.Clone() // bids in proportion to the weights, which one answer brings into another order
			begun := time.Now()
			fresh.Sweep(market.Rule{Update: market.BestResponse})
			least = min(least, time.Since(begun).Seconds()/answers)
		}
		if text := fmt.Sprintf("best response on %d machines: %.3g µs by the clock", n, 1e6*least); k == 0 {
			s.Aside("%s, the fastest of three sweeps of %d users", text, answers)
		} else {
			growth := float64(n) * math.Log(float64(n)) / float64(timed[k-1]) / math.Log(float64(timed[k-1]))
			s.Aside("%s, %.1f times that on %d; n log n grows %.1f times", text, least/before, timed[k-1], growth)
		}
		before = least
	}
	return nil
}
