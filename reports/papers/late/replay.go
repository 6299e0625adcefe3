package late

import (
	"context"

	"bourse/engine"
	"bourse/events"
	"bourse/policies"
	"bourse/policies/payment"
	"bourse/policies/sched"
	"bourse/traces"
)

// hours is how long a job is on demand: as machines are paid for, and what of that is work and no change.
type hours struct{ paid, worked float64 }

// replay runs jobs of the study under the policy uniform-progress (line) or greedy, submitted at ticks, which rise.
// There are so many processors of spot capacity where it is there; a price is a part of the one on demand.
func replay(ctx context.Context, line bool, there string, procs int, reserve float64, submits []int,
	bids policies.Bidder,
	sink *byJob) (engine.Summary, error) {
	at, values := make([]events.Time, len(there)), make([]float64, len(there))
	for t := range at {
		if at[t] = ticks(t); there[t] == '0' {
			values[t] = float64(procs)
		}
	}
	jobs := make([]traces.Job, len(submits))
	for i, t := range submits {
		jobs[i] = traces.UnknownJob
		jobs[i].ID, jobs[i].Submit, jobs[i].Procs = int64(i), ticks(t), 1
		jobs[i].Run = work * unit * events.Second
		jobs[i].Estimate = jobs[i].Run
	}
	policy := &sched.Deadlines{Line: line, Capacity: "spot", Every: ticks(1), Deadline: float64(deadline) / work,
		OnDemand: 1, Reserve: reserve}
	return engine.Run(ctx, engine.Config{Machine: engine.Processors(len(jobs) + procs), Policy: policy,
		Pricer: payment.NewAsked(policy), Bidder: bids, StartCost: change * unit * events.Second, Segments: sink,
		Series: []policies.Series{{Name: "spot", Values: events.NewSteps(at, values, events.OnAndOn)}}},
		traces.MemoryOf(jobs...).Source(), sink)
}

func ticks(n int) events.Time { return events.Time(n*tick*unit) * events.Second }

// byJob adds up by job what it is on demand, and what it pays: the time of a start is no work.
type byJob struct {
	hours []hours
	paid  []float64 // as much as so many hours on demand
	spot  float64   // hours on spot capacity
	late  int
}

func newByJob(n int) *byJob { return &byJob{hours: make([]hours, n), paid: make([]float64, n)} }

// Segment implements engine.SegmentSink. On demand a processor-second costs 1, and no spot capacity does.
func (b *byJob) Segment(s *engine.Segment) error {
	h, length := &b.hours[s.Job.ID], (s.End - s.Start).Seconds()
	if s.Charge >= length-1e-6 {
		h.paid, h.worked = h.paid+length/3600, h.worked+max(0, length-change*unit)/3600
	} else {
		b.spot += length / 3600
	}
	return nil
}

// Record implements engine.Sink.
func (b *byJob) Record(o *engine.Outcome) error {
	b.paid[o.Job.ID] = o.Payment / 3600
	if o.End-o.Job.Submit > deadline*unit*events.Second {
		b.late++
	}
	return nil
}
