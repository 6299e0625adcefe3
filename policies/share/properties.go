package share

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Evidence is the outcome of a check of one property: the worst case found.
type Evidence struct {
	Property string
	Holds    bool
	// By is by how much the worst case violates the property, in dominant share
	// (or in fractions of a resource, for feasibility); negative or 0 is the
	// margin by which it holds.
	By float64
	// Agent is whom it happens to, Other the agent it envies; -1 if there is none.
	Agent, Other int
	// Resource is the resource concerned, -1 if there is none.
	Resource int
}

// String describes the evidence in words, agents and resources numbered from 1.
func (e Evidence) String() string {
	return e.Explain(func(i int) string { return fmt.Sprintf("agent %d", i+1) },
		func(r int) string { return fmt.Sprintf("resource %d", r+1) })
}

// Explain describes the evidence in words with names for agents and resources.
func (e Evidence) Explain(agent, resource func(int) string) string {
	if e.Holds {
		return e.Property + " holds"
	}
	s := fmt.Sprintf("%s is violated by %.3g", e.Property, e.By)
	switch {
	case e.Other >= 0:
		s += fmt.Sprintf(": %s envies %s", agent(e.Agent), agent(e.Other))
	case e.Agent >= 0:
		s += ": " + agent(e.Agent)
	}
	if e.Resource >= 0 {
		s += ": " + resource(e.Resource)
	}
	return s
}

// Tolerance is how far a property may be off by rounding.
const Tolerance = 1e-9

func evidence(property string, by float64, agent, other, resource int) Evidence {
	return Evidence{Property: property, Holds: by <= Tolerance, By: by, Agent: agent, Other: other, Resource: resource}
}

// worth is the utility that the bundle `held`, one amount a resource, has for
// agent i: the largest y with y d_i <= held.
func (d Demands) worth(i int, held []float64) float64 {
	least := math.Inf(1)
	for r, v := range d[i] {
		if v > 0 {
			least = min(least, held[r]/v)
		}
	}
	return least
}

// CheckAllocation checks feasibility, sharing incentive, envy-freeness and Pareto
// optimality of dominant shares x. The time is O(n m), for envy O(n log n) with
// two resources and O(n^2 m) with more.
func CheckAllocation(d Demands, x []float64) []Evidence {
	return []Evidence{Feasible(d, x), SharingIncentive(d, x), EnvyFree(d, x), ParetoOptimal(d, x)}
}

// Feasible wants no resource to be handed out more than once.
func Feasible(d Demands, x []float64) Evidence {
	worst, which := math.Inf(-1), -1
	for r, u := range d.Used(x) {
		if u-1 > worst {
			worst, which = u-1, r
		}
	}
	return evidence("feasibility", worst, -1, -1, which)
}

// SharingIncentive wants every agent to have at least what an equal part of each
// resource gives, dominant share 1/n (Bei, Li and Luo, Definition 1).
func SharingIncentive(d Demands, x []float64) Evidence {
	worst, who := math.Inf(-1), -1
	for i, v := range x {
		if by := 1/float64(len(d)) - v; by > worst || math.IsNaN(by) {
			worst, who = by, i
		}
	}
	return evidence("sharing incentive", worst, who, -1, -1)
}

// ParetoOptimal wants no agent to be able to get more without another getting
// less (ibid., Definition 3): every agent demands something that is used up. By is
// the most that one agent could be raised.
func ParetoOptimal(d Demands, x []float64) Evidence {
	left := d.Used(x)
	for r := range left {
		left[r] = max(0, 1-left[r])
	}
	worst, who := math.Inf(-1), -1
	for i := range d {
		// In terms of the resource that holds the agent up, so that an agent who
		// demands next to none of it does not blow rounding up.
		room, tight := math.Inf(1), 0.0
		for r, v := range d[i] {
			if v > 0 && left[r]/v < room {
				room, tight = left[r]/v, left[r]
			}
		}
		if by := min(room, tight); by > worst {
			worst, who = by, i
		}
	}
	return evidence("Pareto optimality", worst, who, -1, -1)
}

// EnvyFree wants no agent to prefer another's bundle (Bei, Li and Luo, Definition
// 2). By is the largest difference in utility.
func EnvyFree(d Demands, x []float64) Evidence {
	if len(d[0]) == 2 {
		return envyOfTwo(d, x)
	}
	// Agents of equal demands and shares need to be looked at once.
	order := make([]int, len(d))
	for i := range order {
		order[i] = i
	}
	alike := func(a, b int) int { return cmp.Or(slices.Compare(d[a], d[b]), cmp.Compare(x[a], x[b])) }
	slices.SortStableFunc(order, alike)
	order = slices.CompactFunc(order, func(a, b int) bool { return alike(a, b) == 0 })
	worst, who, whom := math.Inf(-1), -1, -1
	held := make([]float64, len(d[0]))
	for _, j := range order {
		for r, v := range d[j] {
			held[r] = x[j] * v
		}
		for _, i := range order {
			if by := d.worth(i, held) - x[i]; i != j && by > worst {
				worst, who, whom = by, i, j
			}
		}
	}
	return evidence("envy-freeness", worst, who, whom, -1)
}

// envyOfTwo uses that only bundles that no other bundle exceeds in both
// resources can be envied most. Of those, in order of the first resource, an
// agent's utility is at first bound by the first and then by the second, so the
// best is where that changes: O(n log n).
func envyOfTwo(d Demands, x []float64) Evidence {
	bundle := func(j, r int) float64 { return x[j] * d[j][r] }
	order := make([]int, len(d))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(bundle(b, 0), bundle(a, 0)), cmp.Compare(bundle(b, 1), bundle(a, 1)))
	})
	var top []int // first resource falling, second rising
	for _, j := range order {
		if len(top) == 0 || bundle(j, 1) > bundle(top[len(top)-1], 1) {
			top = append(top, j)
		}
	}
	worst, who, whom := math.Inf(-1), -1, -1
	for i, row := range d {
		at := sort.Search(len(top), func(k int) bool {
			return float64(bundle(top[k], 1)*row[0]) >= float64(bundle(top[k], 0)*row[1])
		})
		for _, k := range []int{at - 1, at} {
			if k < 0 || k >= len(top) || top[k] == i {
				continue
			}
			j := top[k]
			if by := d.worth(i, []float64{bundle(j, 0), bundle(j, 1)}) - x[i]; by > worst {
				worst, who, whom = by, i, j
			}
		}
	}
	return evidence("envy-freeness", worst, who, whom, -1)
}
