package fair

import (
	"bourse/policies"
	"bourse/policies/share"
)

// Sharing shares the machine again whenever a job arrives or ends, by a mechanism
// for agents with limited demands: a user asks for what all its unfinished jobs
// need, in that proportion, and no more. A decision costs a few additions for users who are
// behind one with news, some looks at those who want more than an equal part, and O(log n) for
// each job whose rate changes.
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
	return policies.Traits{Packs: true, Resources: p.resources, MostResources: p.mechanism.Most,
		Single: p.mechanism.Single}
}

// Plan gives every user its share. A look at those is enough who get less than they ask for, or
// of whom not all jobs run.
func (p *Sharing) Plan(r *policies.Round) {
	p.begin(r)
	limits := p.asking.limits
	x, short := p.mechanism.Again(p.asking.demands, limits, p.asking.changed, p.asking.together)
	for _, i := range short {
		p.users.behind.set(i, true)
	}
	for i := range p.users.behind.all() {
		n := p.users.active[i]
		allowance := p.users.list[n].need
		if x[i] < limits[i] {
			allowance = allowance.Times(x[i] / limits[i])
		}
		p.users.hold(r, n, allowance)
	}
	p.end(r)
}

// Clone returns an independent copy.
func (p *Sharing) Clone() policies.Policy {
	return &Sharing{loop: p.loop.clone(), mechanism: p.mechanism.Clone(), resources: p.resources}
}

// asking is the demands of the active users, as the mechanisms want them.
type asking struct {
	total    policies.Amount
	kinds    []int         // the resources that there are
	rows     []float64     // by user, one column for each: normalised demands
	wants    []float64     // by user: dominant shares
	changed  []int32       // places of users who ask for something else than a round ago
	together []float64     // as parts of the total
	demands  share.Demands // one row per active user
	limits   []float64     // and what it wants
}

// update works out what those who have news ask for, or all on a machine of another size.
func (p *asking) update(r *policies.Round, users *users) {
	for range len(users.list) - len(p.wants) {
		p.wants, p.rows = append(p.wants, 0), append(p.rows, make([]float64, len(p.kinds))...)
	}
	asked := users.changed
	if r.Total != p.total {
		p.begin(r.Total, users)
		asked, users.moved = users.active, true
	}
	for _, n := range asked {
		p.ask(n, &users.list[n])
	}
	if users.moved {
		p.seat(users)
	} else {
		p.changed = p.changed[:0]
		for _, n := range asked {
			p.note(users.list[n].place, n, users)
		}
	}
	p.together = p.together[:0]
	for _, k := range p.kinds {
		p.together = append(p.together, r.Demand.At(k)/r.Total.At(k))
	}
}

// begin makes room for the resources that there are.
func (p *asking) begin(total policies.Amount, users *users) {
	p.total, p.kinds = total, p.kinds[:0]
	for r := range policies.Resources {
		if total.At(r) > 0 || r == 0 {
			p.kinds = append(p.kinds, r)
		}
	}
	p.rows = resized(p.rows, len(users.list)*len(p.kinds))
}

// ask works out the row of a user; one whose jobs need nothing wants nothing.
func (p *asking) ask(n int32, u *user) {
	limit, _ := u.need.Dominant(p.total)
	row := p.row(n)
	for k, r := range p.kinds {
		row[k] = 1
		if limit > 0 {
			row[k] = u.need.At(r) / p.total.At(r) / limit
		}
	}
	p.wants[n] = limit
}

func (p *asking) row(n int32) []float64 {
	m := len(p.kinds)
	return p.rows[m*int(n) : m*int(n)+m : m*int(n)+m]
}

// seat makes a table of the active users.
func (p *asking) seat(users *users) {
	users.moved, users.behind = false, users.behind.none(len(users.active))
	p.changed, p.demands, p.limits = p.changed[:0], p.demands[:0], resized(p.limits, len(users.active))
	for i, n := range users.active {
		users.list[n].place = int32(i)
		p.demands = append(p.demands, p.row(n))
		p.note(int32(i), n, users)
	}
}

// note puts what a user asks for now in its place.
func (p *asking) note(i, n int32, users *users) {
	p.limits[i] = p.wants[n]
	p.changed = append(p.changed, i)
	users.behind.set(i, users.list[n].runs < users.list[n].jobs)
}
