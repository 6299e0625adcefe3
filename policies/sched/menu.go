package sched

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Menu sells times: a job that arrives is offered every start at which its processors are free for the time that it
// asks for, at a price that depends on what has been promised before alone,
//
//	p x integral of pi(z(t)) over [s, s + e), pi(z) = low (high/low)^z,
//
// z(t) being the share of the machine promised at t. The job takes the start s that is best for it by its bid, the
// worth of ending at s + e less the price, the earliest of several, and keeps it. Nobody leaves, and the bill is known
// at submission.
//
// What an owner says of value, deadline or length enters that choice only, from a menu that does not depend on it: a
// lie can choose nothing but a worse start (the taxation principle). A longer time asked for has every start at no
// lower price, and a job is to be ended at a shorter one. What a job that ends early leaves is offered to jobs that
// arrive later: would starts move for nothing, a cheap late start were a ticket for an early one.
//
// Moves is a variant in which starts move up for nothing (as in conservative backfilling): by the price of a cheap late
// start some jobs then gain by a lie (TestMenuThatMoves). Not covered: the time of submission. Where jobs
// run as long as they ask for, menus only get worse and waiting for another one never pays; for what others leave by
// ending early it did for 139 of 856 jobs of tiny instances (TestMenuSubmission), by 10 % of all utilities.
//
// Between two changes of the promises the net worth of a start is linear, so that it is enough to look at starts at
// which a promise begins or ends at the start or the end of the job, or its worth falls. That costs O(m log m) an
// arrival with m changes, of which those are left out after which no start can be better.
type Menu struct {
	policies.AsFCFS
	// Moves lets starts move up for nothing after all, into what jobs that end early leave: to be measured, and not
	// truthful.
	Moves     bool
	low, high float64
	procs     int64
	pi        []float64     // by processors promised; only read
	at        []events.Time // at which promises change, now first
	used      []int64       // from then on
	cost      []float64     // integral of pi from the first up to each
	due       policies.Queue
	plans     []menuPlan // by Ref
	asked     events.Time
	waiting   []policies.Ref // that may move, of the round under way
	over      int64          // jobs that outlived their time
	late      int64          // jobs that therefore began late
}

type menuPlan struct {
	start, end events.Time
	fee        float64 // per processor
}

// NewMenu returns the policy with the prices of an empty and a full machine.
func NewMenu(low, high float64) *Menu { return &Menu{low: low, high: high, asked: events.Never} }

// Needs are estimates.
func (*Menu) Needs() policies.Needs { return policies.Needs{Estimates: true} }

// Traits say that promises are of a machine of one size.
func (*Menu) Traits() policies.Traits { return policies.Traits{Fixed: true} }

// Asked and Agreed are 0: what a job pays is a fee.
func (*Menu) Asked() float64              { return 0 }
func (*Menu) Agreed(policies.Ref) float64 { return 0 }

// Fee implements policies.FeeSeller.
func (m *Menu) Fee(ref policies.Ref) float64 { return m.plans[ref].fee }

// Plan lets jobs that arrive choose, and starts those whose time has come.
func (m *Menu) Plan(r *policies.Round) {
	if m.procs == 0 {
		m.open(r)
	}
	freed := false
	for _, ref := range r.Ended {
		if end := m.plans[ref].end; end > r.Now {
			freed = true
			m.promise(r.Now, end, -int64(r.Job(ref).Procs))
		} else if end < r.Now {
			m.over++
		}
	}
	m.advance(r.Now)
	if m.Moves && freed {
		m.moveUp(r)
	}
	for _, ref := range r.Arrived {
		m.choose(r, ref)
	}
	m.start(r)
}

// moveUp lets jobs that wait start as early as they fit, those that are to start first being first.
func (m *Menu) moveUp(r *policies.Round) {
	m.waiting = m.waiting[:0]
	for ref := range policies.Ref(len(m.plans)) {
		if m.due.Has(ref) {
			m.waiting = append(m.waiting, ref)
		}
	}
	slices.SortFunc(m.waiting, func(a, b policies.Ref) int {
		return cmp.Or(cmp.Compare(m.plans[a].start, m.plans[b].start), cmp.Compare(r.Job(a).Seq, r.Job(b).Seq))
	})
	for _, ref := range m.waiting {
		p, j := &m.plans[ref], r.Job(ref)
		m.promise(p.start, p.end, -int64(j.Procs))
		if at := m.earliest(p.end-p.start, m.procs-int64(j.Procs)); at < p.start {
			m.due.Remove(ref)
			p.start, p.end = at, at+p.end-p.start
			m.due.Push(float64(at), j.Seq, ref)
		}
		m.promise(p.start, p.end, int64(j.Procs))
	}
}

// earliest is the first start from which on no more than so much is promised for a time.
func (m *Menu) earliest(length events.Time, most int64) events.Time {
	from, open := events.Never, false
	for i, at := range m.at {
		switch {
		case m.used[i] > most:
			open = false
		case !open:
			from, open = at, true
		}
		if open && (i+1 == len(m.at) || m.at[i+1]-from >= length) {
			return from
		}
	}
	return events.Never
}

// start starts the jobs whose time has come, and asks to be called for the next. One that finds its processors taken by
// jobs that outlive their time begins late.
func (m *Menu) start(r *policies.Round) {
	free := r.Free
	for m.due.Len() > 0 {
		ref := m.due.Head()
		p, procs := &m.plans[ref], int64(r.Job(ref).Procs)
		if p.start > r.Now {
			if p.start != m.asked {
				r.Wake(p.start)
				m.asked = p.start
			}
			return
		}
		if free -= int(procs); free < 0 {
			return
		}
		m.due.Pop()
		r.Start(ref)
		if p.start < r.Now {
			m.late++
			if p.end > r.Now {
				m.promise(r.Now, p.end, -procs)
			}
			p.start, p.end = r.Now, r.Now+p.end-p.start
			m.promise(p.start, p.end, procs)
		}
	}
}

// Notes implements policies.Noter.
func (m *Menu) Notes() (notes []traces.Note) {
	for _, n := range []traces.Note{{What: "jobs that ran beyond the time that they had bought, which makes it pay to " +
		"buy less: jobs are to be ended at their " +
		"requested times", Count: m.over}, {What: "jobs that began later than promised for that", Count: m.late}} {
		if n.Count > 0 {
			notes = append(notes, n)
		}
	}
	return notes
}

// advance makes now the first of the times.
func (m *Menu) advance(now events.Time) {
	i, exact := slices.BinarySearch(m.at, now)
	if !exact {
		i--
	}
	if i > 0 {
		m.at, m.used = slices.Delete(m.at, 0, i), slices.Delete(m.used, 0, i)
	}
	m.at[0] = now
}

// promise changes what is promised from one time to another.
func (m *Menu) promise(from, to events.Time, procs int64) {
	for i := m.cut(from); i < m.cut(to); i++ {
		m.used[i] += procs
	}
	for i := len(m.at) - 1; i > 0; i-- { // only at the two ends values may now be equal
		if m.at[i] < from {
			break
		}
		if (m.at[i] == from || m.at[i] == to) && m.used[i] == m.used[i-1] {
			m.at, m.used = slices.Delete(m.at, i, i+1), slices.Delete(m.used, i, i+1)
		}
	}
}

// cut returns the place of a time among the changes, where it puts one if there is none.
func (m *Menu) cut(t events.Time) int {
	i, exact := slices.BinarySearch(m.at, t)
	if !exact {
		m.at, m.used = slices.Insert(m.at, i, t), slices.Insert(m.used, i, m.used[i-1])
	}
	return i
}

// price is pi at a place.
func (m *Menu) price(i int) float64 { return m.pi[min(m.used[i], m.procs)] }

// open works the prices out.
func (m *Menu) open(r *policies.Round) {
	m.procs, m.at, m.used, m.pi = int64(r.Procs), []events.Time{r.Now}, []int64{0}, make([]float64, r.Procs+1)
	for k := range m.pi {
		m.pi[k] = m.low * math.Pow(m.high/m.low, float64(k)/float64(r.Procs))
	}
}

// choose gives an arriving job its best start.
func (m *Menu) choose(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	for int(ref) >= len(m.plans) {
		m.plans = append(m.plans, menuPlan{})
	}
	m.cost = append(m.cost[:0], 0)
	for i := 1; i < len(m.at); i++ {
		m.cost = append(m.cost, m.cost[i-1]+float64(m.price(i-1)*(m.at[i]-m.at[i-1]).Seconds()))
	}
	c := choice{Menu: m, job: j, length: length(j), best: menuPlan{start: events.Never}, net: math.Inf(-1)}
	c.search()
	m.plans[ref] = c.best
	m.promise(c.best.start, c.best.end, int64(j.Procs))
	m.due.Push(float64(c.best.start), j.Seq, ref)
}

// choice is that of a job under way.
type choice struct {
	*Menu
	job    *policies.Job
	length events.Time
	best   menuPlan
	net    float64 // its worth less its price, per processor
}

// search looks at all starts that may be best, gap by gap.
func (c *choice) search() {
	room := c.procs - int64(c.job.Procs)
	for i := 0; i < len(c.at); i++ {
		if c.used[i] > room {
			continue
		}
		k := i // the last step of the gap
		for k+1 < len(c.at) && c.used[k+1] <= room {
			k++
		}
		from, to := c.at[i], events.Never
		if k+1 < len(c.at) {
			to = c.at[k+1] - c.length
		}
		if c.worth(from)-float64(c.low*c.length.Seconds()) <= c.net {
			return // later ones are worth less, and none is cheaper
		}
		if to >= from {
			c.tryGap(i, k, from, to)
		}
		i = k
	}
}

// tryGap looks at the starts in a gap.
func (c *choice) tryGap(i, k int, from, to events.Time) {
	c.try(from)
	for x := i; x <= k+1 && x < len(c.at); x++ {
		for _, s := range [2]events.Time{c.at[x], c.at[x] - c.length} {
			if s > from && s <= to {
				c.try(s)
			}
		}
	}
	if shape := c.job.Shape; shape != nil {
		for _, flow := range shape.Times {
			if s := c.job.Submit + flow - c.length; s > from && s <= to {
				c.try(s)
			}
		}
	}
}

// try takes a start if it is better than the best so far, or as good and earlier.
func (c *choice) try(start events.Time) {
	fee := c.integral(start+c.length) - c.integral(start)
	if net := c.worth(start) - fee; net > c.net || net == c.net && start < c.best.start {
		c.net, c.best = net, menuPlan{start, start + c.length, fee}
	}
}

// worth is that of a start by the bid, per processor.
func (c *choice) worth(start events.Time) float64 {
	flow := start + c.length - c.job.Submit
	if shape := c.job.Shape; shape != nil {
		return float64(c.job.Bid * c.length.Seconds() * shape.At(flow))
	}
	return -float64(c.job.Bid * flow.Seconds())
}

// integral is that of pi from now to a time.
func (c *choice) integral(t events.Time) float64 {
	i, exact := slices.BinarySearch(c.at, t)
	if !exact {
		i--
	}
	return c.cost[i] + float64(c.price(i)*(t-c.at[i]).Seconds())
}

// Audit implements policies.Auditor: what is promised is what the plans of unfinished jobs add up to, never more than
// there is, and no plan has moved.
func (m *Menu) Audit(r *policies.Round) error {
	for i, t := range m.at {
		if m.over+m.late > 0 {
			break // others have not kept to theirs
		}
		used := int64(0)
		for ref := range policies.Ref(min(r.Jobs.Len(), len(m.plans))) {
			j, p := r.Job(ref), &m.plans[ref]
			if j.State != policies.Gone && p.start <= t && t < p.end {
				used += int64(j.Procs)
			}
			if j.State == policies.Running && j.Since != p.start {
				return fmt.Errorf("job %d started at %v, and %v was promised", j.ID, j.Since, p.start)
			}
		}
		if used != m.used[i] || used > m.procs {
			return fmt.Errorf("at %v the plans take %d processors, promised are %d of %d", t, used, m.used[i], m.procs)
		}
	}
	return nil
}

// Clone returns an independent copy.
func (m *Menu) Clone() policies.Policy {
	c := *m
	c.at, c.used, c.cost, c.waiting = slices.Clone(m.at), slices.Clone(m.used), nil, nil
	c.due, c.plans = m.due.Clone(), slices.Clone(m.plans)
	return &c
}
