package explain

import (
	"errors"
	"slices"

	"bourse/engine"
	"bourse/engine/causes"
	"bourse/policies"
)

// AnyTask selects the first task or piece of a job.
const AnyTask = -1

// Tracker observes one job in a replay, as its Sink, SegmentSink and Accountant.
type Tracker struct {
	id     int64
	task   int32
	pricer policies.Pricer
	market policies.Market // nil where jobs do not start in order of bid
	ledger *causes.Tracker
	watch  watch

	ref     policies.Ref
	seq     int64
	state   phase
	bid     float64
	rate    float64
	held    bool    // by a rule of the site
	mean    bool    // prices change between rounds, or there is a fee: a segment is one piece at its mean price
	open    []Piece // of the segment in progress, the last without its end
	history History
	others  Others
}

// phase is the state of the tracked job.
type phase int

const (
	absent phase = iota
	waiting
	running
	over
)

// Others counts the rows with the job's number, and names the nearest numbers.
type Others struct {
	// Rows counts the tasks or pieces with the job's number, FirstTask to LastTask,
	// and Paid is what all of them paid.
	Rows      int     `json:"rows"`
	FirstTask int32   `json:"first_task"`
	LastTask  int32   `json:"last_task"`
	Paid      float64 `json:"payment"`
	// below and above are the numbers next to the job's, if hasBelow and hasAbove.
	below, above       int64
	hasBelow, hasAbove bool
}

// NewTracker returns a tracker of a job. The pricer and the policy are those of
// the replay; task may be AnyTask.
func NewTracker(id int64, task int32, policy policies.Policy, pricer policies.Pricer) *Tracker {
	w := &Tracker{id: id, task: task, pricer: pricer, ledger: causes.New(policy)}
	_, w.mean = pricer.(policies.Continuous)
	if _, fees := policies.As[policies.FeeSeller](policy); fees {
		w.mean = true
	}
	if policies.TraitsOf(policy).RanksByBid {
		w.market, _ = policies.As[policies.Market](policy)
	}
	return w
}

// History returns the history once the replay is over; false if there was no such job.
func (w *Tracker) History() (*History, bool) { return &w.history, w.state == over }

// Others returns what is known of the other rows.
func (w *Tracker) Others() *Others { return &w.others }

// wanted reports whether a job is the tracked one.
func (w *Tracker) wanted(id int64, task int32) bool {
	return id == w.id && (w.task == AnyTask || task == w.task)
}

// ErrEnough ends a replay of which no more is needed.
var ErrEnough = errors.New("the job has ended")

// Enough returns a sink that ends the replay once the job has ended.
func (w *Tracker) Enough() engine.Sink { return (*enough)(w) }

type enough Tracker

// Record implements engine.Sink.
func (w *enough) Record(*engine.Outcome) error {
	if w.state == over {
		return ErrEnough
	}
	return nil
}

// Record implements engine.Sink.
func (w *Tracker) Record(o *engine.Outcome) error {
	w.others.count(w.id, o)
	if w.state == absent || w.state == over || !w.wanted(o.Job.ID, o.Job.Task) {
		return nil
	}
	w.history.Outcome = *o
	w.history.Also = slices.Clone(o.Also)
	sums := *o.Causes
	w.history.Causes = &sums
	if o.WhyLeft != "" {
		w.state = over
		w.history.Pauses = []Pause{{From: o.Job.Submit, Until: o.End}}
		w.history.Stretches = []Stretch{{o.Job.Submit, o.Start, engine.Held}}
		return nil
	}
	last := &w.history.Pauses[len(w.history.Pauses)-1]
	if w.state == waiting {
		last.Until = o.End // it started and ended in one round
	}
	w.state = over
	w.stretch()
	return nil
}

func (x *Others) count(id int64, o *engine.Outcome) {
	switch n := o.Job.ID; {
	case n == id:
		if x.Rows == 0 || o.Job.Task < x.FirstTask {
			x.FirstTask = o.Job.Task
		}
		x.LastTask = max(x.LastTask, o.Job.Task)
		x.Rows++
		x.Paid += o.Payment
	case n < id && (!x.hasBelow || n > x.below):
		x.below, x.hasBelow = n, true
	case n > id && (!x.hasAbove || n < x.above):
		x.above, x.hasAbove = n, true
	}
}

// Segment implements engine.SegmentSink: the pieces since the last one are its own.
func (w *Tracker) Segment(s *engine.Segment) error {
	if w.state != running || !w.wanted(s.Job.ID, s.Job.Task) {
		return nil
	}
	st := &w.history
	st.Segments++
	billed := s.Charge
	if n := len(st.Pieces); n > 0 {
		billed += st.Pieces[n-1].Billed
	}
	if n := len(w.open); n > 1 && w.open[n-1].From == s.End {
		w.open = w.open[:n-1] // a price of an earlier round of this instant
	}
	if w.mean {
		w.open = w.open[:1]
	}
	rest := s.Charge
	for i := range w.open {
		p := &w.open[i]
		if i+1 < len(w.open) {
			p.To = w.open[i+1].From
			p.Charge = float64(p.Price * s.Size * p.Share * (p.To - p.From).Seconds())
			rest -= p.Charge
			continue
		}
		p.To, p.Charge, p.Last, p.Billed = s.End, rest, true, billed
		if w.mean && p.To > p.From {
			p.Price = rest / (s.Size * p.Share * (p.To - p.From).Seconds())
		}
	}
	st.Pieces = append(st.Pieces, w.open...)
	w.open = w.open[:0]
	return nil
}

// Close implements engine.Accountant.
func (w *Tracker) Close(o *engine.Outcome) { w.ledger.Close(o) }

// Round implements engine.Accountant.
func (w *Tracker) Round(r *policies.Round) error {
	if err := w.ledger.Round(r); err != nil {
		return err
	}
	if w.state == over || w.state == absent && !w.arrived(r) {
		return nil
	}
	if j := r.Job(w.ref); (j.State == policies.Gone || j.Seq != w.seq) && !w.arrived(r) {
		return nil // its record is on its way
	}
	j := r.Job(w.ref)
	if j.Bid != w.bid {
		w.bid = j.Bid
		w.history.Rebids = append(w.history.Rebids, policies.Rebid{At: r.Now, Bid: j.Bid})
	}
	if w.state == running && w.stopped(r, j) {
		w.pause(r)
	}
	if w.state == waiting {
		w.hold(r, j)
		if len(w.history.Pauses) == 1 {
			w.watch.rank, w.watch.seq = w.key(j), j.Seq
		}
		w.wait(r, j)
	}
	if w.state == running {
		w.price(r, j)
	} else if len(w.history.Pauses) == 1 && !w.held {
		w.look(r, j)
	}
	return nil
}

// hold follows whether a rule of the site holds the waiting job back.
func (w *Tracker) hold(r *policies.Round, j *policies.Job) {
	s := &w.history
	for i := range r.Held {
		if h := &r.Held[i]; h.Ref == w.ref && !h.Stopped && h.Until > r.Now {
			if w.held = true; len(s.Pauses) == 1 {
				w.watch.rank, w.watch.seq = w.key(j), j.Seq
				w.part(r.Now)
			}
			s.Holds = append(s.Holds, Hold{From: r.Now, Why: h.Why})
		}
	}
	if w.held && j.State != policies.Held {
		w.held = false
		h := &s.Holds[len(s.Holds)-1]
		if h.Until = r.Now; len(s.Pauses) == 1 {
			s.add(h.From, h.Until, engine.Held)
		}
	}
}

// arrived looks for the job among the round's arrivals: when it is submitted, and again after
// it reached its estimate, as a new job.
func (w *Tracker) arrived(r *policies.Round) bool {
	ref := policies.Ref(-1)
	for i := range r.Held {
		if h := &r.Held[i]; h.New && w.wanted(r.Job(h.Ref).ID, r.Job(h.Ref).Task) {
			ref = h.Ref
		}
	}
	if i := slices.IndexFunc(r.Arrived, func(ref policies.Ref) bool { return w.wanted(r.Job(ref).ID, r.Job(ref).Task) }); i >= 0 {
		ref = r.Arrived[i]
	}
	if ref < 0 {
		return false
	}
	j, why := r.Job(ref), Killed
	if w.state == absent {
		why, w.task, w.bid, w.history.First = Submitted, j.Task, j.Bid, j.Bid
	}
	w.ref, w.seq, w.state = ref, j.Seq, waiting
	w.open = w.open[:0] // if it was started at this very instant
	w.history.Pauses = append(w.history.Pauses, Pause{From: r.Now, Stop: Stop{Why: why, Before: w.queue(r, j)}})
	return true
}

// stopped reports whether the round has stopped the running job; it may be running
// again.
func (w *Tracker) stopped(r *policies.Round, j *policies.Job) bool {
	return j.State == policies.Waiting || j.State == policies.Held || slices.Contains(r.Preempted, w.ref) || slices.Contains(r.Evicted, w.ref)
}

// pause begins a period of waiting.
func (w *Tracker) pause(r *policies.Round) {
	w.state = waiting
	w.open = w.open[:0] // if it was started at this very instant
	p := Pause{From: r.Now, Stop: Stop{Why: Stopped, Before: w.queue(r, r.Job(w.ref))}}
	if slices.Contains(r.Evicted, w.ref) || slices.ContainsFunc(r.Held, func(h policies.Holding) bool { return h.Ref == w.ref }) {
		p.Why = Evicted
	}
	if i := slices.Index(r.Preempted, w.ref); i >= 0 && i < len(r.Preemptors) && r.Preemptors[i] >= 0 {
		by := w.reference(r.Job(r.Preemptors[i]))
		p.By = &by
	}
	w.history.Pauses = append(w.history.Pauses, p)
}

// wait follows a period of waiting, to its end if the job is running now.
func (w *Tracker) wait(r *policies.Round, j *policies.Job) {
	p := &w.history.Pauses[len(w.history.Pauses)-1]
	if r.Now > p.From {
		for _, ref := range w.ledger.Begun() {
			w.passed(p, r.Job(ref), ref)
		}
	}
	if j.State != policies.Running {
		return
	}
	p.Until, p.After, w.state = r.Now, w.queue(r, j), running
	p.EndedAll = len(r.Ended)
	for _, ref := range r.Ended {
		n := w.reference(r.Job(ref))
		if e := r.Job(ref).Estimate; e.Known() {
			late := (r.Now - r.Job(ref).Since - e).Seconds()
			n.Late = &late
		}
		p.Ended = better(p.Ended, n)
	}
	for _, ref := range r.Preempted {
		if ref != w.ref {
			p.AsideAll++
			p.Aside = better(p.Aside, w.reference(r.Job(ref)))
		}
	}
}

// passed counts a job that starts while the tracked one waits.
func (w *Tracker) passed(p *Pause, j *policies.Job, ref policies.Ref) {
	if ref == w.ref {
		return
	}
	if j.Seq < w.seq {
		p.Earlier++
	} else {
		p.Later++
	}
	n := w.reference(j)
	known := slices.ContainsFunc(p.Passed, func(o JobRef) bool { return o.seq == n.seq })
	if len(p.Passed) < names && !known {
		p.Passed = append(p.Passed, n)
	}
}

// price records the price in force for the running job if it is a new one.
func (w *Tracker) price(r *policies.Round, j *policies.Job) {
	now := w.pricer.Price(j)
	n := len(w.open)
	if n > 0 && w.open[n-1].Price == now && w.rate == j.Rate {
		return
	}
	w.rate = j.Rate
	piece := Piece{From: r.Now, Share: j.Rate, Price: now}
	if n > 0 && w.open[n-1].From == r.Now {
		w.open[n-1] = piece
		return
	}
	w.open = append(w.open, piece)
}

func (w *Tracker) reference(j *policies.Job) JobRef {
	return JobRef{ID: j.ID, Task: j.Task, Procs: j.Procs, Size: j.Size, Bid: j.Bid, key: j.Size, seq: j.Seq}
}

// queue counts the other jobs in the system at the end of a round.
func (w *Tracker) queue(r *policies.Round, me *policies.Job) QueueState {
	c, held := QueueState{Total: Amount(r.Total)}, policies.Amount{}
	for ref := range policies.Ref(r.Jobs.Len()) {
		j := r.Job(ref)
		if j.Seq == me.Seq || j.State == policies.Gone {
			continue
		}
		n := w.reference(j)
		if j.State == policies.Running {
			c.Running++
			held = held.Plus(j.Need.Times(j.Rate))
			c.Largest = better(c.Largest, n)
			continue
		}
		c.Waiting++
		n.key = w.key(j)
		if mine := w.key(me); n.key > mine || n.key == mine && j.Seq < me.Seq {
			c.Better++
			c.First = better(c.First, n)
		}
	}
	c.Held = Amount(held)
	return c
}

// key is what jobs are ranked by: bids over scale, or the order of submission.
func (w *Tracker) key(j *policies.Job) float64 { return causes.Key(w.market, j) }
