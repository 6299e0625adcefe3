package share

import (
	"fmt"
	"math"
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
	return e.Explain(func(i int) string { return fmt.Sprintf("agent %d", i+1) }, func(r int) string { return fmt.Sprintf("resource %d", r+1) })
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
