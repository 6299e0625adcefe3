package priceanticipating

import (
	"math"

	"bourse/policies/market"
)

// opposite is an equilibrium of the opposite-weight game: two users, two
// machines, weights (alpha, 1-alpha) and (1-alpha, alpha), alpha >= 1/2.
type opposite struct {
	alpha, delta float64 // delta = (2-s)/s, s the bids on machine 1
	x, y         float64 // what the users bid on machine 1
}

// threshold is where the asymmetric equilibria begin: c = 3.
var threshold = (2 + math.Sqrt2) / 4

// equilibria returns all equilibria: delta = 1 is always a root of
//
//	delta^3 - c delta^2 + c delta - 1,  c = 1/(2 alpha (1-alpha)) - 1,
//
// and, divided by it, delta^2 + (1-c) delta + 1 has two more if c > 3. Of these
// one is the other with the users exchanged.
func equilibria(alpha float64) []opposite {
	roots := []float64{1}
	if c := 1/(2*alpha*(1-alpha)) - 1; c > 3 {
		r := math.Sqrt((c - 3) * (c + 1))
		roots = append(roots, 2/(c-1+r), (c-1+r)/2)
	}
	out := make([]opposite, len(roots))
	for k, delta := range roots {
		odds := alpha / (1 - alpha)
		out[k] = opposite{alpha, delta, 1 / (1 + float64(delta*delta/odds)), 1 / (1 + float64(delta*delta*odds))}
	}
	return out
}

// utilities returns what the users have.
func (e opposite) utilities() (first, second float64) {
	a := e.alpha
	one, two := e.x/(e.x+e.y), (1-e.x)/((1-e.x)+(1-e.y))
	return float64(a*one) + float64((1-a)*two), float64((1-a)*(1-one)) + float64(a*(1-two))
}

// efficiency is the sum of the utilities over the optimum 2 alpha.
func (e opposite) efficiency() float64 {
	u, v := e.utilities()
	return (u + v) / (2 * e.alpha)
}

// uniformity is the lesser utility over the larger.
func (e opposite) uniformity() float64 {
	u, v := e.utilities()
	return min(u, v) / max(u, v)
}

// symmetric is the efficiency of the symmetric equilibrium as the paper has it.
func symmetric(alpha float64) float64 { return 2*alpha + 1/alpha - 2 }

// tinyReserve is below all bids of the games of two: at alpha = .9999 the least
// is 4e-12, and the usual reserve would hide it.
const tinyReserve = 1e-18

// market puts the game at an equilibrium's bids.
func (e opposite) market() (*market.Market, error) {
	m, err := market.New(2, tinyReserve)
	if err != nil {
		return nil, err
	}
	for i, bid := range []float64{e.x, e.y} {
		w := []float64{e.alpha, 1 - e.alpha}[i]
		if _, err := m.Join(1, []market.Want{{Machine: 0, Weight: w}, {Machine: 1, Weight: 1 - w}}); err != nil {
			return nil, err
		}
		if err := m.SetBids(i, []float64{bid, 1 - bid}); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// off is how far the best responses to the equilibrium's bids are from them.
func (e opposite) off() (float64, error) {
	most := 0.0
	for i, bid := range []float64{e.x, e.y} {
		m, err := e.market()
		if err != nil {
			return 0, err
		}
		m.Answer(i, bestResponse)
		most = max(most, math.Abs(m.Bids(i)[0]-bid))
	}
	return most, nil
}
