package stats

import (
	"math"
	"slices"

	"bourse/traces/rng"
)

// Flips is a test by flipping signs. S are the differences between two policies in independent
// stretches of a log, W the jobs in them. If the policies are alike, each S_c is as likely as
// -S_c, whatever its distribution; so what the sum of S comes to under random signs says how
// surprising the sum is that was found (Fisher 1935, section 21).
type Flips struct {
	sum, weight, scale float64   // the scale is the square root of the sum of S^2
	of                 []float64 // the sum of S under the signs of each draw, the first being those found
	weights            []float64 // and that of W
}

// Draws is how many choices of signs are drawn where there are too many to try all, with the one
// that was found among them.
const Draws = 1000

// few is up to how many stretches all choices of signs are tried: 2^9 are fewer than Draws.
const few = 9

// FlipsOf draws the signs for sums and their positive weights, from a stream of its own. Sums of one
// key have the same signs in all Flips that are made of keys; without keys all choices are tried where
// they are few.
func FlipsOf(sums, weights []float64, keys []int) *Flips {
	f := &Flips{sum: Total(sums), weight: Total(weights)}
	n, all := Draws, keys == nil && len(sums) <= few
	if all {
		n = 1 << len(sums)
	}
	f.of, f.weights = make([]float64, n), make([]float64, n)
	r := rng.New(0, "sign flips")
	words := make([]uint64, (n+63)/64)
	for c, s := range sums {
		w := weights[c]
		f.scale += float64(s * s)
		if keys != nil {
			r.Key(uint64(keys[c]))
		}
		for i := range words {
			words[i] = r.Uint64()
		}
		for d := range f.of {
			minus := words[d/64]>>(d%64)&1 == 1 && d > 0
			if all {
				minus = d>>c&1 == 1
			}
			if minus {
				f.of[d] -= s
				f.weights[d] -= w
			} else {
				f.of[d] += s
				f.weights[d] += w
			}
		}
	}
	f.scale = math.Sqrt(f.scale)
	return f
}

// P is the share of draws whose sum is at least as far from 0 as the one found: 1 where nothing
// differs.
func (f *Flips) P() float64 {
	n := 0
	for _, s := range f.of {
		if math.Abs(s) >= math.Abs(f.sum)*(1-1e-12) {
			n++
		}
	}
	return float64(n) / float64(len(f.of))
}

// RaiseMost raises most, of each draw, to the sum of S by its scale.
func (f *Flips) RaiseMost(most *[Draws]float64) {
	for d, s := range f.of {
		most[d] = max(most[d], math.Abs(s)/f.scale)
	}
}

// PAmong is P corrected for the number of Flips of common keys whose greatest sums most has
// (Westfall and Young 1993): the share of draws in which any is as far from 0 as this one.
func (f *Flips) PAmong(most *[Draws]float64) float64 {
	n := 0
	for _, x := range most {
		if x >= math.Abs(f.sum)/f.scale*(1-1e-12) {
			n++
		}
	}
	return float64(n) / Draws
}

// Interval is the set of differences d for each job that the flips of S - d W do not reject at
// alpha. A draw is at least as far from 0 as what was found where
// |s - d w| >= |S - d W|, which for |w| < W is from (S - s) / (W - w) to (S + s) / (W + w), on both
// sides of S / W. So it has two ends, which are infinite where too few draws reject.
func (f *Flips) Interval(alpha float64) (low, high float64) {
	lows, highs := make([]float64, len(f.of)), make([]float64, len(f.of))
	for d, s := range f.of {
		w := f.weights[d]
		lows[d], highs[d] = math.Inf(-1), math.Inf(1)
		if math.Abs(w) < f.weight {
			a, b := (f.sum-s)/(f.weight-w), (f.sum+s)/(f.weight+w)
			lows[d], highs[d] = min(a, b), max(a, b)
		}
	}
	slices.Sort(lows)
	slices.Sort(highs)
	least := int(alpha * float64(len(f.of))) // that many draws may go further
	return lows[min(least, len(lows)-1)], highs[max(len(highs)-1-least, 0)]
}

// Effective is the effective number of stretches, (sum S^2)^2 / sum S^4: n if all weigh the same,
// about 1 if one holds nearly all.
func Effective(sums []float64) float64 {
	var squares, fourths float64
	most := 0.0
	for _, s := range sums {
		most = max(most, math.Abs(s))
	}
	for _, s := range sums {
		x := float64(s / most)
		x = float64(x * x)
		squares += x
		fourths += float64(x * x)
	}
	if fourths == 0 {
		return 0
	}
	return float64(squares*squares) / fourths
}
