package sched

import (
	"slices"

	"bourse/policies"
)

// Sparing is a preemptive policy that stops a job at most so many times: from then
// on the job keeps its processors regardless of arrivals, and is not counted on as room. A
// job that is stopped for good reason again and again would otherwise never end.
// One that is killed and submitted again may be stopped as often anew.
type Sparing struct{ *Preemptive }

// NewSparing limits p, which it takes over, to most preemptions a job.
func NewSparing(p *Preemptive, most int) *Sparing {
	p.spares, p.most = true, int32(most)
	return &Sparing{p}
}

// Clone returns an independent copy.
func (p *Sparing) Clone() policies.Policy {
	return &Sparing{p.Preemptive.Clone().(*Preemptive)}
}

// spared reports whether a job has been stopped as often as it may be. Those that
// have are never among the running in p.running.
func (p *Preemptive) spared(ref policies.Ref) bool { return p.spares && p.times[ref] >= p.most }

// countFrom begins to count how often a job is stopped.
func (p *Preemptive) countFrom(ref policies.Ref) {
	if !p.spares {
		return
	}
	if n := int(ref) + 1 - len(p.times); n > 0 {
		p.times = append(p.times, slices.Repeat([]int32{0}, n)...)
	}
	p.times[ref] = 0
}
