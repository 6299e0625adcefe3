package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Budget is what a user may spend in each period, counted from the trace's time 0; without a
// period it is never renewed.
type Budget struct {
	Money  float64
	Period events.Time
	Line   int64 // of the file, for messages
}

// Budgets limit what users spend, which Shudler et al. (section VII) leave to future work. A
// user whose bills of a period have reached the budget bids 0 for all jobs, waiting or
// running, until the next period begins. A bill counts when it is made: when the job ends or is
// preempted, or its bid changes. Until then nothing is known of what running jobs will cost, so
// that they may take a user beyond the budget.
type Budgets struct {
	// All is the budget of each user who is not in Listed, nil for none.
	All *Budget
	// Listed are users by what the trace calls them, as in File.
	Listed map[string]Budget
	File   string
}

// find is the budget of a user; false if there is none.
func (b *Budgets) find(user string) (Budget, bool) {
	if own, ok := b.Listed[user]; ok {
		return own, true
	}
	if b.All == nil {
		return Budget{}, false
	}
	return *b.All, true
}

// purse is a user's account.
type purse struct {
	Budget
	limited bool
	period  int64
	spent   float64 // in the period
	empty   bool
}

// purses are the accounts of a replay.
type purses struct {
	budgets *Budgets
	names   *traces.Words
	of      map[traces.Label]int32
	list    []purse
	wanted  []float64   // by Ref: what a live job would bid with money
	emptied []int32     // in this instant: their jobs still bid
	renewal events.Time // when the next empty purse is filled
	idle    int         // renewals in a row between which no job has ended
	ended   int64       // jobs, by the last of them
	paid    policies.Sum
}

func newPurses(b *Budgets, src traces.Source) *purses {
	if b == nil {
		return nil
	}
	return &purses{budgets: b, names: src.Header().Names.Users, of: map[traces.Label]int32{}, renewal: events.Never}
}

// clone returns an independent copy.
func (p *purses) clone() *purses {
	if p == nil {
		return nil
	}
	c := *p
	c.of, c.list, c.wanted = maps.Clone(p.of), slices.Clone(p.list), slices.Clone(p.wanted)
	c.emptied = slices.Clone(p.emptied)
	return &c
}

// purse finds the account of a user, or opens it.
func (p *purses) purse(user traces.Label) int32 {
	i, known := p.of[user]
	if !known {
		name, _ := p.names.Text(user)
		i = int32(len(p.list))
		p.of[user] = i
		budget, limited := p.budgets.find(name)
		p.list = append(p.list, purse{Budget: budget, limited: limited})
	}
	return i
}

// index is the number of the period that an instant is in.
func (b *Budget) index(now events.Time) int64 {
	if b.Period == 0 {
		return 0
	}
	n := int64(now / b.Period)
	if now%b.Period < 0 {
		n--
	}
	return n
}

// affordable returns what a job bids that would bid so much, and keeps that in mind.
func (e *Replay) affordable(ref policies.Ref, user traces.Label, bid float64) float64 {
	p := e.purses
	if p == nil {
		return bid
	}
	for int(ref) >= len(p.wanted) {
		p.wanted = append(p.wanted, 0)
	}
	p.wanted[ref] = bid
	if p.list[p.purse(user)].empty {
		return 0
	}
	return bid
}

// charge takes a bill from a user's account.
func (e *Replay) charge(user traces.Label, bill float64) {
	p := e.purses
	i := p.purse(user)
	p.paid.Add(bill)
	u := &p.list[i]
	if now := u.index(e.now); now != u.period && !u.empty {
		u.period, u.spent = now, 0
	}
	u.spent += bill
	if u.limited && !u.empty && u.spent >= u.Money {
		u.empty = true
		p.emptied = append(p.emptied, i)
	}
}

// changePurses fills the purses whose period is over, and lets those who have just used up what they
// have bid nothing any more.
func (e *Replay) changePurses() error {
	if err := e.renewPurses(); err != nil {
		return err
	}
	for e.purses.justEmptied() {
		p := e.purses
		account := p.emptied[0]
		p.emptied = p.emptied[1:]
		e.sum.BudgetsUsed++
		p.renewal = min(p.renewal, p.list[account].ends())
		if err := e.bidAll(account, false); err != nil {
			return err
		}
	}
	return nil
}

// justEmptied reports whether there are accounts that were emptied at this instant, and whose jobs
// still bid.
func (p *purses) justEmptied() bool { return len(p.emptied) > 0 }

// renewal is when the next empty purse is filled, Never if none is.
func (e *Replay) renewal() events.Time {
	if e.purses == nil {
		return events.Never
	}
	return e.purses.renewal
}

// renewPurses fills the purses whose period is over. What their jobs have cost since their last bill
// still counts in that period.
func (e *Replay) renewPurses() error {
	if e.now < e.purses.renewal {
		return nil
	}
	p := e.purses
	p.renewal = events.Never
	if p.idle++; p.ended != e.sum.Jobs {
		p.idle, p.ended = 0, e.sum.Jobs
	}
	if p.idle > mostIdle {
		return fmt.Errorf("at %v budgets were renewed %d times in a row, and no job ended meanwhile: do jobs stop each other and "+
			"lose their work (preemption, migration-cost)?", e.now, mostIdle)
	}
	for i := range p.list {
		u := &p.list[i]
		switch {
		case !u.empty:
		case u.ends() > e.now:
			p.renewal = min(p.renewal, u.ends())
		default:
			if err := e.bidAll(int32(i), true); err != nil {
				return err
			}
			u.period, u.spent, u.empty = u.index(e.now), 0, false
		}
	}
	return nil
}

// ends is when the period of an account is over.
func (u *purse) ends() events.Time {
	if u.Period == 0 || u.period >= int64(clockEnd/u.Period) {
		return events.Never
	}
	return events.Time(u.period+1) * u.Period
}

// bidAll changes the bids of all jobs of an account, in order of submission.
func (e *Replay) bidAll(account int32, full bool) error {
	var refs []policies.Ref
	for ref := range policies.Ref(e.jobs.Len()) {
		if j := e.jobs.At(ref); j.State != policies.Gone && e.purses.purse(j.User) == account {
			refs = append(refs, ref)
		}
	}
	slices.SortFunc(refs, func(a, b policies.Ref) int { return cmp.Compare(e.jobs.At(a).Seq, e.jobs.At(b).Seq) })
	for _, ref := range refs {
		bid := 0.0
		if full {
			bid = e.purses.wanted[ref]
		}
		switch l, j := e.lives.At(ref), e.jobs.At(ref); {
		case j.Bid == bid:
		case slices.Contains(e.round.Arrived, ref): // the policy has not met it
			l.Bid, j.Bid = bid, bid
		default:
			if err := e.setBid(ref, bid); err != nil {
				return err
			}
		}
	}
	return nil
}

// unmatched is an error that names the first of the listed users of whom there was no job.
func (p *purses) unmatched() error {
	if p == nil {
		return nil
	}
	met := map[string]bool{}
	for user := range p.of {
		name, _ := p.names.Text(user)
		met[name] = true
	}
	first, n := "", 0
	for user, own := range p.budgets.Listed {
		if met[user] {
			continue
		}
		if n++; n == 1 || own.Line < p.budgets.Listed[first].Line {
			first = user
		}
	}
	if n == 0 {
		return nil
	}
	what := fmt.Sprintf("budget of user %s, of whom no job is replayed", first)
	if n > 1 {
		what += fmt.Sprintf(" (and %d more such users)", n-1)
	}
	return fmt.Errorf("%s:%d: %s; check that the budgets belong to this trace; user is what the trace calls its users",
		p.budgets.File, p.budgets.Listed[first].Line, what)
}
