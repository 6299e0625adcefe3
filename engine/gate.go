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

// Limit is a rule of a site that keeps waiting jobs from starting, whatever the policy.
type Limit interface {
	// Admits reports whether a job may start, else until when it may not.
	Admits(*Start) (Hold, bool)
	// Started and Stopped keep account of the running jobs; Stopped, of which Now is when the job stops, returns the
	// key under which jobs may now be admitted that were not.
	Started(*Start)
	Stopped(*Start) int64
	Clone() Limit
}

// Checking is a Limit that can tell from all that runs whether it is kept, under the audit: what started at this instant
// has that as its Now.
type Checking interface {
	Limit
	Check(now events.Time, running []Start) error
}

// Considering is a Limit of the waiting jobs that are shown to the policy: it is asked when a job arrives, and not when
// it starts.
type Considering interface {
	Limit
	// Considered keeps account of a job that is shown, Started of those of them that begin; that returns the key under
	// which another may be shown.
	Considered(*Start)
	Began(*Start) int64
}

// Quoted is a Considering that stands for the owners of jobs: it sees the price in force (Start.Price), and may have jobs leave
// when they are submitted.
type Quoted interface {
	Considering
	Quoted()
}

// Start is a job that is to start at Now, and is expected to end at End.
type Start struct {
	Job      *traces.Job
	Need     policies.Amount
	Now, End events.Time
	// Known is the job as the policy knows it.
	Known *policies.Job
	// Price is the price in force for all, as a job sees it when it is submitted: of what a Quoted is asked only.
	Price float64
}

// Hold is the answer to a job that may not start.
type Hold struct {
	// Until is when it may be asked for again, unless a job stops earlier under the Key
	// (Limit.Stopped); Never if only that helps.
	Until events.Time
	Key   int64
	// Why names the rule, in words that continue "held back by the".
	Why string
	// Leave is why the job leaves instead, "" if it does not: the answer of a Quoted only.
	Leave string
}

// gate holds jobs back that the rules of the site do not let start. For the policy such a job
// ends at the instant at which it would have started, and arrives again when it may, as of its
// first submission: so all policies obey, and none plans with what cannot be. A running job that an
// outage stops goes the same way.
type gate struct {
	limits  []Limit
	outages *outages      // the first of limits, or nil
	ends    []events.Time // by Ref, of running jobs: when they are expected to
	until   policies.Queue
	under   map[heldBy][]policies.Ref // in order of Seq; some are held no more
	by      []heldBy                  // by Ref, of held jobs
	freed   []heldBy                  // since the last release
	told    []policies.Ref            // to be told to the policy in the next round
	shown   []bool                    // by Ref, of waiting jobs that count as considered
	quoted  bool                      // one of limits is a Quoted
	quits   []policies.Departure      // of jobs that leave when they are submitted, since the last round
}

// heldBy is a rule, by its place among the limits, and a key of its.
type heldBy struct {
	limit int
	key   int64
}

// room is what a job is held by that does not fit, though the machine as a whole would be large enough:
// the policy has not taken an outage into account.
var room = heldBy{limit: -1}

func newGate(cfg *Config, whole policies.Amount, dates *events.Calendar) *gate {
	if !cfg.shrinks() && len(cfg.Limits) == 0 {
		return nil
	}
	g := &gate{under: map[heldBy][]policies.Ref{}}
	if cfg.shrinks() {
		g.outages = newOutages(cfg, whole, dates)
		g.limits = append(g.limits, g.outages)
	}
	for _, l := range cfg.Limits {
		g.limits = append(g.limits, l.Clone())
		_, quoted := l.(Quoted)
		g.quoted = g.quoted || quoted
	}
	return g
}

func (g *gate) clone() *gate {
	if g == nil {
		return nil
	}
	c := *g
	c.limits = make([]Limit, len(g.limits))
	for i, l := range g.limits {
		if c.limits[i] = l.Clone(); g.outages != nil && i == 0 {
			c.outages = c.limits[0].(*outages)
		}
	}
	c.ends, c.by, c.until = slices.Clone(g.ends), slices.Clone(g.by), g.until.Clone()
	c.under = maps.Clone(g.under)
	for by, list := range c.under {
		c.under[by] = slices.Clone(list)
	}
	c.freed, c.told, c.shown = slices.Clone(g.freed), slices.Clone(g.told), slices.Clone(g.shown)
	return &c
}

// changes is when the machine changes next or a held job is looked at again.
func (g *gate) changes(now events.Time) events.Time {
	at := events.Never
	if g == nil {
		return at
	}
	if g.outages != nil {
		at = g.outages.changes(now)
	}
	if g.until.Len() > 0 {
		at = min(at, events.Time(g.until.HeadKey()))
	}
	return at
}

// start is the start of a job now. It is expected to end as requested, also where it shares the machine: at which
// rates it will run is not known.
func (e *Replay) start(ref policies.Ref) Start {
	j := e.jobs.At(ref)
	s := Start{Job: &e.lives.At(ref).Job, Need: j.Need, Now: e.now, End: e.now, Known: j}
	if j.Estimate.Known() {
		s.End += min(j.Estimate, clockEnd)
	}
	return s
}

// decline takes the starts out of a round that the site's rules do not let be. A start that they do, after one that they
// do not, is put off to a later round of this instant, for the policy may have passed a better job over that now fits.
func (e *Replay) decline() error {
	var failed error
	r, g := &e.round, e.gate
	free, declined := e.mayHold().Minus(e.held), false
	may := func(ref policies.Ref, free policies.Amount) bool {
		if failed != nil || !e.inState(ref, policies.Waiting) {
			return true // an error, as will be found
		}
		j := e.jobs.At(ref)
		start := e.start(ref)
		by, h, ok := g.admits(&start, free)
		switch {
		case ok && !declined:
			g.begin(ref, &start)
			return true
		case ok:
			h.Until = e.now
		case h.Until == events.Never && g.outages != nil && by.limit == 0:
			failed = fmt.Errorf("job %d asks for %s for %s, and no time within a year is long enough for that: the %s is in its way, "+
				"or others; leave such jobs out, or cap what they ask for", j.ID, e.machine.text(j.Need),
				events.FormatDuration(j.Estimate), h.Why)
			return true
		default:
			declined = true
			e.sum.Held++
		}
		e.hold(ref, by, h)
		g.told = append(g.told, ref)
		return false
	}
	r.KeepStarted(func(ref policies.Ref) bool {
		ok := may(ref, free)
		if ok && e.inState(ref, policies.Waiting) {
			free = free.Minus(e.jobs.At(ref).Need)
		}
		return ok
	})
	r.Shared = slices.DeleteFunc(r.Shared, func(a policies.Allocation) bool {
		return a.Rate > 0 && a.Rate <= 1 && !may(a.Ref, e.machine.total)
	})
	return failed
}

// considers reports whether a job that arrives is shown to the policy; else it is held back.
func (e *Replay) considers(ref policies.Ref) bool {
	g, s := e.gate, e.start(ref)
	if g.quoted {
		s.Price = e.cfg.Pricer.Quote()
	}
	if by, h, ok := g.asks(&s, true); !ok {
		if h.Leave != "" {
			e.jobs.At(ref).State = policies.Waiting
			g.quits = append(g.quits, policies.Departure{Ref: ref, Flow: policies.Elsewhere, Why: h.Leave})
			e.round.Held = append(e.round.Held, policies.Holding{Ref: ref, Until: e.now, Why: h.Why, New: true})
			return false
		}
		e.sum.Held++
		e.hold(ref, by, h).New = true
		return false
	}
	for _, l := range g.limits {
		if c, ok := l.(Considering); ok {
			for int(ref) >= len(g.shown) {
				g.shown = append(g.shown, false)
			}
			c.Considered(&s)
			g.shown[ref] = true
		}
	}
	return true
}

// isShown reports whether a job that was held back has been shown to the policy before.
func (e *Replay) isShown(ref policies.Ref) bool {
	by := e.gate.by[ref]
	if by == room {
		return true
	}
	_, considers := e.gate.limits[by.limit].(Considering)
	return !considers
}

// mayHold is what jobs may hold now. The machines of a cluster keep their places while they are away or idle.
func (e *Replay) mayHold() policies.Amount {
	_, placed := e.machine.placement.(*cluster)
	switch o := e.gate.outages; {
	case !placed || o == nil:
		return e.machine.total
	case e.there == policies.Amount{}:
		return e.held
	default:
		_, capped := o.split(e.now, e.now)
		return e.machine.total.Minus(capped)
	}
}

// asks asks all rules of jobs that arrive, or all others.
func (g *gate) asks(s *Start, arrives bool) (heldBy, Hold, bool) {
	for i, l := range g.limits {
		if _, considers := l.(Considering); considers != arrives {
			continue
		}
		if h, ok := l.Admits(s); !ok {
			return heldBy{i, h.Key}, h, false
		}
	}
	return heldBy{}, Hold{}, true
}

// admits asks all rules of starts.
func (g *gate) admits(s *Start, free policies.Amount) (heldBy, Hold, bool) {
	if by, h, ok := g.asks(s, false); !ok {
		return by, h, false
	}
	if o := g.outages; o != nil && !s.Need.Fits(free) && o.at(s.Now, s.Now) != o.whole {
		return room, Hold{Until: o.endAfter(s.Now), Why: "outage"}, false
	}
	return heldBy{}, Hold{}, true
}

// begin keeps account of a job that starts.
func (g *gate) begin(ref policies.Ref, s *Start) {
	for int(ref) >= len(g.ends) {
		g.ends = append(g.ends, 0)
	}
	g.ends[ref] = s.End
	for _, l := range g.limits {
		l.Started(s)
	}
	g.unshow(ref, s)
}

// unshow takes a job that waits no longer from those that are considered.
func (g *gate) unshow(ref policies.Ref, s *Start) {
	if int(ref) >= len(g.shown) || !g.shown[ref] {
		return
	}
	g.shown[ref] = false
	for i, l := range g.limits {
		if c, ok := l.(Considering); ok {
			if by := (heldBy{i, c.Began(s)}); len(g.under[by]) > 0 {
				g.freed = append(g.freed, by) // once for each that begins
			}
		}
	}
}

// hold keeps a job from the policy.
func (e *Replay) hold(ref policies.Ref, by heldBy, h Hold) *policies.Holding {
	g, j := e.gate, e.jobs.At(ref)
	for int(ref) >= len(g.by) {
		g.by = append(g.by, heldBy{})
	}
	j.State, g.by[ref] = policies.Held, by
	if h.Until != events.Never {
		g.until.Push(float64(h.Until), j.Seq, ref)
	}
	list := g.under[by]
	at, _ := slices.BinarySearchFunc(list, j.Seq, func(o policies.Ref, seq int64) int { return cmp.Compare(e.jobs.At(o).Seq, seq) })
	g.under[by] = slices.Insert(list, at, ref)
	e.round.Held = append(e.round.Held, policies.Holding{Ref: ref, Until: h.Until, Why: h.Why})
	return &e.round.Held[len(e.round.Held)-1]
}

// stopped keeps account of a running job that has stopped.
func (e *Replay) stopped(ref policies.Ref) {
	g, s := e.gate, e.start(ref)
	s.End = g.ends[ref]
	for i, l := range g.limits {
		g.free(heldBy{i, l.Stopped(&s)})
	}
	g.free(room)
}

func (g *gate) free(by heldBy) {
	if len(g.under[by]) > 0 && !slices.Contains(g.freed, by) {
		g.freed = append(g.freed, by)
	}
}
