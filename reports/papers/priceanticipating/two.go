package priceanticipating

import (
	"math"

	"bourse/policies/market"
)

// tinyReserve is below all bids of the games of two: at alpha = .9999 the least
// is 4e-12, and a larger reserve would hide it.
const tinyReserve = 1e-18

// threshold is where the asymmetric equilibria begin: c = 3.
var threshold = (2 + math.Sqrt2) / 4

// cubic returns the roots of what the paper says gives the equilibria of the opposite-weight
// game, by delta = (2-s)/s with s the bids on machine 1: 1 is always one of
//
//	delta^3 - c delta^2 + c delta - 1,  c = 1/(2 alpha (1-alpha)) - 1,
//
// and, divided by it, delta^2 + (1-c) delta + 1 has two more if c > 3. The largest is first.
func cubic(alpha float64) []float64 {
	c := 1/(2*alpha*(1-alpha)) - 1
	if !(c > 3) {
		return []float64{1}
	}
	r := math.Sqrt((c - 3) * (c + 1))
	return []float64{(c - 1 + r) / 2, 1, 2 / (c - 1 + r)}
}

// symmetric is the efficiency of the symmetric equilibrium as the paper has it.
func symmetric(alpha float64) float64 { return 2*alpha + 1/alpha - 2 }

// rest is a game at given bids, in which no user gains more than gain (a part) by others.
type rest struct {
	*market.Market
	market.Metrics
	gain float64
}

// restFrom is a game of users with budgets of 1 from given bids; users without begin with proportional ones.
func (s *study) restFrom(weights, bids [][]float64) (out rest, err error) {
	if out.Market, err = market.Of(weights, nil); err != nil {
		return out, err
	}
	for i := range bids {
		if err := out.SetBids(i, bids[i]); err != nil {
			return out, err
		}
	}
	if err := out.SetReserve(s.theory); err != nil {
		return out, err
	}
	optimum, _, err := out.Optimum(0)
	out.Metrics, out.gain = out.Measure(out.Allocation(), optimum, true), out.Regret(bestResponse)
	return out, err
}

// equilibria solves a game of two users in which both want every machine. By (1) there are
// margins l and m with u y = l (x+y)^2 and w x = m (x+y)^2 on each, so that y/x = rho = r w/u with
// r = l/m, and x = u rho / (l (1+rho)^2). Both budgets are spent if the sum of
// u rho (1-rho) / (1+rho)^2 is 0, an equation for r alone.
func (s *study) equilibria(u, w []float64) (all []rest, err error) {
	bids := func(logR float64) (x, y []float64, sumX, sumY float64) {
		for j := range u {
			rho := float64(math.Exp(logR) * (w[j] / u[j]))
			other := rho / (1 + rho) // user 2's share
			x, y = append(x, u[j]*other/(1+rho)), append(y, float64(float64(u[j]*other)*other))
			sumX, sumY = sumX+x[j], sumY+y[j]
		}
		return x, y, sumX, sumY
	}
	for _, logR := range roots(func(logR float64) float64 { _, _, a, b := bids(logR); return a - b }, -45, 45) {
		x, y, sumX, sumY := bids(logR)
		for j := range x {
			x[j], y[j] = x[j]/sumX, y[j]/sumY
		}
		e, err := s.restFrom([][]float64{u, w}, [][]float64{x, y})
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// opposite are the equilibria of the opposite-weight game, with the delta of each, the largest first.
func (s *study) opposite(alpha float64) (all []rest, deltas []float64, err error) {
	all, err = s.equilibria([]float64{alpha, 1 - alpha}, []float64{1 - alpha, alpha})
	for _, e := range all {
		deltas = append(deltas, e.Price(1)/e.Price(0))
	}
	return all, deltas, err
}

// roots finds where f changes its sign, by bisection between 3,000 points.
func roots(f func(float64) float64, from, to float64) (out []float64) {
	const steps = 3000
	at := func(k int) float64 { return from + float64((to-from)*float64(k)/steps) }
	for k := range steps {
		a, b := at(k), at(k+1)
		if above := f(a) >= 0; above != (f(b) >= 0) {
			for range 60 {
				if c := (a + b) / 2; (f(c) >= 0) == above {
					a = c
				} else {
					b = c
				}
			}
			out = append(out, (a+b)/2)
		}
	}
	return out
}
