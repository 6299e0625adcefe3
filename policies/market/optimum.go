package market

import (
	"fmt"

	"bourse/policies"
)

// Optimum returns the largest sum of utilities there is and who owns each
// machine then, -1 for none. Without a bound each machine goes to the user of
// largest weight, the first of equals; with at most `most` machines a user
// (0: no bound) it is a maximum-weight b-matching. Users without budget have no
// part in it.
func (m *Market) Optimum(most int) (welfare float64, owner []int, err error) {
	if most < 0 {
		return 0, nil, fmt.Errorf("at most %d machines per user: want 1 or more, or 0 for no bound", most)
	}
	if most == 0 {
		welfare, owner = m.unbounded()
		return welfare, owner, nil
	}
	edges := make([][]Edge, len(m.totals))
	for i := range m.users {
		u := &m.users[i]
		if !u.plays() {
			continue
		}
		for k, j := range u.machines {
			edges[j] = append(edges[j], Edge{i, u.weights[k]})
		}
	}
	matching := Match(edges, len(m.users), most)
	return matching.Weight, matching.Owner, nil
}

func (m *Market) unbounded() (float64, []int) {
	owner, best := make([]int, len(m.totals)), make([]float64, len(m.totals))
	for j := range owner {
		owner[j] = -1
	}
	for i := range m.users {
		u := &m.users[i]
		if !u.plays() {
			continue
		}
		for k, j := range u.machines {
			if w := u.weights[k]; w > best[j] {
				owner[j], best[j] = i, w
			}
		}
	}
	var sum policies.Sum
	for _, w := range best {
		sum.Add(w)
	}
	return sum.Value(), owner
}
