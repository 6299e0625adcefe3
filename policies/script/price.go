package script

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"go.starlark.net/starlark"

	"bourse/events"
	"bourse/policies"
)

// Price is a price scheme from a script: price(round) is one for all running jobs, and
// price(job, round) each job's, per processor-second, from this round to the next. The
// second is asked of every running job at every instant, which is what it costs.
type Price struct {
	m      *module
	of     *Plan // the policy that the same script is, nil if none: they have the variables in common
	price  *starlark.Function
	common bool
	now    events.Time
	held   float64  // processors, or CPU, of the jobs that run
	jobs   []charge // by Ref
	open   []policies.Ref
	quote  float64
}

// charge is the account of a running job.
type charge struct {
	job   *job
	price float64
	due   float64 // since Open, up to now
	at    int     // in open; -1 if the job does not run
}

// NewPrice starts the script as a price scheme.
func NewPrice(f *File) (*Price, error) {
	m, err := f.start()
	if err != nil {
		return nil, err
	}
	return newPrice(m)
}

// NewPriceFor is NewPrice, for a policy: where that is the same script, with the same parameters, the two are one.
func NewPriceFor(policy policies.Policy, f *File) (*Price, error) {
	plan := planOf(policy)
	if plan == nil || plan.m.file.path != f.path || !maps.Equal(plan.m.file.args, f.args) {
		return NewPrice(f)
	}
	p, err := newPrice(plan.m)
	if p != nil {
		p.of = plan
	}
	return p, err
}

// planOf is the script that a policy is, nil if it is none.
func planOf(policy policies.Policy) *Plan {
	p, ok := policies.As[interface{ itself() *Plan }](policy)
	if !ok {
		return nil
	}
	return p.itself()
}

func (p *Plan) itself() *Plan { return p }

func newPrice(m *module) (p *Price, err error) {
	p = &Price{m: m}
	if p.price, err = m.requireFunc("price", "a payment"); err != nil {
		return nil, err
	}
	if p.common = p.price.NumParams() == 1; p.common {
		return p, nil
	}
	return p, m.checkParams(p.price, "job", "round")
}

// Failers implements policies.Fallible.
func (p *Price) Failers() []policies.Failer { return []policies.Failer{p} }

// Err implements policies.Failer.
func (p *Price) Err() error { return p.m.err }

// Advance charges all running jobs up to now.
func (p *Price) Advance(now events.Time) {
	dt := (now - p.now).Seconds()
	p.now = now
	if dt == 0 {
		return
	}
	for _, ref := range p.open {
		c := &p.jobs[ref]
		c.due += float64(c.price * dt)
	}
}

// Open begins to charge the job.
func (p *Price) Open(ref policies.Ref, j *policies.Job) {
	for int(ref) >= len(p.jobs) {
		p.jobs = append(p.jobs, charge{at: -1})
	}
	seen := &job{Job: *j, clock: &p.now, ref: ref, site: p.m.site}
	if p.of != nil {
		seen = p.of.jobs[ref]
	}
	p.jobs[ref] = charge{job: seen, price: p.quote, at: len(p.open)}
	p.open = append(p.open, ref)
	p.held += j.Need.CPU
}

// Close returns the job's debt per processor since Open.
func (p *Price) Close(ref policies.Ref, j *policies.Job) float64 {
	c := &p.jobs[ref]
	last := p.open[len(p.open)-1]
	p.open[c.at], p.jobs[last].at = last, c.at
	p.open = p.open[:len(p.open)-1]
	c.at = -1
	p.held -= j.Need.CPU
	return c.due
}

// Clear asks the script for the prices from now on.
func (p *Price) Clear(r *policies.Round) {
	market := &record[market]{"round", marketAttributes, market{p, r}}
	if p.common {
		p.quote = p.ask(func() string { return fmt.Sprintf("pricing at %v", r.Now) }, market)
		for _, ref := range p.open {
			p.jobs[ref].price = p.quote
		}
		return
	}
	p.quote = math.NaN()
	slices.SortFunc(p.open, func(a, b policies.Ref) int { return int(p.jobs[a].job.Seq - p.jobs[b].job.Seq) })
	for i, ref := range p.open {
		c := &p.jobs[ref]
		c.at, c.job.Job = i, *r.Job(ref)
		c.price = p.ask(func() string { return fmt.Sprintf("pricing job %d at %v", c.job.ID, r.Now) }, c.job, market)
	}
}

// ask calls price and wants a price of it.
func (p *Price) ask(where func() string, args ...starlark.Value) float64 {
	v := p.m.call(where, p.price, args...)
	if p.m.err != nil {
		return 0
	}
	x, ok := starlark.AsFloat(v)
	if !ok || !(x >= 0 && x <= policies.MostMoney) {
		p.m.err = fmt.Errorf("%v: price gives %s; want a number from 0 to %g (%s)", p.price.Position(), brief(v),
			policies.MostMoney, where())
	}
	return x
}

// Price returns the price in force.
func (p *Price) Price(j *policies.Job) float64 {
	if p.common {
		return p.quote
	}
	for _, ref := range p.open {
		if c := &p.jobs[ref]; c.job.Seq == j.Seq {
			return c.price
		}
	}
	return 0
}

// Quote returns the price of all, NaN where each job has its own.
func (p *Price) Quote() float64 { return p.quote }

// Clone returns an independent copy.
func (p *Price) Clone(of policies.Policy) policies.Pricer {
	c := *p
	c.jobs, c.open = slices.Clone(p.jobs), slices.Clone(p.open)
	if p.of != nil {
		c.of = planOf(of)
		for _, ref := range c.open {
			c.jobs[ref].job = c.of.jobs[ref]
		}
		c.m = c.of.m
		c.price = c.m.function("price")
		return &c
	}
	made := map[starlark.Value]starlark.Value{}
	for i := range c.jobs {
		if old := c.jobs[i].job; old != nil {
			copied := *old
			copied.clock = &c.now
			c.jobs[i].job, made[old] = &copied, &copied
		}
	}
	c.m = p.m.clone(made)
	c.price = c.m.function("price")
	return &c
}

// market is an instant as a price sees it, after the policy's decisions.
type market struct {
	p *Price
	r *policies.Round
}

var marketAttributes = map[string]func(market) starlark.Value{
	"now":       amount(func(m market) float64 { return m.r.Now.Seconds() }),
	"procs":     amount(func(m market) float64 { return float64(m.r.Procs) }),
	"use":       amount(func(m market) float64 { return m.p.held / m.r.Total.CPU }),
	"demand":    amount(func(m market) float64 { return m.r.Demand.CPU / m.r.Total.CPU }),
	"running":   amount(func(m market) float64 { return float64(len(m.p.open)) }),
	"congested": func(m market) starlark.Value { return starlark.Bool(m.r.Congested()) },
}

func amount(of func(market) float64) func(market) starlark.Value {
	return func(m market) starlark.Value { return starlark.Float(of(m)) }
}
