package stats

import (
	"bourse/engine"
	"bourse/events"
	"bourse/policies"
)

// Bound is a lower bound on the total weighted flow time, sum w p phi, of the jobs that
// arrive: no schedule of them is below it, preemptive or not, whole processors or shares.
//
// Let M be the mean time at which a job's work is done. It runs on p processors at most, so
// it ends at M + tau/2 or later. If one machine did the work of all n processors, the sum of
// w p M would be least with the job of greatest w/tau among those submitted always running
// (Goemans, Queyranne, Schulz, Skutella, Wang 2002), a job taking p tau / n there. That
// gives the sum of w p (M + tau/2 - submission); and each job costs w p tau at least. Sums
// over separate sets of jobs may use either: see boundJob.
//
// On a pool, where a job takes the share s of a resource, it takes s tau of the machine that
// does all of that resource; the greatest of the resources' bounds counts.
//
// The memory follows the jobs that wait for the one machine, the time n log n.
type Bound struct {
	of [policies.Resources]oneMachine
}

// BoundOf is a bound of a value that is known.
func BoundOf(value float64) *Bound {
	b := &Bound{}
	b.of[0].total.Add(value)
	return b
}

// Arrive implements engine.ArrivalSink.
func (b *Bound) Arrive(o *engine.Outcome, share policies.Amount) {
	for r := range b.of {
		// a job that needs none of it still costs w p tau, which is left out: a bound all the same
		if s := share.At(r); s > 0 {
			b.of[r].add(o.Job.Submit, o.Job.Run.Seconds(), float64(o.Value*o.Size), s)
		}
	}
}

// Value returns the bound for all that have arrived.
func (b *Bound) Value() (greatest float64) {
	for r := range b.of {
		b.of[r].finish()
		greatest = max(greatest, b.of[r].total.Value())
	}
	return greatest
}

// oneMachine works on the jobs as they come. Times are in seconds since the submission that
// found it idle.
type oneMachine struct {
	first events.Time // that submission
	at    float64     // how far it has worked
	seq   int64
	live  events.Heap[float64, boundJob] // by falling w/tau
	total policies.Sum
}

// boundJob is a job on the one machine. From when it is there until it is done the machine is
// busy with jobs of its w/tau or more. Such an interval of busy time holds what delayed each
// other, so that either of the two bounds may be used for the jobs of an interval: the sum over
// M, or the best that was known of the intervals within and w p tau for the job that joined
// them.
type boundJob struct {
	submit, run, weight, work float64
	left, moment              float64 // work left; the integral of the time since submission over the work done
	mean, best                float64 // of the intervals within: the sum over M, the best that is known
}

// touch is the overlap, in seconds, that rounding may give to intervals that only touch.
const touch = 1e-9

// add takes a job in; weight is w p, share the part of the machine that it takes.
func (m *oneMachine) add(submit events.Time, run, weight, share float64) {
	if weight == 0 || run == 0 {
		return
	}
	at, work := (submit - m.first).Seconds(), float64(share*run)
	key := -weight / work
	for m.live.Len() > 0 {
		j := m.live.Head()
		piece := j.left
		if key < m.live.HeadKey() {
			piece = min(piece, max(0, at-m.at)) // below 0 by rounding
		} else if m.at+piece > at+touch {
			break
		}
		if m.work(j, piece); j.left > touch {
			break
		}
		m.complete()
	}
	if m.live.Len() == 0 {
		m.first, m.at, at = submit, 0, 0
	} else if key < m.live.HeadKey() {
		m.at = at
	}
	m.live.Push(key, m.seq, boundJob{submit: at, run: run, weight: weight, work: work, left: work})
	m.seq++
}

// work does a piece of a job.
func (m *oneMachine) work(j *boundJob, piece float64) {
	j.moment += float64(piece * (m.at - j.submit + float64(piece/2)))
	m.at += piece
	j.left -= piece
}

// complete ends the first job, and the interval that it began. It is within that of the next,
// or else its bound counts.
func (m *oneMachine) complete() {
	j := m.live.Pop()
	mean := j.mean + float64(j.weight*(j.moment/j.work+float64(j.run/2)))
	best := max(mean, j.best+float64(j.weight*j.run))
	if m.live.Len() == 0 {
		m.total.Add(best)
		return
	}
	next := m.live.Head()
	next.mean, next.best = next.mean+mean, next.best+best
}

// finish works on until no job is left.
func (m *oneMachine) finish() {
	for m.live.Len() > 0 {
		j := m.live.Head()
		m.work(j, j.left)
		m.complete()
	}
}
