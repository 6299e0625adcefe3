package share

import "sort"

// MaxWelfare returns an allocation of the most welfare among those with sharing
// incentive and without envy. It is the benchmark of the fair ratios (Bei, Li
// and Luo, Definition 5), not strategy-proof.
//
// With two resources it takes O(n log n); see the comment on optimum below. With more
// it is a linear program of n variables whose envy rows are added as they are
// found violated; see program.
func MaxWelfare(d Demands) ([]float64, error) { return optimum(d, false) }

// MaxUtilisation returns an allocation of the most utilisation among those with
// sharing incentive and without envy.
func MaxUtilisation(d Demands) ([]float64, error) { return optimum(d, true) }

func optimum(d Demands, utilisation bool) ([]float64, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if len(d[0]) == 1 {
		return DRF(d)
	}
	if len(d[0]) == 2 {
		p, err := newPair(d)
		if err != nil {
			return nil, err
		}
		return p.give(p.optimum())
	}
	return programOptimum(d, utilisation)
}

// optimum returns the dominant shares to be added to the two groups.
//
// Let a group be given dominant share A beyond the first step; then use(A), its
// curve, is the least it takes of the other resource under EF, with slope at
// most 1. Both resources must hold:
//
//	A + use2(B) <= R1,  B + use1(A) <= R2,  A, B >= 0.
//
// Where the second holds with equality, A may grow by e while B falls by less
// than e: welfare and the use of resource 1 grow. So the best point of all is
// where both hold with equality, with every resource used up, or else, if the
// curves do not cross, the end at which one group keeps 1/n each and the other
// takes all it can. The point is the best for utilisation too: with both used up
// that is 1, and at an end, say A = 0, resource 1 is used up by holdings that
// SI forbids to shrink. Envy between the groups needs somebody who holds more
// than 1/n of their non-dominant resource; least first, then every agent of their
// group does, and more than all of it would be handed out.
func (p *pair) optimum() (first, second float64) {
	if !p.open() {
		return 0, 0
	}
	one, two := &p.groups[0], &p.groups[1]
	if two.use(p.left[1]) >= p.left[0] {
		return 0, min(p.left[1], two.reach(p.left[0]))
	}
	if one.use(p.left[0]) >= p.left[1] {
		return min(p.left[0], one.reach(p.left[1])), 0
	}
	// over(A) = A + use2(R2 - use1(A)) - R1 grows from below 0 to above: find
	// the piece of curve 1 at whose beginning it is not yet above.
	k := max(1, sort.Search(len(one.added), func(k int) bool {
		rest := p.left[1] - one.used[k]
		return rest < 0 || one.added[k]+two.use(rest) > p.left[0]
	})) - 1
	slope := one.slope(k)
	from := p.left[1] - one.used[k] // B at the beginning of the piece
	if slope == 0 {
		return p.left[0] - two.use(from), from
	}
	// On that piece A is linear in B: find the piece of curve 2, in falling B.
	at := func(b float64) float64 { return one.added[k] + (from-b)/slope }
	j := max(1, sort.Search(len(two.added), func(j int) bool {
		return two.added[j] > from || at(two.added[j])+two.used[j] < p.left[0]
	})) - 1
	steep := two.slope(j)
	a := p.left[0] - two.used[j] - float64(steep*(from+float64(slope*one.added[k])-two.added[j]))
	a /= 1 - float64(slope*steep)
	return a, from - float64(slope*(a-one.added[k]))
}
