package sched

import (
	"bourse/events"
	"bourse/policies"
	"bourse/traces"
)

// Recorded starts jobs when the log says that they started. Logs may hold more than the
// machine: jobs that ended late by a second, machines that have grown since, jobs whose wait is
// unknown and that start when they are submitted. Then jobs wait, in order of recorded start,
// up to the first that does not fit: what is late stays as near to its place in the log as it
// can, and no wide job is passed over for good.
type Recorded struct {
	policies.AsFCFS
	due     policies.Queue // those to start, by recorded start
	unknown int64
	late    int64
	delay   policies.Sum // of the late, in seconds
	most    events.Time
}

// Traits say that several resources will do.
func (*Recorded) Traits() policies.Traits { return policies.Traits{Packs: true} }

// Needs are the log's waits.
func (*Recorded) Needs() policies.Needs { return policies.Needs{RecordedWaits: true} }

// Plan starts what is due while it fits.
func (p *Recorded) Plan(r *policies.Round) {
	for _, ref := range r.Arrived {
		j := r.Job(ref)
		if !j.Recorded.Known() {
			p.unknown++
		}
		p.due.Push(float64(startOf(j)), j.Seq, ref)
	}
	free := r.Spare
	for p.due.Len() > 0 && p.due.HeadKey() <= float64(r.Now) {
		j := r.Job(p.due.Head())
		if !j.Need.Fits(free) {
			return
		}
		p.count(r.Now - startOf(j))
		free = free.Minus(j.Need)
		r.Start(p.due.Pop())
	}
	if p.due.Len() > 0 {
		r.Wake(events.Time(p.due.HeadKey()))
	}
}

// startOf is when a job is to start.
func startOf(j *policies.Job) events.Time { return j.Submit + max(j.Recorded, 0) }

// count takes note of a start that is so much later than recorded.
func (p *Recorded) count(late events.Time) {
	if late > 0 {
		p.late++
		p.delay.Add(late.Seconds())
		p.most = max(p.most, late)
	}
}

// Notes say where the schedule is not the log's.
func (p *Recorded) Notes() (notes []traces.Note) {
	if p.unknown > 0 {
		notes = append(notes, traces.Note{What: "jobs started when submitted, for the log does not say when",
			Count: p.unknown})
	}
	if p.late > 0 {
		mean, _ := events.FromSeconds(p.delay.Value() / float64(p.late))
		notes = append(notes, traces.Note{What: "jobs started later than recorded, for want of room, by " + mean.Short() +
			" on average and " + p.most.Short() + " at most", Count: p.late})
	}
	return notes
}

// Clone returns an independent copy.
func (p *Recorded) Clone() policies.Policy {
	c := *p
	c.due = p.due.Clone()
	return &c
}
