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
	tenants   tenants
	mechanism *share.Limited
	demands   share.Demands
	flat      []float64
	limits    []float64
	resources int
	watch     watch
}

// NewSharing returns the policy of a mechanism for at least so many resources.
func NewSharing(m *share.Limited, resources int) *Sharing {
	return &Sharing{tenants: newTenants(), mechanism: m, resources: resources}
}

// Resources is how many resources the machine must have.
func (p *Sharing) Resources() int { return p.resources }

// Packs is true.
func (*Sharing) Packs() bool { return true }

// Plan gives everybody its share.
func (p *Sharing) Plan(r *policies.Round) {
	p.watch.until(r.Now)
	p.tenants.absorb(r)
	users := p.tenants.all
	p.ask(r.Total, users)
	x := p.mechanism.Share(p.demands, p.limits)
	margin := r.Total.Times(1e-13)
	for i, u := range users {
		allowance := u.need
		if x[i] >= p.limits[i] && u.runs == u.jobs {
			continue // all its jobs run
		}
		if x[i] < p.limits[i] {
			allowance = u.need.Times(x[i] / p.limits[i])
		}
		p.tenants.hold(r, u, allowance, margin)
	}
	p.watch.look(r, &p.tenants, p.demands, p.limits)
}

// ask works out demands and limits. Resources there is nothing of are left out; a
// user whose jobs need nothing wants nothing.
func (p *Sharing) ask(total policies.Amount, users []*tenant) {
	m := 1
	if total[policies.Memory] > 0 {
		m = 2
	}
	p.demands, p.limits, p.flat = p.demands[:0], p.limits[:0], p.flat[:0]
	for range users {
		p.flat = append(p.flat, 1, 1)
	}
	for i, u := range users {
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

// Users tells what became of each user, in order of appearance.
func (p *Sharing) Users() []policies.UserShare { return p.watch.users }
