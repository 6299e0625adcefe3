package share

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bourse/policies"
)

// plain is the twin of Limited that remembers nothing and has no breakpoints in order: at each
// step it looks at all agents for the next that joins or leaves. It adds the same numbers up in
// the same order.
type plain struct {
	d         Demands
	limits, y []float64
	full      []bool
	used      []policies.Sum
}

// plainLevel is a water level: heights of agents, 0 for those that are not of it, who rises and
// who has been on it.
type plainLevel struct {
	inflow, level float64
	free          bool
	height        []float64
	state         []int // 0 still to join, 1 rises, 2 has left
	speed         policies.Sum
	slope         []policies.Sum
}

func plainly(name string, d Demands, limits []float64) []float64 {
	p := plain{d: d, limits: limits, y: slices.Clone(limits), full: make([]bool, len(d[0]))}
	if p.use(); !slices.ContainsFunc(p.used, func(s policies.Sum) bool { return !(s.Value() <= 1) }) {
		return limits
	}
	n := float64(len(d))
	for i := range p.y {
		p.y[i] = min(limits[i], 1/n)
	}
	p.use()
	for r, s := range p.used {
		p.full[r] = s.Value() >= 1-usedUp
	}
	major, one := d.Majority(nil), func(int) float64 { return 1 }
	minority := 0
	for _, row := range d {
		if row[major] < 1 {
			minority++
		}
	}
	few := map[string]float64{"hybrid-sw": 2 - math.Sqrt(3) + 1/(2*n), "hybrid-util": 1./3 + 1/(3*n)}[name]
	switch {
	case name == "unb" || few > 0 && float64(min(minority, len(d)-minority))/n <= few:
		p.raise(func(i int) float64 { return d[i][major] })
	case name == "family:sum":
		p.raise(func(i int) float64 { return Sum.At(d[i]) })
	case name == "family:product":
		p.raise(func(i int) float64 { return Product.At(d[i]) })
	case name == "drf":
		p.raise(one)
	default:
		p.balance(major, name != "bal")
		p.raise(one)
	}
	return p.y
}

func (p *plain) use() {
	p.used = make([]policies.Sum, len(p.full))
	for i, row := range p.d {
		for r, v := range row {
			p.used[r].Add(float64(p.y[i] * v))
		}
	}
}

// rises reports whether an agent can rise.
func (p *plain) rises(i int) bool {
	for r, v := range p.d[i] {
		if p.full[r] && v > 0 {
			return false
		}
	}
	return p.y[i] < p.limits[i]
}

func (p *plain) raise(h func(int) float64) {
	for {
		k := p.level(0, func(int) bool { return true }, h)
		if k.next(p) < 0 || !p.sweep(k) {
			return
		}
	}
}

func (p *plain) balance(major int, star bool) {
	if len(p.full) != 2 || p.full[0] || p.full[1] {
		return
	}
	other := func(i int) int { // than the dominant resource
		if p.d[i][major] == 1 {
			return 1 - major
		}
		return major
	}
	var levels []*plainLevel
	for r := range 2 {
		ratio, least := 1-p.used[r].Value(), math.Inf(1)
		for i := range p.d {
			if star && p.rises(i) && other(i) == r {
				least = min(least, p.d[i][r])
			}
		}
		if !math.IsInf(least, 1) {
			ratio += least / float64(len(p.d))
		}
		levels = append(levels, p.level(ratio, func(i int) bool { return other(i) != r },
			func(i int) float64 { return p.d[i][1-r] }))
	}
	p.sweep(levels...)
}

func (p *plain) level(inflow float64, in func(int) bool, h func(int) float64) *plainLevel {
	k := &plainLevel{inflow: inflow, height: make([]float64, len(p.d)), state: make([]int, len(p.d)),
		slope: make([]policies.Sum, len(p.full))}
	for i := range p.d {
		k.free = k.free || in(i) && p.rises(i) && h(i) == 0
	}
	for i := range p.d {
		if in(i) && p.rises(i) && (!k.free || h(i) == 0) {
			if k.height[i] = h(i); k.free {
				k.height[i] = 1
			}
		}
	}
	if i := k.next(p); i >= 0 {
		k.level = k.at(p, i)
	}
	return k
}

// at is the level at which an agent joins or, if it rises, leaves.
func (k *plainLevel) at(p *plain, i int) float64 {
	if k.state[i] == 0 {
		return p.y[i] * k.height[i]
	}
	return p.limits[i] * k.height[i]
}

// next is the agent that joins or leaves next, -1 if none does.
func (k *plainLevel) next(p *plain) int {
	best := -1
	for i, h := range k.height {
		if h > 0 && k.state[i] < 2 && !math.IsInf(k.at(p, i), 1) && (best < 0 || k.at(p, i) < k.at(p, best)) {
			best = i
		}
	}
	return best
}

// cross takes agent i in or out.
func (k *plainLevel) cross(p *plain, i int) {
	sign := 1.0
	if k.level = k.at(p, i); k.state[i] == 1 {
		sign, p.y[i] = -1, p.limits[i]
	}
	k.state[i]++
	k.speed.Add(sign / k.height[i])
	for r, v := range p.d[i] {
		k.slope[r].Add(sign * v / k.height[i])
	}
	if !slices.Contains(k.state, 1) {
		k.speed, k.slope = policies.Sum{}, make([]policies.Sum, len(k.slope))
	}
}

func (k *plainLevel) rate() float64 {
	if k.inflow > 0 {
		return k.inflow / k.speed.Value()
	}
	return 1
}

// sweep raises levels to the next resource that is used up.
func (p *plain) sweep(levels ...*plainLevel) bool {
	for _, k := range levels {
		for i := k.next(p); i >= 0 && k.at(p, i) == k.level; i = k.next(p) {
			k.cross(p, i)
		}
	}
	again := false
	for {
		step, first, tight, flows := math.Inf(1), (*plainLevel)(nil), -1, make([]float64, len(p.full))
		var rising []*plainLevel
		for _, k := range levels {
			i := k.next(p)
			for ; i >= 0 && !slices.Contains(k.state, 1); i = k.next(p) {
				k.cross(p, i)
			}
			if !slices.Contains(k.state, 1) {
				again = again || k.free
				continue
			}
			rising = append(rising, k)
			for r := range flows {
				flows[r] += float64(k.rate() * k.slope[r].Value())
			}
			if i >= 0 && (k.at(p, i)-k.level)/k.rate() < step {
				step, first = max((k.at(p, i)-k.level)/k.rate(), 0), k
			}
		}
		if len(rising) == 0 {
			return again
		}
		for r, v := range flows {
			if ds := (1 - p.used[r].Value()) / v; v > 0 && !p.full[r] && ds <= step {
				step, tight = max(ds, 0), r
			}
		}
		for r, v := range flows {
			p.used[r].Add(float64(step * v))
		}
		for _, k := range rising {
			k.level += float64(step * k.rate())
		}
		if first != nil && tight < 0 {
			first.cross(p, first.next(p))
			continue
		}
		for _, k := range rising {
			for i, state := range k.state {
				if state == 1 {
					p.y[i] = min(p.limits[i], max(p.y[i], k.level/k.height[i]))
				}
			}
		}
		if tight >= 0 {
			p.full[tight] = true
		}
		return tight >= 0
	}
}

// TestAgain wants the shares of the plain twin to the last bit, and who gets less than their
// limits, where agents change now and then, at times when there is enough for all too.
func TestAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	for _, rule := range append(limitedRules, limitedRule{"nash", LimitedNash, WeightedNash(nil), 4}) {
		l := rule.limited()
		for range 400 {
			d := randomDemands(r, 1+r.IntN(rule.most))
			if rule.name == "nash" && len(d[0]) == 1 {
				continue
			}
			limits, changed, most := make([]float64, len(d)), everybody(len(d)), 1+3*r.Float64()
			for i := range limits {
				limits[i] = randomLimit(r, len(d), most)
			}
			for range 20 {
				want := l.Clone().Share(d, limits)
				if rule.name != "nash" {
					want = plainly(rule.name, d, limits)
				}
				got, short := l.Again(d, limits, changed, d.Used(limits))
				if !slices.Equal(got, want) {
					t.Fatalf("%s of %v, limits %v: %v where agents %v have changed, anew %v", rule.name, d, limits, got, changed, want)
				}
				if less := slices.DeleteFunc(everybody(len(d)),
					func(i int32) bool { return want[i] >= limits[i] }); !slices.Equal(short, less) {
					t.Fatalf("%s of %v, limits %v: %v, of which %v are said to be less than the limits", rule.name, d, limits, got,
						short)
				}
				changed = changed[:0]
				for range r.IntN(3) {
					i := r.IntN(len(d))
					changed = append(changed, int32(i))
					limits[i] = randomLimit(r, len(d), most)
					if r.IntN(3) > 0 {
						copy(d[i], randomDemands(r, len(d[i]))[0])
					}
				}
			}
		}
	}
}

func everybody(n int) (all []int32) {
	for i := range n {
		all = append(all, int32(i))
	}
	return all
}

// randomLimit draws some limits that are equal, without end or nothing.
func randomLimit(r *rand.Rand, n int, most float64) float64 {
	switch r.IntN(12) {
	case 0:
		return math.Inf(1)
	case 1:
		return 0
	case 2:
		return 2 / float64(n)
	}
	return r.Float64() * most / float64(n)
}
