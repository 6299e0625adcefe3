package market

import (
	"cmp"
	"fmt"
	"slices"
)

// work is scratch space of one call.
type work struct {
	ranks    []ranked
	items    []item
	order    []int
	machines []int32
	search   localSearch
	searches Searches
}

// Largest is the largest weight, budget and reserve: ratios and products of any
// two stay well inside what a float64 holds.
const Largest = 1e100

func checkBudget(budget float64) error {
	if !(budget >= 0 && budget <= Largest) {
		return fmt.Errorf("a budget of %g: want a number from 0 to %g", budget, Largest)
	}
	return nil
}

// check refuses what Join says it refuses.
func (m *Market) check(budget float64, wants []Want) error {
	if err := checkBudget(budget); err != nil {
		return err
	}
	for _, w := range wants {
		if w.Machine < 0 || w.Machine >= len(m.totals) {
			return fmt.Errorf("a weight for machine %d, which does not exist", w.Machine)
		}
		if !(w.Weight > 0 && w.Weight <= Largest) {
			return fmt.Errorf("a weight of %g for machine %d: want a number above 0 and at most %g", w.Weight, w.Machine,
				Largest)
		}
	}
	if m.twice(wants) {
		return fmt.Errorf("two weights of one user for one machine")
	}
	return nil
}

func (m *Market) twice(wants []Want) bool {
	seen := m.work.machines[:0]
	for _, w := range wants {
		seen = append(seen, int32(w.Machine))
	}
	m.work.machines = seen
	slices.Sort(seen)
	return len(slices.Compact(seen)) < len(wants)
}

// setWants sets the wants of a user who has none, with bids of 0.
func (u *user) setWants(wants []Want) {
	sorted := slices.IsSortedFunc(wants, func(a, b Want) int { return cmp.Compare(a.Machine, b.Machine) })
	if !sorted {
		wants = slices.Clone(wants)
		slices.SortFunc(wants, func(a, b Want) int { return cmp.Compare(a.Machine, b.Machine) })
	}
	for _, w := range wants {
		u.machines, u.weights, u.bids = append(u.machines, int32(w.Machine)), append(u.weights, w.Weight), append(u.bids, 0)
	}
	u.weigh()
}

func (u *user) weigh() {
	u.worth = 0
	for _, w := range u.weights {
		u.worth += w
	}
}

// spread bids in proportion to the weights, on the `most` machines of largest
// weight, the first of equals; 0 is all.
func (u *user) spread(most int, k *work) {
	clear(u.bids)
	k.order = k.order[:0]
	for i := range u.weights {
		k.order = append(k.order, i)
	}
	if most > 0 && most < len(k.order) {
		slices.SortStableFunc(k.order, func(a, b int) int { return cmp.Compare(u.weights[b], u.weights[a]) })
		k.order = k.order[:most]
	}
	sum := 0.0
	for _, i := range k.order {
		sum += u.weights[i]
	}
	for _, i := range k.order {
		u.bids[i] = u.budget * (u.weights[i] / sum)
	}
}

// rescale makes the bids sum to the budget; if there are none, they become
// proportional to the weights.
func (u *user) rescale(k *work) {
	sum := 0.0
	for _, x := range u.bids {
		sum += x
	}
	if sum == 0 {
		u.spread(0, k)
		return
	}
	for i, x := range u.bids {
		u.bids[i] = u.budget * (x / sum)
	}
}

// count adds the user's bids to the machines' totals, or takes them away.
func (m *Market) count(u *user, sign float64) {
	for k, j := range u.machines {
		m.totals[j] += sign * u.bids[k]
	}
}

// recount sums the bids again, so that what additions and subtractions lose does
// not gather.
func (m *Market) recount() {
	clear(m.totals)
	for i := range m.users {
		m.count(&m.users[i], 1)
	}
}

// Reset makes every user's bids proportional to their weights, on the `most`
// machines of largest weight (0: all): where the paper's iterations begin.
func (m *Market) Reset(most int) {
	for i := range m.users {
		if u := &m.users[i]; u.present {
			u.spread(most, &m.work)
		}
	}
	m.recount()
}

// rivalBids returns the sum of bids against the user's k-th one.
func (m *Market) rivalBids(u *user, k int) float64 {
	return max(m.totals[u.machines[k]]-u.bids[k], m.reserve)
}

// Share returns a user's share of their k-th machine (in the order of Wanted).
func (m *Market) Share(i, k int) float64 {
	u := m.userAt(i)
	return m.share(u, k)
}

func (m *Market) share(u *user, k int) float64 {
	x := u.bids[k]
	if x == 0 {
		return 0
	}
	return x / (x + m.rivalBids(u, k))
}

// Utility returns the worth of a user's shares to them.
func (m *Market) Utility(i int) float64 { return m.utility(m.userAt(i)) }

func (m *Market) utility(u *user) float64 {
	sum := 0.0
	for k, w := range u.weights {
		sum += float64(w * m.share(u, k))
	}
	return sum
}
