package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"bourse/policies"
)

// batches is the number of batches of PairedBatches.
const batches = 20

// PairedBatches returns the mean of b - a over pairs and half the width of its
// 95 % confidence interval by the method of batch means: the pairs are cut into
// twenty batches of neighbours, whose means depend on each other much less than
// single values do (Feitelson, "Metrics for parallel job scheduling and their
// convergence", JSSPP 2001). ok is false if there are fewer than two pairs a batch.
func PairedBatches(a, b []float64) (mean, half float64, ok bool) {
	n := len(a)
	var means [batches]float64
	for k := range means {
		from, to := k*n/batches, (k+1)*n/batches
		var s policies.Sum
		for i := from; i < to; i++ {
			s.Add(b[i] - a[i])
		}
		mean += s.Value() / float64(max(n, 1))
		means[k] = s.Value() / float64(max(to-from, 1))
	}
	if n < 2*batches {
		return mean, 0, false
	}
	square, middle := 0.0, 0.0
	for _, m := range means {
		middle += m / batches
	}
	for _, m := range means {
		square += float64((m - middle) * (m - middle))
	}
	return mean, quantile(batches-1) * math.Sqrt(square/(batches-1)/batches), true
}

// quantile is that of Student's t at 0.975 for so many degrees of freedom.
func quantile(degrees int) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(degrees)}.Quantile(0.975)
}

// Interval returns the mean of independent samples and half the width of its 95 %
// confidence interval. ok is false for fewer than two.
func Interval(samples []float64) (mean, half float64, ok bool) {
	n := len(samples)
	var sum, square policies.Sum
	for _, x := range samples {
		sum.Add(x)
	}
	if n > 0 {
		mean = sum.Value() / float64(n)
	}
	if n < 2 {
		return mean, 0, false
	}
	for _, x := range samples {
		square.Add(float64((x - mean) * (x - mean)))
	}
	return mean, quantile(n-1) * math.Sqrt(square.Value()/float64(n-1)/float64(n)), true
}
