package share

import (
	"math"
	"sort"
)

// BAL gives every agent dominant share 1/n and then raises both groups at once,
// each by the least-first rule on its non-dominant resource, dominant shares
// being added in the ratio R1 : R2 of what the first step left (Bei, Li and Luo,
// Algorithm 2). It is defined for two competing resources and not
// strategy-proof. Weights have no place in it: an agent of weight w standing for
// w agents would move the ratio R1 : R2, or, in BAL*, all but one w-th of what
// makes that mechanism strategy-proof.
func BAL(d Demands) ([]float64, error) {
	return balance(d, func(p *pair) (float64, float64) { return p.left[0], p.left[1] })
}

// BALStar is BAL with the ratio (R1 + a/n) : (R2 + b/n), a and b the least
// non-dominant demands of the groups, which makes it strategy-proof (ibid.,
// section 3.2).
func BALStar(d Demands) ([]float64, error) {
	return balance(d, func(p *pair) (float64, float64) {
		n := float64(len(p.d))
		return p.left[0] + p.groups[1].leastOther()/n, p.left[1] + p.groups[0].leastOther()/n
	})
}

func balance(d Demands, ratio func(*pair) (float64, float64)) ([]float64, error) {
	p, err := newPair(d)
	if err != nil {
		return nil, err
	}
	if !p.open() {
		return p.give(0, 0)
	}
	a, b := ratio(p)
	s := min(meet(a, p.left[0], &p.groups[1], b), meet(b, p.left[1], &p.groups[0], a))
	return p.give(s*a, s*b)
}

// open reports whether both groups can be raised.
func (p *pair) open() bool {
	return len(p.groups[0].agents) > 0 && len(p.groups[1].agents) > 0 && p.left[0] > usedUp && p.left[1] > usedUp
}

// give raises the groups by the given dominant shares and then, equally, those
// who demand nothing that is used up: no agent, if all demands are positive.
func (p *pair) give(first, second float64) ([]float64, error) {
	f, err := newFilling(p.d, nil)
	if err != nil {
		return nil, err
	}
	for k, added := range []float64{first, second} {
		if len(p.groups[k].agents) > 0 && added > 0 {
			p.groups[k].give(f.y, added)
		}
	}
	return f.run(equally)
}

// meet returns the largest s with s own + use(s other) <= left, use being the
// other group's curve.
func meet(own, left float64, g *group, other float64) float64 {
	k := max(1, sort.Search(len(g.added), func(k int) bool {
		return float64(own*(g.added[k]/other))+g.used[k] > left
	})) - 1
	rate := own + float64(g.slope(k)*other)
	if rate == 0 {
		return math.Inf(1)
	}
	s := g.added[k] / other
	return s + (left-float64(s*own)-g.used[k])/rate
}

// HybridWelfare is UNB where the minority is small, alpha <= 2 - sqrt 3 + 1/(2n),
// and BAL* otherwise, which gives the best fair ratio for welfare, at most
// 3 - sqrt 3 + 1/(2n) (Bei, Li and Luo, Theorem 5.1).
func HybridWelfare(d Demands) ([]float64, error) { return hybrid(d, true) }

// HybridUtilisation switches at alpha <= 1/3 + 1/(3n), for the best fair ratio
// for utilisation, at most 3/(2 - 1/n) (ibid.).
func HybridUtilisation(d Demands) ([]float64, error) { return hybrid(d, false) }

func hybrid(d Demands, welfare bool) ([]float64, error) {
	p, err := newPair(d)
	if err != nil {
		return nil, err
	}
	if smallMinority(len(p.groups[0].agents), len(d), welfare) {
		return UNB(d)
	}
	return BALStar(d)
}

// smallMinority reports whether a hybrid is UNB for a group of so many agents out of n.
func smallMinority(group, agents int, welfare bool) bool {
	n := float64(agents)
	threshold := 1./3 + 1/(3*n)
	if welfare {
		threshold = 2 - math.Sqrt(3) + 1/(2*n)
	}
	return float64(min(group, agents-group))/n <= threshold
}
