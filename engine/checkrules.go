package engine

import (
	"bourse/events"
	"bourse/policies"
)

// rules checks the rules of a site after the decisions of an instant, from all that runs:
//
//	nothing runs while all of the machine is away
//	started now => at the start s of each planned outage with now < s < expected end:
//	               needs of what runs and is expected to run beyond s <= what there is at s
//
// and each rule of which a Limit can tell whether it is kept.
func (a *audit) rules(e *Replay) {
	if e.there == (policies.Amount{}) && len(a.running) > 0 {
		a.fail("%d jobs run while all of the machine is away", len(a.running))
	}
	if e.gate == nil {
		return
	}
	running := make([]Start, len(a.running))
	for i, ref := range a.running {
		j := e.jobs.At(ref)
		running[i] = Start{Job: &e.lives.At(ref).Job, Need: j.Need, Now: a.books[ref].began, End: e.gate.ends[ref], Known: j}
	}
	if o := e.gate.outages; o != nil {
		a.planned(o, e.now, running)
	}
	for _, l := range e.gate.limits {
		if c, ok := l.(Checking); ok {
			if err := c.Check(e.now, running); err != nil {
				a.fail("%v", err)
			}
		}
	}
}

func (a *audit) planned(o *outages, now events.Time, running []Start) {
	for i := range o.list {
		x, past, starts := &o.list[i], policies.Amount{}, false
		if !x.Planned || x.Start <= now {
			continue
		}
		for _, s := range running {
			if s.End > x.Start {
				past, starts = past.Plus(s.Need), starts || s.Now == now
			}
		}
		if left := o.at(x.Start, now); starts && !past.Fits(left.Times(1+slack)) {
			a.fail("a job starts that is expected to run into the %s", x.Text(o.dates))
		}
	}
}
