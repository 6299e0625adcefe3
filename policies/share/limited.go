package share

import (
	"cmp"
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
// The first step gives everybody min(1/n, limit), so sharing incentive holds as
// far as an agent wants it. Then lakes rise: sets of agents whose shares follow a
// common level, y_i = min(limit_i, max(y0_i, t / h_i)), as in byHeight. Use is
// piecewise linear in the levels; the sweep goes from breakpoint to breakpoint,
// where agents join or leave a lake, until a resource is used up: O(n log n).
//
// A Limited keeps its buffers: Share allocates nothing once they have grown.
type Limited struct {
	rule   func(*Limited)
	d      Demands
	limits []float64
	y      []float64
	full   []bool
	used   []policies.Sum
	lakes  []lake
	spare  []buffer // of lakes
	other  []int    // BAL: the resource that is not the agent's dominant one
}

// LimitedDRF raises all dominant shares together.
func LimitedDRF() *Limited { return &Limited{rule: (*Limited).equally} }

// LimitedUNB is UNB with limits.
func LimitedUNB() *Limited {
	return &Limited{rule: func(l *Limited) {
		r := l.d.Majority(nil)
		l.byHeight(func(i int) float64 { return l.d[i][r] })
	}}
}

// LimitedFamily is F_g with limits, for a g with a Degree.
func LimitedFamily(g Monotone) (*Limited, error) {
	if g.Degree == 0 {
		return nil, fmt.Errorf("family %s has no degree: it cannot be followed with limits", g.Name)
	}
	return &Limited{rule: func(l *Limited) {
		l.byHeight(func(i int) float64 { return math.Pow(g.At(l.d[i]), 1/g.Degree) })
	}}, nil
}

// LimitedBAL and LimitedBALStar are BAL and BAL* with limits, for two resources or
// one. The ratio in which the groups rise is set by what the first step leaves
// and, for BAL*, by the least other demand of those who want more.
func LimitedBAL() *Limited { return &Limited{rule: func(l *Limited) { l.balance(false) }} }

// LimitedBALStar is BAL* with limits.
func LimitedBALStar() *Limited { return &Limited{rule: func(l *Limited) { l.balance(true) }} }

// LimitedHybrid is UNB where the minority is at most threshold(n) of the agents,
// BAL* otherwise; see HybridWelfare and HybridUtilisation.
func LimitedHybrid(welfare bool) *Limited {
	return &Limited{rule: func(l *Limited) {
		n := float64(len(l.d))
		threshold := 1./3 + 1/(3*n)
		if welfare {
			threshold = 2 - math.Sqrt(3) + 1/(2*n)
		}
		first := l.groups()
		if minority := min(first, len(l.d)-first); float64(minority)/n <= threshold {
			r := l.d.Majority(nil)
			l.byHeight(func(i int) float64 { return l.d[i][r] })
			return
		}
		l.balance(true)
	}}
}

// Share returns the dominant shares, valid until the next call. d is normalised;
// limits are dominant shares of 0 or more.
func (l *Limited) Share(d Demands, limits []float64) []float64 {
	if l.begin(d, limits); len(d) > 0 && !l.content() {
		l.rule(l)
	}
	return l.y
}

// begin is the first step.
func (l *Limited) begin(d Demands, limits []float64) {
	l.d, l.limits = d, limits
	m := 0
	if len(d) > 0 {
		m = len(d[0])
	}
	l.full, l.used = resized(l.full, m), resized(l.used, m)
	l.y = resized(l.y, len(d))
	for i, row := range d {
		l.y[i] = min(1/float64(len(d)), limits[i])
		for r, v := range row {
			l.used[r].Add(float64(l.y[i] * v))
		}
	}
	for r := range l.full {
		l.full[r] = l.used[r].Value() >= 1-usedUp
	}
}

// content gives everybody its limit if there is enough for that.
func (l *Limited) content() bool {
	for r := range l.full {
		var sum policies.Sum
		for i, row := range l.d {
			sum.Add(float64(l.limits[i] * row[r]))
		}
		if !(sum.Value() <= 1) {
			return false
		}
	}
	copy(l.y, l.limits)
	return true
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

// equally raises everybody's dominant share together, until nobody can be.
func (l *Limited) equally() { l.byHeight(func(int) float64 { return 1 }) }

// byHeight raises those of least y h together, round after round: a resource
// that is used up holds up those who demand it.
func (l *Limited) byHeight(h func(int) float64) {
	for {
		l.lakes = l.lakes[:0]
		l.addLake(0, func(i int) bool { return true }, h)
		if l.lakes[0].dry() || !l.sweep() {
			return
		}
	}
}

// groups finds the resource that is not dominant for each agent and returns how
// many agents have the majority's as their dominant one.
func (l *Limited) groups() (first int) {
	l.other = resized(l.other, len(l.d))
	major := l.d.Majority(nil)
	for i, row := range l.d {
		if row[major] == 1 {
			first++
			l.other[i] = len(row) - 1 - major
		} else {
			l.other[i] = major
		}
	}
	return first
}

// balance raises the two groups at once, dominant shares being added in the ratio
// of what is left, and then those equally who demand nothing that is used up.
func (l *Limited) balance(star bool) {
	if len(l.full) == 2 {
		l.groups()
		l.pour(star)
	}
	l.equally()
}

func (l *Limited) pour(star bool) {
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
		for i := range l.d {
			if o := l.other[i]; l.rises(i) {
				least[o] = min(least[o], l.d[i][o])
			}
		}
		for r := range ratio {
			if !math.IsInf(least[r], 1) {
				ratio[r] += least[r] / n
			}
		}
	}
	l.lakes = l.lakes[:0]
	for r := range ratio {
		l.addLake(ratio[r], func(i int) bool { return l.other[i] == 1-r }, func(i int) float64 { return l.d[i][1-r] })
	}
	l.sweep()
}

// lake is a set of agents that rise together.
type lake struct {
	// pour is the dominant share added in a unit of time; 0 lets the level rise at
	// unit speed.
	pour   float64
	free   bool // its agents are those of height 0: they rise equally
	h      func(int) float64
	level  float64
	shores []shore
	next   int
	count  int // agents that rise now
	speed  policies.Sum
	slope  []policies.Sum // use of each resource that a unit of level adds
}

// buffer is what a lake is kept in.
type buffer struct {
	shores []shore
	slope  []policies.Sum
}

// shore is where an agent joins or leaves a lake.
type shore struct {
	level float64
	agent int32
	leave bool
}

func (k *lake) dry() bool { return k.count == 0 && k.next == len(k.shores) }

// addLake builds a lake of those agents of a set that can rise. Agents of height
// 0 have the least for ever, and so rise alone, equally, while there are any.
func (l *Limited) addLake(pour float64, in func(int) bool, h func(int) float64) {
	k := lake{pour: pour, h: h}
	for i := range l.d {
		if in(i) && l.rises(i) && h(i) == 0 {
			k.free = true
		}
	}
	n := len(l.lakes)
	if n == len(l.spare) {
		l.spare = append(l.spare, buffer{})
	}
	k.shores, k.slope = l.spare[n].shores[:0], resized(l.spare[n].slope, len(l.full))
	for i := range l.d {
		if !in(i) || !l.rises(i) || k.free && h(i) != 0 {
			continue
		}
		height := k.height(i)
		k.shores = append(k.shores, shore{l.y[i] * height, int32(i), false})
		if !math.IsInf(l.limits[i], 1) {
			k.shores = append(k.shores, shore{l.limits[i] * height, int32(i), true})
		}
	}
	slices.SortFunc(k.shores, func(a, b shore) int {
		if c := cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.agent, b.agent)); c != 0 {
			return c
		}
		if a.leave {
			return 1
		}
		return -1
	})
	if len(k.shores) > 0 {
		k.level = k.shores[0].level
	}
	l.spare[n] = buffer{k.shores, k.slope}
	l.lakes = append(l.lakes, k)
}

func (k *lake) height(i int) float64 {
	if k.free {
		return 1
	}
	return k.h(i)
}

// cross takes the agent at the next shore in or out.
func (l *Limited) cross(k *lake) {
	s := k.shores[k.next]
	k.next++
	k.level = s.level
	i, sign := int(s.agent), 1.0
	if s.leave {
		sign = -1
		l.y[i] = l.limits[i]
	}
	k.count += int(sign)
	h := k.height(i)
	k.speed.Add(sign / h)
	for r, v := range l.d[i] {
		k.slope[r].Add(sign * v / h)
	}
	if k.count == 0 { // sheds what rounding has left
		k.speed = policies.Sum{}
		clear(k.slope)
	}
}

// rate is how fast the level rises.
func (k *lake) rate() float64 {
	if k.pour > 0 {
		return k.pour / k.speed.Value()
	}
	return 1
}

// sweep lets the lakes rise until a resource is used up, which it marks, or
// nobody wants more. It reports whether a resource was used up or height-0 agents
// have made room for others.
func (l *Limited) sweep() bool {
	again := false
	for {
		moving := false
		step, at, tight := math.Inf(1), -1, -1
		for k := range l.lakes {
			lk := &l.lakes[k]
			for lk.count == 0 && lk.next < len(lk.shores) {
				l.cross(lk)
			}
			if lk.count == 0 {
				again = again || lk.free
				continue
			}
			moving = true
			if lk.next < len(lk.shores) {
				if ds := (lk.shores[lk.next].level - lk.level) / lk.rate(); ds < step {
					step, at = max(ds, 0), k
				}
			}
		}
		if !moving {
			return again
		}
		for r := range l.full {
			if l.full[r] {
				continue
			}
			if v := l.flow(r); v > 0 {
				if ds := (1 - l.used[r].Value()) / v; ds <= step {
					step, at, tight = max(ds, 0), -1, r
				}
			}
		}
		l.advance(step)
		if tight >= 0 {
			l.full[tight] = true
			l.settle()
			return true
		}
		if at < 0 {
			l.settle() // nothing they demand can run out: no resource is wanted
			return false
		}
		l.cross(&l.lakes[at])
	}
}

// flow is how fast resource r is being used.
func (l *Limited) flow(r int) (v float64) {
	for k := range l.lakes {
		if lk := &l.lakes[k]; lk.count > 0 {
			v += float64(lk.rate() * lk.slope[r].Value())
		}
	}
	return v
}

func (l *Limited) advance(step float64) {
	for r := range l.used {
		l.used[r].Add(float64(step * l.flow(r)))
	}
	for k := range l.lakes {
		if lk := &l.lakes[k]; lk.count > 0 {
			lk.level += float64(step * lk.rate())
		}
	}
}

// settle works the shares of those who still rise out of the levels.
func (l *Limited) settle() {
	for k := range l.lakes {
		lk := &l.lakes[k]
		for _, s := range lk.shores[:lk.next] {
			if i := int(s.agent); !s.leave {
				l.y[i] = min(l.limits[i], max(l.y[i], lk.level/lk.height(i)))
			}
		}
	}
}
