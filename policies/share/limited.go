package share

import (
	"fmt"
	"math"
	"slices"

	"bourse/policies"
)

// Limited shares among agents who want no more than a limit: the mechanisms of
// this package where demands are those of finite work. An agent who has what it
// wants freezes, and the water continues rising for the others. Without limits
// (infinite ones) every rule gives what the mechanism of its name gives.
//
// The first step gives every agent min(1/n, limit), so sharing incentive holds as
// far as an agent wants it. Then water levels rise: sets of agents whose shares follow a
// common level, y_i = min(limit_i, max(y0_i, t / h_i)), as in byHeight. Use is
// piecewise linear in the levels; the sweep goes from breakpoint to breakpoint,
// where agents join or leave a level, until a resource is used up: O(n log n).
//
// From one call of Again to the next a Limited keeps what it has found of agents that have not
// changed. It allocates nothing once its buffers have grown.
type Limited struct {
	// Single names the mechanism that this one is on one resource, where it is only for more.
	Single string

	// Most is for how many resources it is defined, 0 if for any number.
	Most int

	rule        func(*Limited)
	g           Monotone // of a family
	d           Demands
	limits      []float64
	equal       float64 // what the first step gives those who want so much
	y           []float64
	unsatisfied []int32 // who get less than their limits, in order

	// What is kept from call to call; if stale, all of it is to be found again.
	stale  bool
	above  []int32     // who want more than the first step gives them, in order
	first  runningSums // of what the first step gives
	counts dominances
	major  int                      // the majority's resource
	stored [kindsOfLevel]waterLevel // those that rise from the first step
	prices []float64                // Nash: the last ones
	use    []float64                // Nash: of each resource

	initial bool // nothing is used up, and no agent has risen yet
	full    []bool
	used    []policies.Sum
	flows   []float64        // how fast each resource is being used
	usedAt  [][]policies.Sum // by resource: what is used at the breakpoints that a glide passes
	levels  []*waterLevel    // that rise now
	second  waterLevel       // the one that rises from where others have stopped
	points  [2]breakpoint    // of an agent
}

// Clone returns a mechanism of the same rule, which continues alike, with its own buffers.
func (l *Limited) Clone() *Limited {
	return &Limited{Single: l.Single, Most: l.Most, rule: l.rule, g: l.g, prices: slices.Clone(l.prices),
		use: slices.Clone(l.use)}
}

// raising is a rule that raises agents from the first step.
func raising(rule func(*Limited)) func(*Limited) {
	return func(l *Limited) {
		l.begin()
		rule(l)
		for _, i := range l.above {
			if l.y[i] < l.limits[i] {
				l.unsatisfied = append(l.unsatisfied, i)
			}
		}
	}
}

// LimitedDRF raises all dominant shares together.
func LimitedDRF() *Limited { return &Limited{rule: raising((*Limited).equally)} }

// LimitedUNB is UNB with limits.
func LimitedUNB() *Limited { return &Limited{rule: raising((*Limited).leastFirst)} }

// LimitedFamily is F_g with limits, for a g with a Degree.
func LimitedFamily(g Monotone) (*Limited, error) {
	if g.Degree == 0 {
		return nil, fmt.Errorf("family %s has no degree: it cannot be followed with limits", g.Name)
	}
	return &Limited{Most: g.Resources, g: g, rule: raising(func(l *Limited) { l.byHeight(family) })}, nil
}

// LimitedBAL and LimitedBALStar are BAL and BAL* with limits, for two resources or
// one. The ratio in which the groups rise is set by what the first step leaves
// and, for BAL*, by the least other demand of those who want more.
func LimitedBAL() *Limited {
	return &Limited{Most: 2, rule: raising(func(l *Limited) { l.balance(false) })}
}

// LimitedBALStar is BAL* with limits.
func LimitedBALStar() *Limited {
	return &Limited{Most: 2, rule: raising(func(l *Limited) { l.balance(true) })}
}

// LimitedHybrid is HybridWelfare or HybridUtilisation with limits.
func LimitedHybrid(welfare bool) *Limited {
	return &Limited{Most: 2, rule: raising(func(l *Limited) {
		if smallMinority(l.counts.count[l.major], len(l.d), welfare) {
			l.leastFirst()
			return
		}
		l.balance(true)
	})}
}

// Share returns the dominant shares, valid until the next call. d is normalised;
// limits are dominant shares of 0 or more.
func (l *Limited) Share(d Demands, limits []float64) []float64 {
	l.stale = true
	x, _ := l.Again(d, limits, nil, nil)
	return x
}

// Again is Share where of as many agents as in the last call only those in changed ask for
// something else. together, if not nil, is what all want of each resource, but for rounding.
// It returns also who gets less than their limits, in order.
func (l *Limited) Again(d Demands, limits []float64, changed []int32, together []float64) (x []float64, short []int32) {
	if len(d) == 0 {
		return limits, nil
	}
	l.stale = l.stale || len(d) != len(l.d) || len(d[0]) != len(l.full) || len(d) == len(changed)
	l.d, l.limits, l.unsatisfied = d, limits, l.unsatisfied[:0]
	l.full, l.used = resized(l.full, len(d[0])), resized(l.used, len(d[0]))
	if !l.stale {
		for _, i := range changed {
			l.renew(int(i))
		}
	}
	if l.content(together) {
		return limits, nil
	}
	l.rule(l)
	return l.y, l.unsatisfied
}

// content reports whether there is enough for every agent to have its limit. The sums in order
// of agents decide, and are not needed where that is clear without.
func (l *Limited) content(together []float64) bool {
	if len(together) > 0 {
		if most := slices.Max(together); math.Abs(most-1) > usedUp {
			return most < 1
		}
	}
	for i, row := range l.d {
		for r, v := range row {
			l.used[r].Add(float64(l.limits[i] * v))
		}
	}
	return !slices.ContainsFunc(l.used, func(sum policies.Sum) bool { return !(sum.Value() <= 1) })
}

// begin is the first step. The rich have risen since the last one.
func (l *Limited) begin() {
	if l.stale {
		l.forget()
	}
	for _, i := range l.above {
		l.y[i] = l.equal
	}
	l.first.add(l.used)
	l.initial = true
	for r := range l.full {
		l.full[r] = l.used[r].Value() >= 1-usedUp
		l.initial = l.initial && !l.full[r]
	}
	if major := l.counts.majority(); major != l.major {
		l.major = major
		l.outdate()
	}
}

// forget finds all again that is kept of the agents.
func (l *Limited) forget() {
	n, m := len(l.d), len(l.full)
	l.stale, l.equal = false, 1/float64(n)
	l.y, l.above, l.flows = resized(l.y, n), l.above[:0], resized(l.flows, m)
	l.first.begin(n, m)
	l.counts.begin(n, m)
	if len(l.usedAt) != m {
		l.usedAt = make([][]policies.Sum, m)
	}
	l.outdate()
	for i, row := range l.d {
		if l.y[i] = min(l.limits[i], l.equal); l.limits[i] > l.equal {
			l.above = append(l.above, int32(i))
		}
		l.first.set(i, row, l.y[i])
		l.counts.set(i, row)
	}
}

// renew finds again what is kept of an agent.
func (l *Limited) renew(i int) {
	l.y[i] = min(l.limits[i], l.equal)
	k, was := slices.BinarySearch(l.above, int32(i))
	switch is := l.limits[i] > l.equal; {
	case is && !was:
		l.above = slices.Insert(l.above, k, int32(i))
	case was && !is:
		l.above = slices.Delete(l.above, k, k+1)
	}
	l.first.set(i, l.d[i], l.y[i])
	l.counts.set(i, l.d[i])
	for k := range l.stored {
		if w := &l.stored[k]; w.made {
			l.replace(w, i)
		}
	}
}

// outdate lets all water levels be rebuilt.
func (l *Limited) outdate() {
	for k := range l.stored {
		l.stored[k].made = false
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
func (l *Limited) equally() { l.byHeight(alike) }

// leastFirst raises those with least of the majority's resource.
func (l *Limited) leastFirst() { l.byHeight(majority) }

// byHeight raises those of least y h together, round after round: a resource
// that is used up holds up those who demand it.
func (l *Limited) byHeight(k kind) {
	for {
		l.levels = l.levels[:0]
		if w := l.addLevel(k, 0); len(w.breaks) == 0 || !l.sweep() {
			return
		}
	}
}

// otherResource is the resource of two that is not the dominant one of an agent's group.
func (l *Limited) otherResource(i int) int {
	if row := l.d[i]; row[l.major] == 1 {
		return len(row) - 1 - l.major
	}
	return l.major
}

// balance raises the two groups at once, dominant shares being added in the ratio
// of what is left, and then those equally who demand nothing that is used up.
func (l *Limited) balance(star bool) {
	if len(l.full) == 2 {
		l.raiseGroups(star)
	}
	l.equally()
}

func (l *Limited) raiseGroups(star bool) {
	if !l.initial {
		return
	}
	n := float64(len(l.d))
	var ratio [2]float64
	for r := range ratio { // the group whose dominant resource is r
		ratio[r] = 1 - l.used[r].Value()
	}
	if star {
		least := [2]float64{math.Inf(1), math.Inf(1)}
		for _, agent := range l.above {
			if i := int(agent); l.rises(i) {
				o := l.otherResource(i)
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
	l.addLevel(firstGroup, ratio[0])
	l.addLevel(secondGroup, ratio[1])
	l.sweep()
}
