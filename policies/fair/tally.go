package fair

import (
	"slices"

	"bourse/events"
	"bourse/policies"
)

// tally integrates over time what each user holds, what it is entitled to and
// whether it envies anybody, if that is wanted: it takes a look at every user at each round.
type tally struct {
	wanted  bool
	shares  []policies.UserShare // by user
	envies  []bool               // by user, as last seen
	now     events.Time
	active  []standing // since now
	checked events.Time
}

// standing is the state of an active user between two rounds.
type standing struct {
	user           int32
	held, entitled float64
}

// envyEvery is how often envy is looked for, as it takes a look at every pair of
// users; in between it counts as last seen.
const envyEvery = 5 * 60 * events.Second

// advance closes the stretch of time up to now.
func (w *tally) advance(now events.Time) {
	dt := (now - w.now).Seconds()
	w.now = now
	if dt <= 0 {
		return
	}
	for _, s := range w.active {
		u := &w.shares[s.user]
		u.Active += dt
		u.Held += float64(s.held * dt)
		u.Entitled += float64(s.entitled * dt)
		if short := s.entitled - s.held; short > 1e-9 {
			u.Short += float64(short * dt)
		}
		if w.envies[s.user] {
			u.Envies += dt
		}
	}
}

// note records the state of every user from now on.
func (w *tally) note(r *policies.Round, t *users, a *asking) {
	for n := len(w.shares); n < len(t.list); n++ {
		w.shares = append(w.shares, policies.UserShare{User: t.list[n].label})
		w.envies = append(w.envies, false)
	}
	w.active = w.active[:0]
	for i, n := range t.active {
		held, _ := t.using(r, n).Dominant(r.Total)
		w.active = append(w.active, standing{n, held, min(1/float64(len(t.active)), a.limits[i])})
	}
	if r.Now >= w.checked+envyEvery || w.checked == 0 {
		w.checked = r.Now
		w.envy(r, t, a)
	}
}

// envy finds who would rather have another's bundle: it would give a larger
// dominant share of a user's own demands, as far as it is wanted.
func (w *tally) envy(r *policies.Round, t *users, a *asking) {
	for i := range t.active {
		envies := false
		for k, v := range t.active {
			if k == i {
				continue
			}
			bundle, most := t.using(r, v), a.limits[i]
			for k, need := range a.demands[i] {
				res := a.kinds[k]
				if need > 0 {
					most = min(most, bundle.At(res)/r.Total.At(res)/need)
				}
			}
			if most > w.active[i].held+1e-9 {
				envies = true
				break
			}
		}
		w.envies[w.active[i].user] = envies
	}
}

func (w *tally) clone() tally {
	c := *w
	c.shares, c.envies, c.active = slices.Clone(w.shares), slices.Clone(w.envies), slices.Clone(w.active)
	return c
}
