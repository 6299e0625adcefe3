package market

import (
	"math"

	"bourse/policies"
)

// Holding is a user's share of a machine.
type Holding struct {
	Machine int32
	Share   float64
}

// Allocation is the holdings of every user, one list per user, machines in order and only
// those of which they hold something.
type Allocation [][]Holding

// Allocation returns the holdings under the present bids.
func (m *Market) Allocation() Allocation {
	a := make(Allocation, len(m.users))
	for i := range m.users {
		u := &m.users[i]
		for k, x := range u.bids {
			if x > 0 {
				a[i] = append(a[i], Holding{u.machines[k], m.share(u, k)})
			}
		}
	}
	return a
}

// Owned is the allocation in which each machine belongs to one user, or, at -1,
// to no user.
func (m *Market) Owned(owner []int) Allocation {
	a := make(Allocation, len(m.users))
	for j, i := range owner {
		if i >= 0 {
			a[i] = append(a[i], Holding{int32(j), 1})
		}
	}
	return a
}

// Metrics are the paper's measures of an allocation (section 2). Users who
// hold no budget or want nothing are left out of the fairness.
type Metrics struct {
	// Welfare is the sum of the utilities, Efficiency its ratio to the optimum.
	// The price of anarchy is 1 / Efficiency.
	Welfare, Efficiency float64
	// Uniformity is the least utility over the largest.
	Uniformity float64
	// EnvyFreeness is the least, over users i and j (i = j too, so that it is at
	// most 1), of what i has over what i would have with j's shares; NaN if it was
	// not asked for.
	EnvyFreeness float64
}

// Least returns the lesser value of each metric.
func (a Metrics) Least(b Metrics) Metrics {
	return Metrics{min(a.Welfare, b.Welfare), min(a.Efficiency, b.Efficiency), min(a.Uniformity, b.Uniformity),
		min(a.EnvyFreeness, b.EnvyFreeness)}
}

// Measure takes the metrics of an allocation. Welfare and uniformity cost the
// holdings; envy, asked for separately, the square of the users times the
// machines a user holds something of.
func (m *Market) Measure(a Allocation, optimum float64, envy bool) Metrics {
	var welfare policies.Sum
	least, most := math.Inf(1), 0.0
	worth := make([]float64, len(m.totals)) // of each machine to the user at hand
	utilities := make([]float64, len(m.users))
	for i := range m.users {
		u := &m.users[i]
		if !u.plays() {
			continue
		}
		u.scatter(worth)
		utilities[i] = value(a[i], worth)
		u.gatherBack(worth)
		welfare.Add(utilities[i])
		least, most = min(least, utilities[i]), max(most, utilities[i])
	}
	out := metrics(welfare.Value(), optimum, least, most)
	if envy {
		out.EnvyFreeness = m.envyFreeness(a, utilities, worth)
	}
	return out
}

// Now measures what the present bids give, without envy and without making an
// allocation of it: a pass over the wants.
func (m *Market) Now(optimum float64) Metrics {
	var welfare policies.Sum
	least, most := math.Inf(1), 0.0
	for i := range m.users {
		u := &m.users[i]
		if !u.plays() {
			continue
		}
		has := m.utility(u)
		welfare.Add(has)
		least, most = min(least, has), max(most, has)
	}
	return metrics(welfare.Value(), optimum, least, most)
}

// metrics are those of the least and most utility and their sum.
func metrics(welfare, optimum, least, most float64) Metrics {
	out := Metrics{welfare, ratio(welfare, optimum), 1, math.NaN()}
	if most > 0 {
		out.Uniformity = least / most
	}
	return out
}

// envyFreeness compares all pairs of users. worth is all 0.
func (m *Market) envyFreeness(a Allocation, utilities, worth []float64) float64 {
	least := 1.0
	for i := range m.users {
		u := &m.users[i]
		if !u.plays() {
			continue
		}
		u.scatter(worth)
		best := 0.0
		for j := range a {
			if m.users[j].plays() {
				best = max(best, value(a[j], worth))
			}
		}
		u.gatherBack(worth)
		least = min(least, ratio(utilities[i], best))
	}
	return least
}

// plays reports whether the user takes part.
func (u *user) plays() bool { return u.present && u.budget > 0 && len(u.weights) > 0 }

func (u *user) scatter(worth []float64) {
	for k, j := range u.machines {
		worth[j] = u.weights[k]
	}
}

func (u *user) gatherBack(worth []float64) {
	for _, j := range u.machines {
		worth[j] = 0
	}
}

// value is the worth of holdings at these weights.
func value(held []Holding, worth []float64) float64 {
	sum := 0.0
	for _, h := range held {
		sum += float64(worth[h.Machine] * h.Share)
	}
	return sum
}

// ratio is a/b, 1 if both are 0.
func ratio(a, b float64) float64 {
	if a == 0 && b == 0 {
		return 1
	}
	return a / b
}

// Regret is the most that any user could gain by another bid while all others
// stay, as a part of what they have: 0 at an equilibrium. Under LocalSearch it is what
// the search finds. It costs a sweep, and the bids are as before.
func (m *Market) Regret(r Rule) float64 {
	if r.Update == Greedy {
		r = Rule{Update: BestResponse}
	}
	most := 0.0
	var kept []float64
	m.recount()
	for i := range m.users {
		u := &m.users[i]
		if !u.plays() {
			continue
		}
		now := m.utility(u)
		kept = append(kept[:0], u.bids...)
		m.Answer(i, r)
		if better := m.utility(u); better > now {
			most = max(most, better/now-1)
		}
		m.count(u, -1)
		copy(u.bids, kept)
		m.count(u, 1)
	}
	return most
}
