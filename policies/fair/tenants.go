package fair

import (
	"slices"

	"bourse/policies"
	"bourse/traces"
)

// tenants are the users with unfinished jobs, in order of the job that brought
// them here.
type tenants struct {
	all     []*tenant // active ones
	byUser  map[traces.Label]*tenant
	places  []place // by Ref
	touched []policies.Ref
}

// tenant is one user.
type tenant struct {
	user    traces.Label
	jobs    int
	runs    int             // of them in full
	need    policies.Amount // of all its jobs
	held    policies.Amount // of those that run in full
	full    pile            // jobs that run in full, the youngest on top
	rest    pile            // the others, the oldest on top: it may run in part
	part    policies.Ref    // the job that runs in part, -1 if none
	partial float64         // its rate
}

// place is what is known of a job: whose it is and how it stands.
type place struct {
	seq  int64
	of   *tenant
	full bool
	live bool
	rate float64 // as the engine has it
}

// least is the smallest rate given to a job: less waits instead, or its end would
// be beyond all time.
const least = 1e-6

// rounding is what sums of allowances may be off by, as a part of the machine.
const rounding = 1e-13

func newTenants() tenants { return tenants{byUser: map[traces.Label]*tenant{}} }

// absorb takes the round's news in.
func (t *tenants) absorb(r *policies.Round) {
	for _, ref := range r.Ended {
		t.ended(ref, r.Job(ref))
	}
	for _, ref := range r.Arrived {
		j := r.Job(ref)
		u := t.byUser[j.User]
		if u == nil {
			u = &tenant{user: j.User, full: pile{youngest: true}, part: -1}
			t.byUser[j.User] = u
		}
		if u.jobs == 0 {
			t.all = append(t.all, u)
		}
		for int(ref) >= len(t.places) {
			t.places = append(t.places, place{})
		}
		t.places[ref] = place{seq: j.Seq, of: u, live: true}
		u.jobs++
		u.need = u.need.Plus(j.Need)
		u.rest.push(item{j.Seq, ref})
	}
}

func (t *tenants) ended(ref policies.Ref, j *policies.Job) {
	p := &t.places[ref]
	u := p.of
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
	if u.jobs == 0 {
		i := slices.Index(t.all, u)
		t.all = slices.Delete(t.all, i, i+1)
		u.full.items, u.rest.items = u.full.items[:0], u.rest.items[:0]
	}
}

// top returns the first job of a pile that still stands there, or -1.
func (t *tenants) top(p *pile, full bool) policies.Ref {
	for len(p.items) > 0 {
		it := p.items[0]
		if q := &t.places[it.ref]; q.live && q.seq == it.seq && q.full == full {
			return it.ref
		}
		p.pop()
	}
	return -1
}

// hold gives a user its allowance: its older jobs run in full while they fit, one
// runs in part, the others wait. It costs
// O(log n) for each job that starts or stops.
func (t *tenants) hold(r *policies.Round, u *tenant, allowance policies.Amount) {
	t.touched = t.touched[:0]
	if u.part >= 0 {
		t.touched = append(t.touched, u.part)
	}
	u.part, u.partial = -1, 0
	room := allowance.Plus(r.Total.Times(rounding))
	for !u.held.Fits(room) {
		ref := t.top(&u.full, true)
		t.move(u, &u.full, &u.rest, ref, false)
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
			t.move(u, &u.rest, &u.full, ref, true)
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
	t.tell(r, u)
}

// move takes the top of a pile to another.
func (t *tenants) move(u *tenant, from, to *pile, ref policies.Ref, full bool) {
	it := from.items[0]
	from.pop()
	to.push(it)
	t.places[ref].full = full
	t.touched = append(t.touched, ref)
}

// fraction is how much of a need an amount covers, at most 1.
func fraction(need, amount policies.Amount) float64 {
	rate := 1.0
	for k, n := range need {
		if n > 0 {
			rate = min(rate, amount[k]/n)
		}
	}
	return max(rate, 0)
}

// tell sets the rates that have changed.
func (t *tenants) tell(r *policies.Round, u *tenant) {
	for _, ref := range t.touched {
		p, rate := &t.places[ref], 0.0
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

// using is what a user holds, its part included.
func (t *tenants) using(r *policies.Round, u *tenant) policies.Amount {
	if u.part < 0 {
		return u.held
	}
	return u.held.Plus(r.Job(u.part).Need.Times(u.partial))
}
