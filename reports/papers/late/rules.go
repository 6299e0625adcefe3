package late

import "math"

// The study's job needs 48 h of work within 60 h. Time goes in ticks of ten minutes; a change to other machines takes
// twelve. All times are in units of two minutes, which divide both.
const (
	unit     = 120 // seconds
	tick     = 600 / unit
	work     = 48 * 3600 / unit
	deadline = 60 * 3600 / unit
	change   = 720 / unit
)

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
