package fair

import (
	"bourse/policies"
	"bourse/policies/share"
)

// asking is what the users ask for, as the mechanisms want it.
type asking struct {
	demands share.Demands // normalised, one row per user
	limits  []float64     // dominant shares
	flat    []float64     // what the rows are made of
}

// ones is what a user without a need demands.
var ones = [policies.Resources]float64{1, 1, 1, 1}

// ask works out demands and limits, up to the last resource there is something of; a
// user whose jobs need nothing wants nothing.
func (p *asking) ask(total policies.Amount, users *users) {
	m := 1
	for k := range policies.Resources {
		if total.At(k) > 0 {
			m = k + 1
		}
	}
	p.demands, p.limits, p.flat = p.demands[:0], p.limits[:0], p.flat[:0]
	for range users.active {
		p.flat = append(p.flat, ones[:m]...)
	}
	for i, n := range users.active {
		u := &users.list[n]
		limit, _ := u.need.Dominant(total)
		row := p.flat[m*i : m*i+m : m*i+m]
		for k := range row {
			switch {
			case total.At(k) == 0:
				row[k] = 0
			case limit > 0:
				row[k] = u.need.At(k) / total.At(k) / limit
			}
		}
		p.demands, p.limits = append(p.demands, row), append(p.limits, limit)
	}
}
