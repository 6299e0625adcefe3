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
	asking    asking
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
	p.asking.ask(r.Total, users)
	limits := p.asking.limits
	x := p.mechanism.Share(p.asking.demands, limits)
	margin := r.Total.Times(1e-13)
	for i, u := range users {
		allowance := u.need
		if x[i] >= limits[i] && u.runs == u.jobs {
			continue // all its jobs run
		}
		if x[i] < limits[i] {
			allowance = u.need.Times(x[i] / limits[i])
		}
		p.tenants.hold(r, u, allowance, margin)
	}
	p.watch.look(r, &p.tenants, p.asking.demands, limits)
}

// Users tells what became of each user, in order of appearance.
func (p *Sharing) Users() []policies.UserShare { return p.watch.users }
