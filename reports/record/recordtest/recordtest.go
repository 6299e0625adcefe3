// Package recordtest makes records for tests.
package recordtest

import (
	"math/rand/v2"

	"bourse/engine"
	"bourse/events"
	"bourse/traces"
)

// MakeJobs returns n outcomes that look like a year of a cluster: whole
// seconds, few estimates and sizes, drawn values.
func MakeJobs(n int, seed uint64) []engine.Outcome {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]engine.Outcome, n)
	submit := int64(0)
	for i := range out {
		submit += int64(rng.ExpFloat64() * 30)
		run := int64(rng.ExpFloat64() * 3600)
		wait := int64(max(0, rng.NormFloat64()*4000))
		value := 180 * rng.Float64()
		estimate := events.Time(rng.IntN(48)+1) * 1800 * events.Second
		if rng.IntN(10) == 0 {
			estimate = events.Unknown
		}
		o := &out[i]
		o.Job = traces.Job{ID: int64(i + 1), Submit: events.Time(submit) * events.Second,
			Run:      events.Time(run) * events.Second,
			Estimate: estimate, Procs: 1 << rng.IntN(7), User: traces.Label(rng.IntN(2000)), Group: traces.Label(rng.IntN(20)),
			Queue: traces.Label(rng.IntN(4)) - 1, Partition: traces.NoLabel}
		o.Seq = int64(i)
		o.Start = o.Job.Submit + events.Time(wait)*events.Second
		o.End = o.Start + o.Job.Run
		o.Value, o.Bid = value, value*rng.Float64()
		o.Aggressive = rng.IntN(10) == 0
		o.Payment = o.Bid * float64(o.Job.Procs) * o.Job.Run.Seconds() / 2
		o.PreemptedBy = engine.NoJob
		if rng.IntN(20) == 0 {
			o.Preemptions, o.Lost, o.PreemptedBy = 1, 10*events.Second, rng.Int64N(int64(n))
		}
	}
	return out
}
