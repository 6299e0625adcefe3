package stats

import (
	"cmp"
	"math/bits"
	"slices"

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
// over separate sets of jobs may use either: see stretch.
//
// On a pool, where a job takes the share s of a resource, it takes s tau of the machine that
// does all of that resource; the greatest of the resources' bounds counts.
//
// The memory follows the jobs that come while the one machine is busy, the time n log n.
type Bound struct{ of [policies.Resources]stretch }

// BoundOf is a bound of a value that is known.
func BoundOf(value float64) *Bound {
	b := &Bound{}
	b.of[0].total.Add(value)
	return b
}

// Arrive implements engine.ArrivalSink.
func (b *Bound) Arrive(o *engine.Outcome, share policies.Amount) {
	for r := range b.of {
		if s := share.At(r); s > 0 { // a job that needs none of it still costs w p tau, which is left out: a bound all the same
			b.of[r].add(o.Job.Submit, o.Job.Run.Seconds(), float64(o.Value*o.Size), s)
		}
	}
}

// Value returns the bound for all that have arrived.
func (b *Bound) Value() (greatest float64) {
	for r := range b.of {
		b.of[r].settle()
		greatest = max(greatest, b.of[r].total.Value())
	}
	return greatest
}

// stretch is the jobs that come while the one machine is busy, in order of submission.
// They are taken up by falling w/tau: each runs in the time after its submission that those
// before it leave idle. An interval of busy time holds what delayed each other, so that
// either of the two bounds may be used for the jobs of an interval: the sum over M, or the
// best that was known of its parts and w p tau for the job that joined them. Each gap
// between intervals is closed once.
type stretch struct {
	jobs  []boundJob
	first events.Time // when the first of them came
	until float64     // seconds from then until the one machine is idle again, if nobody comes
	total policies.Sum

	order  []int32
	spans  []span // by the job that began it
	begins marks
}

// boundJob is submitted so many seconds after the first; density is w/tau.
type boundJob struct{ submit, run, weight, work, density float64 }

// span is an interval of busy time, its sum over M and the best that is known for it.
type span struct{ end, mean, best float64 }

// touch is the overlap, in seconds, that rounding may give to intervals that only touch.
const touch = 1e-9

// add takes a job in; weight is w p, share the part of the machine that it takes.
func (s *stretch) add(submit events.Time, run, weight, share float64) {
	if weight == 0 || run == 0 {
		return
	}
	work := float64(share * run)
	if len(s.jobs) > 0 && (submit-s.first).Seconds() >= s.until {
		s.settle()
	}
	if len(s.jobs) == 0 {
		s.first, s.until = submit, 0
	}
	at := (submit - s.first).Seconds()
	s.until = max(s.until, at) + work
	s.jobs = append(s.jobs, boundJob{at, run, weight, work, weight / work})
}

// settle adds the jobs' bound to the total and forgets them.
func (s *stretch) settle() {
	n := len(s.jobs)
	if n == 1 { // which costs no more than if it were alone
		s.total.Add(float64(s.jobs[0].weight * s.jobs[0].run))
		s.jobs = s.jobs[:0]
		return
	}
	s.order = s.order[:0]
	for i := range n {
		s.order = append(s.order, int32(i))
	}
	slices.SortFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.jobs[b].density, s.jobs[a].density), cmp.Compare(a, b))
	})
	s.spans = append(s.spans[:0], make([]span, n)...)
	s.begins.reset(n)
	for _, i := range s.order {
		s.insert(int(i))
	}
	for i := s.begins.next(0); i >= 0; i = s.begins.next(i + 1) {
		s.total.Add(s.spans[i].best)
	}
	s.jobs = s.jobs[:0]
}

// insert runs job i in the earliest idle time.
func (s *stretch) insert(i int) {
	j := &s.jobs[i]
	at, begin, joined := j.submit, i, span{}
	if k := s.begins.last(i); k >= 0 && s.spans[k].end > at+touch {
		begin, at, joined = k, s.spans[k].end, s.spans[k]
	}
	s.begins.set(begin)
	left, moment := j.work, 0.0 // moment is the integral of time over the work
	for {
		next, piece := s.begins.next(begin+1), left
		if next >= 0 {
			piece = min(left, max(0, s.jobs[next].submit-at)) // below 0 by rounding
		}
		moment += float64(piece * (at - j.submit + float64(piece/2)))
		at, left = at+piece, left-piece
		if left <= touch {
			break
		}
		joined.mean, joined.best, at = joined.mean+s.spans[next].mean, joined.best+s.spans[next].best, s.spans[next].end
		s.begins.clear(next)
	}
	joined.end = at
	joined.mean += float64(j.weight * (moment/j.work + float64(j.run/2)))
	joined.best = max(joined.mean, joined.best+float64(j.weight*j.run))
	s.spans[begin] = joined
}

// marks is a set of numbers below a limit that finds a number's neighbours in the set by
// going through words of 64 at each of a few levels: a word is marked one level up if it
// has any.
type marks [][]uint64

func (m *marks) reset(n int) {
	levels := 0
	for words := n; words > 1 || levels == 0; levels++ {
		words = (words + 63) / 64
		if levels == len(*m) {
			*m = append(*m, nil)
		}
		(*m)[levels] = append((*m)[levels][:0], make([]uint64, words)...)
	}
	*m = (*m)[:levels]
}

func (m marks) set(i int) {
	for _, level := range m {
		level[i/64] |= 1 << (i % 64)
		i /= 64
	}
}

func (m marks) clear(i int) {
	for _, level := range m {
		if level[i/64] &^= 1 << (i % 64); level[i/64] != 0 {
			return
		}
		i /= 64
	}
}

// next returns the least number of the set from i on, -1 if there is none.
func (m marks) next(i int) int { return m.seek(i, 1) }

// last returns the greatest number of the set up to i, -1 if there is none.
func (m marks) last(i int) int { return m.seek(i, -1) }

func (m marks) seek(i, step int) int {
	for level := range m {
		word := i >> 6
		if word < 0 || word >= len(m[level]) {
			return -1
		}
		if found := m[level][word] & from(i&63, step); found != 0 {
			for i = word<<6 + end(found, step); level > 0; level-- {
				i = i<<6 + end(m[level-1][i], step)
			}
			return i
		}
		i = word + step
	}
	return -1
}

// from is a mask of the bits from one on, upwards or downwards.
func from(bit, step int) uint64 {
	if step > 0 {
		return ^uint64(0) << bit
	}
	return ^uint64(0) >> (63 - bit)
}

// end is the first bit of a word in a direction.
func end(word uint64, step int) int {
	if step > 0 {
		return bits.TrailingZeros64(word)
	}
	return 63 - bits.LeadingZeros64(word)
}
