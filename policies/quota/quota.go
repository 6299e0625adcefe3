// Package quota is the policy of queues with quotas, borrowing and reclaim: one definition
// out of those of Kueue, Volcano and YARN. The package decides nothing about prices, and
// reads no files: its tables are values.
package quota

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bourse/policies"
	"bourse/traces"
)

// Rules say what queues have and how they are served.
type Rules struct {
	Table Table
	// By is the label whose queues they are: "queue", "group" or "user".
	By string
	// ByBid: inside a queue the bid takes the place of the trace's priority.
	ByBid bool
	// Strict: the first job of a queue that does not fit holds up those behind it. Else it is
	// passed over, with those that need as much.
	Strict bool
	// Reclaim lets a job within its queue's nominal quota stop jobs of queues that borrow,
	// Fair one that borrows itself stop those of queues of greater share value.
	Reclaim, Fair bool
}

// Quota runs the jobs of queues that each have a nominal quota of the machine, may borrow
// what others leave, and get theirs back.
//
// At each instant the queue of least share value, the job counted in, starts its next job,
// until none fits. A job within the nominal quota for which there is no room takes it from
// queues above theirs (reclaim); under fair a borrowing one may, too, if the other queue's
// share value stays at least its own without the job that stops, or else if its own stays
// below the other's as it is. Nobody is stopped unless the job then fits. A job that was
// stopped starts again in the same instant only within its nominal quota, so that an instant
// comes to an end.
//
// A start or an end costs O(log n) for n jobs, times the queues; room made by stopping
// O(running jobs), because which jobs go depends on share values that change with each.
type Quota struct {
	policies.AsFCFS
	rules   Rules
	parents []int32
	label   func(*policies.Job) traces.Label
	classes []class
	words   *traces.Words
	known   map[traces.Label]int32 // looked up, never walked over
	names   map[string]int32       // as that; never written to
	tree    tree
	idle    tree // while nothing runs
	waiting waiting
	queues  []queue // by node; cohorts have none
	jobs    []job   // by Ref
	starts  int64
	several bool           // resources
	changed []policies.Ref // in this round
	aside   []policies.Ref // stopped in this round, out of their trees until it changes more
	victims []victim
	passed  []policies.Ref
	left    int64
	err     error
}

// queue is the state of one queue: its waiting and running jobs.
type queue struct {
	root    int32             // of its waiting jobs
	running policies.Queue    // the first victim first
	failed  []policies.Amount // needs for which there is no room in this round
	blocked bool              // strict: so is its first job
	shut    bool              // no source for the job that is looked at
}

type job struct {
	queue            int32
	by               policies.Ref // that it was stopped for
	start            int64
	runs             bool
	changed, stopped bool // in this round
}

// New returns the policy, or why the rules make no sense.
func New(rules Rules) (*Quota, error) {
	p := &Quota{rules: rules, known: map[traces.Label]int32{}, names: map[string]int32{}}
	var err error
	if p.parents, err = rules.Table.links(); err != nil {
		return nil, err
	}
	if rules.Fair && !rules.Reclaim {
		return nil, fmt.Errorf("fair preemption without reclaim: want both, or neither")
	}
	for i, q := range rules.Table.Queues {
		p.names[string(q.Name)] = int32(1 + len(rules.Table.Cohorts) + i)
	}
	if rules.By == BySize || rules.By == ByTime {
		return p, p.readClasses()
	}
	if p.label = labels[rules.By]; p.label == nil {
		return nil, fmt.Errorf("by=%q: want queue, group, user, size or time", rules.By)
	}
	return p, nil
}

var labels = map[string]func(*policies.Job) traces.Label{
	"queue": func(j *policies.Job) traces.Label { return j.Queue },
	"group": func(j *policies.Job) traces.Label { return j.Group },
	"user":  func(j *policies.Job) traces.Label { return j.User },
}

// Traits say that several resources will do.
func (*Quota) Traits() policies.Traits { return policies.Traits{Packs: true} }

// ReadSite takes what labels are called.
func (p *Quota) ReadSite(n traces.Names, _ float64) {
	p.words = map[string]*traces.Words{"queue": n.Queues, "group": n.Groups, "user": n.Users}[p.rules.By]
}

// Plan starts and stops jobs until no first one of a queue fits.
func (p *Quota) Plan(r *policies.Round) {
	p.absorb(r)
	for {
		ref := p.next(r, 0)
		if ref < 0 {
			break
		}
		p.try(r, ref)
	}
	p.back(r)
	p.decide(r)
}

func (p *Quota) absorb(r *policies.Round) {
	if p.queues == nil {
		p.tree = newTree(&p.rules.Table, p.parents, r.Total)
		p.idle = p.tree.clone()
		p.several = r.Total.Memory > 0 || r.Total.GPU > 0 || r.Total.Disk > 0
		p.queues = make([]queue, len(p.parents))
		for i := range p.queues {
			p.queues[i].root = policies.NilNode
		}
	}
	for i := range p.queues {
		p.queues[i].failed, p.queues[i].blocked = p.queues[i].failed[:0], false
	}
	for _, ref := range r.Ended {
		q := p.jobs[ref].queue
		p.queues[q].running.Remove(ref)
		p.tree.sub(q, r.Job(ref).Need)
	}
	if p.rules.ByBid {
		for _, ref := range r.Rebid {
			p.rebid(r, ref)
		}
	}
	for _, ref := range r.Arrived {
		p.arrive(r, ref)
	}
}

func (p *Quota) arrive(r *policies.Round, ref policies.Ref) {
	j := r.Job(ref)
	x := p.queueOf(j)
	switch {
	case x == 0:
		what := "has no " + p.rules.By
		if p.label == nil {
			what = "asks for less than all classes"
		} else if text, named := p.words.Text(p.label(j)); named {
			what = fmt.Sprintf("is of %s %q, which has no quota", p.rules.By, text)
		}
		p.err = cmp.Or(p.err, fmt.Errorf("job %d %s; want a quota for it, or one for %s, all others", j.ID, what, others))
		return
	case !p.idle.fits(x, j.Need):
		p.left++
		r.Leave(ref, policies.Elsewhere, "the queue may never use so much")
		return
	}
	for int(ref) >= len(p.jobs) {
		p.jobs = append(p.jobs, job{})
	}
	p.jobs[ref] = job{queue: x}
	p.wait(r, ref)
}

// queueOf is the job's queue, 0 if it has none.
func (p *Quota) queueOf(j *policies.Job) int32 {
	if p.label == nil {
		return p.classOf(j)
	}
	label := p.label(j)
	x, seen := p.known[label]
	if !seen {
		text, _ := p.words.Text(label)
		if x = p.names[text]; x == 0 {
			x = p.names[others]
		}
		p.known[label] = x
	}
	return x
}

// next is the job that is tried next of those in a node, -1 if there is none: that with
// which the share value of a child is least, of equal ones the older job.
func (p *Quota) next(r *policies.Round, x int32) (best policies.Ref) {
	best, least := -1, 0.0
	for _, c := range p.tree.children[x] {
		ref := p.first(c)
		if p.tree.children[c] != nil {
			ref = p.next(r, c)
		}
		if ref < 0 {
			continue
		}
		j := r.Job(ref)
		s := p.tree.shareWith(p.jobs[ref].queue, j.Need, c)
		if best < 0 || s < least || s == least && j.Seq < r.Job(best).Seq {
			best, least = ref, s
		}
	}
	return best
}

// first is the first job of a queue that has not failed in this round.
func (p *Quota) first(x int32) policies.Ref {
	q := &p.queues[x]
	if q.blocked {
		return -1
	}
	return p.waiting.first(q.root, q.failed)
}

// try starts a job if it fits or may make room.
func (p *Quota) try(r *policies.Round, ref policies.Ref) {
	x, need := p.jobs[ref].queue, r.Job(ref).Need
	q, within := &p.queues[x], p.tree.isWithin(x, need)
	if stopped := p.jobs[ref].stopped; !stopped || within {
		if p.tree.fits(x, need) || (within && p.rules.Reclaim || p.rules.Fair && !stopped) && p.makeRoom(r, ref, within) {
			q.root = p.waiting.remove(q.root, ref)
			p.run(r, ref)
			return
		}
	} else if !p.rules.Strict {
		q.root = p.waiting.remove(q.root, ref)
		p.aside = append(p.aside, ref)
		return
	}
	if p.rules.Strict {
		q.blocked = true
	} else {
		q.failed = append(q.failed, need)
	}
}

func (p *Quota) run(r *policies.Round, ref policies.Ref) {
	s := &p.jobs[ref]
	p.starts++
	s.runs, s.start = true, p.starts
	p.tree.add(s.queue, r.Job(ref).Need)
	p.rank(r, ref)
	p.note(ref)
}

// rank puts a job among the running of its queue: those of low priority stop first, and of
// those the one that started last.
func (p *Quota) rank(r *policies.Round, ref policies.Ref) {
	s := &p.jobs[ref]
	p.queues[s.queue].running.Push(p.priority(r.Job(ref)), -s.start, ref)
}

func (p *Quota) wait(r *policies.Round, ref policies.Ref) {
	q, j := &p.queues[p.jobs[ref].queue], r.Job(ref)
	q.root = p.waiting.insert(q.root, ref, j, p.priority(j))
}

func (p *Quota) priority(j *policies.Job) float64 {
	if p.rules.ByBid {
		return j.Bid
	}
	return float64(j.Priority)
}

// rebid ranks a job again.
func (p *Quota) rebid(r *policies.Round, ref policies.Ref) {
	q := &p.queues[p.jobs[ref].queue]
	if r.Job(ref).State == policies.Running {
		q.running.Remove(ref)
		p.rank(r, ref)
		return
	}
	q.root = p.waiting.remove(q.root, ref)
	p.wait(r, ref)
}

// note keeps a job in mind for the end of the round.
func (p *Quota) note(ref policies.Ref) {
	if s := &p.jobs[ref]; !s.changed {
		s.changed = true
		p.changed = append(p.changed, ref)
	}
}

// back lets jobs that were stopped wait with the others.
func (p *Quota) back(r *policies.Round) {
	for _, ref := range p.aside {
		p.wait(r, ref)
	}
	p.aside = p.aside[:0]
}

// decide tells the engine what has changed in the end.
func (p *Quota) decide(r *policies.Round) {
	for _, ref := range p.changed {
		s := &p.jobs[ref]
		switch running := r.Job(ref).State == policies.Running; {
		case s.runs && !running:
			r.Start(ref)
		case !s.runs && running:
			r.PreemptFor(ref, s.by)
		}
		s.changed, s.stopped = false, false
	}
	p.changed = p.changed[:0]
}

// Notes say how many jobs never fit, and of which queues with a quota there are no jobs.
func (p *Quota) Notes() (notes []traces.Note) {
	if p.left > 0 {
		notes = append(notes, traces.Note{What: "jobs larger than their queue may ever use, which leave", Count: p.left})
	}
	var none []string
	met := slices.Collect(maps.Values(p.known))
	for _, q := range p.rules.Table.Queues {
		if q.Name != others && !slices.Contains(met, p.names[string(q.Name)]) {
			none = append(none, string(q.Name))
		}
	}
	if none != nil {
		why := "the log has none of that name"
		if p.label == nil {
			why = "none that asks for so much is in no greater class"
		}
		notes = append(notes, traces.Note{What: fmt.Sprintf("the quota of %s %s is for no job: %s", p.rules.By,
			strings.Join(none, ", "), why)})
	}
	return notes
}

// Err says that a job has no queue.
func (p *Quota) Err() error { return p.err }

// Failers implements policies.Fallible.
func (p *Quota) Failers() []policies.Failer { return []policies.Failer{p} }

// Clone returns an independent copy.
func (p *Quota) Clone() policies.Policy {
	c := *p
	c.known, c.tree, c.waiting = maps.Clone(p.known), p.tree.clone(), waiting{p.waiting.Clone()}
	c.queues, c.jobs = slices.Clone(p.queues), slices.Clone(p.jobs)
	for i := range c.queues {
		c.queues[i].running, c.queues[i].failed = p.queues[i].running.Clone(), nil
	}
	c.changed, c.aside, c.victims, c.passed = nil, nil, nil, nil
	return &c
}
