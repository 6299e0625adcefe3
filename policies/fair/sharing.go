package fair

import (
	"bourse/policies"
	"bourse/policies/share"
)

// Sharing shares the machine anew whenever a job arrives or ends, by a mechanism
// for agents with limited demands: a user asks for what all its unfinished jobs
// need, in that proportion, and no more. A decision costs O(users log users), and
// O(log n) for each job whose rate changes.
//
// A user's older jobs may need the resources in another proportion than all its
// jobs together; what its allocation then leaves over is not passed on.
type Sharing struct {
	loop
	mechanism *share.Limited
	resources int
}

// NewSharing returns the policy of a mechanism for at least so many resources.
func NewSharing(m *share.Limited, resources int) *Sharing {
	return &Sharing{loop: newLoop(), mechanism: m, resources: resources}
}

// Traits declares how many resources the machine must have, and may.
func (p *Sharing) Traits() policies.Traits {
	return policies.Traits{Packs: true, Resources: p.resources, MostResources: p.mechanism.Most, Single: p.mechanism.Single}
}

// Plan gives every user its share.
func (p *Sharing) Plan(r *policies.Round) {
	p.begin(r)
	limits := p.asking.limits
	x := p.mechanism.Share(p.asking.demands, limits)
	for i, n := range p.users.active {
		u := &p.users.list[n]
		allowance := u.need
		if x[i] >= limits[i] && u.runs == u.jobs {
			continue // all its jobs run
		}
		if x[i] < limits[i] {
			allowance = u.need.Times(x[i] / limits[i])
		}
		p.users.hold(r, n, allowance)
	}
	p.end(r)
}

// Clone returns an independent copy.
func (p *Sharing) Clone() policies.Policy {
	return &Sharing{loop: p.loop.clone(), mechanism: p.mechanism.Clone(), resources: p.resources}
}

// asking is what the users ask for, as the mechanisms want it.
type asking struct {
	demands share.Demands // normalised, one row per user
	limits  []float64     // dominant shares
	flat    []float64     // what the rows are made of
	kinds   []int         // which resource each column of them is
}

// ones is what a user without a need demands.
var ones = [policies.Resources]float64{1, 1, 1, 1}

// ask works out demands and limits for the resources that there are; a user whose jobs need
// nothing wants nothing.
func (p *asking) ask(total policies.Amount, users *users) {
	p.kinds = p.kinds[:0]
	for r := range policies.Resources {
		if total.At(r) > 0 || r == 0 {
			p.kinds = append(p.kinds, r)
		}
	}
	m := len(p.kinds)
	p.demands, p.limits, p.flat = p.demands[:0], p.limits[:0], p.flat[:0]
	for range users.active {
		p.flat = append(p.flat, ones[:m]...)
	}
	for i, n := range users.active {
		u := &users.list[n]
		limit, _ := u.need.Dominant(total)
		row := p.flat[m*i : m*i+m : m*i+m]
		for k, r := range p.kinds {
			if limit > 0 {
				row[k] = u.need.At(r) / total.At(r) / limit
			}
		}
		p.demands, p.limits = append(p.demands, row), append(p.limits, limit)
	}
}
