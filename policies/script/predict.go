package script

import (
	"fmt"
	"maps"
	"math"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
	"bourse/policies/sched"
)

// Predict is a script's predictions of run times, a sched.Predictor: predict(job, now) in seconds, at most the request.
// A prediction is kept until ended(job, now) has been called for another job, or for ever if the script has no such
// function and does not look at the time.
type Predict struct {
	m              *module
	predict, ended *starlark.Function
	changes        bool
	known          map[int64]events.Time // by Seq
	at             events.Time
}

// NewPredict starts the script as a predictor.
func NewPredict(f *File) (*Predict, error) {
	m, err := f.start()
	if err != nil {
		return nil, err
	}
	p := &Predict{m: m, ended: m.function("ended"), known: map[int64]events.Time{},
		changes: f.looks > 0 || f.attrs["wait"] || m.flag("changes")}
	if p.predict, err = m.requireFunc("predict", "estimates"); err != nil {
		return nil, err
	}
	if err = m.checkParams(p.predict, "job", "now"); err == nil {
		err = m.checkParams(p.ended, "job", "now")
	}
	return p, err
}

// Length implements sched.Predictor.
func (p *Predict) Length(now events.Time, j *policies.Job) events.Time {
	if p.changes && now != p.at {
		p.at = now
		clear(p.known)
	}
	if t, ok := p.known[j.Seq]; ok {
		return t
	}
	where := func() string { return fmt.Sprintf("predicting job %d at %v", j.ID, now) }
	v := p.m.call(where, p.predict, &job{Job: *j, now: now, site: p.m.site}, starlark.Float(now.Seconds()))
	if p.m.err != nil {
		return j.Estimate
	}
	x, ok := starlark.AsFloat(v)
	if !ok || math.IsNaN(x) || x < 0 {
		p.m.err = fmt.Errorf("%v: predict gives %s (%s); want seconds, 0 or more (%s)", p.predict.Position(), brief(v),
			v.Type(), where())
		return j.Estimate
	}
	t, ok := events.FromSeconds(x)
	if !ok {
		t = j.Estimate
	}
	p.known[j.Seq] = t
	return t
}

// Ended implements sched.Predictor.
func (p *Predict) Ended(now events.Time, j *policies.Job) {
	delete(p.known, j.Seq)
	if p.ended != nil {
		p.m.call(func() string { return fmt.Sprintf("job %d at %v", j.ID, now) }, p.ended,
			&job{Job: *j, now: now, site: p.m.site}, starlark.Float(now.Seconds()))
		clear(p.known)
	}
}

// Err implements policies.Failer.
func (p *Predict) Err() error { return p.m.err }

// Clone implements sched.Predictor.
func (p *Predict) Clone() sched.Predictor {
	c := *p
	c.m, c.known = p.m.clone(map[starlark.Value]starlark.Value{}), maps.Clone(p.known)
	c.predict, c.ended = c.m.function("predict"), c.m.function("ended")
	return &c
}
