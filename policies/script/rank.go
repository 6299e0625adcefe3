package script

import (
	"fmt"
	"maps"
	"math"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/order"
)

// Rank is a script's order: rank(job, now), least first. The queue, backfilling and prices
// stay those of the policy that asks for it. Functions started(job, now) and
// ended(job, now), if the script has them, are called when jobs start and end.
type Rank struct {
	m                    *module
	rank, started, ended *starlark.Function
	looks                order.Looks
	// Ranks are asked for again every so often, if the script says every = 300; known are those of the period.
	every  events.Time
	period int64
	known  map[int64]float64 // by Seq
}

// NewRank starts the script as an order.
func NewRank(f *File) (*Rank, error) {
	m, err := f.start()
	if err != nil {
		return nil, err
	}
	k := &Rank{m: m, started: m.function("started"), ended: m.function("ended")}
	if k.rank, err = m.requireFunc("rank", "an order"); err != nil {
		return nil, err
	}
	if err := m.checkParams(k.rank, "job", "now"); err != nil {
		return nil, err
	}
	k.looks = order.Looks{
		Estimate: f.attrs["estimate"], Run: m.flag("clairvoyant"), Bid: f.attrs["bid"],
		Changes: f.looks > 0 || f.attrs["wait"] || k.started != nil || k.ended != nil || m.flag("changes"),
	}
	if k.every, err = m.duration("every"); k.every > 0 {
		k.looks.Changes, k.known = true, map[int64]float64{}
	}
	return k, err
}

// checkParams wants a function to have as many parameters as it is given.
func (m *module) checkParams(f *starlark.Function, names ...string) error {
	if f != nil && f.NumParams() != len(names) && !f.HasVarargs() {
		return fmt.Errorf("%v: %s takes %d parameters; want %s(%s)", f.Position(), f.Name(), f.NumParams(), f.Name(),
			list(names))
	}
	return nil
}

// Looks implements order.Keys.
func (k *Rank) Looks() order.Looks { return k.looks }

// Key implements order.Keys.
func (k *Rank) Key(now events.Time, j *policies.Job) float64 {
	where := func() string { return fmt.Sprintf("ranking job %d at %v", j.ID, now) }
	if k.every > 0 {
		if period := int64(now / k.every); period != k.period {
			k.period = period
			clear(k.known)
		}
		if x, ok := k.known[j.Seq]; ok {
			return x
		}
	}
	v := k.m.call(where, k.rank, &job{Job: *j, now: now, site: k.m.site}, starlark.Float(now.Seconds()))
	if k.m.err != nil {
		return 0
	}
	x, ok := starlark.AsFloat(v)
	if !ok || math.IsNaN(x) {
		k.m.err = fmt.Errorf("%v: rank gives %s (%s); want a number (%s)", k.rank.Position(), brief(v), v.Type(), where())
	}
	if k.every > 0 {
		k.known[j.Seq] = x
	}
	return x
}

// Started is called for a job that starts now.
func (k *Rank) Started(now events.Time, j *policies.Job) { k.call(k.started, now, j) }

// Ended is called for a job that has ended.
func (k *Rank) Ended(now events.Time, j *policies.Job) { k.call(k.ended, now, j) }

func (k *Rank) call(f *starlark.Function, now events.Time, j *policies.Job) {
	if f != nil {
		k.m.call(func() string { return fmt.Sprintf("job %d at %v", j.ID, now) }, f, &job{Job: *j, now: now, site: k.m.site},
			starlark.Float(now.Seconds()))
	}
}

// Err implements policies.Failer.
func (k *Rank) Err() error { return k.m.err }

// Clone returns an independent copy.
func (k *Rank) Clone() order.Keys {
	c := *k
	c.m = k.m.clone(map[starlark.Value]starlark.Value{})
	c.known = maps.Clone(k.known)
	c.rank, c.started, c.ended = c.m.function("rank"), c.m.function("started"), c.m.function("ended")
	return &c
}
