package calibrate

import (
	"math"

	"bourse/reports/stats"
	"bourse/traces/rng"
)

// pair is a job's recorded wait and what a model makes of it, in seconds.
type pair struct{ recorded, modelled float64 }

// logError is the mean of |log (modelled + 60) / (recorded + 60)|.
func logError(pairs []pair) (sum float64) {
	for _, p := range pairs {
		sum += math.Abs(rng.Log((p.modelled + 60) / (p.recorded + 60)))
	}
	return sum / float64(len(pairs))
}

// meanError is the mean of |modelled - recorded|.
func meanError(pairs []pair) (sum float64) {
	for _, p := range pairs {
		sum += math.Abs(p.modelled - p.recorded)
	}
	return sum / float64(len(pairs))
}

// means are those of recorded and modelled waits.
func means(pairs []pair) (recorded, modelled float64) {
	for _, p := range pairs {
		recorded, modelled = recorded+p.recorded, modelled+p.modelled
	}
	return recorded / float64(len(pairs)), modelled / float64(len(pairs))
}

// rank is Spearman's correlation, 0 where one of both does not vary.
func rank(pairs []pair) float64 {
	x, y := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		x[i], y[i] = p.recorded, p.modelled
	}
	x, y = stats.Ranks(x), stats.Ranks(y)
	var s sums
	for i := range x {
		s.rankOf(x[i]/float64(len(x)), y[i]/float64(len(x)))
	}
	return s.rank()
}

// near is the share of jobs within ten minutes, or a factor of two, of the recorded wait.
func near(pairs []pair) (share float64) {
	for _, p := range pairs {
		if math.Abs(p.modelled-p.recorded) <= 600 || p.modelled <= 2*p.recorded && p.modelled >= p.recorded/2 {
			share++
		}
	}
	return share / float64(len(pairs))
}
