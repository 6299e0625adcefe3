package fair

import "bourse/policies"

// loop is what the closed loops share: who is there, what they ask for and what
// became of them.
type loop struct {
	tenants tenants
	asking  asking
	watch   watch
}

func newLoop() loop { return loop{tenants: newTenants()} }

// begin closes the time up to the round and takes its news in.
func (l *loop) begin(r *policies.Round) {
	l.watch.until(r.Now)
	l.tenants.absorb(r)
	l.asking.ask(r.Total, l.tenants.all)
}

// end notes how everybody stands from now on, also when nobody is left.
func (l *loop) end(r *policies.Round) {
	l.watch.look(r, &l.tenants, l.asking.demands, l.asking.limits)
}

// Users tells what became of each user, in order of appearance.
func (l *loop) Users() []policies.UserShare { return l.watch.users }
