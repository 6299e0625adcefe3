package share

import "math"

// Finishing is an agent with finite work, for FinishTimes.
type Finishing struct {
	// Elapsed is the time since it came, Left the work it has left, Alone the time from when
	// it came to when it would have done it all with an equal part of the machine, and Need
	// the most it can use.
	Elapsed, Left, Alone, Need float64
}

// FinishTimes shares an amount of one resource so that the largest quotient of finish times,
//
//	rho_i = (elapsed_i + left_i / x_i) / alone_i,
//
// is least, then the next, and so on (finish-time fairness, Mahajan et al., Themis, NSDI
// 2020), into x, and returns the rho of those who get less than they need, 0 if none does.
//
// Those who do not get their need have one rho in common, as anybody with a smaller one could
// give; the others have their need, if theirs is larger. So x_i = min(need_i, left_i / (rho
// alone_i - elapsed_i)), and their sum falls in rho: one root, bisected to the last bit.
func FinishTimes(total float64, agents []Finishing, x []float64) (rho float64) {
	if finishBy(0, agents, x) <= total {
		return 0
	}
	low, high := 0.0, 1.0
	for finishBy(high, agents, x) > total && high < math.MaxFloat64/4 {
		low, high = high, 2*high
	}
	for {
		mid := low + float64((high-low)/2)
		if mid <= low || mid >= high {
			break
		}
		if finishBy(mid, agents, x) > total {
			low = mid
		} else {
			high = mid
		}
	}
	finishBy(high, agents, x)
	return high
}

// finishBy gives each agent what its rho takes, at most its need; 0 gives all their need.
func finishBy(rho float64, agents []Finishing, x []float64) (sum float64) {
	for i, a := range agents {
		x[i] = a.Need
		if late := float64(rho*a.Alone) - a.Elapsed; rho > 0 && float64(late*a.Need) > a.Left {
			x[i] = a.Left / late
		}
		sum += x[i]
	}
	return sum
}
