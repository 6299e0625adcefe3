package fair

import (
	"maps"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// users are all users so far, numbered from 0 in order of their first job. They
// are plain data in tables, so that a copy is made by copying slices.
type users struct {
	list    []user
	numbers map[traces.Label]int32 // looked up, never walked over
	active  []int32                // those with unfinished jobs, in order of the job that made them so
	behind  places                 // among them: not all jobs run in full
	changed []int32                // those with news of this round
	moved   bool                   // active has changed
	jobs    []jobState             // by Ref
	touched []policies.Ref
}

// user is one user.
type user struct {
	label   traces.Label
	place   int32           // among the active
	jobs    int             // unfinished ones
	runs    int             // of them in full
	need    policies.Amount // of all its jobs
	held    policies.Amount // of those that run in full
	full    jobHeap         // jobs that run in full, the youngest on top
	rest    jobHeap         // the others, the oldest on top: it may run in part
	part    policies.Ref    // the job that runs in part, -1 if none
	partial float64         // its rate
}

// jobHeap holds jobs by age. They are not taken out of the middle: one that has moved or
// ended is skipped when it comes up.
type jobHeap = events.Heap[int64, item]

type item struct {
	seq int64
	ref policies.Ref
}

// jobState is the state of a job: its owner and its progress.
type jobState struct {
	seq  int64
	user int32
	full bool
	live bool
	rate float64 // as the engine has it
}

// least is the smallest rate given to a job: less waits instead, or its end would
// be beyond all time.
const least = 1e-6

// rounding is the error allowed in sums of allowances, as a part of the machine.
const rounding = 1e-13

func newUsers() users { return users{numbers: map[traces.Label]int32{}} }

// absorb takes the round's news in.
func (t *users) absorb(r *policies.Round) {
	t.changed = t.changed[:0]
	for _, ref := range r.Ended {
		t.ended(ref, r.Job(ref))
	}
	for _, ref := range r.Arrived {
		j := r.Job(ref)
		n, known := t.numbers[j.User]
		if !known {
			n = int32(len(t.list))
			t.numbers[j.User] = n
			t.list = append(t.list, user{label: j.User, part: -1})
		}
		u := &t.list[n]
		if u.jobs == 0 {
			t.active = append(t.active, n)
			t.moved = true
		}
		t.changed = append(t.changed, n)
		for int(ref) >= len(t.jobs) {
			t.jobs = append(t.jobs, jobState{})
		}
		t.jobs[ref] = jobState{seq: j.Seq, user: n, live: true}
		u.jobs++
		u.need = u.need.Plus(j.Need)
		u.rest.Push(j.Seq, 0, item{j.Seq, ref})
	}
}

func (t *users) ended(ref policies.Ref, j *policies.Job) {
	p := &t.jobs[ref]
	u := &t.list[p.user]
	u.jobs--
	u.need = u.need.Minus(j.Need)
	if p.full {
		u.held = u.held.Minus(j.Need)
		u.runs--
	}
	if u.part == ref {
		u.part, u.partial = -1, 0
	}
	p.live = false
	t.changed = append(t.changed, p.user)
	if u.jobs == 0 {
		i := slices.Index(t.active, p.user)
		t.active = slices.Delete(t.active, i, i+1)
		t.moved = true
		u.full.Clear()
		u.rest.Clear()
	}
}

// top returns the first job of a heap that still belongs there, or -1.
func (t *users) top(h *jobHeap, full bool) policies.Ref {
	for h.Len() > 0 {
		it := h.Head()
		if q := &t.jobs[it.ref]; q.live && q.seq == it.seq && q.full == full {
			return it.ref
		}
		h.Pop()
	}
	return -1
}

// hold gives a user its allowance: its older jobs run in full while they fit, one
// runs in part, the others wait. It costs O(log n) for each job that starts or
// stops.
func (t *users) hold(r *policies.Round, n int32, allowance policies.Amount) {
	u := &t.list[n]
	t.touched = t.touched[:0]
	if u.part >= 0 {
		t.touched = append(t.touched, u.part)
	}
	u.part, u.partial = -1, 0
	room := allowance.Plus(r.Total.Times(rounding))
	for !u.held.Fits(room) {
		ref := t.top(&u.full, true)
		t.move(&u.full, &u.rest, ref, false)
		u.held = u.held.Minus(r.Job(ref).Need)
		u.runs--
	}
	for {
		ref := t.top(&u.rest, false)
		if ref < 0 {
			break
		}
		need := r.Job(ref).Need
		if held := u.held.Plus(need); held.Fits(room) {
			t.move(&u.rest, &u.full, ref, true)
			u.held = held
			u.runs++
			continue
		}
		if rate := fraction(need, allowance.Minus(u.held)); rate >= least {
			u.part, u.partial = ref, rate
			t.touched = append(t.touched, ref)
		}
		break
	}
	t.setRates(r, u)
	t.behind.set(u.place, u.runs < u.jobs)
}

// move takes the top of a heap to another.
func (t *users) move(from, to *jobHeap, ref policies.Ref, full bool) {
	it := from.Pop()
	key := it.seq
	if full {
		key = -key
	}
	to.Push(key, 0, it)
	t.jobs[ref].full = full
	t.touched = append(t.touched, ref)
}

// fraction is how much of a need an amount covers, at most 1.
func fraction(need, amount policies.Amount) float64 {
	rate := 1.0
	for k := range policies.Resources {
		if n := need.At(k); n > 0 {
			rate = min(rate, amount.At(k)/n)
		}
	}
	return max(rate, 0)
}

// setRates sets the rates that have changed.
func (t *users) setRates(r *policies.Round, u *user) {
	for _, ref := range t.touched {
		p, rate := &t.jobs[ref], 0.0
		switch {
		case !p.live:
			continue
		case p.full:
			rate = 1
		case ref == u.part:
			rate = u.partial
		}
		if rate != p.rate {
			p.rate = rate
			r.Share(ref, rate)
		}
	}
}

// using is a user's holding, its part included.
func (t *users) using(r *policies.Round, n int32) policies.Amount {
	u := &t.list[n]
	if u.part < 0 {
		return u.held
	}
	return u.held.Plus(r.Job(u.part).Need.Times(u.partial))
}

func (t *users) clone() users {
	c := users{list: slices.Clone(t.list), numbers: maps.Clone(t.numbers), active: slices.Clone(t.active),
		jobs: slices.Clone(t.jobs)}
	for i := range c.list {
		u := &c.list[i]
		u.full, u.rest = u.full.Clone(), u.rest.Clone()
	}
	return c
}

// loop is the part common to all closed loops: the users, their requests and
// what became of them.
type loop struct {
	users  users
	asking asking
	tally  tally
}

func newLoop() loop { return loop{users: newUsers()} }

// begin closes the time up to the round and takes its news in.
func (l *loop) begin(r *policies.Round) {
	if l.tally.wanted {
		l.tally.advance(r.Now)
	}
	l.users.absorb(r)
	l.asking.update(r, &l.users)
}

// end records the state of every user from now on, also when no user is left.
func (l *loop) end(r *policies.Round) {
	if l.tally.wanted {
		l.tally.note(r, &l.users, &l.asking)
	}
}

// KeepAccount makes it note what each user receives, from the start of the replay.
func (l *loop) KeepAccount() { l.tally.wanted = true }

// Users returns the shares of users, in order of appearance.
func (l *loop) Users() []policies.UserShare { return l.tally.shares }

// clone leaves the demands out: they are rebuilt in each round.
func (l *loop) clone() loop { return loop{users: l.users.clone(), tally: l.tally.clone()} }
