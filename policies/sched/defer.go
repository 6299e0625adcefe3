package sched

import (
	"cmp"
	"slices"

	"bourse/events"
	"bourse/policies"
)

// Defer lets jobs wait for an input series, as the carbon of power, before another policy is shown them: at submission
// a start is wished for within the time that jobs of its class may wait, and the job is as if it were not there until
// then (Hanafy et al., GAIA, ASPLOS 2024). What happens afterwards is the other policy's to decide, so that with a
// queue jobs wait for the series first and then for each other.
//
// Slot is the time of the least value; window that of the least mean over the job's length, and saving that of the most
// saving against now for each second of wait and length, (now's integral - its) / (wait + length), both among now and
// each whole hour after it. Of equals the earliest is taken.
//
// Two rules stop jobs. Pieces runs a job at the times of least value, as many as it is long, of those in its length and
// what it may wait; threshold while the value is below the 30th percentile of the next 24 hours, until it has waited
// for as long as it may. To the other policy a job that is stopped has ended, and arrives again; one that has not been
// started when it would be stopped is not stopped any more.
type Defer struct {
	policies.Policy
	Rule string // slot, window, saving, pieces or threshold
	By   string
	// Border divides short jobs from long ones, by requested time; Slack is how long each may wait.
	Border events.Time
	Slack  [2]events.Time
	// Length is how long jobs of a class are taken to run; 0 is their requested time. If it is Learned it is the mean
	// of those of the class that have ended.
	Length  [2]events.Time
	Learned bool
	// Claim is by what jobs multiply the time that they may wait, nil if they say it as it is.
	Claim func(*policies.Job) float64

	series *events.Steps
	due    policies.Queue // of jobs, when they are shown or stopped next
	plans  []deferral     // by Ref
	shown  []policies.Ref // in the round under way
	unseen []policies.Ref // stopped in the last round, of which the other policy does not know yet
	ended  []policies.Ref
	runs   [2]struct{ sum, count events.Time } // by class, of jobs that have ended
}

// deferral is the times in which a job is shown, those that are over left out.
type deferral struct {
	seq    int64
	times  []stretch
	hidden bool
	worked events.Time // before it was stopped
}

type stretch struct{ from, to events.Time }

// Hour is how far apart starts are that windows and savings are worked out for.
const deferStep = 3600 * events.Second

// ReadSeries implements policies.SeriesReader.
func (d *Defer) ReadSeries(all []policies.Series) error {
	s, err := policies.FindSeries(all, d.By, "policy defer")
	if err != nil {
		return err
	}
	d.series = s.Values
	if r, ok := policies.As[policies.SeriesReader](d.Policy); ok {
		return r.ReadSeries(all)
	}
	return nil
}

// SeriesName is that of the series that it reads.
func (d *Defer) SeriesName() string { return d.By }

// Unwrap returns the policy that is shown the jobs.
func (d *Defer) Unwrap() policies.Policy { return d.Policy }

// Needs are those of the policy, and estimates.
func (d *Defer) Needs() policies.Needs {
	n := policies.NeedsOf(d.Policy)
	n.Estimates = true
	return n
}

// Plan hides jobs that arrive until their time, and lets the policy decide about the others.
func (d *Defer) Plan(r *policies.Round) {
	arrived, rebid, ended := r.Arrived, r.Rebid, r.Ended
	d.learn(r)
	d.shown, d.ended = d.shown[:0], append(append(d.ended[:0], ended...), d.unseen...)
	d.unseen = d.unseen[:0]
	var stops []policies.Ref
	for _, ref := range arrived {
		d.arrive(r, ref)
	}
	for d.due.Len() > 0 && d.due.HeadKey() <= float64(r.Now) {
		if ref := d.due.Pop(); !d.advance(r, ref) {
			stops = append(stops, ref)
		}
	}
	for _, list := range [][]policies.Ref{d.shown, d.ended} {
		slices.SortFunc(list, func(a, b policies.Ref) int { return cmp.Compare(r.Job(a).Seq, r.Job(b).Seq) })
	}
	r.Arrived, r.Ended = d.shown, d.ended
	if len(rebid) > 0 {
		r.Rebid = nil
		for _, ref := range rebid {
			if !d.plans[ref].hidden && !slices.Contains(d.shown, ref) {
				r.Rebid = append(r.Rebid, ref)
			}
		}
	}
	d.Policy.Plan(r)
	r.Arrived, r.Rebid, r.Ended = arrived, rebid, ended
	for _, ref := range stops {
		if !slices.Contains(r.Preempted, ref) {
			d.stop(r, ref)
		}
	}
	if d.due.Len() > 0 {
		r.Wake(events.Time(d.due.HeadKey()))
	}
}

// arrive makes a plan for a job, unless it has come back.
func (d *Defer) arrive(r *policies.Round, ref policies.Ref) {
	for int(ref) >= len(d.plans) {
		d.plans = append(d.plans, deferral{seq: -1})
	}
	j, p := r.Job(ref), &d.plans[ref]
	if p.seq != j.Seq {
		d.due.Remove(ref) // of an earlier attempt
		*p = deferral{seq: j.Seq, times: d.times(r.Now, j), hidden: true}
		if at := p.times[0].from; at > r.Now {
			d.due.Push(float64(at), j.Seq, ref)
			return
		}
		d.advance(r, ref)
		return
	}
	d.shown = append(d.shown, ref)
}

// advance shows a job whose time has come, and reports false if it is to be stopped.
func (d *Defer) advance(r *policies.Round, ref policies.Ref) bool {
	j, p := r.Job(ref), &d.plans[ref]
	if p.hidden {
		p.hidden = false
		d.shown = append(d.shown, ref)
		if until := p.times[0].to; until != events.Never {
			d.due.Push(float64(until), j.Seq, ref)
		}
		return true
	}
	return j.State != policies.Running
}

// stop takes a running job from the policy until its next time.
func (d *Defer) stop(r *policies.Round, ref policies.Ref) {
	p, j := &d.plans[ref], r.Job(ref)
	p.worked += r.Now - j.Since
	p.times, p.hidden = p.times[1:], true
	d.due.Push(float64(p.times[0].from), j.Seq, ref)
	d.unseen, r.Again = append(d.unseen, ref), true
	r.Preempt(ref)
}

// learn takes account of the lengths of jobs that have ended.
func (d *Defer) learn(r *policies.Round) {
	for _, ref := range r.Ended {
		if j := r.Job(ref); j.State == policies.Gone {
			d.due.Remove(ref)
			m, p := &d.runs[d.class(j)], &d.plans[ref]
			m.sum, m.count = m.sum+p.worked+r.Now-j.Since, m.count+1
			p.seq = -1
		}
	}
}

func (d *Defer) class(j *policies.Job) int {
	if j.Estimate >= d.Border {
		return 1
	}
	return 0
}

// Clone returns an independent copy.
func (d *Defer) Clone() policies.Policy {
	c := *d
	c.Policy, c.due, c.plans, c.unseen = d.Policy.Clone(), d.due.Clone(), slices.Clone(d.plans), slices.Clone(d.unseen)
	c.shown, c.ended = nil, nil
	return &c
}
