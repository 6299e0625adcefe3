package share

import (
	"fmt"
	"math"
	"slices"

	"bourse/policies"
)

// Demands is one row an agent: what a unit of its dominant share takes of each
// resource, as a fraction of the total, so that the largest entry of a row is 1.
// An agent with dominant share x holds x d_r of each resource r, and x is its
// utility (Leontief preferences; Bei, Li and Luo, section 2.1).
//
// The paper has positive entries only. A zero means that the agent wants none
// of the resource: it neither is held up when that resource is used up, nor
// envies for it.
type Demands [][]float64

// Mechanism hands resources out once: demands in, one dominant share an agent
// out. It must not keep or change the demands. A Mechanism of a user's own can
// go wherever those of this package go.
type Mechanism func(Demands) ([]float64, error)

// Normalise divides each row by its largest entry. raw rows are demands per task
// as fractions of the totals; they must be finite, not negative, of one length
// of at least one, and not all zero.
func Normalise(raw [][]float64) (Demands, error) {
	if len(raw) == 0 {
		return nil, fmt.Errorf("there are no agents to share among")
	}
	d := make(Demands, len(raw))
	flat := make([]float64, len(raw)*len(raw[0]))
	for i, row := range raw {
		if len(row) != len(raw[0]) || len(row) == 0 {
			return nil, fmt.Errorf("agent %d has %d demands, the first agent %d", i+1, len(row), len(raw[0]))
		}
		most := 0.0
		for r, x := range row {
			if !(x >= 0) || math.IsInf(x, 1) {
				return nil, fmt.Errorf("agent %d demands %g of resource %d; want a finite number of 0 or more", i+1, x, r+1)
			}
			most = max(most, x)
		}
		if most == 0 {
			return nil, fmt.Errorf("agent %d demands nothing; leave it out", i+1)
		}
		d[i], flat = flat[:len(row):len(row)], flat[len(row):]
		for r, x := range row {
			d[i][r] = x / most
		}
	}
	return d, nil
}

// Check returns an error if the demands are not as Normalise returns them.
func (d Demands) Check() error {
	if len(d) == 0 {
		return fmt.Errorf("there are no agents to share among")
	}
	for i, row := range d {
		if len(row) != len(d[0]) || len(row) == 0 {
			return fmt.Errorf("agent %d has %d demands, the first agent %d", i+1, len(row), len(d[0]))
		}
		most := 0.0
		for r, v := range row {
			if !(v >= 0 && v <= 1) {
				return fmt.Errorf("agent %d demands %g of resource %d; a normalised demand is from 0 to 1", i+1, v, r+1)
			}
			most = max(most, v)
		}
		if most != 1 {
			return fmt.Errorf("the largest demand of agent %d is %g; normalise the demands, so that it is 1", i+1, most)
		}
	}
	return nil
}

// Used returns how much of each resource the dominant shares x take, as a
// fraction of the total.
func (d Demands) Used(x []float64) []float64 {
	sums := make([]policies.Sum, len(d[0]))
	for i, row := range d {
		for r, v := range row {
			sums[r].Add(float64(x[i] * v))
		}
	}
	used := make([]float64, len(sums))
	for r := range sums {
		used[r] = sums[r].Value()
	}
	return used
}

// Welfare is the sum of the dominant shares, which are the agents' utilities.
func Welfare(x []float64) float64 {
	var sum policies.Sum
	for _, v := range x {
		sum.Add(v)
	}
	return sum.Value()
}

// Utilisation is the least of the resources' used fractions. Resources that
// no agent demands are left out, since no allocation can use them.
func (d Demands) Utilisation(x []float64) float64 {
	least := math.Inf(1)
	for r, u := range d.Used(x) {
		if d.wanted(r) {
			least = min(least, u)
		}
	}
	return least
}

// wanted reports whether anybody demands resource r.
func (d Demands) wanted(r int) bool {
	return slices.ContainsFunc(d, func(row []float64) bool { return row[r] > 0 })
}

// Majority returns the resource that is dominant for most agents; ties go to
// the lower-numbered. Agents with several dominant resources, such as (1,1),
// count for each of them. weights may be nil.
func (d Demands) Majority(weights []float64) int {
	count := make([]float64, len(d[0]))
	for i, row := range d {
		for r, v := range row {
			if v == 1 {
				count[r] += weight(weights, i)
			}
		}
	}
	return greatest(count)
}

// greatest returns the place of the first of the greatest.
func greatest[T int | float64](list []T) int {
	best := 0
	for i, x := range list {
		if x > list[best] {
			best = i
		}
	}
	return best
}

// Alpha returns the minority's share of the agents: those whose dominant
// resource is not the majority's.
func (d Demands) Alpha() float64 {
	r, minority := d.Majority(nil), 0
	for i := range d {
		if d[i][r] < 1 {
			minority++
		}
	}
	return float64(minority) / float64(len(d))
}

// weight returns the agent's weight; nil weights are all 1.
func weight(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}
