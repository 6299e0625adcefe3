package fair

import "bourse/policies"

// loop is what the closed loops have in common: the users, what they ask for and
// what became of them.
type loop struct {
	users  users
	asking asking
	tally  tally
}

func newLoop() loop { return loop{users: newUsers()} }

// begin closes the time up to the round and takes its news in.
func (l *loop) begin(r *policies.Round) {
	l.tally.until(r.Now)
	l.users.absorb(r)
	l.asking.ask(r.Total, &l.users)
}

// end records the state of every user from now on, also when no user is left.
func (l *loop) end(r *policies.Round) {
	l.tally.note(r, &l.users, l.asking.demands, l.asking.limits)
}

// Users returns what each user received, in order of appearance.
func (l *loop) Users() []policies.UserShare { return l.tally.shares }

// clone leaves the demands out: they are made anew in each round.
func (l *loop) clone() loop { return loop{users: l.users.clone(), tally: l.tally.clone()} }
