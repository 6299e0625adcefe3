package fair

import (
	"bourse/events"
	"bourse/policies"
	"bourse/policies/share"
	"bourse/traces"
)

// watch integrates over time what each user holds, what it is entitled to and
// whether it envies anybody.
type watch struct {
	users  []policies.UserShare
	index  map[traces.Label]int
	now    events.Time
	active []standing // since now
	looked events.Time
	envies []bool // by user, as last seen
}

// standing is how an active user stands between two rounds.
type standing struct {
	user           int // index into users
	held, entitled float64
}

// envyEvery is how often envy is looked for, as it takes a look at every pair of
// users; in between it counts as last seen.
const envyEvery = 5 * 60 * events.Second

// until closes the stretch of time up to now.
func (w *watch) until(now events.Time) {
	dt := (now - w.now).Seconds()
	w.now = now
	if dt <= 0 {
		return
	}
	for _, s := range w.active {
		u := &w.users[s.user]
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

// look notes how everybody stands from now on.
func (w *watch) look(r *policies.Round, t *tenants, d share.Demands, limits []float64) {
	if w.index == nil {
		w.index = map[traces.Label]int{}
	}
	w.active = w.active[:0]
	for i, u := range t.all {
		k, known := w.index[u.user]
		if !known {
			k = len(w.users)
			w.index[u.user] = k
			w.users = append(w.users, policies.UserShare{User: u.user})
			w.envies = append(w.envies, false)
		}
		held, _ := t.using(r, u).Dominant(r.Total)
		w.active = append(w.active, standing{k, held, min(1/float64(len(t.all)), limits[i])})
	}
	if r.Now >= w.looked+envyEvery || w.looked == 0 {
		w.looked = r.Now
		w.envy(r, t, d, limits)
	}
}

// envy finds who would rather have another's bundle: it would give a larger
// dominant share of one's own demands, as far as one wants it.
func (w *watch) envy(r *policies.Round, t *tenants, d share.Demands, limits []float64) {
	for i := range t.all {
		envies := false
		for k, v := range t.all {
			if k == i {
				continue
			}
			bundle, most := t.using(r, v), limits[i]
			for res, need := range d[i] {
				if need > 0 {
					most = min(most, bundle[res]/r.Total[res]/need)
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
