package truth

import (
	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/reports/ask/fork"
)

// others is a sink that sums up what flow times cost all but one job, from an instant on.
type others struct {
	job  int64
	left int // of that job's pieces
	from events.Time
	cost policies.Sum
}

func (o *others) Record(r *engine.Outcome) error {
	if r.Job.ID == o.job {
		o.left--
		return nil
	}
	o.cost.Add(float64(float64(r.Bid*r.Size) * (r.End - o.from).Seconds()))
	return nil
}

// with is a copy in which the job bids something.
type with struct {
	others
	replay *engine.Replay
	again  int // when to compare again, in steps of the copy without the job
	done   bool
	owed   float64
	as     *with // an earlier copy that it has become one with; owed is then on top of its
}

// clarkes fills in what the others lose by the job's coming, at each of its bids, for the
// payment of that place. All copies
// run side by side with one without the job, each until it holds the same unfinished jobs
// with the same work left as that one, or as the copy of another bid: from there on they are
// one.
func (q *question) clarkes(at int, lies []fork.Result, bids []float64) error {
	gone := &others{job: q.job.ID, from: q.job.Submit}
	without, err := q.point.Fork(fork.Absent(q.job.ID), gone)
	if err != nil {
		return err
	}
	defer without.Close()
	copies := make([]*with, len(bids))
	for i, bid := range bids {
		w := &with{others: others{job: q.job.ID, from: q.job.Submit, left: max(1, int(q.job.Pieces))}}
		if w.replay, err = q.point.Fork(fork.Bid(q.job.ID, bid), w); err != nil {
			return err
		}
		defer w.replay.Close()
		copies[i] = w
	}
	if err := q.compareWithout(without, gone, copies); err != nil {
		return err
	}
	for i, w := range copies {
		if w.as != nil {
			w.owed += w.as.owed
		}
		q.answer.set(at, i, lies[i], w.owed)
	}
	return nil
}

// compareWithout steps all copies.
func (q *question) compareWithout(without *engine.Replay, gone *others, copies []*with) error {
	for step, open := 0, len(copies); open > 0; step++ {
		if step%1024 == 1023 {
			if err := q.ctx.Err(); err != nil {
				return err
			}
		}
		more := without.More()
		if err := without.Step(); more && err != nil {
			return err
		}
		q.point.Stepped(1)
		var before *with
		for _, w := range copies {
			if w.done {
				continue
			}
			for w.replay.More() && (!more || w.replay.Now() < without.Now()) {
				if err := w.replay.Step(); err != nil {
					return err
				}
				q.point.Stepped(1)
			}
			if w.settle(without, gone, before, step); w.done {
				open--
			} else {
				before = w
			}
		}
	}
	return nil
}

// settle ends the copy where it has come to what another one is, too: the copy without the
// job, or the one before. What it costs to compare is spread over as many steps as jobs are
// unfinished.
func (w *with) settle(without *engine.Replay, gone *others, before *with, step int) {
	over := !without.More() && !w.replay.More()
	if !over && (w.left > 0 || step < w.again) {
		return
	}
	switch {
	case over || w.replay.Alike(without):
		w.done, w.owed = true, w.cost.Minus(gone.cost)
	case before != nil && before.left == 0 && w.replay.Alike(before.replay):
		w.done, w.as, w.owed = true, before, w.cost.Minus(before.cost)
	default:
		unfinished := 0
		for range without.Unfinished {
			unfinished++
		}
		w.again = step + unfinished/2
	}
}
