package share

import "math"

// WeightedNash maximises the sum of weight x log(dominant share): without weights the product
// of the shares (Nash welfare; the competitive equilibrium from equal incomes of Eisenberg and
// Gale 1959).
func WeightedNash(weights []float64) Mechanism {
	return func(d Demands) ([]float64, error) {
		if _, err := newFilling(d, weights); err != nil {
			return nil, err
		}
		e := equilibrium{d: d, weights: weights, y: make([]float64, len(d))}
		e.clear()
		return e.y, nil
	}
}

// LimitedNash is WeightedNash(nil) for agents who want no more than a limit. One resource it shares as
// DRF does.
func LimitedNash() *Limited {
	return &Limited{Single: "drf", rule: func(l *Limited) {
		l.stale, l.y = true, resized(l.y, len(l.d)) // nothing else is kept
		e := equilibrium{d: l.d, limits: l.limits, y: l.y, prices: l.prices, used: l.use}
		e.clear()
		l.prices, l.use = e.prices, e.used
		for i, y := range l.y {
			if y < l.limits[i] {
				l.unsatisfied = append(l.unsatisfied, int32(i))
			}
		}
	}}
}

// equilibrium seeks prices lambda_r >= 0, above 0 only where resource r is used up, at which
//
//	y_i = min(limit_i, weight_i / sum_r lambda_r d_ir).
//
// These are the optimality conditions. For given lambda_1, ..., lambda_k the rest solve a
// problem of the same kind, and the value of that is convex in lambda_k, its slope being
// 1 - use of k: so each price is the one root of a falling function, found with the next
// ones solved inside. Searches begin at the last prices, which change little from round to
// round.
type equilibrium struct {
	d               Demands
	limits, weights []float64 // nil: none; all 1
	y, prices, used []float64
}

// clear finds the prices and the shares.
func (e *equilibrium) clear() {
	if m := len(e.d[0]); len(e.prices) != m {
		e.prices, e.used = make([]float64, m), make([]float64, m)
	}
	e.price(0)
	most := 1.0
	for _, u := range e.used {
		most = max(most, u)
	}
	for i := range e.y {
		e.y[i] /= most // rounding
	}
}

// buy lets agents buy at the prices.
func (e *equilibrium) buy() {
	clear(e.used)
	for i, row := range e.d {
		cost := 0.0
		for r, v := range row {
			cost += float64(e.prices[r] * v)
		}
		y := weight(e.weights, i) / cost // infinite if all it wants is free
		if e.limits != nil {
			y = min(y, e.limits[i])
		}
		e.y[i] = y
		for r, v := range row {
			if v > 0 {
				e.used[r] += float64(y * v)
			}
		}
	}
}

// excess is the demand for resource r beyond its capacity at price p and those before it.
func (e *equilibrium) excess(r int, p float64) float64 {
	e.prices[r] = p
	e.price(r + 1)
	return e.used[r] - 1
}

// price finds the prices from resource r on.
func (e *equilibrium) price(r int) {
	if r == len(e.prices) {
		e.buy()
		return
	}
	low, high, above, below := e.bracket(r)
	side := 0
	for range 200 {
		if high == low || high-low <= 1e-15*high || math.Abs(below) <= usedUp/100 {
			break
		}
		p := low + float64((high-low)*(above/(above-below))) // regula falsi, Illinois variant
		if !(p > low && p < high) {
			p = low + float64((high-low)/2)
		}
		x := e.excess(r, p)
		switch {
		case x > 0:
			if low, above = p, x; side == 1 {
				below /= 2
			}
			side = 1
		default:
			if high, below = p, x; side == -1 {
				above /= 2
			}
			side = -1
		}
		if math.Abs(x) <= usedUp/100 {
			return
		}
	}
	e.excess(r, high)
}

// bracket returns prices of which the first leaves more wanted than there is and the second
// does not, and these differences: around the last price, ever farther. A price of 0 at
// which enough is left is both.
func (e *equilibrium) bracket(r int) (low, high, above, below float64) {
	at := e.prices[r]
	x := e.excess(r, at)
	for step := 1.01; x > 0; step *= step {
		low, above = at, x
		at = max(at*step, 1e-3)
		if x = e.excess(r, at); x <= 0 {
			return low, at, above, x
		}
	}
	for step := 1.01; at > 0; step *= step {
		high, below = at, x
		if at /= step; at < 1e-9 {
			at = 0
		}
		if x = e.excess(r, at); x > 0 {
			return at, high, x, below
		}
	}
	return 0, 0, x, x
}
