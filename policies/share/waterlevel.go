package share

import (
	"math"
	"slices"

	"bourse/policies"
)

// waterLevel is the common level of a set of agents that rise together.
//
// From round to round it keeps the order of its breakpoints and, up to the first that has
// changed, the sums after each of them: these are of the same terms in the same order.
type waterLevel struct {
	kind kind
	// inflow is the dominant share added in a unit of time; 0 lets the level rise at
	// unit speed.
	inflow float64
	free   bool // its agents are those of height 0: they rise equally
	made   bool // breaks are those of the agents as they are
	breaks []breakpoint

	// Of the state after each breakpoint, known for so many of them: how many agents rise, and
	// what of each resource a unit of level uses, with its speed in a last column.
	known  int
	counts []int
	slopes [][]policies.Sum

	level float64
	next  int // breakpoint
	count int // agents that rise now
}

// kind says which agents are of a water level, and at what heights.
type kind int

const (
	alike       kind = iota // all agents, at 1
	majority                // all, at what they demand of the majority's resource
	family                  // all, at g of their demands
	firstGroup              // those whose dominant resource is the first, at what they demand of the second
	secondGroup             // the others, at what they demand of the first
	kindsOfLevel
)

// holds reports whether an agent is of a kind of level.
func (l *Limited) holds(k kind, i int) bool {
	return k < firstGroup || l.otherResource(i) == int(secondGroup-k)
}

func (l *Limited) height(k kind, i int) float64 {
	switch k {
	case alike:
		return 1
	case majority:
		return l.d[i][l.major]
	case family:
		return math.Pow(l.g.At(l.d[i]), 1/l.g.Degree)
	}
	return l.d[i][secondGroup-k]
}

// breakpoint is a level at which an agent joins those that rise or leaves them.
type breakpoint struct {
	level, height float64
	agent         int32
	leave         bool
}

// order is that of levels; of equal ones it is that of agents, who join before they leave.
func (b breakpoint) order(c breakpoint) int {
	switch {
	case b.level < c.level:
		return -1
	case b.level > c.level:
		return 1
	case b.agent != c.agent:
		return int(b.agent - c.agent)
	case b.leave == c.leave:
		return 0
	case c.leave:
		return -1
	}
	return 1
}

// addLevel begins a water level for those agents of a kind that can rise. Agents of height
// 0 have the least for ever, and so rise alone, equally, while there are any.
func (l *Limited) addLevel(k kind, inflow float64) *waterLevel {
	w := &l.second
	if l.initial {
		w = &l.stored[k]
	}
	w.kind, w.inflow, w.next, w.count = k, inflow, 0, 0
	if !l.initial || !w.made {
		l.build(w)
	}
	if len(w.breaks) > 0 {
		w.level = w.breaks[0].level
		l.extend(w)
	}
	l.levels = append(l.levels, w)
	return w
}

// build finds the breakpoints of a level.
func (l *Limited) build(w *waterLevel) {
	w.breaks, w.known, w.free, w.made = w.breaks[:0], 0, false, true
	for _, agent := range l.above {
		i := int(agent)
		if !l.holds(w.kind, i) || !l.rises(i) {
			continue
		}
		h := l.height(w.kind, i)
		if h == 0 && !w.free {
			w.breaks, w.free = w.breaks[:0], true
		}
		if h == 0 || !w.free {
			w.breaks = append(w.breaks, l.breakpoints(w, i, h)...)
		}
	}
	slices.SortFunc(w.breaks, breakpoint.order)
	if columns := len(l.full) + 1; len(w.slopes) != columns {
		w.slopes = make([][]policies.Sum, columns)
	}
}

// replace finds the breakpoints of an agent that has changed. Where agents of height 0 are first
// or leave last others take part, and all is found again.
func (l *Limited) replace(w *waterLevel, i int) {
	for k := 0; k < len(w.breaks); {
		if w.breaks[k].agent != int32(i) {
			k++
			continue
		}
		w.breaks = slices.Delete(w.breaks, k, k+1)
		w.known = min(w.known, k)
	}
	if l.y[i] < l.limits[i] && l.holds(w.kind, i) {
		h := l.height(w.kind, i)
		w.made = h != 0 || w.free
		if h == 0 || !w.free {
			for _, b := range l.breakpoints(w, i, h) {
				k, _ := slices.BinarySearchFunc(w.breaks, b, breakpoint.order)
				w.breaks = slices.Insert(w.breaks, k, b)
				w.known = min(w.known, k)
			}
		}
	}
	w.made = w.made && !(w.free && len(w.breaks) == 0)
}

// breakpoints are those of an agent, valid until the next call.
func (l *Limited) breakpoints(w *waterLevel, i int, height float64) []breakpoint {
	if w.free {
		height = 1
	}
	l.points[0] = breakpoint{level: l.y[i] * height, height: height, agent: int32(i)}
	l.points[1] = breakpoint{level: l.limits[i] * height, height: height, agent: int32(i), leave: true}
	if math.IsInf(l.limits[i], 1) {
		return l.points[:1]
	}
	return l.points[:]
}

// extend works out the state after the breakpoints from the first that has changed.
func (l *Limited) extend(w *waterLevel) {
	count := 0
	if w.counts = w.counts[:w.known]; w.known > 0 {
		count = w.counts[w.known-1]
	}
	for _, b := range w.breaks[w.known:] {
		if count++; b.leave {
			count -= 2
		}
		w.counts = append(w.counts, count)
	}
	for r := range w.slopes {
		if r < len(l.full) || w.inflow > 0 {
			w.slopes[r] = slices.Grow(w.slopes[r][:w.known], len(w.breaks)-w.known)[:len(w.breaks)]
			l.extendSlope(w, r)
		}
	}
	w.known = len(w.breaks)
}

// extendSlope is extend for what is used of a resource, or for the speed.
func (l *Limited) extendSlope(w *waterLevel, r int) {
	var sum policies.Sum
	if w.known > 0 {
		sum = w.slopes[r][w.known-1]
	}
	for k := w.known; k < len(w.breaks); k++ {
		b, v := &w.breaks[k], 1.0
		if r < len(l.full) {
			v = l.d[b.agent][r]
		}
		if b.leave {
			v = -v
		}
		if sum = sum.Plus(v / b.height); w.counts[k] == 0 {
			sum = policies.Sum{} // sheds what rounding has left
		}
		w.slopes[r][k] = sum
	}
}

// applyBreakpoint takes the agent at the next breakpoint in or out.
func (w *waterLevel) applyBreakpoint() {
	w.level, w.count = w.breaks[w.next].level, w.counts[w.next]
	w.next++
}

// slope is how much of a resource a unit of level uses, or the speed.
func (w *waterLevel) slope(r int) float64 { return w.slopes[r][w.next-1].Value() }

// rate is how fast the level rises.
func (w *waterLevel) rate() float64 {
	if w.inflow > 0 {
		return w.inflow / w.slope(len(w.slopes)-1)
	}
	return 1
}

// sweep lets the water levels rise until a resource is used up, which it marks, or
// no agent wants more. It reports whether a resource was used up or height-0 agents
// have made room for others.
func (l *Limited) sweep() bool {
	for _, w := range l.levels {
		for w.next < len(w.breaks) && w.breaks[w.next].level == w.level {
			w.applyBreakpoint()
		}
	}
	if w := l.levels[0]; l.initial && w.inflow == 0 {
		l.skipAhead(w)
	}
	l.initial = false
	defer l.settle()
	again := false
	for {
		step, first, moving := math.Inf(1), (*waterLevel)(nil), false
		clear(l.flows)
		for _, w := range l.levels {
			for w.count == 0 && w.next < len(w.breaks) {
				w.applyBreakpoint()
			}
			if w.count == 0 {
				again = again || w.free
				continue
			}
			moving = true
			rate := w.rate()
			for r := range l.flows {
				l.flows[r] += float64(rate * w.slope(r))
			}
			if w.next < len(w.breaks) {
				if ds := (w.breaks[w.next].level - w.level) / rate; ds < step {
					step, first = max(ds, 0), w
				}
			}
		}
		if !moving {
			return again
		}
		tight := -1
		for r, v := range l.flows {
			if v > 0 && !l.full[r] {
				if ds := (1 - l.used[r].Value()) / v; ds <= step {
					step, tight = max(ds, 0), r
				}
			}
		}
		l.advance(step)
		if tight >= 0 {
			l.full[tight] = true
			return true
		}
		if first == nil {
			return false // nothing they demand can run out: no resource is wanted
		}
		first.applyBreakpoint()
	}
}

// nearly all of a resource: where less is used at a breakpoint, it was not used up before it. The
// difference is far beyond rounding.
const nearly = 1 - 1e-9

// skipAhead lets a level that rises by itself pass the breakpoints up to which no resource is nearly
// used up, resource by resource: sweep has nothing to decide there.
func (l *Limited) skipAhead(w *waterLevel) {
	end := len(w.breaks)
	for r, sum := range l.used {
		passed := slices.Grow(l.usedAt[r][:0], end)[:end]
		l.usedAt[r] = passed
		for k := w.next; k < end; k++ {
			step := w.breaks[k].level - w.breaks[k-1].level
			if sum = sum.Plus(float64(step * w.slopes[r][k-1].Value())); !(sum.Value() < nearly) {
				end = k
				break
			}
			passed[k] = sum
		}
	}
	if end > w.next {
		for r := range l.used {
			l.used[r] = l.usedAt[r][end-1]
		}
		w.next = end - 1
		w.applyBreakpoint()
	}
}

func (l *Limited) advance(step float64) {
	for r := range l.used {
		l.used[r].Add(float64(step * l.flows[r]))
	}
	for _, w := range l.levels {
		if w.count > 0 {
			w.level += float64(step * w.rate())
		}
	}
}

// settle works the shares out of the levels: who has left has all they want.
func (l *Limited) settle() {
	for _, w := range l.levels {
		for _, b := range w.breaks[:w.next] {
			y := l.limits[b.agent]
			if !b.leave {
				y = min(y, max(l.y[b.agent], w.level/b.height))
			}
			l.y[b.agent] = y
		}
	}
}
