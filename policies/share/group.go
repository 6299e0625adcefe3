package share

import (
	"cmp"
	"slices"
	"sort"

	"bourse/policies"
)

// group is a set of agents by demand for the resource that is not their
// dominant one, least first, and the curve of the least of that resource they
// need against the dominant share added to them, both beyond the first step.
// The curve is convex and piecewise linear: with the k least agents raised to
// level t of the resource, added = sum t/o_i - k/n and used = k t - sum o_i/n,
// i over those k. Raising the least first is the best the group can do under
// EF (Bei, Li and Luo, Lemma 6).
type group struct {
	agents []int
	other  []float64
	n      float64 // agents of the whole instance
	free   int     // agents that demand none of the resource
	// Of the first k agents: sum of 1/o and of o, and what was added and used
	// when the k-th joins.
	inverse, sum, added, used []float64
}

// member is an agent with its demand for the other resource.
type member struct {
	other float64
	agent int
}

func (g *group) build(members []member, n int) {
	g.n = float64(n)
	slices.SortFunc(members, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.other, b.other), cmp.Compare(a.agent, b.agent))
	})
	g.agents, g.other = make([]int, len(members)), make([]float64, len(members))
	var inverse, sum policies.Sum
	for k, m := range members {
		o := m.other
		g.agents[k], g.other[k] = m.agent, o
		if o == 0 {
			g.free++
			continue
		}
		if g.free > 0 {
			continue // never raised: there are agents who cost nothing
		}
		if k > 0 {
			t, c := o/g.n, float64(k)
			g.added = append(g.added, max(g.added[k-1], float64(t*inverse.Value())-c/g.n))
			g.used = append(g.used, max(g.used[k-1], float64(c*t)-sum.Value()/g.n))
		} else {
			g.added, g.used = []float64{0}, []float64{0}
		}
		inverse.Add(1 / o)
		sum.Add(o)
		g.inverse, g.sum = append(g.inverse, inverse.Value()), append(g.sum, sum.Value())
	}
	if g.free > 0 {
		g.inverse, g.sum, g.added, g.used = []float64{0}, []float64{0}, []float64{0}, []float64{0}
	}
}

// leastOther is the least demand for the other resource.
func (g *group) leastOther() float64 { return g.other[0] }

// slope is the use of a unit of dominant share on piece k of the curve.
func (g *group) slope(k int) float64 {
	if g.free > 0 {
		return 0
	}
	return float64(k+1) / g.inverse[k]
}

// useOn is the use after `added` on piece k, or on its line prolonged.
func (g *group) useOn(k int, added float64) float64 {
	return g.used[k] + float64(g.slope(k)*(added-g.added[k]))
}

// piece returns the piece of the curve that holds `added`.
func (g *group) piece(added float64) int {
	return max(1, sort.Search(len(g.added), func(k int) bool { return g.added[k] > added })) - 1
}

// use is the least of the other resource with which `added` can be given.
func (g *group) use(added float64) float64 { return g.useOn(g.piece(added), added) }

// reach is the most that can be added with `used` of the other resource.
func (g *group) reach(used float64) float64 {
	k := max(1, sort.Search(len(g.used), func(k int) bool { return g.used[k] > used })) - 1
	return g.added[k] + (used-g.used[k])/g.slope(k)
}

// give adds dominant share to x, to those with the least of the other resource
// first.
func (g *group) give(x []float64, added float64) {
	if g.free > 0 {
		for _, i := range g.agents[:g.free] {
			x[i] = 1/g.n + added/float64(g.free)
		}
		return
	}
	k := g.piece(added)
	level := (added + float64(k+1)/g.n) / g.inverse[k]
	for j, i := range g.agents[:k+1] {
		x[i] = max(1/g.n, level/g.other[j])
	}
}
