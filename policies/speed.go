package policies

import (
	"bourse/traces"
)

// Speeds says how fast jobs are on more or fewer processors than they asked for. What it returns for a job
// depends on that job alone.
type Speeds interface {
	// SpeedOf returns the job's speed, nil if it runs on what it asked for and, sharing, as fast as its share.
	SpeedOf(j *traces.Job) *Speed
}

// Law is a speed by number of processors, against one processor or in any unit. From 1 to Most it is above 0. It
// need not rise: a table of measurements may fall with more.
type Law interface {
	At(n float64) float64
	// Most is the most processors of which it speaks, 0 if any number.
	Most() float64
}

// Speed is how fast a job is at a rate, which is what it holds over what it asked for. At rate 1 it does a second's work
// in a second: what its run time counts.
type Speed struct {
	law         Law
	asked       float64
	base        float64 // of the law at what it asked for
	least, most float64 // processors
}

// LeastSpeed bounds speeds, so that ends of jobs stay within the range of times.
const LeastSpeed = 1e-6

// NewSpeed is the speed of a job that asked for so many processors, runs on no fewer than least and may get up to
// most; of those, as many as the law speaks of.
func NewSpeed(law Law, asked, least, most float64) *Speed {
	if all := law.Most(); all > 0 {
		most = max(asked, min(most, all))
	}
	return &Speed{law, asked, law.At(asked), least, most}
}

// At is the speed at a rate: 1 at rate 1.
func (s *Speed) At(rate float64) float64 {
	if rate == 1 {
		return 1
	}
	return s.law.At(rate*s.asked) / s.base
}

// On is the speed on n processors. A job without a Speed has that of its share.
func (j *Job) On(n int) float64 {
	if j.Speed == nil || n == int(j.Procs) {
		return float64(n) / float64(j.Procs)
	}
	return j.Speed.law.At(float64(n)) / j.Speed.base
}

// Range is the fewest and the most whole processors that it runs on.
func (j *Job) Range() (least, most int) {
	if j.Speed == nil {
		return int(j.Procs), int(j.Procs)
	}
	return int(j.Speed.least), int(j.Speed.most)
}

// MostRate is the largest rate, 1 without a Speed.
func (s *Speed) MostRate() float64 {
	if s == nil {
		return 1
	}
	return s.most / s.asked
}
