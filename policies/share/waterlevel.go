package share

import (
	"math"
	"slices"

	"bourse/policies"
)

// waterLevel is the common level of a set of agents that rise together.
type waterLevel struct {
	// inflow is the dominant share added in a unit of time; 0 lets the level rise at
	// unit speed.
	inflow float64
	free   bool // its agents are those of height 0: they rise equally
	h      func(int) float64
	level  float64
	breaks []breakpoint
	next   int
	count  int // agents that rise now
	speed  policies.Sum
	slope  []policies.Sum // use of each resource that a unit of level adds
}

// buffer is what a water level is kept in, and the order that its breakpoints had the last time.
type buffer struct {
	movers        []int32
	found, breaks []breakpoint
	slope         []policies.Sum
}

// breakpoint is a level at which an agent joins those that rise or leaves them.
type breakpoint struct {
	level float64
	agent int32
	found int32 // its place in order of agents
	leave bool
}

// sort puts the breakpoints that were found in order. It begins with the order of the last
// time, in which few are out of place: then it costs a look at each.
func (b *buffer) sort() {
	if len(b.breaks) != len(b.found) {
		b.breaks = append(b.breaks[:0], b.found...)
	}
	for k := range b.breaks {
		b.breaks[k] = b.found[b.breaks[k].found]
	}
	slices.SortFunc(b.breaks, func(x, y breakpoint) int {
		switch {
		case x.level < y.level || x.level == y.level && x.found < y.found:
			return -1
		case x == y:
			return 0
		}
		return 1
	})
}

func (k *waterLevel) done() bool { return k.count == 0 && k.next == len(k.breaks) }

// addLevel begins a water level for those agents of a set that can rise. Agents of height
// 0 have the least for ever, and so rise alone, equally, while there are any.
func (l *Limited) addLevel(inflow float64, in func(int) bool, h func(int) float64) {
	k := waterLevel{inflow: inflow, h: h}
	if l.made == len(l.spare) {
		l.spare = append(l.spare, buffer{})
	}
	b := &l.spare[l.made]
	l.made++
	b.movers, b.found, b.slope = b.movers[:0], b.found[:0], resized(b.slope, len(l.full))
	for _, agent := range l.rich {
		if i := int(agent); in(i) && l.rises(i) {
			b.movers = append(b.movers, agent)
			k.free = k.free || h(i) == 0
		}
	}
	for _, agent := range b.movers {
		i := int(agent)
		if k.free && h(i) != 0 {
			continue
		}
		height := k.height(i)
		b.found = append(b.found, breakpoint{l.y[i] * height, agent, int32(len(b.found)), false})
		if !math.IsInf(l.limits[i], 1) {
			b.found = append(b.found, breakpoint{l.limits[i] * height, agent, int32(len(b.found)), true})
		}
	}
	b.sort()
	k.breaks, k.slope = b.breaks, b.slope
	if len(k.breaks) > 0 {
		k.level = k.breaks[0].level
	}
	l.levels = append(l.levels, k)
}

func (k *waterLevel) height(i int) float64 {
	if k.free {
		return 1
	}
	return k.h(i)
}

// cross takes the agent at the next breakpoint in or out.
func (l *Limited) cross(k *waterLevel) {
	s := k.breaks[k.next]
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
func (k *waterLevel) rate() float64 {
	if k.inflow > 0 {
		return k.inflow / k.speed.Value()
	}
	return 1
}

// sweep lets the water levels rise until a resource is used up, which it marks, or
// no agent wants more. It reports whether a resource was used up or height-0 agents
// have made room for others.
func (l *Limited) sweep() bool {
	for k := range l.levels {
		for w := &l.levels[k]; w.next < len(w.breaks) && w.breaks[w.next].level == w.level; {
			l.cross(w)
		}
	}
	again := false
	for {
		moving := false
		step, at, tight := math.Inf(1), -1, -1
		for k := range l.levels {
			w := &l.levels[k]
			for w.count == 0 && w.next < len(w.breaks) {
				l.cross(w)
			}
			if w.count == 0 {
				again = again || w.free
				continue
			}
			moving = true
			if w.next < len(w.breaks) {
				if ds := (w.breaks[w.next].level - w.level) / w.rate(); ds < step {
					step, at = max(ds, 0), k
				}
			}
		}
		if !moving {
			return again
		}
		for r := range l.full {
			l.flows[r] = l.flow(r)
			if v := l.flows[r]; v > 0 && !l.full[r] {
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
		l.cross(&l.levels[at])
	}
}

// flow is how fast resource r is being used.
func (l *Limited) flow(r int) (v float64) {
	for k := range l.levels {
		if w := &l.levels[k]; w.count > 0 {
			v += float64(w.rate() * w.slope[r].Value())
		}
	}
	return v
}

func (l *Limited) advance(step float64) {
	for r := range l.used {
		l.used[r].Add(float64(step * l.flows[r]))
	}
	for k := range l.levels {
		if w := &l.levels[k]; w.count > 0 {
			w.level += float64(step * w.rate())
		}
	}
}

// settle works the shares of those who still rise out of the levels.
func (l *Limited) settle() {
	for k := range l.levels {
		w := &l.levels[k]
		for _, s := range w.breaks[:w.next] {
			if i := int(s.agent); !s.leave {
				l.y[i] = min(l.limits[i], max(l.y[i], w.level/w.height(i)))
			}
		}
	}
}
