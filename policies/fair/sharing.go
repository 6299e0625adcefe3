package fair

import (
	"bourse/policies"
	"bourse/policies/share"
)

// Sharing shares the machine anew whenever a job arrives or ends, by a mechanism
// for agents with limited demands: a user asks for what all its unfinished jobs
// need, in that proportion, and no more. A decision costs a look at each user, some looks at
// those who want more than an equal part, and O(log n) for each job whose rate changes.
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
	x := p.mechanism.Again(p.asking.demands, limits, p.asking.from, p.asking.together)
	for i, limit := range limits {
		if x[i] >= limit && !p.users.behind[i] {
			continue // all its jobs run
		}
		n := p.users.active[i]
		allowance := p.users.list[n].need
		if x[i] < limit {
			allowance = allowance.Times(x[i] / limit)
		}
		p.users.hold(r, n, allowance)
	}
	p.end(r)
}

// Clone returns an independent copy.
func (p *Sharing) Clone() policies.Policy {
	return &Sharing{loop: p.loop.clone(), mechanism: p.mechanism.Clone(), resources: p.resources}
}

// asking is what the active users ask for, as the mechanisms want it.
type asking struct {
	total    policies.Amount
	from     int           // users before this place ask for what they did a round ago
	together []float64     // as parts of the total
	demands  share.Demands // normalised, one row per user
	limits   []float64     // dominant shares
	flat     []float64     // what the rows are made of
	kinds    []int         // which resource each column of them is
}

// update works out what those who have news ask for, or all if others are active.
func (p *asking) update(r *policies.Round, users *users) {
	if r.Total != p.total || users.moved {
		p.begin(r.Total, users)
	} else {
		p.renew(users)
	}
	p.together = p.together[:0]
	for _, k := range p.kinds {
		p.together = append(p.together, r.Demand.At(k)/r.Total.At(k))
	}
}

// renew works out what those who have news ask for.
func (p *asking) renew(users *users) {
	p.from = len(p.limits)
	for _, n := range users.changed {
		i := users.list[n].place
		p.ask(i, users)
		p.from = min(p.from, int(i))
	}
}

// begin makes a table of the active users, for the resources that there are.
func (p *asking) begin(total policies.Amount, users *users) {
	p.total, p.from, users.moved = total, 0, false
	p.kinds = p.kinds[:0]
	for r := range policies.Resources {
		if total.At(r) > 0 || r == 0 {
			p.kinds = append(p.kinds, r)
		}
	}
	n, m := len(users.active), len(p.kinds)
	p.demands, p.limits, p.flat, users.behind = p.demands[:0], resized(p.limits, n), resized(p.flat, n*m), users.behind[:0]
	for i, n := range users.active {
		users.list[n].place = int32(i)
		p.demands, users.behind = append(p.demands, p.flat[m*i:m*i+m:m*i+m]), append(users.behind, false)
		p.ask(int32(i), users)
	}
}

// ask works out the row of the user at a place; one whose jobs need nothing wants nothing.
func (p *asking) ask(i int32, users *users) {
	u, row := &users.list[users.active[i]], p.demands[i]
	limit, _ := u.need.Dominant(p.total)
	for k, r := range p.kinds {
		row[k] = 1
		if limit > 0 {
			row[k] = u.need.At(r) / p.total.At(r) / limit
		}
	}
	p.limits[i], users.behind[i] = limit, u.runs < u.jobs
}
