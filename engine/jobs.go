package engine

import (
	"fmt"
	"math"
	"slices"

	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// admit takes e.next into the system.
func (e *Replay) admit() error {
	job := &e.next
	if job.Run < 0 {
		return fmt.Errorf("job %d has no run time and cannot be replayed; filter it out", job.ID)
	}
	need := e.machine.need(job)
	if why := e.machine.refuse(need); why != "" {
		return fmt.Errorf("job %d %s", job.ID, why)
	}
	if e.serial && job.Procs > 1 {
		return &SerialError{job.ID, job.Procs}
	}
	if e.needs.Estimates && !job.Estimate.Known() {
		return &NoEstimateError{job.ID}
	}
	offer, err := e.cfg.Bidder.Bid(job)
	if err == policies.ErrAbsent {
		e.seq++
		e.arrivalSeq++
		return nil
	}
	if err != nil {
		return err
	}
	if !finite(offer.Bid) || !finite(offer.Value) {
		return fmt.Errorf("job %d: value %g and bid %g should be finite and not negative", job.ID, offer.Value, offer.Bid)
	}
	ref := e.slot()
	l, j := e.lives.At(ref), e.jobs.At(ref)
	epoch := l.epoch
	*l, *j = live{}, policies.Job{} // and filled where they are: a literal would be made elsewhere and moved
	l.epoch, l.stopped = epoch, -1
	l.run = e.attempt(job.Run, job.Estimate)
	l.left = l.run
	l.Job, l.Size, l.Seq, l.Row = *job, e.machine.size(need), e.seq, e.row()
	l.Value, l.Bid, l.Aggressive, l.Shape = offer.Value, offer.Bid, offer.Aggressive, offer.Shape
	l.PreemptedBy, l.Bound, l.Ref = NoJob, e.cfg.Bound, ref
	clear(e.billsOf(ref))
	e.scheduleRebids(ref, l, e.arrivalSeq)
	if e.purses != nil {
		l.Bid = e.affordable(ref, job.User, l.Bid)
	}
	e.introduce(j, l, need)
	if e.ranksLabels != nil {
		if label := e.ranksLabels.NamedRank(j); label != "" {
			return e.namedRank(job, label)
		}
	}
	if e.cfg.Arrivals != nil {
		e.cfg.Arrivals.Arrive(&l.Outcome, need.Share(e.machine.total))
	}
	e.sum.Submitted, e.sum.Backlog = job.Submit, 0
	e.seq++
	e.arrivalSeq++
	e.waiting++
	e.round.Demand = e.round.Demand.Plus(need)
	if e.gate == nil || e.considers(ref) {
		e.round.Arrived = append(e.round.Arrived, ref)
	}
	e.sum.PeakLive = max(e.sum.PeakLive, e.running+e.waiting)
	return nil
}

// introduce fills in what the policy may know of a job.
func (e *Replay) introduce(j *policies.Job, l *live, need policies.Amount) {
	job := &l.Job
	j.ID, j.Task, j.Procs, j.Seq, j.Submit = job.ID, job.Task, job.Procs, e.arrivalSeq, job.Submit
	j.Need, j.Size, j.GPU, j.Disk = need, l.Size, max(job.GPU, -1), max(job.Disk, -1)
	j.Estimate, j.Run, j.Left, j.Recorded = job.Estimate, events.Unknown, events.Unknown, events.Unknown
	if e.needs.RunTimes {
		j.Run, j.Left = l.run, l.left
	}
	if e.needs.RecordedWaits {
		j.Recorded = job.Wait
	}
	j.Bid, j.Shape = l.Bid, l.Shape
	j.User, j.Group, j.Queue, j.Partition = job.User, job.Group, job.Queue, job.Partition
	j.Priority, j.Class = job.Priority, job.Class
	j.Models, j.Pieces = e.machine.kinds(job), e.machine.pieces(job)
	if e.cfg.Speeds != nil {
		j.Speed = e.cfg.Speeds.SpeedOf(job)
	}
	j.State = policies.Waiting
}

// namedRank is the error for a job whose label is a name.
func (e *Replay) namedRank(j *traces.Job, label string) error {
	n := e.src.Header().Names
	err := &NamedRankError{Job: j.ID, Label: label}
	switch label {
	case "user":
		err.Name, _ = n.Users.Text(j.User)
	case "group":
		err.Name, _ = n.Groups.Text(j.Group)
	case "queue":
		err.Name, _ = n.Queues.Text(j.Queue)
	case "partition":
		err.Name, _ = n.Partitions.Text(j.Partition)
	}
	return err
}

// slot returns a free place in the tables.
func (e *Replay) slot() policies.Ref {
	if n := len(e.free); n > 0 {
		ref := e.free[n-1]
		e.free = e.free[:n-1]
		return ref
	}
	e.lives.Add()
	e.bills = append(e.bills, make([]float64, len(e.pricers))...)
	return e.jobs.Add()
}

// scheduleRebids puts a job's later bids into the queue. Those that are not
// later than its submission, which is now, replace the offer.
func (e *Replay) scheduleRebids(ref policies.Ref, l *live, seq int64) {
	if e.rebidder == nil {
		return
	}
	for int(ref) >= len(e.rebids) {
		e.rebids = append(e.rebids, nil)
	}
	e.rebids[ref] = e.rebidder.Rebids(&l.Job)
	for i, b := range e.rebids[ref] {
		if b.At <= e.now {
			l.Bid = b.Bid
		} else {
			e.queue.Push(events.New(b.At, events.Bid, seq, int32(ref), uint32(i)))
		}
	}
}

// rebid carries out a later bid.
func (e *Replay) rebid(ref policies.Ref, index uint32) error {
	j, bid := e.jobs.At(ref), e.rebids[ref][index].Bid
	if !finite(bid) {
		return fmt.Errorf("job %d: its bid of %g at %v should be finite and not negative", j.ID, bid, e.now)
	}
	return e.setBid(ref, e.affordable(ref, j.User, bid))
}

// setBid changes a live job's bid; a running job's bill is closed at the old one.
func (e *Replay) setBid(ref policies.Ref, bid float64) error {
	l, j := e.lives.At(ref), e.jobs.At(ref)
	if j.State == policies.Running {
		if err := e.settle(ref, l, j); err != nil {
			return err
		}
	}
	if l.Bid, j.Bid = bid, bid; j.State == policies.Held {
		return nil // the policy learns of it when the job comes back
	}
	if j.State == policies.Running {
		e.open(ref, j)
	}
	if e.purses == nil || !slices.Contains(e.round.Rebid, ref) {
		e.round.Rebid = append(e.round.Rebid, ref)
	}
	return nil
}

// begin starts a waiting job at a rate. One with nothing left to run ends at
// this very instant, which decide sees to.
func (e *Replay) begin(ref policies.Ref, l *live, j *policies.Job, rate float64) {
	if !l.begun {
		l.begun, l.Start = true, e.now
		if e.now > e.sum.Submitted {
			e.sum.Backlog, e.sum.Drained = e.sum.Backlog+1, e.now
		}
	} else if l.Preemptions > l.before {
		l.left += e.cfg.MigrationCost
		l.Lost += e.cfg.MigrationCost
	}
	if l.opening = e.cfg.StartCost; l.opening > 0 {
		l.left, l.Lost = l.left+l.opening, l.Lost+l.opening
	}
	j.State, j.Rate, j.Since = policies.Running, rate, e.now
	if e.needs.RunTimes {
		j.Left = l.left
	}
	l.since, l.opened, l.pace = e.now, e.now, paceOf(j, rate)
	e.held = e.held.Plus(j.Need.Times(rate))
	if e.meter != nil {
		e.meter.run(e, ref, rate)
	}
	e.running++
	e.waiting--
	if e.nodes != nil && !l.shared {
		e.nodes.take(ref, int(j.Procs))
	}
	if e.audit != nil {
		e.audit.begin(e, ref)
	}
	e.open(ref, j)
	if l.left == 0 {
		e.instant = append(e.instant, ref)
		return
	}
	e.schedule(ref, l, j)
}

// schedule queues the completion of a running job.
func (e *Replay) schedule(ref policies.Ref, l *live, j *policies.Job) {
	tie := j.Seq
	if e.single {
		e.eventSeq++
		tie = e.eventSeq // jobs that end together end in the order they started
	}
	e.queue.Push(events.New(e.now+timeFor(l.left, l.pace), events.Completion, tie, int32(ref), l.epoch))
}

// halt takes a running job off its processors, for a preemption or because it
// is complete, and settles its bill so far.
func (e *Replay) halt(ref policies.Ref, l *live, j *policies.Job) error {
	if err := e.settle(ref, l, j); err != nil {
		return err
	}
	worked := workIn(e.now-l.since, l.pace, l.left)
	l.left, l.opening = l.left-worked, max(0, l.opening-worked)
	l.epoch++
	e.release(ref, j)
	e.running--
	if e.running == 0 {
		e.held = policies.Amount{} // sheds what rounding has left of shares
	}
	if e.nodes != nil && !l.shared {
		e.nodes.give(ref)
	}
	e.machine.give(&e.round, ref, j.Piece())
	if e.gate != nil {
		e.stopped(ref)
	}
	if e.audit != nil {
		e.audit.halt(ref)
	}
	return nil
}

// open begins to charge a running job under every price scheme.
func (e *Replay) open(ref policies.Ref, j *policies.Job) {
	for _, p := range e.pricers {
		p.Open(ref, j)
	}
}

// billsOf returns a live job's bills so far, one a price scheme.
func (e *Replay) billsOf(ref policies.Ref) []float64 {
	n := len(e.pricers)
	return e.bills[int(ref)*n : (int(ref)+1)*n : (int(ref)+1)*n]
}

// settle closes the segment in progress of a running job.
func (e *Replay) settle(ref policies.Ref, l *live, j *policies.Job) error {
	bills := e.billsOf(ref)
	charge := 0.0
	for i, p := range slices.Backward(e.pricers) {
		charge = float64(p.Close(ref, j) * float64(j.Size*j.Rate))
		bills[i] += charge
	}
	if e.purses != nil {
		e.charge(j.User, charge)
	}
	if e.cfg.Segments == nil || e.now == l.opened && charge == 0 {
		return nil
	}
	s := Segment{Job: &l.Job, Size: l.Size, Start: l.opened, End: e.now, Share: j.Rate, Charge: charge}
	if e.nodes != nil && !l.shared {
		s.Nodes = e.nodes.text(ref)
	}
	l.opened = e.now
	return e.cfg.Segments.Segment(&s)
}

// preempt sends a running job back to waiting, to make room for by.
func (e *Replay) preempt(ref, by policies.Ref) error {
	l, j := e.lives.At(ref), e.jobs.At(ref)
	if err := e.halt(ref, l, j); err != nil {
		return err
	}
	if len(e.instant) > 0 { // started in an earlier round of this instant
		e.instant = slices.DeleteFunc(e.instant, func(o policies.Ref) bool { return o == ref })
	}
	l.left, l.Lost = l.left-l.opening, l.Lost-l.opening // a start that was not over has brought nothing
	if e.cfg.Restart {
		// Lost already holds what resuming cost, and left what of that is still to
		// be done: the difference is what was worked since the last start.
		l.Lost += l.run - l.left
		l.left = l.run
	}
	if worked := l.run - l.left; e.cfg.Checkpoint > 0 && worked > 0 {
		lost := worked % e.cfg.Checkpoint
		l.Lost, l.left = l.Lost+lost, l.left+lost
	}
	l.Preemptions++
	if by >= 0 {
		l.PreemptedBy = e.jobs.At(by).ID
	}
	l.stopped = e.pass
	j.State, j.Rate = policies.Waiting, 0
	if e.needs.RunTimes {
		j.Left = l.left
	}
	e.waiting++
	e.sum.Preemptions++
	e.stale++
	e.sweep()
	return nil
}

// sweep rebuilds the queue without its void completions once they are the
// larger part of it: a constant cost per preemption, spread out, that keeps
// the queue in proportion to the live jobs.
func (e *Replay) sweep() {
	if e.stale < 1024 || e.stale < e.queue.Len()/2 {
		return
	}
	e.queue.Retain(func(ev events.Event) bool { return !e.void(ev) })
	e.stale = 0
}

// complete ends a running job and hands its record over, unless it is to be
// submitted again.
func (e *Replay) complete(ref policies.Ref) error {
	l, j := e.lives.At(ref), e.jobs.At(ref)
	if err := e.halt(ref, l, j); err != nil {
		return err
	}
	if l.run < l.Job.Run {
		e.resubmit(ref)
		return nil
	}
	j.State, j.Rate = policies.Gone, 0
	l.left, l.End = 0, e.now
	bills := e.billsOf(ref)
	l.Payment, l.Also = bills[0], bills[1:]
	e.round.Ended = append(e.round.Ended, ref)
	e.round.Demand = e.round.Demand.Minus(j.Need)
	e.sum.Jobs++
	e.sum.Lost += float64(e.machine.units(j.Need).CPU * l.Lost.Seconds())
	e.sum.Last = e.now
	if e.audit != nil {
		if err := e.audit.complete(e, ref); err != nil {
			return err
		}
	}
	if e.cfg.Causes != nil {
		e.cfg.Causes.Close(&l.Outcome)
	}
	if err := e.sink.Record(&l.Outcome); err != nil {
		return err
	}
	return e.react(&l.Job)
}

func finite(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
