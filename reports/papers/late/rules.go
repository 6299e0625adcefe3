package late

import (
	"math"
)

// The study's job needs 48 h of work within 60 h. Time goes in ticks of ten minutes; a change to other machines takes
// twelve. All times are in units of two minutes, which divide both.
const (
	unit     = 120 // seconds
	tick     = 600 / unit
	work     = 48 * 3600 / unit
	deadline = 60 * 3600 / unit
	change   = 720 / unit
)

// place is where the job is.
type place int

const (
	idle place = iota
	spot
	onDemand
)

// moment is what a rule knows: the time, the work done, where the job is, and whether spot capacity is there.
type moment struct {
	now, done int
	at        place
	there     bool
}

// late reports whether the job has to be on demand from now on: the safety net, in whole ticks.
func (m *moment) late() bool {
	need := (work - m.done + change + tick - 1) / tick * tick
	return deadline-m.now <= need
}

// net is where a job goes that is late: it stays where it is on spot capacity until that leaves.
func (m *moment) net() place {
	if m.there && m.at == spot {
		return spot
	}
	return onDemand
}

// greedy takes spot capacity when it is there, and waits for it until the safety net.
func greedy(m *moment) place {
	switch {
	case m.late():
		return m.net()
	case m.there:
		return spot
	}
	return idle
}

// uniform is Uniform Progress: it keeps the work done to the line from nothing to all at the deadline. Behind it the
// job goes on demand where no spot capacity is, and from there back to spot only if it would still be on the line after
// two changes.
func uniform(m *moment) place {
	onLine := func(at int) bool { return m.done*deadline >= at*work }
	switch {
	case m.late():
		return m.net()
	case m.at == onDemand && !(m.there && onLine(m.now+2*change)):
		return onDemand
	case m.there:
		return spot
	case !onLine(m.now):
		return onDemand
	}
	return idle
}

// hours is how long a job is on demand: as machines are paid for, and what of that is work and no change.
type hours struct{ paid, worked float64 }

// run runs the job under a rule; there says when spot capacity is.
func run(rule func(*moment) place, there func(tick int) bool) (h hours) {
	done, at, over := 0, idle, 0
	for t := 0; done < work; t++ {
		m := moment{t * tick, done, at, there(t)}
		if at == spot && !m.there {
			m.at = idle
		}
		to := rule(&m)
		if to != idle && to != m.at {
			over = change
		}
		if at = to; at == idle {
			continue
		}
		lost := min(over, tick)
		over -= lost
		gained := min(tick-lost, work-done)
		if done += gained; at == onDemand {
			h.paid, h.worked = h.paid+float64(lost+gained), h.worked+float64(gained)
		}
	}
	return hours{h.paid * unit / 3600, h.worked * unit / 3600}
}

// The states of the omniscient bound: where the job is, and whether its change is over or a unit of it is left.
const (
	isIdle = iota
	isSpot
	isSpotChanging
	isOnDemand
	isOnDemandChanging
	numStates
)

// omniscient is the least time on demand of all ways to be done in time if one knows when spot capacity will be there:
// a dynamic program over ticks and work done, backwards from the deadline.
func omniscient(there func(tick int) bool, paid bool) float64 {
	const end = deadline / tick
	var now, next [numStates][]int32
	for s := range next {
		now[s], next[s] = make([]int32, work+1), make([]int32, work+1)
		for w := range work {
			now[s][w], next[s][w] = math.MaxInt32/2, math.MaxInt32/2 // not done in time
		}
	}
	for t := end - 1; t >= 0; t-- {
		spotHere := there(t)
		for w := max(0, work-tick*(end-t)-1); w <= min(work-1, tick*t); w++ {
			stay := func(s, gain int) int32 { return next[s][min(work, w+gain)] }
			cost := func(lost, gain int) int32 {
				c := min(gain, work-w)
				if paid {
					c += lost
				}
				return int32(c)
			}
			// What a job does that is nowhere: wait, or change.
			free := min(stay(isIdle, 0), cost(tick, 0)+stay(isOnDemandChanging, 0))
			if spotHere {
				free = min(free, stay(isSpotChanging, 0))
			}
			for s := range numStates {
				now[s][w] = free
			}
			now[isOnDemand][w] = min(free, cost(0, tick)+stay(isOnDemand, tick))
			now[isOnDemandChanging][w] = min(free, cost(1, tick-1)+stay(isOnDemand, tick-1))
			if spotHere {
				now[isSpot][w] = min(free, stay(isSpot, tick))
				now[isSpotChanging][w] = min(free, stay(isSpot, tick-1))
			}
		}
		for s := range now {
			now[s][work] = 0
		}
		now, next = next, now
	}
	return float64(next[isIdle][0]) * unit / 3600
}
