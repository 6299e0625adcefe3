package share

import (
	"fmt"
	"math"
	"slices"

	"bourse/policies"
)

// Limited shares among agents who want no more than a limit: the mechanisms of
// this package where demands are those of finite work. An agent who has what it
// wants freezes, and the water goes on rising for the others. Without limits
// (infinite ones) every rule gives what the mechanism of its name gives.
//
// The first step gives every agent min(1/n, limit), so sharing incentive holds as
// far as an agent wants it. Then water levels rise: sets of agents whose shares follow a
// common level, y_i = min(limit_i, max(y0_i, t / h_i)), as in byHeight. Use is
// piecewise linear in the levels; the sweep goes from breakpoint to breakpoint,
// where agents join or leave a level, until a resource is used up: O(n log n).
//
// A Limited keeps its buffers: Share allocates nothing once they have grown.
type Limited struct {
	// Single names the mechanism that this one is on one resource, where it is only for more.
	Single string

	// Most is for how many resources it is defined, 0 if for any number.
	Most int

	rule   func(*Limited)
	d      Demands
	limits []float64
	y      []float64
	rich   []int32     // who want more than the first step gives them, in order
	wanted runningSums // of limits
	first  runningSums // of what the first step gives
	full   []bool
	used   []policies.Sum
	flows  []float64 // how fast each resource is being used
	levels []waterLevel
	spare  []buffer // of water levels
	made   int      // water levels so far in this call
	counts dominances
	major  int       // the majority's resource, once asked for
	prices []float64 // Nash: the last ones
	use    []float64 // Nash: of each resource
}

// Clone returns a mechanism of the same rule, which goes on alike, with buffers of its own.
func (l *Limited) Clone() *Limited {
	return &Limited{Single: l.Single, Most: l.Most, rule: l.rule, prices: slices.Clone(l.prices), use: slices.Clone(l.use)}
}

// LimitedDRF raises all dominant shares together.
func LimitedDRF() *Limited { return &Limited{rule: (*Limited).equally} }

// LimitedUNB is UNB with limits.
func LimitedUNB() *Limited { return &Limited{rule: (*Limited).leastFirst} }

// LimitedFamily is F_g with limits, for a g with a Degree.
func LimitedFamily(g Monotone) (*Limited, error) {
	if g.Degree == 0 {
		return nil, fmt.Errorf("family %s has no degree: it cannot be followed with limits", g.Name)
	}
	return &Limited{Most: g.Resources, rule: func(l *Limited) {
		l.byHeight(func(i int) float64 { return math.Pow(g.At(l.d[i]), 1/g.Degree) })
	}}, nil
}

// LimitedBAL and LimitedBALStar are BAL and BAL* with limits, for two resources or
// one. The ratio in which the groups rise is set by what the first step leaves
// and, for BAL*, by the least other demand of those who want more.
func LimitedBAL() *Limited { return &Limited{Most: 2, rule: func(l *Limited) { l.balance(false) }} }

// LimitedBALStar is BAL* with limits.
func LimitedBALStar() *Limited { return &Limited{Most: 2, rule: func(l *Limited) { l.balance(true) }} }

// LimitedHybrid is UNB where the minority is at most threshold(n) of the agents,
// BAL* otherwise; see HybridWelfare and HybridUtilisation.
func LimitedHybrid(welfare bool) *Limited {
	return &Limited{Most: 2, rule: func(l *Limited) {
		n := float64(len(l.d))
		threshold := 1./3 + 1/(3*n)
		if welfare {
			threshold = 2 - math.Sqrt(3) + 1/(2*n)
		}
		first := l.groups()
		if minority := min(first, len(l.d)-first); float64(minority)/n <= threshold {
			l.leastFirst()
			return
		}
		l.balance(true)
	}}
}

// Share returns the dominant shares, valid until the next call. d is normalised;
// limits are dominant shares of 0 or more.
func (l *Limited) Share(d Demands, limits []float64) []float64 { return l.Again(d, limits, 0, nil) }

// Again is Share where the agents before from, of as many as then, are those of the last call.
// together, if not nil, is what all want of each resource, but for rounding.
func (l *Limited) Again(d Demands, limits []float64, from int, together []float64) []float64 {
	l.d, l.limits = d, limits
	l.wanted.keep(from)
	l.first.keep(from)
	l.counts.keep(from)
	if len(d) == 0 || l.content(together) {
		return limits
	}
	l.begin()
	l.rule(l)
	return l.y
}

// content reports whether there is enough for every agent to have its limit. The sums in order
// of agents decide, and are not needed where that is clear without.
func (l *Limited) content(together []float64) bool {
	if len(together) > 0 {
		if most := slices.Max(together); math.Abs(most-1) > usedUp {
			return most < 1
		}
	}
	l.used = resized(l.used, len(l.d[0]))
	l.wanted.add(l.d, l.limits, l.used)
	return !slices.ContainsFunc(l.used, func(sum policies.Sum) bool { return !(sum.Value() <= 1) })
}

// begin is the first step. Agents that have not changed since the last one are where they were
// then, but for the rich, who have risen.
func (l *Limited) begin() {
	l.made = 0
	equal, same := 1/float64(len(l.d)), l.first.agents
	k, _ := slices.BinarySearch(l.rich, int32(same))
	l.rich = l.rich[:k]
	for _, i := range l.rich {
		l.y[i] = equal
	}
	l.y = append(l.y[:same], l.limits[same:]...)
	for i := same; i < len(l.y); i++ {
		if l.y[i] > equal {
			l.y[i] = equal
			l.rich = append(l.rich, int32(i))
		}
	}
	l.used = resized(l.used, len(l.d[0]))
	l.first.add(l.d, l.y, l.used)
	l.full, l.flows = resized(l.full, len(l.used)), resized(l.flows, len(l.used))
	for r := range l.full {
		l.full[r] = l.used[r].Value() >= 1-usedUp
	}
}

// resized returns n zeros in s if there is room.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// rises reports whether i wants more and demands nothing that is used up.
func (l *Limited) rises(i int) bool {
	if l.y[i] >= l.limits[i] {
		return false
	}
	for r, v := range l.d[i] {
		if l.full[r] && v > 0 {
			return false
		}
	}
	return true
}

// equally raises every agent's dominant share together, until none can be.
func (l *Limited) equally() { l.byHeight(func(int) float64 { return 1 }) }

// leastFirst raises those with least of the majority's resource.
func (l *Limited) leastFirst() {
	r := l.counts.majority(l.d)
	l.byHeight(func(i int) float64 { return l.d[i][r] })
}

// byHeight raises those of least y h together, round after round: a resource
// that is used up holds up those who demand it.
func (l *Limited) byHeight(h func(int) float64) {
	for {
		l.levels = l.levels[:0]
		l.addLevel(0, func(i int) bool { return true }, h)
		if l.levels[0].done() || !l.sweep() {
			return
		}
	}
}

// groups finds the majority's resource and returns for how many agents it is dominant.
func (l *Limited) groups() (first int) {
	l.major = l.counts.majority(l.d)
	return l.counts.count[l.major]
}

// other is the resource of two that is not the dominant one of an agent's group.
func (l *Limited) other(i int) int {
	if row := l.d[i]; row[l.major] == 1 {
		return len(row) - 1 - l.major
	}
	return l.major
}

// balance raises the two groups at once, dominant shares being added in the ratio
// of what is left, and then those equally who demand nothing that is used up.
func (l *Limited) balance(star bool) {
	if len(l.full) == 2 {
		l.groups()
		l.raiseGroups(star)
	}
	l.equally()
}

func (l *Limited) raiseGroups(star bool) {
	for r := range l.full {
		if l.full[r] {
			return
		}
	}
	n := float64(len(l.d))
	var ratio [2]float64
	for r := range ratio { // the group whose dominant resource is r
		ratio[r] = 1 - l.used[r].Value()
	}
	if star {
		least := [2]float64{math.Inf(1), math.Inf(1)}
		for _, agent := range l.rich {
			if i := int(agent); l.rises(i) {
				o := l.other(i)
				least[o] = min(least[o], l.d[i][o])
			}
		}
		for r := range ratio {
			if !math.IsInf(least[r], 1) {
				ratio[r] += least[r] / n
			}
		}
	}
	l.levels = l.levels[:0]
	for r := range ratio {
		l.addLevel(ratio[r], func(i int) bool { return l.other(i) == 1-r }, func(i int) float64 { return l.d[i][1-r] })
	}
	l.sweep()
}
