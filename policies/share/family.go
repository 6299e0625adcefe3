package share

import (
	"fmt"
	"math"
)

// Monotone is a function g on allocations v in [0,1]^m, one entry a resource,
// that grows whenever all entries grow. Each makes a mechanism F_g that has all
// four properties (Bei, Li and Luo, Theorem 4.1).
type Monotone struct {
	Name string
	At   func(v []float64) float64
	// Degree is k > 0 if g(c v) = c^k g(v) for all c > 0 and g >= 0. Levels are
	// then found exactly by sorting; otherwise, with Degree 0, by bisection.
	Degree float64
	// Resources is the number of resources g is made for; 0 is any number.
	Resources int
}

// Coordinate is the r-th entry, r from 1: UNB for a resource of one's choice.
func Coordinate(r int) Monotone {
	return Monotone{Name: fmt.Sprint(r), Degree: 1, At: func(v []float64) float64 { return v[r-1] }}
}

// Sum is the sum of the entries.
var Sum = Monotone{Name: "sum", Degree: 1, At: func(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum
}}

// Product is the product of the entries, computed as their geometric mean, which
// orders allocations alike and does not underflow. It uses math.Log and
// math.Exp, and Norm through math.Pow, whose last bit may differ between
// machines; nothing else here does.
var Product = Monotone{Name: "product", Degree: 1, At: func(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(v)))
}}

// Most is the largest entry: F_g is then DRF.
var Most = Monotone{Name: "max", Degree: 1, At: func(v []float64) float64 {
	most := 0.0
	for _, x := range v {
		most = max(most, x)
	}
	return most
}}

// Least is the smallest entry.
var Least = Monotone{Name: "min", Degree: 1, At: func(v []float64) float64 {
	least := math.Inf(1)
	for _, x := range v {
		least = min(least, x)
	}
	return least
}}

// Norm is the p-norm, p >= 1 and finite.
func Norm(p float64) Monotone {
	return Monotone{Name: fmt.Sprintf("norm(%g)", p), Degree: 1, At: func(v []float64) float64 {
		sum := 0.0
		for _, x := range v {
			sum += math.Pow(x, p)
		}
		return math.Pow(sum, 1/p)
	}}
}

// WeightedSum is the sum of the entries times c: finite, not negative, not all 0.
func WeightedSum(c []float64) (Monotone, error) {
	some := false
	for r, w := range c {
		if !(w >= 0) || math.IsInf(w, 1) {
			return Monotone{}, fmt.Errorf("resource %d has coefficient %g; want a finite number of 0 or more", r+1, w)
		}
		some = some || w > 0
	}
	if !some {
		return Monotone{}, fmt.Errorf("all coefficients are 0, so no agent has less than another")
	}
	return Monotone{Name: "weighted", Degree: 1, Resources: len(c), At: func(v []float64) float64 {
		sum := 0.0
		for r, x := range v {
			sum += float64(c[r] * x)
		}
		return sum
	}}, nil
}

// Family returns F_g (Bei, Li and Luo, Algorithm 4): every agent gets dominant
// share 1/n, then the agents of least g(A_i) are raised together until a
// resource is used up. weights may be nil; an agent of weight w represents w
// agents, so that g is taken of A_i / w_i.
func Family(g Monotone, weights []float64) Mechanism {
	return func(d Demands) ([]float64, error) {
		f, err := newFilling(d, weights)
		if err != nil {
			return nil, err
		}
		if g.Resources != 0 && g.Resources != len(d[0]) {
			return nil, fmt.Errorf("family %s is for %d resources, there are %d", g.Name, g.Resources, len(d[0]))
		}
		if g.Degree == 0 {
			return f.run(byLevel(g))
		}
		h := make([]float64, len(d))
		for i, row := range d {
			h[i] = math.Pow(g.At(row), 1/g.Degree)
			if !(h[i] >= 0) || math.IsInf(h[i], 1) {
				return nil, fmt.Errorf("family %s is %g at the demands of agent %d; want a finite number of 0 or more", g.Name,
					g.At(row), i+1)
			}
		}
		return f.run(byHeight(h))
	}
}

// CoordinateFamily is F_g for the r-th coordinate, with a check of r.
func CoordinateFamily(r int, weights []float64) Mechanism {
	return func(d Demands) ([]float64, error) {
		if len(d) > 0 && (r < 1 || r > len(d[0])) {
			return nil, fmt.Errorf("family:%d: resources are numbered from 1 to %d", r, len(d[0]))
		}
		return Family(Coordinate(r), weights)(d)
	}
}
