package sched

import (
	"cmp"
	"fmt"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Deadlines runs jobs that are to be done by a deadline on two kinds of capacity: spot, of which an input series says
// how much there is, and on demand, which never ends and is dearer (Wu et al., "Can't Be Late", NSDI 2024). Every so
// often, when a job arrives, and when the series changes, each job is on one of them or on none. A job that goes from
// one to the other is stopped and started again; what a start costs is the engine's (Config.StartCost).
//
// Greedy is on spot capacity where it can, and waits for it until the safety net: on demand from when on the time left
// would not do for one more look, a start and the work left. Uniform Progress keeps the work done to the line from
// nothing at submission to all at the deadline: behind it a job goes on demand where it gets no spot capacity, and from
// there back only if two starts later it would still be on the line.
//
// Spot capacity clears as policy spot does: the highest bids that want it have it, as many as there is capacity for,
// and all pay the bid of the first that does not fit. On demand all pay one price, which no bid is above. So
// what jobs pay is what all of them together do: the study's job is alone, and has what there is.
type Deadlines struct {
	Line                bool   // Uniform Progress, else greedy
	Capacity            string // the input series
	Every               events.Time
	Deadline            float64 // after submission, in requested times, of jobs whose values have none
	OnDemand, Reserve   float64 // prices of a processor-second, the latter the least of spot capacity
	series              *events.Steps
	size                float64
	startCost           events.Time
	price               float64
	supply, used        int // processors of spot capacity
	asked               events.Time
	live                []liveJob   // by seq; some have ended
	moved               []liveJob   // stopped in the last round of this instant, to be started in this one
	jobs                []deadlined // by Ref
	short               int64
	candidates, winners []candidate // of a clearing under way
}

type liveJob struct {
	ref policies.Ref
	seq int64
}

// capacity is what a job is on.
type capacity uint8

const (
	onNone capacity = iota
	onSpot
	onDemand
)

type deadlined struct {
	seq         int64 // -1 of a job that is not there
	at          capacity
	done, since events.Time
}

type candidate struct {
	liveJob
	bid   float64
	procs int
}

// Needs are estimates: a job's work is what it asks for.
func (*Deadlines) Needs() policies.Needs { return policies.Needs{Estimates: true} }

// Traits say that the machine, which holds both kinds of capacity, is of one size.
func (*Deadlines) Traits() policies.Traits { return policies.Traits{Fixed: true} }

// Asked is the price of spot capacity; jobs on demand pay another one alone.
func (d *Deadlines) Asked() float64 { return d.price }

// Agreed implements policies.Seller.
func (d *Deadlines) Agreed(ref policies.Ref) float64 {
	if d.Apart(ref) {
		return d.OnDemand
	}
	return 0
}

// Apart implements policies.ApartSeller.
func (d *Deadlines) Apart(ref policies.Ref) bool { return d.jobs[ref].at == onDemand }

// ReadSite implements policies.SiteReader.
func (d *Deadlines) ReadSite(_ traces.Names, size float64) { d.size = size }

// ReadStartCost implements policies.StartCostReader.
func (d *Deadlines) ReadStartCost(cost events.Time) { d.startCost = cost }

// SeriesName is that of the series that it reads.
func (d *Deadlines) SeriesName() string { return d.Capacity }

// ReadSeries implements policies.SeriesReader.
func (d *Deadlines) ReadSeries(all []policies.Series) error {
	s, err := policies.FindSeries(all, d.Capacity, "the policy")
	if err != nil {
		return err
	}
	for i := range s.Values.Len() {
		if from, _, v := s.Values.Step(i); !(v >= 0 && v <= d.size) || v != float64(int(v)) {
			return fmt.Errorf("the series %s is %g from %v on: want whole processors of spot capacity, from 0 to the "+
				"machine's %g, which holds jobs on demand as well", d.Capacity, v, from, d.size)
		}
	}
	d.series, d.price, d.asked = s.Values, d.Reserve, -1
	return nil
}

// Plan lets jobs choose when it is time.
func (d *Deadlines) Plan(r *policies.Round) {
	for _, ref := range r.Ended {
		d.leave(r, ref)
		d.jobs[ref].seq = -1 - d.jobs[ref].seq // it is back if the site's rules have only held it up
	}
	for _, m := range d.moved {
		r.Start(m.ref)
	}
	free := r.Free - d.procs(r, d.moved)
	d.moved = d.moved[:0]
	for _, ref := range r.Arrived {
		d.arrive(ref, r.Job(ref).Seq)
	}
	if supply := int(d.series.At(r.Now)); supply != d.supply || r.Now%d.Every == 0 && r.Now != d.asked {
		d.supply, d.asked = supply, r.Now
		d.clear(r, free)
	} else {
		for _, ref := range r.Arrived {
			j := r.Job(ref)
			free = d.move(r, liveJob{ref, j.Seq}, int(j.Procs) <= d.supply-d.used && d.bid(j) >= d.price, free)
		}
	}
	if len(d.live) > 0 {
		r.Wake(min(r.Now-r.Now%d.Every+d.Every, d.series.Until(r.Now)))
	}
}

func (d *Deadlines) procs(r *policies.Round, list []liveJob) (sum int) {
	for _, x := range list {
		sum += int(r.Job(x.ref).Procs)
	}
	return sum
}

// arrive takes in a job, perhaps again.
func (d *Deadlines) arrive(ref policies.Ref, seq int64) {
	for int(ref) >= len(d.jobs) {
		d.jobs = append(d.jobs, deadlined{seq: -1})
	}
	if s := &d.jobs[ref]; s.seq == -1-seq {
		s.seq = seq
	} else {
		*s = deadlined{seq: seq}
	}
	at, known := slices.BinarySearchFunc(d.live, seq, func(x liveJob, seq int64) int { return cmp.Compare(x.seq, seq) })
	if !known {
		d.live = slices.Insert(d.live, at, liveJob{ref, seq})
	}
}

// leave ends what a job is on.
func (d *Deadlines) leave(r *policies.Round, ref policies.Ref) {
	s := &d.jobs[ref]
	s.done = d.done(s, r.Now)
	if s.at == onSpot {
		d.used -= int(r.Job(ref).Procs)
	}
	s.at = onNone
}

// done is the work of a job so far.
func (d *Deadlines) done(s *deadlined, now events.Time) events.Time {
	if s.at == onNone {
		return s.done
	}
	return s.done + max(0, now-s.since-d.startCost)
}

func (d *Deadlines) bid(j *policies.Job) float64 { return min(j.Bid, d.OnDemand) }

// clear gives the spot capacity to the highest bids that want it.
func (d *Deadlines) clear(r *policies.Round, free int) {
	d.live = slices.DeleteFunc(d.live, func(x liveJob) bool { return d.jobs[x.ref].seq != x.seq })
	d.candidates, d.winners = d.candidates[:0], d.winners[:0]
	for _, x := range d.live {
		j := r.Job(x.ref)
		if bid := d.bid(j); bid >= d.Reserve && d.choose(r, x.ref, true) == onSpot {
			d.candidates = append(d.candidates, candidate{x, bid, int(j.Procs)})
		}
	}
	slices.SortFunc(d.candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.bid, a.bid), cmp.Compare(a.seq, b.seq))
	})
	d.price = d.Reserve
	room := d.supply
	for i, c := range d.candidates {
		if room -= c.procs; room < 0 {
			d.price = c.bid
			break
		}
		d.winners = d.candidates[:i+1]
	}
	slices.SortFunc(d.winners, func(a, b candidate) int { return cmp.Compare(a.seq, b.seq) })
	won := d.winners
	for _, stops := range []bool{true, false} { // first those that make room
		d.winners = won
		for _, x := range d.live {
			wins := len(d.winners) > 0 && d.winners[0].liveJob == x
			if wins {
				d.winners = d.winners[1:]
			}
			if running := r.Job(x.ref).State == policies.Running; running == stops {
				free = d.move(r, x, wins, free)
			}
		}
	}
}

// choose is what the rule puts a job on, if it is offered spot capacity or not.
func (d *Deadlines) choose(r *policies.Round, ref policies.Ref, offered bool) capacity {
	j, s := r.Job(ref), &d.jobs[ref]
	deadline := events.Time(d.Deadline * float64(j.Estimate))
	if j.Shape != nil {
		deadline = j.Shape.Deadline()
	}
	now, done := r.Now-j.Submit, d.done(s, r.Now)
	if deadline-now < j.Estimate-done+d.startCost+d.Every {
		if offered && s.at == onSpot {
			return onSpot
		}
		return onDemand
	}
	onLine := func(at events.Time) bool {
		return float64(done.Seconds()*deadline.Seconds()) >= float64(at.Seconds()*j.Estimate.Seconds())
	}
	switch {
	case d.Line && s.at == onDemand && !(offered && onLine(now+2*d.startCost)):
		return onDemand
	case offered:
		return onSpot
	case d.Line && !onLine(now):
		return onDemand
	}
	return onNone
}

// move puts a job on what it chooses, as far as the machine has room, and returns what is left of that.
func (d *Deadlines) move(r *policies.Round, x liveJob, offered bool, free int) int {
	s, j := &d.jobs[x.ref], r.Job(x.ref)
	to := d.choose(r, x.ref, offered)
	if to == s.at {
		return free
	}
	running := s.at != onNone
	d.leave(r, x.ref)
	switch {
	case running:
		r.Preempt(x.ref)
		if to == onNone {
			return free + int(j.Procs)
		}
		d.moved, r.Again = append(d.moved, x), true // as a job cannot start in a round that stops it
	case int(j.Procs) > free:
		d.short++
		return free
	default:
		free -= int(j.Procs)
		r.Start(x.ref)
	}
	if s.at, s.since = to, r.Now; to == onSpot {
		d.used += int(j.Procs)
	}
	return free
}

// Notes implements policies.Noter.
func (d *Deadlines) Notes() []traces.Note {
	if d.short == 0 {
		return nil
	}
	return []traces.Note{{What: "times that a job was to start for which the machine had no room: it holds the jobs on " +
		"demand as well as those on spot capacity", Count: d.short}}
}

// Audit implements policies.Auditor: jobs on spot capacity hold at most what there is, and run if they are on any.
func (d *Deadlines) Audit(r *policies.Round) error {
	used := 0
	for _, x := range d.live {
		s := &d.jobs[x.ref]
		if s.seq != x.seq {
			continue
		}
		j := r.Job(x.ref)
		if s.at == onSpot {
			used += int(j.Procs)
		}
		if running := j.State == policies.Running; running != (s.at != onNone) && j.State != policies.Held {
			return fmt.Errorf("job %d is on %d, and its state is %d", j.ID, s.at, j.State)
		}
	}
	if used != d.used || used > int(d.series.At(r.Now)) {
		return fmt.Errorf("jobs hold %d processors of spot capacity, counted are %d, and %g are there", used, d.used,
			d.series.At(r.Now))
	}
	return nil
}

// Clone returns an independent copy.
func (d *Deadlines) Clone() policies.Policy {
	c := *d
	c.live, c.moved, c.jobs = slices.Clone(d.live), slices.Clone(d.moved), slices.Clone(d.jobs)
	c.candidates, c.winners = nil, nil
	return &c
}
