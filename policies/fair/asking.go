package fair

import (
	"bourse/policies"
	"bourse/policies/share"
)

// asking is what the users ask for, as the mechanisms want it.
type asking struct {
	demands share.Demands // normalised, a row a user
	limits  []float64     // dominant shares
	flat    []float64     // what the rows are made of
}

// ask works out demands and limits. Resources there is nothing of are left out; a
// user whose jobs need nothing wants nothing.
func (p *asking) ask(total policies.Amount, users *users) {
	m := 1
	if total[policies.Memory] > 0 {
		m = 2
	}
	p.demands, p.limits, p.flat = p.demands[:0], p.limits[:0], p.flat[:0]
	for range users.active {
		p.flat = append(p.flat, 1, 1)
	}
	for i, n := range users.active {
		u := &users.list[n]
		limit, _ := u.need.Dominant(total)
		row := p.flat[2*i : 2*i+m : 2*i+m]
		for k := range row {
			if limit > 0 {
				row[k] = u.need[k] / total[k] / limit
			}
		}
		p.demands, p.limits = append(p.demands, row), append(p.limits, limit)
	}
}
