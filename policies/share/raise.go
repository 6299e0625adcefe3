package share

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"bourse/policies"
)

// usedUp is the remainder below which a resource counts as used up.
const usedUp = 1e-12

// fillState is the state of the two-step mechanisms: every agent has dominant share
// y_i a unit of weight, at first 1/W with W the sum of the weights, and some are
// raised until a resource is used up.
type fillState struct {
	d       Demands
	weights []float64 // nil: all 1
	y       []float64
	full    []bool // resources that are used up
}

func newFilling(d Demands, weights []float64) (*fillState, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	f := &fillState{d: d, weights: weights, y: make([]float64, len(d)), full: make([]bool, len(d[0]))}
	if weights != nil && len(weights) != len(d) {
		return nil, fmt.Errorf("there are %d weights for %d agents", len(weights), len(d))
	}
	var sum policies.Sum
	for i := range d {
		w := weight(weights, i)
		if !(w > 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("agent %d has weight %g; want a finite number above 0", i+1, w)
		}
		sum.Add(w)
	}
	for i := range f.y {
		f.y[i] = 1 / sum.Value()
	}
	return f, nil
}

// rise is a rule of raising: it lifts y for some of the movers, who demand
// nothing that is used up, until a resource is, and returns that resource.
type rise func(f *fillState, movers []int) (int, error)

// run raises by the rule until no agent can be raised. Where all demands are
// positive that is one round: the first resource used up holds up every agent.
// Otherwise those who demand none of it continue, as in the extension of DRF to
// zero demands (Parkes, Procaccia and Shah 2015), or Pareto optimality would be
// lost. There are at most as many rounds as resources.
func (f *fillState) run(up rise) ([]float64, error) {
	for r, u := range f.d.Used(f.shares()) {
		f.full[r] = u >= 1-usedUp
	}
	for movers := f.movers(); len(movers) > 0; movers = f.movers() {
		r, err := up(f, movers)
		if err != nil {
			return nil, err
		}
		f.full[r] = true
	}
	return f.shares(), nil
}

func (f *fillState) movers() []int {
	var movers []int
	for i, row := range f.d {
		free := true
		for r, v := range row {
			free = free && !(f.full[r] && v > 0)
		}
		if free {
			movers = append(movers, i)
		}
	}
	return movers
}

// shares returns the dominant shares.
func (f *fillState) shares() []float64 {
	x := make([]float64, len(f.y))
	for i, y := range f.y {
		x[i] = y * weight(f.weights, i)
	}
	return x
}

// byHeight raises the movers of least y_i h_i together: y_i becomes
// max(y_i, s / h_i) for the largest level s that fits. Movers of height 0 have
// the least for ever, so that they alone are raised, equally, while there are
// any.
func byHeight(h []float64) rise {
	return func(f *fillState, movers []int) (int, error) {
		if slices.ContainsFunc(movers, func(i int) bool { return h[i] == 0 }) {
			movers = slices.DeleteFunc(movers, func(i int) bool { return h[i] != 0 })
			return f.raiseStep(movers, func(int) float64 { return 1 }), nil
		}
		return f.raiseStep(movers, func(i int) float64 { return h[i] }), nil
	}
}

// raiseStep finds the level by its breakpoints y_i h_i, at which agents join those
// who are raised. Use is piecewise linear between them, so the piece is found by
// bisection over the sorted breakpoints and the level in it exactly. Use is
// added up afresh each time: O(n log n), and no differences of running sums.
func (f *fillState) raiseStep(movers []int, h func(int) float64) int {
	least := math.Inf(1) // heights are taken relative to it: 1/h may overflow
	for _, i := range movers {
		least = min(least, h(i))
	}
	points := make([]float64, len(movers))
	for k, i := range movers {
		points[k] = f.y[i] * (h(i) / least)
	}
	slices.Sort(points)
	moving := make([]bool, len(f.d))
	for _, i := range movers {
		moving[i] = true
	}
	fixed, slope := make([]policies.Sum, len(f.full)), make([]policies.Sum, len(f.full))
	split := func(s float64) {
		clear(fixed)
		clear(slope)
		for i, row := range f.d {
			w, to, y := weight(f.weights, i), fixed, f.y[i]
			if moving[i] && f.y[i]*(h(i)/least) <= s {
				to, y = slope, least/h(i)
			}
			for r, v := range row {
				to[r].Add(float64(float64(w*y) * v))
			}
		}
	}
	k := sort.Search(len(points), func(k int) bool {
		split(points[k])
		for r := range fixed {
			if !f.full[r] && fixed[r].Value()+float64(points[k]*slope[r].Value()) > 1 {
				return true
			}
		}
		return false
	})
	split(points[max(k, 1)-1])
	level, tight := math.Inf(1), 0
	for r := range fixed {
		if s := (1 - fixed[r].Value()) / slope[r].Value(); !f.full[r] && slope[r].Value() > 0 && s < level {
			level, tight = s, r
		}
	}
	for _, i := range movers {
		f.y[i] = max(f.y[i], level*(least/h(i)))
	}
	return tight
}

// equally raises all movers' dominant shares together.
func equally(f *fillState, movers []int) (int, error) {
	return f.raiseStep(movers, func(int) float64 { return 1 }), nil
}
