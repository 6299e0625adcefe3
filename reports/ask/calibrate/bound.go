package calibrate

import (
	"math"

	"bourse/events"
)

// bound is what a replay has to stay below to score better than another, at the best of ranks and means: of all jobs,
// and of either half of them, the sum of log errors.
type bound struct {
	jobs   []*job
	all    float64
	halves [2]float64
	next   events.Time // that it is looked at
}

// toBeat is the bound of what is to be better than a score.
func (s score) toBeat(jobs []*job) *bound {
	b := below(s.loss()-leastGain, jobs)
	for k, loss := range s.halves {
		b.halves[k] = (loss + rankWeight) * float64(len(jobs)/2+k*(len(jobs)%2))
	}
	return b
}

// below is the bound of losses below one.
func below(loss float64, jobs []*job) *bound {
	return &bound{jobs: jobs, all: (loss + rankWeight) * float64(len(jobs)), halves: [2]float64{math.Inf(1), math.Inf(1)}}
}

// beyond reports once a week whether the waits up to now exceed the bound. A job that has not ended has waited since it
// was submitted, but for its run time.
func (b *bound) beyond(now events.Time, known map[int64]float64) bool {
	if now < b.next {
		return false
	}
	b.next = now + week
	var sum [2]float64
	for i, j := range b.jobs {
		if j.submit >= now {
			break
		}
		wait, ended := known[j.seq]
		if !ended {
			wait = max(j.wait(), (now - j.submit - (j.end - j.start)).Seconds())
		}
		sum[min(1, i/max(1, len(b.jobs)/2))] += logError([]pair{{j.wait(), wait}})
	}
	return sum[0]+sum[1] > b.all || sum[0] > b.halves[0] || sum[1] > b.halves[1]
}
